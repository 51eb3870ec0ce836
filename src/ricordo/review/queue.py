"""Writes that wait for the user's word: held in a table of their own, which nothing searches, reads or embeds.

Rejecting one removes it; accepting one is ricordo.memories.accepting. Which writes wait is the rule of
ricordo.memories.writing.
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
from ricordo.models import Agent, EventCategory, EventType, HeldWrite, Kind
from ricordo.review import queue_store
from ricordo.review.queue_store import drop_of as drop_of
from ricordo.review.queue_store import fitting as fitting
from ricordo.review.queue_store import remove_all as remove_all


async def hold(
    tx: Transaction,
    user_id: UUID,
    kind: Kind,
    text: str,
    fields: Mapping[str, Any],
    speaker: str,
    actor: Actor,
    id: UUID | None = None,
) -> HeldWrite:
    """Put a checked and screened write into the queue, under a new id unless it has one. Without one, a write that
    waits already and differs in nothing is the same; the caller lets nobody else hold this text meanwhile."""
    plain = {name: str(value) if isinstance(value, UUID | datetime) else value for name, value in fields.items()}
    if id is None and (same := await queue_store.same(tx, kind, text, plain, actor.name)) is not None:
        return await get(tx, same)
    id = id or new_id()
    await queue_store.insert(tx, user_id, id, kind, text, plain, speaker, actor)
    await accounts.tell(tx, user_id, "memory_held", {"memory_id": str(id)}, agent=fields.get("agent_id"))
    return await get(tx, id)


async def count(tx: Transaction) -> int:
    """How many writes are held."""
    return await queue_store.count(tx)


async def listed(tx: Transaction, limit: int, parent: Agent | None = None) -> list[HeldWrite]:
    """What waits, oldest first; with `parent` only what this agent's subagents wrote."""
    return await queue_store.select(tx, None, rules.limit(limit), parent.name if parent else None)


async def get(tx: Transaction, id: UUID, parent: Agent | None = None) -> HeldWrite:
    """What waits under this id; with `parent` only what this agent's subagents wrote. Raises NotFound."""
    found = await queue_store.select(tx, id, 1, parent.name if parent else None)
    if not found:
        raise _missing(id)
    return found[0]


async def reject(tx: Transaction, user_id: UUID, id: UUID, parent: Agent | None = None) -> HeldWrite:
    """Remove what waits; returns what it was. Raises NotFound."""
    held = await taken(tx, id, parent)
    await told(tx, user_id, held, "held_write_rejected", parent)
    return held


async def waiting(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these ids under which something waits."""
    return await queue_store.waiting(tx, ids) if ids else set()


async def taken(tx: Transaction, id: UUID, parent: Agent | None = None) -> HeldWrite:
    """What waited under this id, off the queue. Raises NotFound."""
    held = await get(tx, id, parent)
    if not await withdraw(tx, id):
        raise _missing(id)  # somebody else decided meanwhile
    return held


async def withdraw(tx: Transaction, id: UUID) -> bool:
    """Take a write off the queue, as it was decided elsewhere; False where it is gone."""
    return await queue_store.remove(tx, id)


async def told(tx: Transaction, user_id: UUID, held: HeldWrite, event: EventType, parent: Agent | None = None) -> None:
    """Report in the activity what the user decided about it, or the parent of the agent that wrote it."""
    told = {"memory_id": str(held.id), **({"by": str(parent.id)} if parent else {})}
    category: EventCategory = "agent_action" if parent else "user_action"
    await accounts.tell(tx, user_id, event, told, category, agent=held.agent_id, run=held.run_id)


def _missing(id: UUID) -> NotFound:
    return NotFound(f"write {id} not found in the review queue: list it with `ricordo review list`")
