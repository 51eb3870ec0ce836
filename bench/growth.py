"""How a store behaves as it grows: recall of a very large user and of an ordinary one, writing, disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bench import charts, filling
from bench.filling import Filler
from bench.speed import latencies
from ricordo import accounts, embedding, vectors
from ricordo.bench.runner import disk, own_schema
from ricordo.client import AsyncMemory
from ricordo.database import owner
from ricordo.models import Message
from ricordo.settings import Settings

#: Memories of each ordinary user; one of them is asked and written for.
ORDINARY = 1_000
_LARGE, _ASKED = "large", "ordinary 1"
#: Conversations that are written, and turns of each.
_WRITTEN, _TURNS = 20, 25
_TABLES = ("memories", "postings", "embeddings", "rooms", "closets", "conversations", "users", "user_models", "models")


@dataclass(frozen=True)
class Size:
    """What was measured on a store of `memories`, of which one user has `of_large`, and others 1,000 each."""

    memories: int
    of_large: int
    #: Milliseconds of a recall of 5 lines, question encoded, median and 95th percentile: the large user's, the same by
    #: words only, and an ordinary user's. 0 where there is no such user.
    large_p50: float
    large_p95: float
    words_p50: float
    words_p95: float
    ordinary_p50: float
    ordinary_p95: float
    #: Milliseconds until 25 turns of an ordinary user's are durable and found by words: the median.
    written: float
    #: Bytes on disk of all tables and indexes, for each memory; and seconds that the large user's index took, 0 where
    #: there is none.
    disk: float
    indexing: float


async def grow(settings: Settings, sizes: Sequence[int], share: float, progress: Callable[[str], None]) -> list[Size]:
    """Fill a schema of its own to each of these sizes in turn, `share` of it one user's, and measure; then drop it.

    Raises StoreError, ModelUnavailable, and InvalidInput for an owner who is bound by row-level security.
    """
    progress("making up talk")
    filler = await asyncio.to_thread(lambda: Filler(embedding.load(settings)))
    measured: list[Size] = []
    async with own_schema(settings) as own:
        async with AsyncMemory(settings=own, background=False):
            pass  # makes the schema
        for memories in sorted(sizes):
            progress(f"filling to {memories:,} memories")
            before = measured[-1] if measured else None
            done = (before.memories - before.of_large, before.of_large) if before else (0, 0)
            of_large = await _fill(own, filler, memories, share, done)
            measured.append(await _measure(own, memories, of_large, progress))
    return measured


async def _fill(settings: Settings, filler: Filler, memories: int, share: float, done: tuple[int, int]) -> int:
    """Fill up to a size; returns how many memories the large user has then."""
    of_large = round(memories * share / filling.TURNS) * filling.TURNS
    users = [number * ORDINARY for number in range((memories - of_large) // ORDINARY)]
    async with owner(settings) as connection:
        await filling.go_to(connection, settings.schema)
        async with filling.without_indexes(connection):
            for number in range(done[0] // ORDINARY, len(users)):
                await filler.fill(connection, f"ordinary {number + 1}", ORDINARY)
            await filler.fill(connection, _LARGE, of_large - done[1])
        for table in _TABLES:
            await connection.execute(f"VACUUM ANALYZE {table}".encode())
    return of_large


async def _measure(settings: Settings, memories: int, of_large: int, progress: Callable[[str], None]) -> Size:
    progress(f"asking {memories:,} memories")
    large = replace(settings, user=_LARGE)
    begin = time.perf_counter()
    async with AsyncMemory(settings=large, background=False) as memory:
        indexed = await vectors.tend_near_index(memory._database, accounts.user_id_of(_LARGE))
        indexing = time.perf_counter() - begin if indexed else 0.0
        of_large_user = await latencies(memory, 1)
    async with AsyncMemory(settings=replace(large, model_dir=settings.home / "none"), background=False) as memory:
        by_words = await latencies(memory, 2)
    async with AsyncMemory(settings=replace(settings, user=_ASKED), background=False) as memory:
        of_ordinary = await latencies(memory, 3) if memories - of_large >= ORDINARY else (0.0, 0.0)
        taken = await disk(settings) / memories
        written = await _writing(memory, memories)
    return Size(memories, of_large, *of_large_user, *by_words, *of_ordinary, written, taken, indexing)


async def _writing(memory: AsyncMemory, size: int) -> float:
    said, taken = filling.sentences(), []
    for number in range(_WRITTEN):
        turns = [said[(number * _TURNS + each) % len(said)] for each in range(_TURNS)]
        begin = time.perf_counter()
        await memory.mine([Message(content=each) for each in turns], conversation=f"written at {size}, {number}")
        taken.append(1000 * (time.perf_counter() - begin))
    return median(taken)


def chart(path: Path, measured: Sequence[Size]) -> None:
    """Write the figures as an SVG. Raises InvalidInput where the library that draws is not installed."""
    sizes = [each.memories for each in measured]
    large = [each.of_large for each in measured]
    charts.curves(
        path,
        {
            "recall of 5 lines, p50 in ms": {
                "one large user": (large, [each.large_p50 for each in measured]),
                "the same, by words": (large, [each.words_p50 for each in measured]),
                "a user of 1,000": (sizes, [each.ordinary_p50 for each in measured]),
            },
            "25 turns written, p50 in ms": {"a user of 1,000": (sizes, [each.written for each in measured])},
            "bytes on disk a memory": {"all": (sizes, [each.disk for each in measured])},
        },
        "memories",
    )
