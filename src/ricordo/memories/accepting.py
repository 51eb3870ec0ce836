"""Letting in what waits for a review: written under the id that its writer was told, and in its writer's name."""

from __future__ import annotations

from uuid import UUID

from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.memories import loose_store, memory
from ricordo.models import Entry
from ricordo.review import queue

_IDS = ("agent_id", "profile_id", "whiteboard_id")


async def accept(tx: Transaction, user_id: UUID, id: UUID) -> Entry:
    """Write what waits. Raises NotFound, and InvalidInput where a policy refuses it by now."""
    held = await queue.taken(tx, id)
    fields = {**held.fields, **{name: UUID(held.fields[name]) for name in _IDS if held.fields.get(name)}}
    actor = Actor(held.actor, held.run_id)
    await memory.write(tx, user_id, held.kind, held.content, held.speaker, fields, actor, id=id)
    if profile := fields.get("profile_id"):
        most = await queue.most_entries(tx, profile)
        expired = [] if most is None else await loose_store.expire_beyond(tx, profile, most)
        if expired:
            await log(tx, user_id, actor, "expire", expired, {"max_entries": most})
    await queue.told(tx, user_id, held, "quarantine_accepted")
    return await memory.get(tx, id, [held.kind])
