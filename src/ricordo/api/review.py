"""`memory.review`: what agents and tools wrote and the user has not let in yet."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo.api.checking import checked
from ricordo.memories import accepting
from ricordo.models import Entry, HeldWrite
from ricordo.opened import Opened
from ricordo.review import queue


@checked
class ReviewQueue:
    """Writes that wait for a review, as the settings or a profile want it (`review`). Until one is accepted nothing
    finds, reads or injects it."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(self, limit: int = 100) -> Sequence[HeldWrite]:
        """What waits, oldest first. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await queue.listed(tx, limit)

    async def get(self, held: UUID) -> HeldWrite:
        """What waits under this id, which is the memory's to be. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await queue.get(tx, held)

    async def accept(self, held: UUID) -> Entry:
        """Remember it, under its id and in its writer's name. Raises NotFound, and InvalidInput where a policy on
        secrets or personal data refuses it by now; then it waits on."""
        async with self._opened.effect(first=False) as tx:
            return await accepting.accept(tx, self._opened.user_id, held)

    async def reject(self, held: UUID) -> HeldWrite:
        """Drop it for good; returns what it was. Raises NotFound."""
        async with self._opened.effect(first=False) as tx:
            return await queue.reject(tx, self._opened.user_id, held)
