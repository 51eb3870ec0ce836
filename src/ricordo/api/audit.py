"""`memory.audit`: who read and wrote what, whether that record is whole, and whether a text is gone."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from ricordo import audit
from ricordo.api.checking import checked
from ricordo.models import Absence, Access, Chain, Soundness
from ricordo.opened import Opened

#: Receives how much is done, and how much there is in all.
Progress = Callable[[int, int], None]


@checked
class Audit:
    """The access log, and proofs."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def of_memory(self, memory: UUID) -> list[Access]:
        """Every access to a memory with actor, run, context and time, oldest first; also to one that is gone."""
        async with self._opened.transaction() as tx:
            return await audit.accesses_of_memory(tx, memory)

    async def of_run(self, run: UUID) -> list[Access]:
        """Every access of a run, oldest first: which memories it read, and which it wrote."""
        async with self._opened.transaction() as tx:
            return await audit.accesses_of_run(tx, run)

    async def seal(self) -> int:
        """Cover the accesses that no seal covers yet; returns how many that were. From then on `verify` finds every
        one of them that is removed or altered."""
        async with self._opened.transaction() as tx:
            return await audit.seal(tx)

    async def verify(self) -> Chain:
        """Compute the chain of seals anew and compare."""
        async with self._opened.transaction() as tx:
            return await audit.verify(tx)

    async def sound(self, progress: Progress | None = None) -> Soundness:
        """Check that the user's tables fit together: every number, pointer, name and count, and that the search terms
        are those of the texts. Takes about 10 s for 100,000 memories. `progress` receives the number of rules checked
        so far, and of all rules. Anything found is a bug in Ricordo."""
        from ricordo import archive

        async with self._opened.transaction() as tx:
            return await archive.examine(tx, progress=progress)

    async def absent(self, text: str) -> Absence:
        """Look for a text, its case ignored, in every table, and for what is derived from memories that are redacted
        or gone. The search itself is not logged, so that it leaves no trace of the text. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await audit.absence(tx, text)
