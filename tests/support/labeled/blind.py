"""Blind rounds: plain sentences, turns in jest and turns of several facts, each written before rules were run on it.

    PYTHONPATH=.:tests/support python -m labeled.blind [ROUND ...] [--errors]

A sentence of `blind/plainN.txt` has one fact: `language | sentence | subject | value`, with `*` for any subject and `!`
before a value that has ended. The turns of `blind/turnsN*.txt` are labeled as in `bench/facts/cases.py`.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.facts.cases import case
from bench.facts.extraction import Score, total
from ricordo.facts import Known, Said, extract
from ricordo.models import SELF, Fact
from ricordo.text import detect, words

#: The sixth, the eleventh and the twentieth have no turns, the twelfth and the eighteenth no plain sentences. From the
#: seventh on, jests are traps of all kinds, and turns come in several files.
ROUNDS = tuple(range(1, 21))
_FOLDER = Path(__file__).parent / "blind"
_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass
class Reading:
    """What is found of a round: plain sentences by language, jests that are taken for facts, and the turns."""

    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    jests: int = 0
    taken: list[str] = field(default_factory=list)
    turns: Score = field(default_factory=Score)

    def lines(self) -> list[str]:
        """The counts, one a line."""
        plain = ", ".join(f"{each} {self.found[each]} of {self.wanted[each]}" for each in self.wanted)
        turns = f"{self.turns.hit} of {self.turns.wanted} facts, {self.turns.right} of {self.turns.found} right"
        return [f"plain sentences: {plain}", f"jests taken: {len(self.taken)} of {self.jests}", f"turns: {turns}"]


def reading(number: int) -> Reading:
    """What is found of a round today."""
    found = Reading(turns=total([case(path) for path in sorted(_FOLDER.glob(f"turns{number}[!0-9]*txt"))]))
    for line in _lines(f"plain{number}.txt"):
        language, text, subject, value = (part.strip() for part in line.split("|"))
        hit = any(_states(each, subject, value) for each in _facts([text]))
        found.wanted[language] += 1
        found.found[language] += hit
        found.missed += [] if hit else [text]
    for line in _lines(f"jests{number}.txt"):
        found.jests += 1
        found.taken += [line] if any(not each.ended for each in _facts([line])) else []
    return found


def _lines(name: str) -> list[str]:
    path = _FOLDER / name
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def _facts(texts: list[str]) -> tuple[Fact, ...]:
    return extract([Said(SELF, "user", text, _AT) for text in texts], detect(texts), Known()).facts


def _states(fact: Fact, subject: str, value: str) -> bool:
    asked, said = set(words(value.lstrip("!"))), set(words(fact.object))
    alike = asked <= said or (bool(said) and said <= asked)
    return subject in ("*", fact.subject) and fact.ended == value.startswith("!") and alike


if __name__ == "__main__":
    for each in [int(argument) for argument in sys.argv[1:] if argument.isdigit()] or ROUNDS:
        result = reading(each)
        print(f"round {each}", *result.lines(), sep="\n  ")
        if "--errors" in sys.argv:
            print(*(f"    missed: {text}" for text in [*result.missed, *result.turns.missed]), sep="\n")
            print(*(f"    wrong: {text}" for text in [*result.taken, *result.turns.wrong]), sep="\n")
