"""`memory.review`: the review queue, for writes of agents and tools that wait for the user's decision."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo.api.acting import acting
from ricordo.api.checking import checked
from ricordo.memories import accepting
from ricordo.models import Entry, HeldWrite
from ricordo.opened import Opened
from ricordo.review import queue


@checked
class ReviewQueue:
    """Writes that need a review because of the settings or a profile (`review`), and those of subagents. Until you
    accept one, it cannot be found, read or injected.

    A subagent is an agent called `PARENT/NAME`. Pass the parent as `agent` to let it decide: it reaches the writes of
    its own subagents only.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(self, limit: int = 100, *, agent: UUID | str | None = None) -> Sequence[HeldWrite]:
        """List the writes in the review queue, oldest first. Raises InvalidInput, and NotFound for an unknown agent."""
        async with self._opened.transaction() as tx:
            return await queue.listed(tx, limit, (await acting(tx, agent)).agent)

    async def get(self, held: UUID, *, agent: UUID | str | None = None) -> HeldWrite:
        """Get a write in the review queue by the id of the future memory. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await queue.get(tx, held, (await acting(tx, agent)).agent)

    async def accept(self, held: UUID, *, agent: UUID | str | None = None) -> Entry:
        """Accept a write: store it under its id, with its original author. Raises NotFound, and InvalidInput if a
        policy on secrets or personal data now rejects it; then it stays in the queue."""
        async with self._opened.effect(first=False) as tx:
            return await accepting.accept(tx, self._opened.user_id, held, (await acting(tx, agent)).agent)

    async def reject(self, held: UUID, *, agent: UUID | str | None = None) -> HeldWrite:
        """Reject a write: delete it permanently and return it. Raises NotFound."""
        async with self._opened.effect(first=False) as tx:
            return await queue.reject(tx, self._opened.user_id, held, (await acting(tx, agent)).agent)
