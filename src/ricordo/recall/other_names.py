"""The names in a question → the other names of whom and what they stand for, to be looked for as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ricordo.database import Transaction
from ricordo.recall import store
from ricordo.recall.question import LOOK, Question
from ricordo.text import term_hash, variants, words

#: The longest name that is looked up, in words, and how many words of a question are gone through.
_LONGEST, _WORDS = 4, 96


async def with_other_names(
    tx: Transaction, question: Question, languages: tuple[str, ...], others: Mapping[str, Sequence[str]]
) -> Question:
    """The question that finds Elizabeth where it asks for Liz, if the palace knows that they are one: `others` holds
    the other names of those in the question.

    The other name stands for each word of the one in the question; one of several words by the rarest that is new.
    """
    if not others:
        return question
    forms = {
        word: frozenset(map(term_hash, variants(word, (*languages, "en"))))
        for names in others.values()
        for name in names
        for word in words(name)
    }
    common = await store.frequencies(tx, [each for several in forms.values() for each in several])
    wanted, called = dict(question.words), set[str]()
    for slug, names in others.items():
        own = slug.split("-")
        for name in names:
            new = {word: sum(common.get(form, 0) for form in forms[word]) for word in words(name) if word not in own}
            said = [word for word, times in new.items() if times]
            if said:
                rarest = min(said, key=lambda word: (new[word], word))
                called.add(rarest)
                wanted |= {word: wanted[word] | forms[rarest] for word in own if word in wanted}
    return replace(question, words=wanted, called=frozenset(called))


def possible_names(text: str) -> list[str]:
    """Each run of a few words in a text, as entities' names are looked up by (ricordo.palace.slug_of)."""
    said = list(words(text[:LOOK]))[:_WORDS]
    return [
        "-".join(said[start:end])
        for start in range(len(said))
        for end in range(start + 1, min(start + _LONGEST, len(said)) + 1)
    ]
