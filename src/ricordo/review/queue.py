"""Writes that wait for the user's word: held in a table of their own, which nothing searches, reads or embeds.

Rejecting one removes it; accepting one is ricordo.memories.accepting. Which writes wait is the policies' rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.ids import new_id
from ricordo.models import EventType, Kind, Quarantined
from ricordo.review import queue_store
from ricordo.review.policies import policies, screened
from ricordo.review.queue_store import drop_of as drop_of
from ricordo.review.queue_store import most_entries as most_entries
from ricordo.review.recalled import sayable


async def held_back(
    tx: Transaction, user_id: UUID, kind: Kind, text: str, speaker: str, fields: Mapping[str, Any], actor: Actor
) -> Quarantined | None:
    """Hold a write back where a policy wants it reviewed; None where it is to be written. Raises InvalidInput for what
    could not be written either."""
    found = await policies(tx, fields.get("profile_id"))
    by_agent = actor.is_agent and found.holds("agent")  # whatever source an agent claims
    if not by_agent and not found.holds(str(fields.get("source"))):
        return None
    said = found.screen.text("content", sayable(kind, rules.content(text)))
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


async def reject(tx: Transaction, user_id: UUID, id: UUID) -> Quarantined:
    """Remove what waits; returns what it was. Raises NotFound."""
    held = await taken(tx, id)
    await told(tx, user_id, held, "quarantine_rejected")
    return held


async def waiting(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these ids under which something waits."""
    return await queue_store.waiting(tx, ids) if ids else set()


async def taken(tx: Transaction, id: UUID) -> Quarantined:
    """What waited under this id, off the queue. Raises NotFound."""
    held = await get(tx, id)
    if not await queue_store.remove(tx, id):
        raise NotFound(f"nothing waits for a review under {id}")  # somebody else decided meanwhile
    return held


async def told(tx: Transaction, user_id: UUID, held: Quarantined, event: EventType) -> None:
    """Report what was decided about it in the activity."""
    told = {"memory_id": str(held.id)}
    await accounts.tell(tx, user_id, event, told, "user_action", agent=held.agent_id, run=held.run_id)
