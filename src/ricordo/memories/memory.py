"""Memories of every kind: reading them with their history, redaction and forgetting. Writing is
ricordo.memories.writing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, get_args
from uuid import UUID

from ricordo.audit import Actor, log, log_read, receipts
from ricordo.database import Transaction
from ricordo.errors import NotFound, memory_not_found
from ricordo.memories import loose_store
from ricordo.memories.loose_store import Chosen, Reach
from ricordo.models import Agent, Entry, Kind, RemovalReceipt, Version
from ricordo.review import Screen, screen_for
from ricordo.vectors import forget_room_vector, renew_next

#: What a redacted memory says (seed 000).
REDACTED = "[redacted]"
#: Columns whose earlier values are kept with an earlier text.
VERSIONED = ("importance", "confidence", "retention", "expires_at", "tags", "metadata", "scope")


async def read(
    tx: Transaction,
    user_id: UUID,
    chosen: Chosen,
    order: str,
    limit: int | None,
    actor: Actor,
    context: Mapping[str, Any] | None = None,
) -> list[Entry]:
    """The memories that are chosen, with one `read` in the log that names each of them."""
    found = await loose_store.select(tx, chosen, order, limit)
    await log_read(tx, user_id, actor, [each.id for each in found], context or {})
    return found


async def look_up(tx: Transaction, user_id: UUID, id: UUID, kinds: Sequence[Kind], actor: Actor) -> Entry:
    """The memory of this id, whatever its state, with a `read` in the log. Raises NotFound as `get`."""
    entry = await get(tx, id, kinds)
    await log_read(tx, user_id, actor, [id], {})
    return entry


async def find(tx: Transaction, id: UUID) -> Entry:
    """The memory of this id, of whatever kind and state, unlogged. Raises NotFound."""
    return await get(tx, id, get_args(Kind))


async def get(
    tx: Transaction, id: UUID, kinds: Sequence[Kind], reader: Agent | None = None, reach: Reach = "read"
) -> Entry:
    """The memory of this id, whatever its state. Raises NotFound where the user has none of these kinds, or where it is
    out of an agent's reach."""
    chosen = Chosen(kinds, ids=[id], live=False, reader=reader.id if reader else None, reach=reach)
    found = await loose_store.select(tx, chosen, "newest", 1)
    if not found:
        raise memory_not_found(id)
    return found[0]


async def redact(tx: Transaction, user_id: UUID, id: UUID, reason: str | None, actor: Actor) -> RemovalReceipt:
    """Replace a memory's text for ever; its row stays, and all that is derived from it goes. Says what went.

    Raises NotFound. Redacting again changes nothing and says so.
    """
    entry, room, drawer = await locked(tx, id)
    if entry.is_redacted:
        return RemovalReceipt(id=id, action="redact", done=False, reason="already redacted", removed={})
    reason = _remark(await screen_for(tx, entry.profile_id), reason, [entry.content])
    removed = await renew_next(tx, user_id, room, drawer)
    removed |= await loose_store.erase_traces(tx, id)
    changes: dict[str, Any] = {"content": REDACTED, "is_redacted": True, "tags": None, "metadata": None}
    await loose_store.update(tx, id, changes)
    removed |= await forget_room_vector(tx, user_id, room)
    await log(tx, user_id, actor, "redact", [id], {"reason": reason} if reason else {})
    removed = {"content": 1, **removed}
    receipt = RemovalReceipt(id=id, action="redact", done=True, reason=reason, removed=removed)
    return await _receipt(tx, room, drawer, receipt)


async def forget(tx: Transaction, user_id: UUID, id: UUID, reason: str | None, actor: Actor) -> RemovalReceipt:
    """Remove a memory with all that is derived from it; the log keeps that it was there, and not what it said.

    A drawer is redacted instead, so that its neighbors keep their places. Raises NotFound.
    """
    entry, room, drawer = await locked(tx, id)
    if entry.kind == "drawer":
        return await redact(tx, user_id, id, reason, actor)
    reason = _remark(await screen_for(tx, entry.profile_id), reason, [entry.content])
    removed = await loose_store.erase_traces(tx, id)
    await log(tx, user_id, actor, "forget", [id], {"reason": reason} if reason else {})  # while its row tells its agent
    await loose_store.delete(tx, id)
    removed = {"memories": 1, **removed}
    receipt = RemovalReceipt(id=id, action="forget", done=True, reason=reason, removed=removed)
    return await _receipt(tx, room, drawer, receipt)


async def remark(tx: Transaction, reason: str | None, texts: Sequence[str]) -> str | None:
    """A reason as it may be kept for forgetting these texts."""
    return _remark(await screen_for(tx), reason, texts)


def _remark(screen: Screen, reason: str | None, texts: Sequence[str]) -> str | None:
    """The reason as it may be kept: what is to be gone does not stay in the words that say why."""
    told = screen.remark(reason)
    for said in (each.strip() for each in texts):
        if told and said and len(said) <= len(told):
            told = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", REDACTED, told, flags=re.IGNORECASE)
    return told


async def _receipt(tx: Transaction, room: int, drawer: int, receipt: RemovalReceipt) -> RemovalReceipt:
    """The receipt, with what a look at each place finds now."""
    left = await receipts.checked(tx, [receipt.id], [(room, drawer)])
    return receipt.model_copy(update={"checked": left, "remains": receipts.REMAINS})


async def history(tx: Transaction, user_id: UUID, id: UUID, actor: Actor) -> list[Version]:
    """Every version of a memory, oldest first, with a `read` in the log; the last one is what it says now.

    Raises NotFound.
    """
    found = await versions(tx, id)
    await log_read(tx, user_id, actor, [id], {"history": True})
    return found


async def as_of(tx: Transaction, user_id: UUID, id: UUID, moment: datetime, actor: Actor) -> Version:
    """What a memory said at a moment, with a `read` in the log. Raises NotFound where it was not written yet."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    for version in reversed(await versions(tx, id)):
        if version.valid_from <= zoned:
            await log_read(tx, user_id, actor, [id], {"as_of": zoned.isoformat()})
            return version
    raise NotFound(f"memory {id} did not exist yet at {zoned.isoformat()}")


async def versions(tx: Transaction, id: UUID) -> list[Version]:
    """Every version of a memory, oldest first, unlogged. Raises NotFound.

    The memory cannot change until the transaction ends; others may read it meanwhile.
    """
    entry, _, _ = await locked(tx, id, shared=True)
    earlier = [
        Version(version=version, content=text, fields=fields, valid_from=since, valid_to=until, actor=actor)
        for version, text, fields, since, until, actor in await loose_store.versions(tx, id)
    ]
    current = Version(
        version=len(earlier) + 1,
        content=entry.content,
        fields=entry.model_dump(mode="json", include=set(VERSIONED)),
        # Not `updated_at`, which an expiry and a redaction move as well: they begin no version.
        valid_from=(earlier[-1].valid_to if earlier else None) or entry.created_at,
    )
    return [*earlier, current]


async def locked(tx: Transaction, id: UUID, shared: bool = False) -> tuple[Entry, int, int]:
    """A memory of any kind with its (room, drawer), locked until the transaction ends; `shared` locks it against
    changes alone. Raises NotFound."""
    found = await loose_store.lock(tx, id, shared)
    if found is None:
        raise memory_not_found(id)
    return found
