"""`memory.audit`: the access log, its verification, and the search for removed texts."""

from __future__ import annotations

from uuid import UUID

from ricordo import audit, memories
from ricordo.api.acting import ALL_KINDS, actor_of
from ricordo.api.checking import checked
from ricordo.models import Absence, Access, Chain, Progress, Soundness
from ricordo.opened import Opened


@checked
class Audit:
    """The access log and checks of the stored data."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def of_memory(self, memory: UUID, *, agent: UUID | str | None = None) -> list[Access]:
        """List all accesses to a memory, oldest first, with actor, run, context and time. Includes deleted memories.
        Raises NotFound if the memory never existed or, with `agent`, is another agent's or a whiteboard's."""
        async with self._opened.transaction() as tx:
            await actor_of(tx, agent, memory=memory, reach="own")
            found = await audit.accesses_of_memory(tx, memory)
            if not found:
                await memories.get(tx, memory, ALL_KINDS)
            return found

    async def of_run(self, run: UUID) -> list[Access]:
        """List all accesses of a run, oldest first: the memories that it read and wrote."""
        async with self._opened.transaction() as tx:
            return await audit.accesses_of_run(tx, run)

    async def seal(self) -> int:
        """Seal all unsealed accesses and return their number. From then on, `verify` detects if one of them is removed
        or altered."""
        async with self._opened.transaction() as tx:
            return await audit.seal(tx)

    async def verify(self) -> Chain:
        """Verify the access log: recompute the chain of seals and compare it."""
        async with self._opened.transaction() as tx:
            return await audit.verify(tx)

    async def sound(self, progress: Progress | None = None) -> Soundness:
        """Check that the user's tables are consistent: numbers, pointers, names, counts and search terms. Takes about
        10 s for 100,000 memories. `progress` receives the number of rules checked so far and in total. Anything found
        is a bug in Ricordo."""
        from ricordo import archive

        async with self._opened.transaction() as tx:
            return await archive.examine(tx, progress=progress)

    async def absent(self, text: str) -> Absence:
        """Search every table for a text, ignoring case, and for data derived from redacted or deleted memories. The
        search is not logged, so that it leaves no trace of the text. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await audit.absence(tx, text)
