"""`memory.whiteboards`: notes that selected agents share."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts
from ricordo.api.acting import acting, acting_as
from ricordo.api.checking import checked
from ricordo.api.receipts import written
from ricordo.audit import Actor
from ricordo.errors import InvalidInput
from ricordo.memories import whiteboards
from ricordo.models import Agent, Entry, Whiteboard, WriteReceipt
from ricordo.opened import Opened
from ricordo.telemetry import measured


@checked
class Whiteboards:
    """Whiteboards, identified by id or name. Only the agents that the user selects can read and write one."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def create(self, name: str, agents: Sequence[UUID | str]) -> Whiteboard:
        """Create a whiteboard for these agents. Raises NotFound for an unknown agent, and InvalidInput if the name is
        taken."""
        if isinstance(agents, str):
            raise InvalidInput("agents", "must be a list of agents, not a single text")
        async with self._opened.effect() as tx:
            chosen = [(await accounts.agent(tx, each)).id for each in agents]
            return await whiteboards.create(tx, self._opened.user_id, name, chosen)

    async def list(self) -> Sequence[Whiteboard]:
        """List the user's whiteboards, oldest first."""
        async with self._opened.transaction() as tx:
            return await whiteboards.every(tx)

    @measured("write", written, kind="notice")
    async def write(
        self, whiteboard: UUID | str, content: str, agent: UUID | str, *, run: UUID | None = None
    ) -> WriteReceipt:
        """Add a note of 1 to 10,000 characters; its `metadata["agent"]` is the author. The receipt has the outcome.
        Raises NotFound, also if the agent does not share the whiteboard, and InvalidInput."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            return await whiteboards.write(
                tx, self._opened.user_id, whiteboard, content, who, acting_as(who, run).actor
            )

    async def read(
        self,
        whiteboard: UUID | str,
        agent: UUID | str | None,
        limit: int = 100,
        text: str | None = None,
        *,
        run: UUID | None = None,
    ) -> Sequence[Entry]:
        """List the notes of a whiteboard, newest first, as an agent or (with None) the user. `text` filters by a part
        of the text. Raises NotFound, also if the agent does not share the whiteboard, and InvalidInput."""
        async with self._opened.transaction() as tx:
            who = await acting(tx, agent, run)
            return await whiteboards.read(tx, self._opened.user_id, whiteboard, who.agent, limit, text, who.actor)

    async def members(self, whiteboard: UUID | str) -> Sequence[Agent]:
        """List the agents that share a whiteboard, oldest first. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await whiteboards.members(tx, whiteboard)

    async def add_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool:
        """Share a whiteboard with an agent. Returns False if it was already shared. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.add_agent(tx, whiteboard, await accounts.agent(tx, agent))

    async def remove_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool:
        """Stop sharing a whiteboard with an agent; the agent's notes stay. Returns False if it was not shared. Raises
        NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.remove_agent(tx, whiteboard, await accounts.agent(tx, agent))

    async def delete(self, whiteboard: UUID | str) -> int:
        """Delete a whiteboard with its notes, and return the number of notes. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.delete(tx, self._opened.user_id, whiteboard, Actor())
