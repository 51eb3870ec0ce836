"""The access log: written by each feature, never changed, sealed in batches by a chain of hashes.

A read is logged in a transaction that does not wait for the disk (`log_read`, `Database.read`): after a crash of the
server, the log of the last fraction of a second of reads may be missing. Writes and redactions are logged in the
transaction that does them, durably.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ricordo.audit import access_store as store
from ricordo.database import Transaction
from ricordo.errors import run_not_found
from ricordo.models import Access, Chain
from ricordo.subagents import is_subagent

#: The hash that the first seal goes on from.
_BEGINNING = bytes(32)


@dataclass(frozen=True)
class Actor:
    """Who accesses: `user`, `agent:NAME`, `job:NAME` …, and in which run."""

    name: str = "user"
    run_id: UUID | None = None

    @property
    def is_agent(self) -> bool:
        return self.name.startswith("agent:")

    @property
    def is_subagent(self) -> bool:
        """Whether this is an agent of another one: `agent:PARENT/NAME`."""
        return self.is_agent and is_subagent(self.name)


@dataclass(frozen=True)
class Read:
    """A read that is not on record yet."""

    actor: Actor
    memory_ids: tuple[UUID, ...]
    context: dict[str, Any]

    def of(self, shown: Set[UUID]) -> Read | None:
        """The same read of those alone that are shown; None where it brought something and none of it is."""
        ids = tuple(each for each in self.memory_ids if each in shown)
        if self.memory_ids and not ids:
            return None
        context = dict(self.context)
        if "chosen" in context:
            kept = {str(each) for each in ids}
            context["chosen"] = {id: why for id, why in context["chosen"].items() if id in kept}
        return Read(self.actor, ids, context)


_held: ContextVar[list[Read] | None] = ContextVar("held", default=None)


@contextmanager
def reads_held() -> Iterator[list[Read]]:
    """Within this block reads are put into the list, and not on record."""
    held: list[Read] = []
    token = _held.set(held)
    try:
        yield held
    finally:
        _held.reset(token)


async def log(
    tx: Transaction,
    user_id: UUID,
    actor: Actor,
    action: str,
    memory_ids: Sequence[UUID],
    context: dict[str, Any],
    *,
    is_sent: bool = False,
) -> None:
    """Record one access with every memory that it touched; `is_sent` says of a read that a model gets it all, so that
    it is on record whatever is shown. Raises NotFound where an agent names another one's run."""
    if actor.run_id is not None and await store.is_run_of_another(tx, actor.run_id, actor.name):
        raise run_not_found(actor.run_id)
    held = _held.get()
    if action == "read" and held is not None and not is_sent:
        read = Read(actor, tuple(memory_ids), context)
        if read not in held:  # a look that was not steady is repeated
            held.append(read)
        return
    await store.add(tx, action, actor.name, actor.run_id, context, memory_ids)


async def log_read(
    tx: Transaction, user_id: UUID, actor: Actor, memory_ids: Sequence[UUID], context: Mapping[str, Any]
) -> None:
    """Record a read; the transaction, which writes nothing else, will not wait for the disk."""
    # Not as a pipeline: one that is cancelled leaves a connection that complains when it is thrown away.
    await tx.execute("SET LOCAL synchronous_commit = off")
    await log(tx, user_id, actor, "read", memory_ids, dict(context))


async def accesses_of_memory(tx: Transaction, memory_id: UUID) -> list[Access]:
    """Every access to a memory, oldest first."""
    return await store.of_memory(tx, memory_id)


async def accesses_of_run(tx: Transaction, run_id: UUID) -> list[Access]:
    """Every access of a run, oldest first: which memories it read, and which it wrote."""
    return await store.of_run(tx, run_id)


async def seal(tx: Transaction) -> int:
    """Cover the accesses that are complete and not covered yet by new seals; returns how many accesses that were.

    Complete are those of transactions older than every running one: none can be added among them any more.
    """
    return await store.seal(tx)


async def verify(tx: Transaction) -> Chain:
    """Compute the chain anew and compare it with the seals, and the log with its index by memory."""
    before, total = _BEGINNING, 0
    seals = await store.seals(tx)
    start = seals[0].first_xid if seals else await store.first_xid(tx)
    if await store.first_xid(tx) < min(start, 0):
        return Chain(seals=len(seals), accesses=0, unsealed=0, broken=1)
    for each in seals:
        before, accesses = await store.recomputed(tx, before, each)
        if before != each.hash or accesses != each.accesses or each.first_xid != start:
            return Chain(seals=len(seals), accesses=total, unsealed=0, broken=each.seal)
        total, start = total + accesses, each.end_xid
    return Chain(
        seals=len(seals),
        accesses=total,
        unsealed=await store.count_from(tx, start),
        mislisted=await store.mislisted(tx),
        head=before.hex() if seals else "",
    )
