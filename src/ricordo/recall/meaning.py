"""A question's vector, or why it goes by words only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from anyio import to_thread

from ricordo import vectors
from ricordo.database import Database
from ricordo.embedding import EmbeddingModel, TokenModel
from ricordo.errors import ModelUnavailable
from ricordo.opened import Opened
from ricordo.recall.message import with_context

#: Characters of a question that an embedding model gets.
_CHARACTERS = 20_000

log = logging.getLogger("ricordo.recall")

_T = TypeVar("_T")


@dataclass(frozen=True)
class Meaning:
    """A question's vector and the embedding model that it is of; None where there is none, and the `note` says why, if
    an embedding model that runs elsewhere gave none in time or might not be asked."""

    embedding_model: str | None = None
    vector: np.ndarray | None = None
    note: str = ""
    #: The reduced vectors of its word pieces; None where the model gives none.
    tokens: np.ndarray | None = None


async def meaning(
    database: Database,
    user_id: UUID,
    embedding_model: EmbeddingModel | None,
    question: str,
    context: str | None = None,
) -> Meaning:
    """What a question means to an embedding model, read after the `context` in which it is asked. One that is paid
    for is asked as far as the user's caps allow, and begins transactions for that: not for use within one."""
    if embedding_model is None:
        return Meaning()
    question = question[:_CHARACTERS]
    text = with_context(question, context)
    vector = embedding_model.remembered(text)
    if vector is not None:
        return Meaning(embedding_model.name, vector)
    try:
        async with vectors.paid_embedding(database, user_id, embedding_model, [text]):
            return await to_thread.run_sync(_read, embedding_model, question, text)
    except ModelUnavailable as error:
        log.warning("recall compares by words only: %s", error)
        return Meaning(note=f"Compared by words only: {error}")


def _read(embedding_model: EmbeddingModel, question: str, text: str) -> Meaning:
    tokens = embedding_model.question_tokens(question) if isinstance(embedding_model, TokenModel) else None
    return Meaning(embedding_model.name, embedding_model.question(text), tokens=tokens)


async def meaning_of(opened: Opened, query: str) -> Meaning:
    """What a query means to the embedding model of an open memory. Not for use within a transaction, since it may begin
    one."""
    return await meaning(opened.database, opened.user_id, await opened.encoding.embedding_model(), query)


@asynccontextmanager
async def meaning_beside(
    database: Database,
    user_id: UUID,
    embedding_model: EmbeddingModel | None,
    question: str,
    context: str | None = None,
) -> AsyncIterator[Awaitable[Meaning]]:
    """The same, being made while the block goes on. Where the embedding model runs elsewhere it is there when the block
    begins, since no transaction should wait for another's server."""
    with beside(meaning(database, user_id, embedding_model, question, context)) as making:
        if embedding_model is not None and embedding_model.hosted:
            await making
        yield making


@contextmanager
def beside(work: Coroutine[Any, Any, _T]) -> Iterator[Awaitable[_T]]:
    """What `work` gives, which goes on beside the block and ends with it at the latest."""
    making = asyncio.ensure_future(work)
    try:
        yield making
    finally:
        making.cancel()
