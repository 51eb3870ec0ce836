"""The background work that memories need: upkeep, and proposals for core. Queued when a user is new, `upkeep` and
`consolidate` queue themselves anew."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from ricordo import accounts, audit, jobs, operations, vectors
from ricordo.errors import NotFound
from ricordo.jobs import Task, Work
from ricordo.memories import journal_store, notes, profiles, proposals

#: Vectors that one transaction removes.
_REMOVED = 5000
_UPKEEP, _CONSOLIDATION = timedelta(minutes=15), timedelta(days=1)


async def upkeep(work: Work) -> None:
    """Remove notes past their moment, entries past their profile's retention, vectors that nothing goes by any more and
    files that nobody imported, seal the access log, and see to memories that wait for their vectors, and to the index
    of many."""
    async with work.once() as tx:
        if tx:
            await jobs.enqueue(tx, "upkeep", after=_UPKEEP)
            if await vectors.pending(tx, 1):
                await jobs.enqueue(tx, "embed")
            await operations.tidy(tx)
    await notes.sweep(work.transaction, work.user_id)
    await profiles.sweep(work.transaction, work.user_id)
    left = True
    while left:
        async with work.transaction() as tx:
            left = await vectors.tidy_vectors(tx, _REMOVED) > 0
    async with work.transaction() as tx:
        await audit.seal(tx)
    await vectors.tend_near_index(work.database, work.user_id)


async def consolidate(work: Work) -> None:
    """Queue a look through each journal that something was written into of late."""
    async with work.once() as tx:
        if tx:
            await jobs.enqueue(tx, "consolidate", after=_CONSOLIDATION)
            for agent in await journal_store.agents_with_journal(tx):
                await jobs.enqueue(tx, "propose", {"agent": agent})


async def propose(work: Work) -> None:
    """Propose for core what recurs in an agent's journal or stays relevant."""
    async with work.once() as tx:
        if tx:
            try:
                agent = await accounts.agent(tx, UUID(work.args["agent"]))
            except NotFound:  # deleted meanwhile
                return
            await proposals.propose(tx, work.user_id, agent)


TASKS: dict[str, Task] = {"upkeep": upkeep, "consolidate": consolidate, "propose": propose}
