"""How well rules find the facts of the labeled set: precision, recall, what holds at its end, and traps."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.facts.cases import Case, Gold, Turn
from ricordo.facts import Known, Said, extract
from ricordo.models import SELF, Fact
from ricordo.text import detect, words
from ricordo.text.english import word_set

_EMPTY = word_set("a an the my our der die das mein meine ein eine le la un une el los")


@dataclass
class Score:
    """Facts found and wanted; `wrong` and `missed` show which are amiss."""

    wanted: int = 0
    hit: int = 0
    found: int = 0
    right: int = 0
    ends: int = 0
    ends_hit: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        for name in ("wanted", "hit", "found", "right", "ends", "ends_hit"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong
        self.missed += other.missed

    def as_object(self) -> dict[str, float | int]:
        """The figures by name."""
        return {
            "facts_wanted": self.wanted,
            "precision": self.precision,
            "recall": self.recall,
            "ends_wanted": self.ends,
            "ends_found": self.ends_hit,
        }

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.hit / self.wanted if self.wanted else 1.0


def score(case: Case) -> Score:
    """The facts of a file, session by session, beside its labels."""
    total = Score()
    people = _people(case)
    known = Known([(name, "person", ()) for name in sorted({turn.speaker for turn in case.turns} - {"Assistant"})])
    for turns in case.sessions.values():
        said = [Said(_speaker(case, turn), turn.role, turn.text, turn.at) for turn in turns]
        found = extract(said, detect([turn.text for turn in turns]), known).facts
        for index, turn in enumerate(turns):
            total.add(_turn(case, turn, [each for each in found if each.turn == index], people))
    return total


def jests_taken(cases: list[Case]) -> str:
    """How many turns of files in jest throughout are taken for facts, of how many."""
    said = sum(turn.role == "user" for case in cases for turn in case.turns)
    taken = sum(len({each.partition("  [")[0] for each in score(case).wrong}) for case in cases)
    return f"{taken} of {said}"


def _speaker(case: Case, turn: Turn) -> str:
    if case.is_group:
        return turn.speaker
    return SELF if turn.role == "user" else "assistant"


def _turn(case: Case, turn: Turn, found: list[Fact], people: set[str]) -> Score:
    one = Score()
    used: set[int] = set()
    for gold in turn.gold:
        met = [n for n, fact in enumerate(found) if _same(case, turn, fact, gold, people)]
        used.update(met)
        kept = [n for n in met if found[n].ended == (gold.sort in ("x", "-"))]
        if gold.sort == "":
            one.wanted, one.hit = one.wanted + 1, one.hit + bool(kept)
        if gold.sort == "x":
            one.ends, one.ends_hit = one.ends + 1, one.ends_hit + bool(kept)
        if not kept and gold.sort in ("", "x"):
            one.missed.append(f"{turn.text}  [{gold.sort}{gold.subject} | {gold.attribute} | {gold.value}]")
    for fact in found:
        if fact.ended:
            continue
        right = any(gold.sort in ("", "?") and _same(case, turn, fact, gold, people) for gold in turn.gold)
        one.found, one.right = one.found + 1, one.right + right
        if not right:
            one.wrong.append(f"{turn.text}  [{fact.subject} | {fact.predicate} | {fact.object}]")
    return one


def _same(case: Case, turn: Turn, fact: Fact, gold: Gold, people: set[str]) -> bool:
    one, other = _words(fact.object), _words(gold.value)
    if not one or not other or not (one <= other or other <= one):
        return False
    subject, wanted = fact.subject.casefold(), gold.subject.casefold()
    me = _speaker(case, turn).casefold()
    if subject == wanted or (wanted == "me" and subject in (SELF, me)):
        return True
    # What "we" and "the API" are is the speaker's, or a thing's under whatever name.
    return gold.subject not in people and (subject == me or bool(_words(subject)))


#: Attributes whose values are people.
_KIN = word_set("brother sister mother partner spouse boss manager cousin Partner novia hermana frère hermano Mutter")


def _people(case: Case) -> set[str]:
    """Who is somebody in a file: all others are things, on which "we" and "the API" may stand for one another."""
    kin = {gold.value for turn in case.turns for gold in turn.gold if gold.attribute in _KIN}
    return {"me", *kin, *(turn.speaker for turn in case.turns)}


def _words(text: str) -> set[str]:
    return {word for word in words(text) if word not in _EMPTY}


def total(cases: list[Case]) -> Score:
    """The scores of several files together."""
    whole = Score()
    for case in cases:
        whole.add(score(case))
    return whole
