"""Deleting a user: every row that is theirs goes, in one transaction, and it is said how many of each table."""

from __future__ import annotations

from graphlib import TopologicalSorter
from uuid import UUID

from ricordo.accounts import deletion_store as store
from ricordo.database import Database, Repeatable, Transaction, retried
from ricordo.errors import StoreUnavailable
from ricordo.models import DeletedUser

#: Emptied before the others: who makes terms or vectors holds a row of these, and is waited for here.
_QUEUES = ("unindexed", "unembedded")


async def delete_user(database: Database, user_id: UUID, name: str) -> DeletedUser:
    """Remove every row of a user. Raises StoreError, also where the owner of the store cannot be reached: the
    application's role may not remove the access log."""

    async def remove() -> dict[str, int]:
        async with database.operator(user_id) as tx:
            return await _remove_all(tx, user_id, name)

    try:
        removed = await retried(remove)
    except Repeatable as error:
        raise StoreUnavailable(
            f"user {name!r} is receiving too many writes; nothing was deleted. Stop the writers and try again"
        ) from error
    return DeletedUser(user=name, user_id=user_id, removed=dict(sorted(removed.items())))


async def _remove_all(tx: Transaction, user_id: UUID, name: str) -> dict[str, int]:
    made = await store.lock(tx, user_id, name)
    found = await store.tables(tx)
    order = [*_QUEUES, *(each for each in TopologicalSorter(found).static_order() if each not in _QUEUES)]
    removed = {table: await store.remove(tx, table, user_id) for table in order}
    await store.remove_indexes(tx, user_id)
    removed["users"] -= made
    return removed
