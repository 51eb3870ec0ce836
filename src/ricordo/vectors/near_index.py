"""The index by which the nearest vectors of one user are found, where there are too many to compare all of them.

It holds that user's vectors alone, so that others pay nothing for it and what it finds needs no sifting. Making it
takes the store's owner; without one, and until it is there, all vectors are compared.
"""

from __future__ import annotations

import logging
from uuid import UUID

from psycopg import errors

from ricordo.database import Database
from ricordo.vectors import near_index_store as store
from ricordo.vectors.space_store import spaces

#: Memories of a user from which on it pays (docs/performance.md).
LARGE = 20_000

log = logging.getLogger("ricordo.memories")


async def tend_near_index(database: Database, user_id: UUID) -> bool:
    """Make the index of a user's vectors where it is wanting, and remove those of embedding models that are not theirs
    any more. Others may read and write meanwhile. Returns whether there is one. Raises StoreError."""
    async with database.tenant(user_id) as tx:
        if await store.memories(tx) < LARGE:
            return False
        known = await spaces(tx)
    settings = database.settings
    if known is None or (settings.database_url is not None and settings.database_owner_url is None):
        return False
    async with database.owner() as connection:
        if not await store.take_turn(connection, settings.schema, user_id):
            return False  # another process is at it
        try:
            found = await store.indexes(connection, user_id)
            for name, is_whole in found.items():
                if not is_whole or name != store.name(user_id, known.current.model):
                    await store.drop(connection, name)
            if not found.get(store.name(user_id, known.current.model)):
                log.info("building a vector index for %s", user_id)
                await store.create(connection, user_id, known.current)
        except errors.InsufficientPrivilege as error:
            log.info("no vector index, comparing all vectors: %s", error)
            return False
    return True
