"""Deleting a user: every row that is theirs goes, in one transaction, and it is said how many of each table."""

from __future__ import annotations

from graphlib import TopologicalSorter
from uuid import UUID

from ricordo.accounts import deletion_store as store
from ricordo.database import Database, Transaction
from ricordo.errors import StoreUnavailable
from ricordo.models import DeletedUser

#: Emptied before the others: who makes terms or vectors holds a row of these, and is waited for here.
_QUEUES = ("unindexed", "unembedded")
#: How often it is begun anew where someone who writes for the user held a row that this needs, and needed one of these.
_TRIES = 5


class _Entangled(Exception):
    """The database ended the transaction, since it and another one waited for each other."""


async def delete_user(database: Database, user_id: UUID, name: str) -> DeletedUser:
    """Remove every row of a user. Raises StoreError, also where the owner of the store cannot be reached: the
    application's role may not remove the record of accesses."""
    for _ in range(_TRIES):
        try:
            async with database.operator(user_id) as tx:
                removed = await _remove_all(tx, user_id, name)
        except _Entangled:
            continue
        return DeletedUser(user=name, user_id=user_id, removed=dict(sorted(removed.items())))
    raise StoreUnavailable(
        f"{name!r} is written for so busily that nothing was deleted: stop its processes, and try again"
    )


async def _remove_all(tx: Transaction, user_id: UUID, name: str) -> dict[str, int]:
    try:
        made = await store.lock(tx, user_id, name)
        found = await store.tables(tx)
        order = [*_QUEUES, *(each for each in TopologicalSorter(found).static_order() if each not in _QUEUES)]
        removed = {table: await store.remove(tx, table, user_id) for table in order}
        await store.remove_indexes(tx, user_id)
    except store.Deadlock as error:
        raise _Entangled from error
    removed["users"] -= made
    return removed
