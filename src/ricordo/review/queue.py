"""Writes that wait for the user's word: held in a table of their own, which nothing searches, reads or embeds.

Accepting one writes the memory anew, under the id that its writer was told and in its writer's name; rejecting one
removes it. Who may be held back is the policies' (ricordo.review.policies).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.ids import new_id
from ricordo.memories import loose_store, memory
from ricordo.models import Entry, EventType, Kind, Quarantined
from ricordo.review import queue_store
from ricordo.review.policies import policies, screened


async def held_back(
    tx: Transaction, user_id: UUID, kind: Kind, text: str, speaker: str, fields: Mapping[str, Any], actor: Actor
) -> Quarantined | None:
    """Hold a write back where a policy wants it reviewed; None where it is to be written. Raises InvalidInput for what
    could not be written either."""
    found = await policies(tx, fields.get("profile_id"))
    by_agent = actor.is_agent and found.holds("agent")  # whatever source an agent claims
    if not by_agent and not found.holds(str(fields.get("source"))):
        return None
    said = found.screen.text("content", memory.sayable(kind, rules.content(text)))
    kept = {
        name: str(value) if isinstance(value, UUID | datetime) else value
        for name, value in screened(found.screen, kind, fields).items()
    }
    id = new_id()
    await queue_store.insert(tx, user_id, id, kind, said, kept, speaker, actor)
    await accounts.tell(tx, user_id, "memory_quarantined", {"memory_id": str(id)}, agent=fields.get("agent_id"))
    return await get(tx, id)


async def listed(tx: Transaction, limit: int) -> list[Quarantined]:
    """What waits, oldest first."""
    return await queue_store.select(tx, None, rules.limit(limit))


async def get(tx: Transaction, id: UUID) -> Quarantined:
    """What waits under this id. Raises NotFound."""
    found = await queue_store.select(tx, id, 1)
    if not found:
        raise NotFound(f"nothing waits for a review under {id}")
    return found[0]


async def accept(tx: Transaction, user_id: UUID, id: UUID) -> Entry:
    """Write what waits. Raises NotFound, and InvalidInput where a policy refuses it by now."""
    held = await _taken(tx, id)
    fields = {**held.fields, **{name: UUID(held.fields[name]) for name in _IDS if held.fields.get(name)}}
    actor = Actor(held.actor, held.run_id)
    await memory.write(tx, user_id, held.kind, held.content, held.speaker, fields, actor, id=id)
    if profile := fields.get("profile_id"):
        most = await queue_store.most_entries(tx, profile)
        expired = [] if most is None else await loose_store.expire_beyond(tx, profile, most)
        if expired:
            await log(tx, user_id, actor, "expire", expired, {"max_entries": most})
    await _told(tx, user_id, held, "quarantine_accepted")
    return await memory.get(tx, id, [held.kind])


async def reject(tx: Transaction, user_id: UUID, id: UUID) -> Quarantined:
    """Remove what waits; returns what it was. Raises NotFound."""
    held = await _taken(tx, id)
    await _told(tx, user_id, held, "quarantine_rejected")
    return held


async def waiting(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these ids under which something waits."""
    return await queue_store.waiting(tx, ids) if ids else set()


_IDS = ("agent_id", "profile_id", "whiteboard_id")


async def _taken(tx: Transaction, id: UUID) -> Quarantined:
    held = await get(tx, id)
    if not await queue_store.remove(tx, id):
        raise NotFound(f"nothing waits for a review under {id}")  # somebody else decided meanwhile
    return held


async def _told(tx: Transaction, user_id: UUID, held: Quarantined, event: EventType) -> None:
    told = {"memory_id": str(held.id)}
    await accounts.tell(tx, user_id, event, told, "user_action", agent=held.agent_id, run=held.run_id)
