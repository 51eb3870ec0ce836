"""`memory.ask`: a recall, and an LLM's answer from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal

from ricordo.llm import LLMs
from ricordo.models import Answer, RecallResult
from ricordo.recall import answering


async def ask(
    llms: LLMs, recall: Callable[[], Awaitable[RecallResult]], question: str, now: datetime | None, dry_run: bool
) -> Answer:
    """The answer from what `recall` brings back, or with `dry_run` what it would take. See AsyncMemory.ask."""
    llm = await llms.get()  # before anything is looked for: without one there is no answer
    recalled = await recall()
    today = now or datetime.now(UTC)
    if dry_run:
        estimate = await answering.estimate(llm, question, recalled, today)
        return Answer(text="", known=False, recalled=recalled, cost=Decimal(0), estimate=estimate)
    return await answering.answer(llm, question, recalled, today)
