"""The labeled set of facts: talk that was written for it, the facts that it states, and questions with their turns.

A file is one conversation over a year. `@ TIME` begins a session, `Name #mark: text` is a turn, and the lines after a
turn label it:

    = subject | attribute | value [| from=DATE]    a fact that must be found
    =? ...                                          a fact that may be found: it counts neither way
    =x subject | attribute | value [| on=DATE]      the turn says that this holds no longer
    =- ...                                          the turn states it of the past only
    ? now|before|when|both | question | best, next > stale, stale

Of the answers to a question `both`, all hold, however much they look alike.

A fact with the same subject and attribute as an earlier one replaces it, unless the attribute is one of `MANY`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

SET = Path(__file__).parent / "data"
HALVES = ("tune", "test")
#: Written later and blind, a round at a time: conversations without questions, changes without labels of facts, and
#: jests that no rule was written for.
PARTS = (*HALVES, "more", "changes", "jests")
_TURN = re.compile(r"(?P<speaker>[^\W\d_]\w*)(?: #(?P<mark>\w+))?: (?P<text>.+)")
_GOLD = re.compile(r"=(?P<sort>[?x-]?) (?P<rest>.+)")
#: Attributes of which several values hold at once.
MANY = frozenset(
    ["allergic to", "brother", "sister", "cousin", "owns", "pet", "Haustier", "likes", "dislikes", "hermana", "frère",
     "intolerant to", "does not eat", "member of", "drinks", "animal", "mascota"]
)  # fmt: skip


@dataclass
class Gold:
    """A labeled fact; `sort` is '' (wanted), '?' (optional), 'x' (ended) or '-' (past)."""

    sort: str
    subject: str
    attribute: str
    value: str
    since: datetime
    until: datetime | None = None


@dataclass
class Turn:
    """A labeled turn."""

    speaker: str
    text: str
    at: datetime
    session: int
    mark: str = ""
    gold: list[Gold] = field(default_factory=list)

    @property
    def role(self) -> Literal["user", "assistant"]:
        return "assistant" if self.speaker == "Assistant" else "user"


@dataclass(frozen=True)
class Asked:
    """A question: which of now, before, when, both; the turns that answer it, best first, and the outdated ones."""

    sort: str
    text: str
    best: tuple[str, ...]
    stale: tuple[str, ...]


@dataclass
class Case:
    """One file of the set."""

    name: str
    title: str
    me: str
    is_group: bool
    turns: list[Turn]
    questions: list[Asked]

    @property
    def sessions(self) -> dict[int, list[Turn]]:
        found: dict[int, list[Turn]] = {}
        for turn in self.turns:
            found.setdefault(turn.session, []).append(turn)
        return found

    @property
    def is_labeled(self) -> bool:
        """Whether its facts are labeled."""
        return any(turn.gold for turn in self.turns)

    @property
    def is_in_jest(self) -> bool:
        """Whether it has neither facts nor questions: nothing in it is meant."""
        return not self.is_labeled and not self.questions

    @property
    def outdated(self) -> set[str]:
        """The marks of the turns that do not hold at its end, by its questions."""
        return {mark for asked in self.questions if asked.sort == "now" for mark in asked.stale}

    def marked(self, mark: str) -> Turn:
        return next(turn for turn in self.turns if turn.mark == mark)


def cases(part: str) -> list[Case]:
    """The files of a part, with from when to when each fact holds."""
    return [case(path) for path in sorted((SET / part).glob("*.txt"))]


def case(path: Path) -> Case:
    """The file of labeled turns at a path."""
    head: dict[str, str] = {}
    turns: list[Turn] = []
    questions: list[Asked] = []
    at, session = datetime(2025, 1, 1, tzinfo=UTC), -1
    for line in filter(None, map(str.strip, path.read_text("utf-8").splitlines())):
        if line.startswith("@ "):
            at, session = datetime.fromisoformat(line[2:]).replace(tzinfo=UTC), session + 1
        elif line.startswith("? "):
            questions.append(_asked(line))
        elif session < 0:
            key, _, value = line.partition(": ")
            head[key] = value
        elif (gold := _GOLD.fullmatch(line)) is not None:
            turns[-1].gold.append(_gold(gold["sort"], gold["rest"], turns[-1].at))
        elif (turn := _TURN.fullmatch(line)) is not None:
            turns.append(Turn(turn["speaker"], turn["text"], at, session, turn["mark"] or ""))
            at += timedelta(minutes=1)
        else:
            raise ValueError(f"{path.name}: neither a turn nor a label: {line}")
    _close(turns)
    return Case(path.stem, head["title"], head["me"], "group" in head, turns, questions)


def _gold(sort: str, rest: str, at: datetime) -> Gold:
    subject, attribute, value, *more = [part.strip() for part in rest.split("|")]
    for each in more:
        at = _date(each.partition("=")[2])
    return Gold(sort, subject, attribute, value, at)


def _date(text: str) -> datetime:
    return datetime.fromisoformat(text if len(text) > 7 else f"{text}-01").replace(tzinfo=UTC)


def _close(turns: list[Turn]) -> None:
    """Say until when each fact holds: until a later one replaces or ends it."""
    standing: list[Gold] = []
    for new in (gold for turn in turns for gold in turn.gold if gold.sort != "-"):
        for old in standing:
            same = (old.subject, old.attribute) == (new.subject, new.attribute)
            if old.until is not None or not same:
                continue
            equal = old.value.casefold() == new.value.casefold()
            if (new.sort == "x") == equal and (new.sort == "x" or new.attribute not in MANY):
                old.until = new.since
        if new.sort != "x":
            standing.append(new)


def _asked(line: str) -> Asked:
    sort, text, answer = [part.strip() for part in line[2:].split("|")]
    best, _, stale = answer.partition(">")
    return Asked(sort, text, _marks(best), _marks(stale))


def _marks(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))
