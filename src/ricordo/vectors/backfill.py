"""Giving every memory its vector while someone waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import UUID

from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import ModelUnavailable
from ricordo.vectors import vector_store
from ricordo.vectors.encoding import Encoding

#: Seconds between two looks at what other workers have at hand, and without news after which they are not waited for.
_LOOK_AGAIN, _NEWS = 0.05, 30.0
#: Times that an embedding model may fail to serve, and seconds more to wait after each.
_FAILURES, _PAUSE = 2, 0.5

#: Called with how many memories are done and how many there are in all.
Progress = Callable[[int, int], None]


async def embed_pending(database: Database, user_id: UUID, encoding: Encoding, progress: Progress | None) -> int:
    """See AsyncMemory.embed_pending."""
    from ricordo.vectors import embedding  # 10 ms, which a recall should not pay

    await _embedding_model(encoding)
    done, failures, waited = 0, 0, 0.0
    left = total = await _due(database, user_id)
    while left and waited < _NEWS:
        if progress:
            progress(done, max(done, total))
        try:
            batch = await embedding.embed_batch(database, user_id, await _embedding_model(encoding))
        except ModelUnavailable:
            failures += 1
            if failures > _FAILURES:
                raise
            await asyncio.sleep(failures * _PAUSE)
            continue
        done += batch.made
        before, left = left, await _due(database, user_id)
        waited = 0.0 if batch or left < before else waited + _LOOK_AGAIN
        if left and not batch:
            await asyncio.sleep(_LOOK_AGAIN)
    if progress:
        progress(done, max(done, total))
    return done


async def _embedding_model(encoding: Encoding) -> EmbeddingModel:
    """The embedding model of now, since another process may change it."""
    embedding_model = await encoding.embedding_model()
    if embedding_model is None:
        raise ModelUnavailable(encoding.absence)
    return embedding_model


async def _due(database: Database, user_id: UUID) -> int:
    async with database.tenant(user_id) as tx:
        return await vector_store.due(tx)
