"""Whiteboards: notes that chosen agents share. To every other agent a whiteboard does not exist.

A note on a whiteboard is a `note` of long retention and middling importance that belongs to the whiteboard and to no
agent: it stays when its writer leaves or is deleted. Who wrote it stands in its metadata as `agent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts, rules
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.ids import new_id
from ricordo.memories import loose_store, memory, whiteboard_store, writing
from ricordo.memories.loose_store import Chosen
from ricordo.memories.whiteboard_store import every as every
from ricordo.models import Agent, Entry, Whiteboard, WriteReceipt
from ricordo.review import queue, screen_for

_NOTE = {"importance": 5, "retention": "long_term", "source": "agent"}


async def create(tx: Transaction, user_id: UUID, name: str, agents: Sequence[UUID]) -> Whiteboard:
    """A new whiteboard for these agents. Raises InvalidInput."""
    id, clean = new_id(), (await screen_for(tx)).name("name", rules.name("name", name))
    if not await whiteboard_store.insert(tx, user_id, id, clean, list(dict.fromkeys(agents))):
        raise InvalidInput("name", f"whiteboard {clean!r} already exists: choose another name")
    return await get(tx, id)


async def get(tx: Transaction, which: UUID | str, reader: Agent | None = None, lock: bool = False) -> Whiteboard:
    """A whiteboard by id or name; with `lock` nobody else changes it until the transaction ends. Raises NotFound, also
    where the reader is not one of its agents."""
    found = await whiteboard_store.find(tx, which, lock)
    if found is None or (reader is not None and reader.id not in found.agents):
        raise NotFound(f"whiteboard {quoted(which, 100)} not found: list whiteboards with `ricordo whiteboard list`")
    return found


async def write(
    tx: Transaction, user_id: UUID, which: UUID | str, content: str, writer: Agent, actor: Actor
) -> WriteReceipt:
    """Add a note. Raises NotFound and InvalidInput."""
    board = await get(tx, which, writer, lock=True)
    fields = {**_NOTE, "whiteboard_id": board.id, "metadata": {"agent": writer.name}}
    return await writing.write(tx, user_id, "whiteboard note", content, writer.name, fields, actor)


async def read(
    tx: Transaction, user_id: UUID, which: UUID | str, reader: Agent | None, limit: int, text: str | None, actor: Actor
) -> list[Entry]:
    """The newest notes, newest first; with `text` those that hold it. Raises NotFound and InvalidInput."""
    board = await get(tx, which, reader)
    chosen = Chosen(["note"], whiteboard=board.id, text=None if text is None else rules.text("text", text))
    return await memory.read(tx, user_id, chosen, "newest", rules.limit(limit), actor)


async def members(tx: Transaction, which: UUID | str) -> list[Agent]:
    """The agents of a whiteboard that are still there, oldest first. Raises NotFound."""
    board = await get(tx, which)
    return [each for each in await accounts.agents(tx) if each.id in board.agents]


async def add_agent(tx: Transaction, which: UUID | str, agent: Agent) -> bool:
    """Open a whiteboard to an agent; False where it was open. Raises NotFound."""
    board = await get(tx, which, lock=True)
    if agent.id in board.agents:
        return False
    await whiteboard_store.set_agents(tx, board.id, [*board.agents, agent.id])
    return True


async def remove_agent(tx: Transaction, which: UUID | str, agent: Agent) -> bool:
    """Close it again; what the agent wrote stays. False where it was not open. Raises NotFound."""
    board = await get(tx, which, lock=True)
    if agent.id not in board.agents:
        return False
    await whiteboard_store.set_agents(tx, board.id, [each for each in board.agents if each != agent.id])
    return True


async def delete(tx: Transaction, user_id: UUID, which: UUID | str, actor: Actor) -> int:
    """Remove a whiteboard with its notes; returns how many those were. Raises NotFound."""
    board = await get(tx, which, lock=True)
    await whiteboard_store.lock(tx, board.id)
    notes = await loose_store.select(tx, Chosen(["note"], whiteboard=board.id, live=False), "oldest", None)
    for each in notes:
        await memory.forget(tx, user_id, each.id, "its whiteboard was deleted", actor)
    await queue.drop_of(tx, "whiteboard_id", board.id)
    await whiteboard_store.delete(tx, board.id)
    return len(notes)
