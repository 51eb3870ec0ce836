"""Questions that ask for turns by their time: "What did we talk about last time?", "What was the first thing I asked
you about the boat?", "In which order did I visit …?". What they ask for; ricordo.recall.by_time chooses the turns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache

from ricordo.recall.time_rules import Span
from ricordo.recall.when import span_of
from ricordo.text import fold, talk_words, words
from ricordo.text.asking_words import names_nothing


class By(Enum):
    """Which turns are asked for."""

    #: Those of some days.
    DAYS = "days"
    #: Those of the conversation that was last; of the conversations before now; and the very last ones.
    LATEST = "latest"
    RECENT = "recent"
    LAST = "last"
    #: The very first ones.
    FIRST = "first"
    #: Those about a topic, in the order in which they were said.
    ORDER = "order"


@dataclass(frozen=True)
class Chronology:
    """That a question asks for turns by their time."""

    by: By
    #: Whether it names no topic.
    alone: bool
    #: The days that it names, if any.
    span: Span | None
    #: Whether it asks for the first ones.
    oldest_first: bool
    #: Whether it asks for the asker's own words.
    own: bool

    @property
    def of_several(self) -> bool:
        """Whether only several turns together answer it."""
        return self.by is By.ORDER or (self.alone and self.by in (By.DAYS, By.LATEST, By.RECENT))


_IN_ORDER = re.compile(talk_words.IN_ORDER)
_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")
#: Longer messages say more than what is asked for.
_CHARACTERS = 400
#: Words that say no more than a time need more than these around them.
_FEWEST = 2


def chronology_of(text: str, today: date) -> Chronology | None:
    """What a question asks for by time, if anything. One of several sentences may ask for it, and must end as a
    question then."""
    if len(text) > _CHARACTERS:
        return None
    sentences = [each for each in _SENTENCES.findall(fold(text).replace("’", "'")) if each.strip()]
    for each in sentences:
        if len(sentences) == 1 or each.endswith("?"):
            found = _read(each, today)
            if found is not None:
                return found
    return None


def _read(sentence: str, today: date) -> Chronology | None:
    said = frozenset(words(sentence))
    others = said & talk_words.OTHERS - ({"il"} if "il y a" in sentence else set())
    if others or (said.isdisjoint(talk_words.TALKED) and said.isdisjoint(talk_words.OF_ORDER)):
        return None
    asked = _has("PLEASE").sub("", sentence)
    listed = _IN_ORDER.sub("", asked) if _has("LIST").search(sentence) else asked
    rest = _has("ORDER").sub(" ", listed)
    spoken = list(words(rest))
    talked = not talk_words.TALKED.isdisjoint(spoken)
    alone = all(names_nothing(word) or is_aside(word) for word in spoken)
    if not (alone or said & talk_words.ASKER or any(word.endswith(talk_words.WE) for word in said)):
        return None
    ordered, first = rest != asked, _has("FIRST").search(sentence) is not None
    span = span_of(sentence, today) if talked else None
    by = _by(sentence, span, ordered=ordered and not alone, first=first and talked)
    if by is None or not (talked or by is By.ORDER or (alone and len(spoken) > _FEWEST)):
        return None
    return Chronology(by, alone, span, oldest_first=ordered or first, own=_has("OWN").search(asked) is not None)


@cache
def _has(name: str) -> re.Pattern[str]:
    """The pattern of this name in ricordo.text.talk_words. Most questions need none, and compiling takes time."""
    pattern: str = getattr(talk_words, name)
    return re.compile(rf"^\W*(?:{pattern})\b" if name == "PLEASE" else rf"\b(?:{pattern})\b")


def _by(sentence: str, span: Span | None, *, ordered: bool, first: bool) -> By | None:
    if ordered:
        return By.ORDER
    if span is not None:
        return By.DAYS
    if first:
        return By.FIRST
    latest = {By.LAST: "LAST_SAID", By.LATEST: "LATEST", By.RECENT: "RECENT"}
    return next((by for by, name in latest.items() if _has(name).search(sentence)), None)


def by_time_alone(text: str) -> bool:
    """Whether a question asks for turns by their time and names no topic."""
    found = chronology_of(text, date.today())
    return found is not None and found.alone


def is_aside(word: str) -> bool:
    """Whether a word of such a question names no topic."""
    return word in talk_words.ASIDE or word in talk_words.TALKED
