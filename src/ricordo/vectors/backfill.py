"""Giving every memory its vector while someone waits for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import ModelUnavailable
from ricordo.models import Progress
from ricordo.vectors import vector_store
from ricordo.vectors.encoding import Encoding

#: Seconds between two looks at what other workers have at hand, and without news after which they are not waited for.
_LOOK_AGAIN, _NEWS = 0.05, 30.0
#: Batches of a model on this machine that are under way: while one is written, the network works on the other.
_AT_ONCE = 2
#: Times that an embedding model may fail to serve, and seconds more to wait after each.
_FAILURES, _PAUSE = 2, 0.5


async def embed_pending(database: Database, user_id: UUID, encoding: Encoding, progress: Progress | None) -> int:
    """See AsyncMemory.embed_pending."""
    model = await _embedding_model(encoding)
    total = await _due(database, user_id)
    going = _Going(database, user_id, encoding, progress, total)
    at_once = 1 if model.hosted else min(_AT_ONCE, database.settings.pool_size - 1)
    tasks = [asyncio.ensure_future(going.run()) for _ in range(max(1, at_once))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    going.report()
    return going.done


@dataclass
class _Going:
    """The batches of one call, which several tasks make."""

    database: Database
    user_id: UUID
    encoding: Encoding
    progress: Progress | None
    total: int
    #: Tasks that are under way.
    at_work: int = 0
    done: int = 0
    failures: int = 0

    async def run(self) -> None:
        """Make one batch after the other, until nothing is due or others make no progress with the rest."""
        from ricordo.vectors import embedding  # 10 ms, which a recall should not pay

        waited = 0.0
        left = self.total
        self.at_work += 1
        while left and waited < _NEWS:
            self.report()
            try:
                batch = await embedding.embed_batch(self.database, self.user_id, await _embedding_model(self.encoding))
            except ModelUnavailable:
                self.failures += 1
                if self.failures > _FAILURES:
                    raise
                await asyncio.sleep(self.failures * _PAUSE)
                continue
            self.done += batch.made
            if not batch and self.at_work > 1:
                break  # the others have all of the rest at hand, or see to it
            before, left = left, await _due(self.database, self.user_id)
            waited = 0.0 if batch or left < before else waited + _LOOK_AGAIN
            if left and not batch:
                await asyncio.sleep(_LOOK_AGAIN)
        self.at_work -= 1

    def report(self) -> None:
        if self.progress:
            self.progress(self.done, max(self.done, self.total))


async def _embedding_model(encoding: Encoding) -> EmbeddingModel:
    """The embedding model of now, since another process may change it."""
    embedding_model = await encoding.embedding_model()
    if embedding_model is None:
        raise ModelUnavailable(encoding.absence)
    return embedding_model


async def _due(database: Database, user_id: UUID) -> int:
    async with database.tenant(user_id) as tx:
        return await vector_store.due(tx)
