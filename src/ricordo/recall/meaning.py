"""A question's vector, or why it goes by words only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import numpy as np
from anyio import to_thread

from ricordo.encoders import Encoder
from ricordo.errors import ModelUnavailable

#: Characters of a question that an encoder gets.
_CHARACTERS = 20_000

#: What `meaning` returns, when it is awaited.
Meaning = Awaitable[tuple[np.ndarray | None, str]]

log = logging.getLogger("ricordo.recall")


async def meaning(encoder: Encoder | None, question: str) -> tuple[np.ndarray | None, str]:
    """The vector of a question, and "" or, where an encoder that runs elsewhere gave none in time, a note."""
    if encoder is None:
        return None, ""
    try:
        return await to_thread.run_sync(encoder.question, question[:_CHARACTERS]), ""
    except ModelUnavailable as error:
        log.warning("a question goes by words only: %s", error)
        return None, f"Only words were compared: {error}"


@asynccontextmanager
async def meaning_beside(encoder: Encoder | None, question: str) -> AsyncIterator[Meaning]:
    """The same, being made while the block goes on. Where the encoder runs elsewhere it is there when the block begins,
    since no transaction should wait for another's server."""
    making = asyncio.ensure_future(meaning(encoder, question))
    try:
        if encoder is not None and encoder.hosted:
            await making
        yield making
    finally:
        making.cancel()
