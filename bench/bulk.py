"""How fast the conversations of a benchmark are stored: one call for each, one call for all, and with their vectors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ricordo.bench.datasets import History
from ricordo.bench.runner import own_schema
from ricordo.client import AsyncMemory
from ricordo.embedding import load
from ricordo.settings import Settings


@dataclass
class Bulk:
    """What was measured, in all: turns, and seconds by the clock and of this process's processor time."""

    turns: int = 0
    singly: float = 0.0
    singly_processor: float = 0.0
    together: float = 0.0
    together_processor: float = 0.0
    vectors: float = 0.0
    vectors_processor: float = 0.0


async def measure(settings: Settings, histories: Iterable[History], progress: Callable[[str], None]) -> Bulk:
    """Store each history twice, as two users of a schema of its own, and make the vectors of the second.

    Raises StoreError and ModelUnavailable.
    """
    await asyncio.to_thread(load, settings)  # raises before anything was stored for nothing
    told = Bulk()
    async with own_schema(settings) as own, AsyncMemory(settings=replace(own, user="warm"), background=False) as memory:
        # What each process loads once is not counted: the models of languages and of vectors.
        await memory.mine([{"role": "user", "content": "Warm up. " * 20}], conversation="warm")
        await memory.embed_pending()
        for history in histories:
            progress(f"{history.id}: {len(history.conversations)} conversations")
            singly, together = memory.of(f"{history.id} singly"), memory.of(f"{history.id} together")
            begin = _now()
            for each in history.conversations:
                await singly.mine(each.messages, conversation=each.id, source=each.source)
            stored = _now()
            receipts = await together.mine_many(history.conversations)
            both = _now()
            await together.embed_pending()
            end = _now()
            told.turns += sum(each.stored for each in receipts)
            told.singly, told.singly_processor = _more(told.singly, told.singly_processor, begin, stored)
            told.together, told.together_processor = _more(told.together, told.together_processor, stored, both)
            told.vectors, told.vectors_processor = _more(told.vectors, told.vectors_processor, both, end)
    return told


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _more(clock: float, processor: float, begin: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    return clock + end[0] - begin[0], processor + end[1] - begin[1]
