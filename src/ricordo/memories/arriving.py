"""Memories that come from another device of the same memory: written under their own ids, with their times and
versions, by the same write path as every other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.memories import document_store, loose_store, memory, writing
from ricordo.memories.writing import Write
from ricordo.models import Entry
from ricordo.review import policies, queue


@dataclass(frozen=True)
class Edition:
    """What a memory said since a moment, and who wrote that; the writer of the first one is not recorded."""

    at: datetime
    content: str
    #: The columns that an edit may change (memory.VERSIONED).
    fields: Mapping[str, Any]
    by: str | None = None


@dataclass(frozen=True)
class Arrival:
    """A memory as another device has it. `fields` are its other columns; `editions` its versions, oldest first."""

    id: UUID
    write: Write
    speaker: str
    fields: Mapping[str, Any]
    editions: Sequence[Edition]
    #: When the device changed it last, if it ever did.
    updated_at: datetime | None
    run_id: UUID | None
    #: Whether searches find it, which some documents are not meant for.
    is_searched: bool = True


async def editions(tx: Transaction, entry: Entry) -> list[Edition]:
    """Every version of a memory, oldest first."""
    found: list[Edition] = []
    by: str | None = None
    for version in await memory.versions(tx, entry.id):
        found.append(Edition(version.valid_from, version.content, version.fields, by))
        by = version.actor
    return found


async def arrive(tx: Transaction, user_id: UUID, arrival: Arrival, actor: Actor) -> str | None:
    """Write a memory that is not here, or add the versions that are new to the one that is: the latest one is what it
    says, and the others are its history. Returns why a policy refuses it, or None.

    A redacted memory stays as it is. Raises NotFound for a parent that is gone, and InvalidInput.
    """
    try:
        await queue.get(tx, arrival.id)
    except NotFound:
        pass
    else:
        await queue.withdraw(tx, arrival.id)  # accepted on the other device
    try:
        entry, _, _ = await memory.locked(tx, arrival.id)
    except NotFound:
        return await _write(tx, user_id, arrival, actor)
    if not entry.is_redacted:
        await _merge(tx, user_id, entry, arrival, actor)
    return None


async def _write(tx: Transaction, user_id: UUID, arrival: Arrival, actor: Actor) -> str | None:
    latest = arrival.editions[-1]
    receipt = await writing.write(
        tx,
        user_id,
        arrival.write,
        latest.content,
        arrival.speaker,
        {**arrival.fields, **_columns(latest)},
        Actor(actor.name, arrival.run_id),
        id=arrival.id,
        settled=True,
    )
    if receipt.status == "rejected":
        return receipt.reason
    await _put(tx, user_id, arrival.id, arrival.editions, arrival.updated_at)
    if not arrival.is_searched:
        await document_store.unindex(tx, arrival.id)
    return None


async def _merge(tx: Transaction, user_id: UUID, entry: Entry, arrival: Arrival, actor: Actor) -> None:
    mine = {each.at: each for each in await editions(tx, entry)}
    theirs = {each.at: each for each in arrival.editions}
    both = [each for _, each in sorted({**theirs, **mine}.items())]
    latest = max(mine)
    changed = both[-1] if both[-1].at > latest else None
    if both[-1].at in theirs and both[-1].at == latest and _later(arrival.updated_at, entry.updated_at):
        changed = theirs[latest]  # the same version, of which a field changed that begins none, such as its expiry
    if changed is not None:
        await writing.edit(tx, user_id, entry.id, {**_columns(changed), "content": changed.content}, actor)
        if not arrival.is_searched:
            await document_store.unindex(tx, entry.id)
    if changed is not None or len(both) > len(mine):
        updated = max((each for each in (arrival.updated_at, entry.updated_at) if each is not None), default=None)
        await _put(tx, user_id, entry.id, both, updated)


async def _put(
    tx: Transaction, user_id: UUID, id: UUID, versions: Sequence[Edition], updated_at: datetime | None
) -> None:
    """Write the history, screened as any text that is stored."""
    entry = await memory.find(tx, id)
    screen = (await policies(tx, entry.profile_id)).screen.redacting()
    earlier = [
        (screen.text("content", each.content), screen.value("fields", dict(each.fields)), each.at, after.at,
         after.by or "")
        for each, after in pairwise(versions)
    ]  # fmt: skip
    await loose_store.put_versions(tx, user_id, id, earlier)
    await loose_store.set_times(tx, id, versions[0].at, updated_at)


def _columns(edition: Edition) -> dict[str, Any]:
    """The columns of a version. A memory without tags or metadata has none, and not empty ones."""
    columns = {name: edition.fields.get(name) for name in memory.VERSIONED}
    for name in ("tags", "metadata"):
        columns[name] = columns[name] or None
    if isinstance(columns["expires_at"], str):
        columns["expires_at"] = datetime.fromisoformat(columns["expires_at"])
    return columns


def _later(theirs: datetime | None, mine: datetime | None) -> bool:
    return theirs is not None and (mine is None or theirs > mine)
