"""Every paid call leaves a row: written before the call, settled behind it, however it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from anyio import CancelScope

from ricordo import accounts, idempotency
from ricordo.database import Database
from ricordo.llm.prices import Price
from ricordo.models import CallOutcome, UsageSource


@dataclass
class Record:
    """What is known of a call so far; what makes the call writes it here."""

    outcome: CallOutcome = "lost"
    tokens_in: int | None = None
    tokens_out: int | None = None
    #: Tokens of `tokens_in` that came out of the provider's cache.
    cached: int = 0
    #: US dollars, written when the call is settled; None where that is not known.
    cost: Decimal | None = None


@dataclass(frozen=True)
class Ledger:
    """The record of one user's paid calls."""

    database: Database
    user_id: UUID

    async def price(self, model: str, url: str) -> Price:
        """What a model costs this user at an endpoint."""
        async with self.database.tenant(self.user_id) as tx:
            return Price(model, url, await accounts.price(tx, model))

    @asynccontextmanager
    async def call(
        self,
        source: UsageSource,
        model: str,
        url: str,
        tokens_in: int,
        tokens_out: int,
        conversation: str | None = None,
    ) -> AsyncIterator[Record]:
        """Around a call that is thought to take so many tokens at most. What is in the record when the block ends is
        written, also when it raises or is cancelled.

        Raises CapReached, before anything is sent, where the call could go beyond a cap of the user's.
        """
        async with self.database.tenant(self.user_id) as tx:
            price = Price(model, url, await accounts.price(tx, model))
            most = price.cost(tokens_in, tokens_out)
            begun = await accounts.begin_call(tx, self.user_id, accounts.Planned(source, model, conversation, most))
        if begun.stopped is not None:
            raise begun.stopped
        record, begin = Record(), time.monotonic()
        try:
            yield record
        finally:
            with CancelScope(shield=True):
                await self._settle(begun.id, source, price, record, time.monotonic() - begin)

    async def _settle(self, id: UUID, source: UsageSource, price: Price, record: Record, seconds: float) -> None:
        tokens_in, tokens_out = record.tokens_in, record.tokens_out
        if record.outcome in ("refused", "unreached"):
            tokens_in, tokens_out, record.cost = 0, 0, Decimal(0)
        elif tokens_in is not None and tokens_out is not None:
            record.cost = price.cost(tokens_in, tokens_out, record.cached)
        async with self.database.tenant(self.user_id) as tx:
            await accounts.end_call(tx, id, record.outcome, seconds, tokens_in, tokens_out, record.cost)
            if source == "memory_qa" and record.outcome == "answered":
                # A request that is done once is done when its answer is paid: a crash behind this pays for no second.
                await idempotency.note_done(tx)
