"""How fast a store of a given size is written and asked, and how much disk a memory takes.

The talk is made of the bundled sample's sentences, mixed by a seeded random generator, so that word frequencies
are those of people; every question is new, so that no cache helps.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import quantiles

from bench.filling import sentences
from ricordo.bench.runner import disk, own_schema
from ricordo.client import AsyncMemory
from ricordo.embedding import load
from ricordo.models import Message
from ricordo.settings import Settings

TURNS = 25
_QUESTIONS = 200
_START = datetime(2020, 1, 1, tzinfo=UTC)
#: Minutes of the not quite six years in which all is said.
_MINUTES = 3_000_000


@dataclass(frozen=True)
class Speed:
    """What was measured on one user's store of `memories` turns."""

    memories: int
    #: Turns that one call made durable and found by keyword, and vectors that were made, a second.
    stored_per_second: float
    embedded_per_second: float
    #: Milliseconds of a recall of 5 lines: median and 95th percentile, with the question's vector and by words only.
    recall_p50: float
    recall_p95: float
    keyword_p50: float
    keyword_p95: float
    #: Bytes on disk of all tables and indexes, for each memory; and of its text.
    disk: float
    text: float


async def measure(settings: Settings, memories: int, progress: Callable[[str], None]) -> Speed:
    """Fill a schema of its own with one user's talk, ask, and drop it.

    Raises StoreError and ModelUnavailable.
    """
    await asyncio.to_thread(load, settings)  # raises before anything was stored for nothing
    said = list(talk(memories))
    async with own_schema(settings) as own:
        async with AsyncMemory(settings=own, background=False) as memory:
            progress(f"storing {memories:,} turns")
            storing = time.perf_counter()
            await memory.mine_many(
                {"id": f"talk {start // TURNS}", "messages": said[start : start + TURNS]}
                for start in range(0, len(said), TURNS)
            )
            embedding = time.perf_counter()
            progress(f"making {memories:,} vectors")
            await memory.embed_pending()
            done = time.perf_counter()
            progress(f"asking {_QUESTIONS} questions")
            with_vector = await latencies(memory, 1)
        async with AsyncMemory(settings=replace(own, model_dir=own.home / "none"), background=False) as memory:
            by_words = await latencies(memory, 2)
        taken = await disk(own)
    return Speed(
        memories,
        memories / (embedding - storing),
        memories / (done - embedding),
        *with_vector,
        *by_words,
        taken / memories,
        sum(len(each.content.encode()) for each in said) / memories,
    )


def talk(memories: int) -> Iterator[Message]:
    source = random.Random(0)
    said_by_all = sentences()
    # A day between two conversations or, of very many, less: what is said in the future is not stored.
    apart = min(60 * 24, _MINUTES // (memories // TURNS + 1) - TURNS)
    for index in range(memories):
        said = source.sample(said_by_all, source.choice((1, 1, 2, 2, 3)))
        words = " ".join(said).split()
        for _ in range(2):  # no two turns are equal
            words[source.randrange(len(words))] = source.choice(source.choice(said_by_all).split())
        minutes = index + index // TURNS * apart
        name = ("Mara", "Derek")[index % 2]
        yield Message(name=name, content=" ".join(words), at=_START + timedelta(minutes=minutes))


async def latencies(memory: AsyncMemory, seed: int) -> tuple[float, float]:
    """Milliseconds of a recall, each of a new question: the median and the 95th percentile."""
    source = random.Random(seed)
    said_by_all = sentences()
    await memory.recall("warm up")
    taken = []
    for _ in range(_QUESTIONS):
        words = source.choice(said_by_all).split()
        start = source.randrange(max(1, len(words) - 5))
        question = " ".join([*words[start : start + 5], source.choice(source.choice(said_by_all).split())])
        begin = time.perf_counter()
        await memory.recall(f"What about {question}?")
        taken.append((time.perf_counter() - begin) * 1000)
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18]
