"""The cost of bringing a memory onto a second device: the first log, the first join, and a sync of a few turns.

Each step runs in its own process. The operating system reports the peak memory of that process.
"""

from __future__ import annotations

import asyncio
import resource
import tempfile
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.speed import TURNS, talk
from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.settings import Settings

#: Turns that are synced once both devices hold the rest.
MORE = 100


@dataclass(frozen=True)
class Step:
    """The cost of one step, and the size of the folder after it."""

    name: str
    seconds: float
    #: Peak memory of its process.
    megabytes: float
    #: Bytes in the shared folder after it.
    folder: int


@dataclass(frozen=True)
class Measured:
    """The steps in order, the number of turns on each device at the end, and the size of the memory's archive."""

    steps: list[Step]
    turns: tuple[int, int]
    archive: int


async def measure(settings: Settings, turns: int, progress: Callable[[str], None]) -> Measured:
    """Sync this many turns between two devices. Each has a schema of its own, which is dropped afterward.

    Raises StoreError.
    """
    async with AsyncExitStack() as stack:
        top = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ricordo-bench-")))
        first, second = [await stack.enter_async_context(own_schema(settings)) for _ in range(2)]
        folder, archive = top / "folder", top / "archive.zip"
        folder.mkdir()
        pool = stack.enter_context(ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1))
        steps: list[Step] = []

        async def step(name: str, what: Callable[..., Coroutine[Any, Any, Any]], *given: Any) -> Any:
            progress(name)
            seconds, megabytes, result = await asyncio.get_running_loop().run_in_executor(pool, _alone, what, given)
            size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
            steps.append(Step(name, seconds, megabytes, size))
            return result

        await step(f"{turns:,} turns stored", _mine, first, 0, turns)
        words = await step("the memory begun, its first log written", _init, first, folder)
        await step("joined by an empty device", _join, second, folder, words)
        await step(f"{MORE} more turns stored", _mine, first, turns, MORE)
        await step("sent", _sync, first)
        await step("received", _sync, second)
        await step("synced again with nothing new", _sync, first)
        await step("archive saved", _save, first, archive)
        return Measured(steps, (await _count(first), await _count(second)), archive.stat().st_size)


def _alone(what: Callable[..., Coroutine[Any, Any, Any]], given: tuple[Any, ...]) -> tuple[float, float, Any]:
    begin = time.perf_counter()
    result = asyncio.run(what(*given))
    return time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, result


async def _mine(settings: Settings, start: int, count: int) -> None:
    said = list(talk(start + count))[start:]
    async with AsyncMemory(settings=settings, background=False) as memory:
        receipts = await memory.mine_many(
            {"id": f"talk {(start + at) // TURNS}", "messages": said[at : at + TURNS]} for at in range(0, count, TURNS)
        )
        assert sum(each.stored for each in receipts) == count


async def _init(settings: Settings, folder: Path) -> str | None:
    async with AsyncMemory(settings=settings, background=False) as memory:
        words = (await memory.sync.init(folder, name="first")).words
        await memory.sync.now()
        return words


async def _join(settings: Settings, folder: Path, words: str) -> None:
    async with AsyncMemory(settings=settings, background=False) as memory:
        await memory.sync.join(folder, words, name="second")
        await memory.sync.now()


async def _sync(settings: Settings) -> None:
    async with AsyncMemory(settings=settings, background=False) as memory:
        problems = (await memory.sync.now()).problems
        assert not problems, problems


async def _save(settings: Settings, archive: Path) -> None:
    async with AsyncMemory(settings=settings, background=False) as memory:
        await memory.archive.save(archive)


async def _count(settings: Settings) -> int:
    async with AsyncMemory(settings=settings, background=False) as memory:
        return (await memory.activity.overview()).turns
