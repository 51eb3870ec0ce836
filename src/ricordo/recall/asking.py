"""`memory.ask`: a recall, and a reader's answer from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal

from ricordo.llm import Readers
from ricordo.models import Answer, Recalled
from ricordo.recall import answering


async def ask(
    readers: Readers, recall: Callable[[], Awaitable[Recalled]], question: str, now: datetime | None, dry_run: bool
) -> Answer:
    """The answer from what `recall` brings back, or with `dry_run` what it would take. See AsyncMemory.ask."""
    reader = await readers.reader()  # before anything is looked for: without one there is no answer
    recalled = await recall()
    today = now or datetime.now(UTC)
    if dry_run:
        estimate = await answering.estimate(reader, question, recalled, today)
        return Answer(text="", known=False, recalled=recalled, cost=Decimal(0), estimate=estimate)
    return await answering.answer(reader, question, recalled, today)
