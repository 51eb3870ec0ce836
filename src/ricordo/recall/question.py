"""A question as it is asked → what to look for: words, a span of time, and whose words are wanted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from itertools import pairwise

from ricordo.recall.anchor import Anchor, anchor_of
from ricordo.recall.chronology import Chronology, chronology_of, is_aside
from ricordo.recall.message import is_message
from ricordo.recall.preference import asks_for_preference
from ricordo.recall.time_rules import Span
from ricordo.recall.when import span_of
from ricordo.text import ENGLISH, fold, stem, term_hash, variants, words
from ricordo.text.asking_words import REQUEST, names_nothing
from ricordo.text.calendar_words import counts_back

_TOLD = (
    r"(?:suggest|told|mention|said|recommend|provid|list|gave|describ|explain|help|identif|came up|shar|creat|wr[io]t)"
)
#: What asks for an assistant's own words; "can you suggest" asks for new ones.
_SAID_BY_ASSISTANT = re.compile(
    rf"\b(?<!can )(?<!could )(?<!will )(?<!would )(?<!should )you {_TOLD}|"
    r"\bremind me\b(?! to\b)|\bour (?:previous|last|earlier) (?:chat|conversation|discussion)|"
    r"\bassistant (?:said|suggest|recommend|told|advise|propos|explain|list)|"
    r"\bdid (?:you|the assistant) (?:suggest|recommend|say|tell|mention|advise|propose|list|come up)|"
    r"\bhast du (?:[^.?!]{0,80} )?(?:gesagt|vorgeschlagen|empfohlen|geraten|genannt|erklart|geschrieben)\b"
)
#: What asks how things are at present: where they changed, the newer counts.
_PRESENT = re.compile(
    r"\b(?:currently|now|nowadays|these days|at the moment|still|latest|newest|current|most recent|"
    r"aktuell\w*|derzeit|jetzt|zurzeit|momentan|neuest\w*|actuellement|maintenant|actualmente|ahora)\b"
)
#: What tells of the asker beside somebody else, as in "When do Ines and I travel?": either may have said it.
_WITH_ASKER = re.compile(
    r"\b(?:and (?:i|me|myself)|(?:i|me) and|und (?:ich|mich|mir)|ich und|et moi|moi et|y yo|yo y)\b"
)
#: Names that are function words too; they are meant where they have a capital behind another word.
_NAMED = re.compile(r"(?<=[\w,] )(?:Will|Don|May)\b")
#: Several words in one name, as in code, ids and paths.
_NAME = re.compile(r"(?<![^\W_])[^\W_]++(?:[_.\-/][^\W_]++)++")
#: The longest part of a question that is looked at, and the most words of it that are looked for.
LOOK = 8_000
_WORDS = 48
#: A request for advice with at most so many words is a question, whatever it tells first: "I'm off to Oslo. Any tips?"
_ADVICE = 12


@dataclass(frozen=True)
class Question:
    """What to look for."""

    text: str
    #: For each word that is looked for, the hashes of the forms that it may have in the index.
    words: dict[str, frozenset[int]]
    span: Span | None
    #: An event that the time is told by, and the forms of its words; where no date is named.
    anchor: Anchor | None
    event: dict[str, frozenset[int]]
    #: Whether a time is all that the question tells.
    of_time: bool
    #: That turns are asked for by their time, if they are.
    chronology: Chronology | None
    #: The day when it is asked, and the time zone whose days are meant.
    today: date
    zone: tzinfo
    #: Whether it asks how things are at present.
    of_present: bool
    #: Whether the question is about what an assistant said, and not about what people said.
    of_assistant: bool
    #: Whether it asks for advice, or for what somebody likes.
    of_preference: bool
    #: Whether it tells of the asker beside whoever it names.
    with_asker: bool
    #: Whether it is ranked as a message to an agent, which tells something too.
    is_message: bool = False
    #: Words of other names of the people in it.
    called: frozenset[str] = frozenset()

    def topic(self) -> list[frozenset[int]]:
        """The forms of its words that name more than a time, the person who asks, or talking."""
        return [forms for word, forms in self.words.items() if not (names_nothing(word) or is_aside(word))]

    def names(self, speaker: str) -> bool:
        """Whether the question speaks of this person by a name or a part of it."""
        return bool(self.names_of(speaker))

    def names_of(self, speaker: str) -> frozenset[str]:
        """The words of a speaker's name that occur in the question, or in another name of a person that it names."""
        if speaker in ("user", "assistant"):
            return frozenset()
        return frozenset(words(speaker)) & (self.words.keys() | self.called)


def parse(text: str, languages: tuple[str, ...], today: date, zone: tzinfo = UTC) -> Question:
    """Read a question of a user whose conversations are in `languages` (ISO 639-1 codes).

    Words of request are looked for only where there are no others, and function words where there are none else.
    """
    text = text[:LOOK]
    folded, span = fold(text), span_of(text, today)
    anchor = None if span else anchor_of(folded)
    of_assistant = _SAID_BY_ASSISTANT.search(folded) is not None
    forms = _forms(text, languages, dated=span is not None)
    event = _forms(anchor.event, languages) if anchor else {}
    chronology, of_preference = chronology_of(text, today), not of_assistant and asks_for_preference(folded)
    only_asks = chronology is not None or (of_preference and len(forms) <= _ADVICE)
    return Question(
        text=text,
        words=forms,
        span=span,
        anchor=anchor,
        event=event,
        of_time=(span is not None or bool(event)) and all(map(names_nothing, forms.keys() - event.keys())),
        chronology=chronology,
        today=today,
        zone=zone,
        of_present=_PRESENT.search(folded) is not None,
        of_assistant=of_assistant,
        of_preference=of_preference,
        with_asker=_WITH_ASKER.search(folded) is not None,
        is_message=not only_asks and is_message(text),
    )


def parse_search(text: str, languages: tuple[str, ...]) -> Question:
    """Read what is looked for among memories that are no turns: that it tells only a time brings back none of them."""
    return replace(parse(text, languages, datetime.now(UTC).date()), of_time=False, chronology=None)


def _forms(text: str, languages: tuple[str, ...], dated: bool = False) -> dict[str, frozenset[int]]:
    """The words of a text that are worth looking for, each with the hashes of its forms. Where its time is known, the
    words that count back to it are not: who said "yesterday" meant another day."""
    names = {fold(name) for name in _NAMED.findall(text)}
    spoken = list(words(text))
    said = list(dict.fromkeys(spoken))
    content = [word for word in said if word not in ENGLISH or word in names]
    asked = [word for word in content if not (dated and counts_back(word))]
    wanted = [word for word in asked if word not in REQUEST] or asked or content or said
    forms: dict[str, tuple[str, set[int]]] = {}
    for word in wanted[:_WORDS]:  # two spellings of one stem are one word
        _, hashes = forms.setdefault(stem(word, languages[0] if languages else "en"), (word, set()))
        hashes.update(map(term_hash, variants(word, (*languages, "en"))))
    found = {word: frozenset(hashes) for word, hashes in forms.values()}
    for parts, whole in _wholes(text, spoken[:_WORDS], found.keys()):
        of_whole = frozenset(map(term_hash, variants(whole, (*languages, "en"))))
        found |= {part: found[part] | of_whole for part in parts}
    return found


def _wholes(text: str, said: Sequence[str], wanted: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Words that stand together in a text, whose first words were `said`, and what they are in one: "user serializer"
    may be written UserSerializer."""
    for pair in pairwise(said):
        if pair[0] in wanted and pair[1] in wanted and pair[0].isascii() and pair[1].isascii():
            yield pair, "".join(pair)
    for name in _NAME.findall(text)[:_WORDS]:
        parts = tuple(words(name))
        if len(parts) > 2 and name.isascii():
            yield tuple(part for part in parts if part in wanted), "".join(parts)
