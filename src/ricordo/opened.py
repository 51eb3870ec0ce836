"""An open memory as features see it: its store, its user, its embedding model and LLMs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from ricordo import accounts, idempotency
from ricordo.database import Database, Transaction
from ricordo.llm import LLMs
from ricordo.vectors import Encoding


@dataclass(frozen=True)
class Opened:
    """An open memory: its store, whose it is, its embedding model and LLMs."""

    database: Database
    user: str
    user_id: UUID
    encoding: Encoding
    #: Language models, as far as some are set up.
    llms: LLMs
    #: Says that something was written that waits for its vector.
    wake: Callable[[], None]

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction of the user."""
        async with self.database.tenant(self.user_id) as tx:
            yield tx

    @asynccontextmanager
    async def effect(self, first: bool = True) -> AsyncIterator[Transaction]:
        """A transaction of the user; what was written gets its vector afterwards.

        The user is made sure to exist, unless this cannot be the `first` that is written, since it goes to what the
        user has already.
        """
        async with self.database.tenant(self.user_id) as tx:
            if first:
                await accounts.ensure(tx, self.user_id, self.user)
            yield tx
            await idempotency.note_done(tx)
        self.wake()
