"""How fast agents write and read: one entry, and the surest five of a large profile."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from statistics import quantiles
from uuid import UUID

from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.settings import Settings

_TIMES = 200
_READ = 5


@dataclass(frozen=True)
class EntrySpeed:
    """Milliseconds of one call, median and 95th percentile, on a profile of `entries` entries."""

    entries: int
    write_p50: float
    write_p95: float
    read_p50: float
    read_p95: float


async def measure_entries(settings: Settings, entries: int, progress: Callable[[str], None]) -> EntrySpeed:
    """Fill an agent's default profile in a schema of its own, measure, and drop it. Raises StoreError."""
    async with own_schema(settings) as own:
        bare = replace(own, model_dir=own.home / "none")
        async with AsyncMemory(settings=bare, background=False) as memory:
            await memory.agents.create("measured")
            [profile] = await memory.profiles.list("measured")
            progress(f"writing {entries:,} entries")
            for number in range(entries):
                await _write(memory, profile.id, number)
            progress(f"measuring {_TIMES} writes and reads")
            writes = await _taken(lambda number: _write(memory, profile.id, entries + number))
            reads = await _taken(lambda _: memory.entries.read(profile.id, limit=_READ))
    return EntrySpeed(entries, *writes, *reads)


async def _write(memory: AsyncMemory, profile: UUID, number: int) -> None:
    content = f"Run {number} hit the rate limit of service {number % 97}; backing off for {number % 13} seconds helped"
    await memory.entries.write(profile, content, confidence=number % 100 / 100)


async def _taken(call: Callable[[int], Awaitable[object]]) -> tuple[float, float]:
    taken = []
    for number in range(_TIMES):
        begin = time.perf_counter()
        await call(number)
        taken.append((time.perf_counter() - begin) * 1000)
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18]
