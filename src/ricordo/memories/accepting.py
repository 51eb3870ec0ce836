"""Accepting a write from the review queue: it is written under the id that its receipt named, in its writer's name."""

from __future__ import annotations

from uuid import UUID

from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.memories import writing
from ricordo.memories.writing import Write
from ricordo.models import Agent, Entry, HeldWrite
from ricordo.review import queue

_IDS = ("agent_id", "profile_id", "whiteboard_id")


async def accept(tx: Transaction, user_id: UUID, id: UUID, parent: Agent | None = None) -> Entry:
    """Write what is held, under the id that its receipt named. `parent` is the agent that decides, about its
    subagents' writes only. Raises NotFound, and InvalidInput if a policy refuses it by now."""
    held = await queue.taken(tx, id, parent)
    fields = {**held.fields, **{name: UUID(held.fields[name]) for name in _IDS if held.fields.get(name)}}
    actor = Actor(held.actor, held.run_id)
    receipt = await writing.write(
        tx, user_id, _write_of(held), held.content, held.speaker, fields, actor, id=id, settled=True
    )
    if receipt.memory is None:
        raise writing.refusal(receipt)
    await queue.told(tx, user_id, held, "held_write_accepted", parent)
    return receipt.memory


def _write_of(held: HeldWrite) -> Write:
    """Which write of ricordo.memories.writing was held."""
    if held.kind == "drawer":
        raise AssertionError("turns of conversations are never held")
    return "whiteboard note" if held.fields.get("whiteboard_id") else held.kind
