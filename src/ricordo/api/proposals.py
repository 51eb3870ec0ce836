"""`memory.proposals`: journal entries that are proposed for core, and what the user decides about them."""

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
    """Consolidation of an agent's journal: nothing changes until a proposal is accepted, and that can be undone."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def propose(self, agent: UUID | str) -> Sequence[Proposal]:
        """Look through the agent's journal for what recurs or stays relevant, and propose it for core. Meant to be
        run now and then; what was proposed once, whatever was decided, is not proposed again. Raises NotFound."""
        async with self._opened.effect() as tx:
            return await proposals.propose(tx, self._opened.user_id, await accounts.agent(tx, agent))

    async def list(self, agent: UUID | str, status: str | None = None) -> Sequence[Proposal]:
        """The agent's proposals, newest first; with `status`, those that are proposed, accepted, rejected or undone.
        Raises NotFound and InvalidInput."""
        async with self._opened.transaction() as tx:
            return await proposals.listed(tx, await accounts.agent(tx, agent), status)

    async def accept(self, proposal: UUID) -> Proposal:
        """Make the core memory that is proposed (its id is in `core_id`); the journal entries stay. Raises NotFound,
        and InvalidInput where it is decided."""
        async with self._opened.effect() as tx:
            return await proposals.accept(tx, self._opened.user_id, proposal, Actor())

    async def reject(self, proposal: UUID) -> Proposal:
        """Decide against a proposal; it is not made again. Raises NotFound, and InvalidInput where it is decided."""
        async with self._opened.effect() as tx:
            return await proposals.reject(tx, self._opened.user_id, proposal)

    async def undo(self, proposal: UUID) -> Proposal:
        """Take an acceptance back: the core memory that it made goes. Raises NotFound, and InvalidInput where it is
        not accepted."""
        async with self._opened.effect() as tx:
            return await proposals.undo(tx, self._opened.user_id, proposal, Actor())
