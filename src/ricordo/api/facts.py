"""`memory.facts`: what a person decides about facts: to confirm, correct or reject them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from ricordo import accounts, idempotency, review
from ricordo.api.acting import acting
from ricordo.api.checking import checked
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, PolicyRefused
from ricordo.facts import deciding, walking
from ricordo.models import Decision, EntityKind, EventCategory, EventType, Relation
from ricordo.opened import Opened


@checked
class Facts:
    """Facts drawn from turns, and your decisions about them.

    A decision applies to every turn that states the fact. It outlives re-extraction: a rejected fact does not come back
    from turns of before the decision, and a confirmed or corrected one stays, until its turns are forgotten. The id of
    a fact is that of its relation (`memory.entities.relations`) or of a line of About. An `agent` cannot decide while
    the review policy holds what agents write: that raises PolicyRefused.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(self, entity: UUID | str | None = None, *, decision: Decision | None = None) -> Sequence[Relation]:
        """List the facts about all entities or one, oldest first. `decision` keeps only confirmed (or corrected) facts,
        or lists the rejected ones. Raises NotFound."""
        async with self._opened.transaction() as tx:
            about = None if entity is None else await walking.id_of(tx, entity)
            if decision == "rejected":
                return await walking.rejected(tx, about)
            found = await walking.relations(tx, about)
        return [each for each in found if decision is None or each.confirmed]

    async def get(self, fact: UUID) -> Relation:
        """Get a fact. Raises NotFound, also for a rejected one."""
        async with self._opened.transaction() as tx:
            return await deciding.get(tx, fact)

    async def confirm(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation:
        """Confirm a fact. It stays even if its turns are read again and nothing is found there; other values stated at
        the same time no longer contradict it. Raises NotFound."""
        async with self._deciding("fact_confirmed", fact, agent) as (tx, names):
            return await deciding.confirm(tx, fact, names)

    async def correct(
        self,
        fact: UUID,
        *,
        object: str | None = None,
        object_kind: EntityKind | None = None,
        since: datetime | None = None,
        agent: UUID | str | None = None,
    ) -> Relation:
        """Correct the object of a fact, or the time since when it is true, and return the corrected fact. It cites the
        same turns. The object is an entity if it is known or `object_kind` is given, otherwise a plain value.

        Raises NotFound, and InvalidInput without `object` and `since`.
        """
        async with self._deciding("fact_corrected", fact, agent) as (tx, names):
            await deciding.get(tx, fact)  # whoever may not see it learns nothing else
            if object is None and since is None:
                raise InvalidInput("object", "missing: to correct a fact, give object, since or both")
            value = None if object is None else (await review.screen_for(tx)).text("object", object)
            return await deciding.correct(tx, self._opened.user_id, fact, value, object_kind, since, names)

    async def reject(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation:
        """Reject a fact and return it. It is no longer shown or used, and is not found again in turns of before the
        decision. A later turn may state it anew. Raises NotFound."""
        async with self._deciding("fact_rejected", fact, agent) as (tx, names):
            return await deciding.reject(tx, fact, names)

    async def undo(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation:
        """Undo the last decision about a fact, and return it. Raises NotFound, and InvalidInput if there is none."""
        async with self._deciding("fact_decision_undone", fact, agent) as (tx, names):
            return await deciding.undo(tx, fact, names)

    @asynccontextmanager
    async def _deciding(
        self, event: EventType, fact: UUID, agent: UUID | str | None
    ) -> AsyncIterator[tuple[Transaction, Sequence[str]]]:
        """A transaction that no miner of this user runs beside, and what the user is called. The decision is told as an
        event."""
        async with self._opened.transaction() as tx:
            who = (await acting(tx, agent)).agent
            if who and (await review.policies(tx)).holds("agent"):
                raise PolicyRefused(
                    "agent",
                    f"{who.name!r} cannot decide about facts, because your review policy holds what agents write",
                )
            account = await accounts.lock(tx, self._opened.user_id, self._opened.user)
            yield tx, [self._opened.user, *account.names]
            by: EventCategory = "agent_action" if who else "user_action"
            of = {"fact": str(fact)}
            await accounts.tell(tx, self._opened.user_id, event, of, by, agent=who.id if who else None)
            await idempotency.note_done(tx)
