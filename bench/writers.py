"""Many processes that write to one store at once, to one user and each to its own: how fast, and whether all stays."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.synchronize import Barrier
from typing import Any

from psycopg import sql

from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.database import owner
from ricordo.errors import StoreError
from ricordo.settings import Settings

#: Seconds for every process to open its memory.
_READY = 300.0
#: What is written: turns are mined one by one, each into a conversation of its process's own.
KINDS = ("note", "turn")


@dataclass(frozen=True)
class Written:
    """What came of one run."""

    kind: str
    processes: int
    users: int
    #: Writes that were acknowledged, those that raised an error, and what of the acknowledged is in the store once.
    acknowledged: int
    refused: int
    kept: int
    #: From the first process's beginning to the last one's end.
    seconds: float

    @property
    def per_second(self) -> float:
        return self.acknowledged / self.seconds


async def measure_writers(
    settings: Settings, processes: int, writes: int, progress: Callable[[str], None]
) -> list[Written]:
    """For each kind: one process alone; then so many at once to one user; then each to a user of its own. Each run is
    in a schema that is dropped. No vectors are made. Raises StoreError."""
    runs = []
    for kind in KINDS:
        for crowd, users in ((1, 1), (processes, 1), (processes, processes)):
            progress(f"{crowd} processes write {writes:,} {kind}s each, for {users} users")
            async with own_schema(settings) as own:
                bare = replace(own, model_dir=own.home / "none")
                async with AsyncMemory(settings=bare, background=False):
                    pass  # the tables are there
                runs.append(await _run(bare, kind, crowd, users, writes))
    return runs


async def _run(settings: Settings, kind: str, processes: int, users: int, writes: int) -> Written:
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(processes), context.SimpleQueue()
    crowd = [
        context.Process(
            target=_process,
            args=(replace(settings, user=f"writer {number % users}"), kind, number, writes, barrier, answers),
        )
        for number in range(processes)
    ]
    for each in crowd:
        each.start()
    told = [await asyncio.to_thread(answers.get) for _ in crowd]
    for each in crowd:
        each.join()
    acknowledged, refused, began, ended = zip(*told, strict=True)
    return Written(
        kind, processes, users, sum(acknowledged), sum(refused), await _kept(settings), max(ended) - min(began)
    )


def _process(settings: Settings, kind: str, number: int, writes: int, barrier: Barrier, answers: Any) -> None:
    answers.put(asyncio.run(_write(settings, kind, number, writes, barrier)))


async def _write(
    settings: Settings, kind: str, number: int, writes: int, barrier: Barrier
) -> tuple[int, int, float, float]:
    acknowledged = refused = 0
    async with AsyncMemory(settings=settings, background=False) as memory:
        await memory.pending()  # a connection is there
        await asyncio.to_thread(barrier.wait, _READY)
        began = time.time()
        for write in range(writes):
            text = f"Writer {number} tells its {kind} {write}: the battery of bike {write % 97} holds {number} volts"
            try:
                if kind == "note":
                    await memory.notes.create(text, retention="long_term")
                else:
                    await memory.mine([{"role": "user", "content": text}], conversation=f"of writer {number}")
                acknowledged += 1
            except StoreError:
                refused += 1
        return acknowledged, refused, began, time.time()


async def _kept(settings: Settings) -> int:
    """How many texts are there, less those that are there twice."""
    async with owner(settings) as connection:
        cursor = await connection.execute(
            sql.SQL("SELECT 2 * count(DISTINCT content) - count(*) FROM {}").format(
                sql.Identifier(settings.schema, "memories")
            )
        )
        row = await cursor.fetchone()
    return int(row[0]) if row else 0
