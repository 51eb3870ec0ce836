"""The background work that mining leaves."""

from __future__ import annotations

import logging

from ricordo.errors import ModelUnavailable
from ricordo.jobs import Task, Work
from ricordo.mining.embedding import embed_batch

log = logging.getLogger("ricordo")


async def embed(work: Work) -> None:
    """Give the user's memories their vectors; without an encoder that serves they go on waiting, for the next upkeep. A
    batch is its own transaction, which takes what it does off the list of what waits: run again, it goes on there."""
    encoder = await work.encoder()
    try:
        while encoder and await embed_batch(work.database, work.user_id, encoder):
            pass
    except ModelUnavailable as error:
        log.warning("memories wait for their vectors: %s", error)


TASKS: dict[str, Task] = {"embed": embed}
