"""Precision and recall of ricordo.facts on the labeled sentences, by kind and predicate.

    PYTHONPATH=.:tests/support python -m labeled.measure [development|held_out] [--errors]
    PYTHONPATH=.:tests/support python -m labeled.measure --speed [LOCOMO.json | LONGMEMEVAL.json.gz]

The second says what a turn costs: of the bundled sample, or of the benchmark's conversations.

A mention counts where name and kind are right, once in each turn; a fact where subject, predicate, object
and whether it ended are. Case is no matter.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any

from ricordo.bench.datasets import locomo, longmemeval
from ricordo.facts import Known, Said, extract
from ricordo.formats import read
from ricordo.sample import chats
from ricordo.text.language import detect

PARTS = ("development", "held_out")
_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass
class Tally:
    """Right, wrong and missed, each by kind."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def add(self, found: Counter[tuple[str, ...]], expected: Counter[tuple[str, ...]], by: int) -> None:
        for tally, items in (
            (self.right, found & expected), (self.wrong, found - expected), (self.missed, expected - found)
        ):  # fmt: skip
            for item, count in items.items():
                tally[item[by]] += count

    @property
    def precision(self) -> float:
        return _share(self.right.total(), self.wrong.total())

    @property
    def recall(self) -> float:
        return _share(self.right.total(), self.missed.total())

    def lines(self) -> list[str]:
        kinds = sorted({*self.right, *self.wrong, *self.missed})
        rows = [(kind, self.right[kind], self.wrong[kind], self.missed[kind]) for kind in kinds]
        rows.append(("all", self.right.total(), self.wrong.total(), self.missed.total()))
        return [
            f"  {kind:20} precision {_share(right, wrong):.2f}  recall {_share(right, missed):.2f}"
            f"  ({right} right, {wrong} wrong, {missed} missed)"
            for kind, right, wrong, missed in rows
        ]


def _share(one: int, other: int) -> float:
    return one / (one + other) if one + other else 1.0


def examples(part: str) -> list[dict[str, Any]]:
    """The labeled turns of a part."""
    text = (Path(__file__).parent / f"{part}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def measure(part: str, show: bool = False) -> tuple[Tally, Tally]:
    """How well mentions and facts agree with a part's labels; facts in slots that no label names are not counted."""
    mentions, facts = Tally(), Tally()
    named_slots = {fact[1] for each in PARTS for example in examples(each) for fact in example["facts"]}
    for example in examples(part):
        texts = example["text"] if isinstance(example["text"], list) else [example["text"]]
        role = "assistant" if example["speaker"] == "assistant" else "user"
        said = [Said(example["speaker"], role, text, _AT) for text in texts]
        result = extract(said, example["language"], Known())
        named = Counter((name, kind) for _, name, kind in {(m.turn, m.name.lower(), m.kind) for m in result.mentions})
        stated = Counter(
            (f.subject.lower(), f.predicate, f.object.lower(), "ended" if f.ended else "")
            for f in result.facts
            if f.predicate in named_slots
        )
        labels = Counter((name.lower(), kind) for name, kind in example["mentions"])
        truths = Counter((s.lower(), p, o.lower(), *(e or [""])) for s, p, o, *e in example["facts"])
        mentions.add(named, labels, 1)
        facts.add(stated, truths, 1)
        if show and (named != labels or stated != truths):
            print(example["text"])
            for sign, items in (
                ("+", named - labels), ("-", labels - named), ("+", stated - truths), ("-", truths - stated)
            ):  # fmt: skip
                for item in items:
                    print("   ", sign, *item)
    return mentions, facts


def speed(path: Path | None) -> str:
    """The processor time that a turn takes, and the names and facts that were found."""
    if path is None:
        conversations = list(read([chats()], print))
    else:
        load = locomo if "locomo" in path.name else longmemeval
        conversations = [each for history in load(path) for each in history.conversations]
    talks = [[Said(m.name or m.role, m.role, m.content, m.at or _AT) for m in each.messages] for each in conversations]
    languages = [detect(turn.text for turn in turns) for turns in talks]
    extract(talks[0], languages[0], Known())
    began = process_time()
    found = [extract(turns, language, Known()) for turns, language in zip(talks, languages, strict=True)]
    spent = process_time() - began
    turns = sum(map(len, talks))
    mentions, facts = (sum(len(getattr(each, part)) for each in found) for part in ("mentions", "facts"))
    return f"{turns} turns, {1000 * spent / turns:.3f} ms a turn; {mentions} mentions, {facts} facts"


if __name__ == "__main__":
    if "--speed" in sys.argv:
        print(speed(next((Path(each) for each in sys.argv[1:] if not each.startswith("-")), None)))
        sys.exit()
    for part in [each for each in sys.argv[1:] if each in PARTS] or PARTS:
        named, stated = measure(part, "--errors" in sys.argv)
        print(f"{part}: mentions", *named.lines(), f"{part}: facts", *stated.lines(), sep="\n")
