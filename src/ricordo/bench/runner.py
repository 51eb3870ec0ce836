"""Runs a benchmark through the product's own mine and recall, in a schema of its own that is dropped afterwards."""

from __future__ import annotations

import asyncio
import platform
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from statistics import quantiles
from typing import Any

from ricordo import __version__, embedding
from ricordo.bench.datasets import Asked, History
from ricordo.bench.scoring import Figure, figure, measures
from ricordo.client import AsyncMemory
from ricordo.database import Database, examine, owner
from ricordo.models import Conversation
from ricordo.settings import Settings

#: Hits that are asked for: enough that ten sessions are among them.
_DEPTH = 100
#: Tokens of a block that is filled, for the measure `share@4k`: which part of the evidence it holds.
_BUDGET = 4000


@dataclass
class Report:
    """What a run measured. Each figure is keyed by (category or "all", "turn" or "session", measure)."""

    figures: dict[tuple[str, str, str], Figure] = field(default_factory=dict)
    #: Questions behind the figures, by (category or "all", "turn" or "session"): some have no evidence by turn.
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    turns: int = 0
    #: Seconds that mining took, vectors included.
    mining: float = 0.0
    #: Milliseconds of one recall: the median and the 95th percentile.
    p50: float = 0.0
    p95: float = 0.0
    #: Questions without a turn of their evidence among the first ten.
    missed: list[Asked] = field(default_factory=list)
    #: Versions of what took part.
    versions: dict[str, str] = field(default_factory=dict)

    def as_object(self) -> dict[str, Any]:
        """The JSON form."""
        figures: dict[str, Any] = {}
        for (category, level, name), value in self.figures.items():
            figures.setdefault(category, {}).setdefault(level, {})[name] = [value.mean, value.low, value.high]
        return {
            "questions": {
                category: {level: count for (each, level), count in self.counts.items() if each == category}
                for category, _ in self.counts
            },
            "figures": figures,
            "turns": self.turns,
            "mining_seconds": self.mining,
            "recall_ms": {"p50": self.p50, "p95": self.p95},
            "missed": [{"id": each.id, "question": each.text} for each in self.missed],
            "versions": self.versions,
        }


async def run(
    settings: Settings, histories: Iterable[History], progress: Callable[[str], None], *, with_context: bool = False
) -> Report:
    """Mine each history as a user of its own, ask its questions, and score what comes back. Questions are asked by
    themselves, or `with_context`, the turn before each where there is one.

    Raises StoreError and ModelUnavailable.
    """
    embedding_model = await asyncio.to_thread(embedding.load, settings)  # raises before anything was mined for nothing
    report = Report()
    scores: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    latencies: list[float] = []
    async with own_schema(settings) as own:
        for history in histories:
            progress(f"{history.id}: {len(history.conversations)} conversations, {len(history.questions)} questions")
            async with AsyncMemory(settings=replace(own, user=history.id), background=False) as memory:
                for conversations, questions in history.steps():
                    turns, seconds = await mine(memory, conversations)
                    report.turns, report.mining = report.turns + turns, report.mining + seconds
                    await memory.recall("warm up")
                    for each in questions:
                        asked = each if with_context else replace(each, context=None)
                        await _ask(memory, asked, scores, latencies, report)
        report.versions = await _versions(own, embedding_model.name)
    report.figures = {key: figure(values) for key, values in scores.items()}
    report.counts = {
        (category, level): len(values) for (category, level, name), values in scores.items() if name == "any@1"
    }
    if latencies:
        cuts = quantiles(latencies * 2, n=20)  # twice, since of one value there are none
        report.p50, report.p95 = cuts[9] * 1000, cuts[18] * 1000
    return report


async def mine(memory: AsyncMemory, conversations: Iterable[Conversation]) -> tuple[int, float]:
    """Mine conversations, vectors included: how many turns were stored, and the seconds that it took."""
    start = time.perf_counter()
    receipts = await memory.mine_many(conversations)
    await memory.embed_pending()
    return sum(each.stored for each in receipts), time.perf_counter() - start


async def _ask(
    memory: AsyncMemory,
    asked: Asked,
    scores: dict[tuple[str, str, str], list[float]],
    latencies: list[float],
    report: Report,
) -> None:
    start = time.perf_counter()
    found = await memory.recall(asked.text, top_k=_DEPTH, now=asked.now, context=asked.context)
    latencies.append(time.perf_counter() - start)
    turns = [(hit.conversation, hit.position) for hit in found]
    sessions = list(dict.fromkeys(hit.conversation for hit in found))
    held = await memory.recall(asked.text, max_tokens=_BUDGET, now=asked.now, context=asked.context)
    held_turns, held_sessions = ({(hit.conversation, hit.position) for hit in held}, {hit.conversation for hit in held})
    levels: list[tuple[str, Sequence[Hashable], frozenset[Any], set[Any]]] = [
        ("turn", turns, asked.turns, held_turns),
        ("session", sessions, asked.sessions, held_sessions),
    ]
    for category in (asked.category, "all"):
        for level, ranked, gold, block in levels:
            for name, value in (
                (measures(ranked, gold) | {"share@4k": len(gold & block) / len(gold)}).items() if gold else ()
            ):
                scores[category, level, name].append(value)
    if asked.turns and not set(turns[:10]) & asked.turns:
        report.missed.append(asked)


async def _versions(settings: Settings, embedding_model: str) -> dict[str, str]:
    """What someone must have to get the same figures."""
    async with owner(settings) as connection:
        found = await examine(connection, settings)
    libraries = {name: version(name) for name in ("numpy", "onnxruntime")}
    return {
        "ricordo": __version__,
        "python": platform.python_version(),
        "postgresql": found.server.split(" ")[0],
        "pgvector": found.pgvector,
        "embedding_model": embedding_model,
        **libraries,
    }


@asynccontextmanager
async def own_schema(settings: Settings) -> AsyncIterator[Settings]:
    """The settings with a new schema, which is dropped when the block ends."""
    own = replace(settings, schema=f"bench_{secrets.token_hex(6)}")
    try:
        yield own
    finally:
        await Database(own).drop_schema()


async def disk(settings: Settings) -> int:
    """Bytes on disk of all tables and indexes of the settings' schema."""
    async with owner(settings) as connection:
        cursor = await connection.execute(
            "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class "
            "WHERE relnamespace = to_regnamespace(%s) AND relkind = 'r'",
            [settings.schema],
        )
        row = await cursor.fetchone()
    return int(row[0]) if row else 0
