"""How recall uses facts, on the labeled set: whether the current value comes first, and what is marked as replaced."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bench.facts.cases import Asked, Case, Turn
from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.models import Hit
from ricordo.settings import Settings

_TOP = 10


@dataclass
class Standing:
    """Questions by sort and how many were answered right; hits that were marked, and how many of these rightly."""

    asked: dict[str, int] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    found: int = 0
    #: Outdated turns of questions about now among the hits, and those of them that are marked.
    stale: int = 0
    stale_marked: int = 0
    #: Hits that still hold, and those of them that are marked all the same.
    holding: int = 0
    wrongly: int = 0
    milliseconds: list[float] = field(default_factory=list)
    amiss: list[str] = field(default_factory=list)

    def as_object(self) -> dict[str, float | int | str]:
        """The figures by name."""
        answered = {sort: f"{self.right[sort]} of {count}" for sort, count in self.asked.items()}
        return {
            **{f"questions_{sort}": text for sort, text in answered.items()},
            "in_first_five": self.found,
            "replaced_marked": f"{self.stale_marked} of {self.stale}",
            "wrongly_marked": f"{self.wrongly} of {self.holding}",
            "recall_ms_p50": statistics.median(self.milliseconds),
        }


async def measure(settings: Settings, cases: list[Case]) -> Standing:
    """Mine each file as a user of its own, ask its questions at its end, and score what comes back."""
    total = Standing()
    async with own_schema(settings) as own:
        for number, case in enumerate(cases):
            name = case.me if case.is_group else f"{case.name}-{number}"
            async with AsyncMemory(settings=replace(own, user=name), background=False) as memory:
                for session, turns in case.sessions.items():
                    await memory.mine([_message(case, turn) for turn in turns], conversation=f"{case.name}-{session}")
                await memory.embed_pending()
                await memory.recall("warm up")
                now = case.turns[-1].at + timedelta(days=7)
                for asked in case.questions:
                    began = time.perf_counter()
                    hits = list(await memory.recall(asked.text, top_k=_TOP, now=now))
                    total.milliseconds.append(1000 * (time.perf_counter() - began))
                    _score(total, case, asked, hits, now)
    return total


def _message(case: Case, turn: Turn) -> dict[str, object]:
    named = {"name": turn.speaker} if case.is_group else {}
    return {"role": turn.role, "content": turn.text, "at": turn.at, **named}


def _score(total: Standing, case: Case, asked: Asked, hits: list[Hit], now: datetime) -> None:
    texts = {turn.text: turn for turn in case.turns}
    ranks = {texts[hit.text].mark: rank for rank, hit in enumerate(hits) if texts[hit.text].mark}
    best = min((ranks[mark] for mark in asked.best if mark in ranks), default=None)
    worst = min((ranks[mark] for mark in asked.stale if mark in ranks), default=None)
    right = best is not None and (worst is None or best < worst)
    if asked.sort == "both":
        right = right and all(hit.superseded_by is None for hit in hits if texts[hit.text].mark in asked.best)
    total.asked[asked.sort] = total.asked.get(asked.sort, 0) + 1
    total.right[asked.sort] = total.right.get(asked.sort, 0) + right
    total.found += best is not None and best < 5
    if not right:
        total.amiss.append(f"{case.name}: {asked.text}  {ranks}  wanted {asked.best} above {asked.stale}")
    for hit in hits:
        turn, marked = texts[hit.text], hit.superseded_by is not None
        if asked.sort == "now" and turn.mark in asked.stale:
            total.stale, total.stale_marked = total.stale + 1, total.stale_marked + marked
            if not marked:
                total.amiss.append(f"{case.name}: {asked.text}  not marked: {hit.text}")
        facts = [gold for gold in turn.gold if gold.sort in ("", "?")]
        holds = not any(gold.until is not None and gold.until <= now for gold in facts)
        if holds and turn.mark not in (*asked.stale, *case.outdated):
            total.holding, total.wrongly = total.holding + 1, total.wrongly + marked
            if marked:
                total.amiss.append(f"{case.name}: {asked.text}  wrongly marked: {hit.text}")
