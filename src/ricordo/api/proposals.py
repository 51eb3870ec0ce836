"""`memory.proposals`: proposals to turn journal entries into core memories, and the user's decisions."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts
from ricordo.api.checking import checked
from ricordo.audit import Actor
from ricordo.memories import proposals
from ricordo.models import Proposal
from ricordo.opened import Opened


@checked
class Proposals:
    """Consolidation of an agent's journal. Nothing changes until you accept a proposal, and you can undo that."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def propose(self, agent: UUID | str) -> Sequence[Proposal]:
        """Find recurring or still relevant entries in the agent's journal, and propose them for core memory. Run this
        from time to time. Nothing is proposed twice. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await proposals.propose(tx, self._opened.user_id, await accounts.agent(tx, agent))

    async def list(self, agent: UUID | str, status: str | None = None) -> Sequence[Proposal]:
        """List the agent's proposals, newest first. You can filter by `status`: proposed, accepted, rejected or undone.
        Raises NotFound and InvalidInput."""
        async with self._opened.transaction() as tx:
            return await proposals.listed(tx, await accounts.agent(tx, agent), status)

    async def accept(self, proposal: UUID) -> Proposal:
        """Accept a proposal and create the core memory (its id is in `core_id`). The journal entries stay. Raises
        NotFound, and InvalidInput if it was already decided."""
        async with self._opened.effect() as tx:
            return await proposals.accept(tx, self._opened.user_id, proposal, Actor())

    async def reject(self, proposal: UUID) -> Proposal:
        """Reject a proposal; it is not proposed again. Raises NotFound, and InvalidInput if it was already decided."""
        async with self._opened.effect() as tx:
            return await proposals.reject(tx, self._opened.user_id, proposal)

    async def undo(self, proposal: UUID) -> Proposal:
        """Undo the acceptance of a proposal and delete its core memory. Raises NotFound, and InvalidInput if it is not
        accepted."""
        async with self._opened.effect() as tx:
            return await proposals.undo(tx, self._opened.user_id, proposal, Actor())
