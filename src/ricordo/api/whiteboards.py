"""`memory.whiteboards`: notes that chosen agents share."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts
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
    """Whiteboards, by id or name. Only the chosen agents read and write one; the user chooses them."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def create(self, name: str, agents: Sequence[UUID | str]) -> Whiteboard:
        """A new whiteboard for these agents. Raises NotFound for an agent, and InvalidInput for a taken name."""
        if isinstance(agents, str):
            raise InvalidInput("agents", "must be a list of agents, not a single text")
        async with self._opened.effect() as tx:
            chosen = [(await accounts.agent(tx, each)).id for each in agents]
            return await whiteboards.create(tx, self._opened.user_id, name, chosen)

    async def list(self) -> Sequence[Whiteboard]:
        """Every whiteboard of the user, oldest first."""
        async with self._opened.transaction() as tx:
            return await whiteboards.every(tx)

    @measured("write", written, kind="notice")
    async def write(
        self, whiteboard: UUID | str, content: str, agent: UUID | str, *, run: UUID | None = None
    ) -> WriteReceipt:
        """Add a note of 1 to 10,000 characters, whose `metadata["agent"]` names its writer. The receipt says what
        became of it. Raises NotFound, also where the
        agent is not one of the whiteboard's, and InvalidInput."""
        async with self._opened.effect() as tx:
            who = await accounts.agent(tx, agent)
            actor = Actor(f"agent:{who.name}", run)
            return await whiteboards.write(tx, self._opened.user_id, whiteboard, content, who, actor)

    async def read(
        self,
        whiteboard: UUID | str,
        agent: UUID | str | None,
        limit: int = 100,
        text: str | None = None,
        *,
        run: UUID | None = None,
    ) -> Sequence[Entry]:
        """The newest notes, newest first, as an agent reads them, or with None the user; with `text`, those that hold
        it. Raises NotFound, also where the agent is not one of the whiteboard's, and InvalidInput."""
        async with self._opened.transaction() as tx:
            who = None if agent is None else await accounts.agent(tx, agent)
            actor = Actor(f"agent:{who.name}" if who else "user", run)
            return await whiteboards.read(tx, self._opened.user_id, whiteboard, who, limit, text, actor)

    async def members(self, whiteboard: UUID | str) -> Sequence[Agent]:
        """The agents that may read and write it, oldest first. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await whiteboards.members(tx, whiteboard)

    async def add_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool:
        """Open a whiteboard to an agent; False where it was open. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.add_agent(tx, whiteboard, await accounts.agent(tx, agent))

    async def remove_agent(self, whiteboard: UUID | str, agent: UUID | str) -> bool:
        """Close it to an agent again, whose notes stay; False where it was not open. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.remove_agent(tx, whiteboard, await accounts.agent(tx, agent))

    async def delete(self, whiteboard: UUID | str) -> int:
        """Remove a whiteboard with its notes; returns how many those were. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await whiteboards.delete(tx, self._opened.user_id, whiteboard, Actor())
