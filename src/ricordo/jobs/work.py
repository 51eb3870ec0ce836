"""What a task is, and what it is given."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ricordo.database import Database, Transaction
from ricordo.embedding import EmbeddingModel
from ricordo.jobs import store


@dataclass(frozen=True)
class Abilities:
    """What a process lacks and has: tasks that it cannot do, and the embedding models (of vectors, by name) that it can
    make vectors with."""

    lacking: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class Work:
    """One try of one job, for the user that it belongs to."""

    id: int
    user_id: UUID
    #: Ids, as they were queued; UUIDs come as text.
    args: Mapping[str, Any]
    database: Database
    #: The embedding model of the user's vectors; None where it is not to be had here.
    embedding_model: Callable[[], Awaitable[EmbeddingModel | None]]

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction of the user."""
        return self.database.tenant(self.user_id)

    @asynccontextmanager
    async def once(self) -> AsyncIterator[Transaction | None]:
        """A transaction for the job's effect, or None where an earlier try did it. When it commits, the effect is done
        and known to be; until then another try waits here."""
        async with self.transaction() as tx:
            yield tx if await store.claim_effect(tx, self.user_id, self.id) else None


#: Does a job. What it raises is a failed try; it is called again later, up to a limit.
Task = Callable[[Work], Awaitable[None]]
