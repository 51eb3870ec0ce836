"""A question's words that nobody ever said → what was meant: written with a slip, or as one where others write several.

A slip is a letter doubled or not, two letters the wrong way round, another vowel, or one letter too many, and the more
likely in this order. The first letter is right. Names of code, ids and numbers are split where case or kind of letter
changes: nextInvoiceNumber, HX77312B. What the index holds are hashes, so that spellings are tried, not looked through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ricordo.database import Transaction
from ricordo.embedding import Vocabulary
from ricordo.recall import store
from ricordo.recall.question import Question
from ricordo.text import fold, term_hash, variants, words

#: The shortest word that may hold a slip, the longest, and how many unknown words are tried.
_SHORTEST, _LONGEST, _WORDS = 5, 24, 4
_VOWELS = "aeiou"
#: Where case or kind of letter changes inside a word.
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


async def respelt(
    tx: Transaction,
    question: Question,
    known: Iterable[int],
    languages: tuple[str, ...],
    vocabulary: Vocabulary | None = None,
) -> Question:
    """The question with other spellings of its words that none of the `known` terms is a form of, where there are such
    among what was said; the very question where there is nothing to try or to find. A word of the `vocabulary` is
    taken as it is: "tired" is no slip of "tried"."""
    terms = frozenset(known)
    unknown = [word for word, hashes in question.words.items() if terms.isdisjoint(hashes)][:_WORDS]
    parts = _parts(question.text, frozenset(unknown))
    wrong = [word for word in unknown if word not in parts and not (vocabulary and vocabulary.is_word(word))]
    slips = {word: _slips(word) for word in wrong}
    tried = [*parts.values(), *(kind for kinds in slips.values() for kind in kinds)]
    forms = {
        each: frozenset(map(term_hash, variants(each, (*languages, "en")))) for several in tried for each in several
    }
    if not forms:
        return question
    own = {word: question.words[word] for word in unknown}
    common = await store.frequencies(tx, [each for several in (*forms.values(), *own.values()) for each in several])
    times = {each: sum(common.get(form, 0) for form in several) for each, several in forms.items()}
    wanted = dict(question.words)
    for named in parts.values():
        wanted |= {each: wanted.get(each, frozenset()) | forms[each] for each in named if times[each]}
    for word, kinds in slips.items():
        if any(form in common for form in own[word]):  # said, though not in what the filters leave
            continue
        likeliest = next((there for kind in kinds if (there := [each for each in kind if times[each]])), [])
        if likeliest:
            wanted[word] |= forms[max(likeliest, key=lambda each: (times[each], each))]
    return question if wanted == question.words else replace(question, words=wanted)


def _parts(text: str, unknown: frozenset[str]) -> dict[str, list[str]]:
    """For each unknown word of several parts these, folded."""
    if not unknown:
        return {}
    found = {}
    for written in re.findall(r"[^\W_]+", text):
        apart = _SEAM.sub(" ", written)
        if " " in apart and (word := fold(written)) in unknown:
            found[word] = [each for each in dict.fromkeys(words(apart)) if len(each) > 1]
    return found


def _slips(word: str) -> list[set[str]]:
    """What may have been meant by a word, if one slip was made behind its first letter: the likelier kinds first."""
    if not _SHORTEST <= len(word) <= _LONGEST or not (word.isascii() and word.isalpha()):
        return []
    inside = range(1, len(word) - 1)
    doubled = {word[:at] + word[at] + word[at:] for at in (*inside, len(word) - 1)}
    single = {word[:at] + word[at + 1 :] for at in inside if word[at] == word[at + 1]}
    turned = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inside}
    vowels = {word[:at] + each + word[at + 1 :] for at in inside if word[at] in _VOWELS for each in _VOWELS}
    dropped = {word[:at] + word[at + 1 :] for at in inside}
    return [kind - {word} for kind in (doubled | single | turned, vowels, dropped)]
