"""Reads by those who show less than they are brought, such as what has room in a prompt."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from ricordo import audit
from ricordo.opened import Opened


@asynccontextmanager
async def showing(opened: Opened) -> AsyncIterator[set[UUID]]:
    """Within this block put the ids of the memories that are shown into the set: of what is read in it, these alone are
    on record as read, once it ends well. What a model was sent is on record anyway. Raises StoreError."""
    shown: set[UUID] = set()
    with audit.reads_held() as held:
        yield shown
    reads = [read for read in (each.of(shown) for each in held) if read is not None]
    if not reads:
        return
    async with opened.transaction() as tx:
        for each in reads:
            await audit.log_read(tx, opened.user_id, each.actor, each.memory_ids, each.context)
