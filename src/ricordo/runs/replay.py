"""What a run saw, read again from the record: each memory as it was then, and why it was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from ricordo import entries
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.nouns import Access, Run, Seen, Version

#: What is told of a memory that is there no more.
_FORGOTTEN = "[forgotten]"


async def seen(tx: Transaction, run: Run) -> list[Seen]:
    """The memories that a run read, in the order of the record."""
    told: dict[UUID, list[Version]] = {}
    found = []
    for access in await entries.accesses_of_run(tx, run.id):
        if access.action != "read":
            continue
        for rank, id in enumerate(access.memory_ids, 1):
            if id not in told:
                told[id] = await _versions(tx, id)
            text, why = _then(told[id], access), _why(access, id, rank)
            found.append(Seen(memory_id=id, text=text, at=access.accessed_at, why=why))
    return found


async def _versions(tx: Transaction, id: UUID) -> list[Version]:
    try:
        return await entries.versions(tx, id)
    except NotFound:
        return []


def _then(versions: list[Version], access: Access) -> str:
    """What a memory said when it was read."""
    if not versions:
        return _FORGOTTEN
    older = [each for each in versions if each.valid_from <= access.accessed_at]
    return (older or versions[:1])[-1].content


def _why(access: Access, id: UUID, rank: int) -> dict[str, Any]:
    """What the record tells of the choice: the strategy or search, the place in its order, and each signal's part."""
    chosen: Mapping[str, Any] = access.context.get("chosen", {})
    rest = {name: value for name, value in access.context.items() if name != "chosen"}
    return {**rest, "rank": rank, **({"signals": chosen[str(id)]} if str(id) in chosen else {})}
