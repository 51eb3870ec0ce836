"""`memory.facts`: list, decide about and extract facts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID

from ricordo import accounts, idempotency, review
from ricordo.api.acting import acting
from ricordo.api.checking import checked
from ricordo.background import Background
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, PolicyRefused
from ricordo.facts import INSTRUCTION, deciding, estimate_extraction, queue_unread, unread_turns, walking
from ricordo.models import (
    CostEstimate,
    Decision,
    EntityKind,
    EventCategory,
    EventType,
    ExtractionReport,
    Progress,
    Relation,
    UnreadTurns,
    UserSettings,
)
from ricordo.opened import Opened

#: Seconds between two counts of what is read.
_LOOK_AGAIN = 0.5
#: Seconds that an LLM's endpoint has to show that it is there.
_ANSWERING = 10.0


@checked
class Facts:
    """Facts drawn from turns, your decisions about them, and their extraction by an LLM.

    A decision applies to every turn that states the fact, also when turns are read again. A rejected fact is not found
    again in turns from before the decision. A confirmed or corrected one stays until its turns are forgotten.

    The id of a fact is that of its relation (`memory.entities.relations`) or of a line of About. While the review
    policy holds agents' writes, a decision by an `agent` raises PolicyRefused.
    """

    def __init__(self, opened: Opened, background: Background) -> None:
        self._opened = opened
        self._background = background

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
        """Confirm a fact. It stays even if it is not found when its turns are read again. Other values stated at the
        same time no longer contradict it. Raises NotFound."""
        return await self._decide("fact_confirmed", fact, agent, deciding.confirm)

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

        async def correct(tx: Transaction, fact: UUID, names: Sequence[str]) -> Relation:
            stated = await deciding.get(tx, fact)  # whoever may not see it learns nothing else
            if agent is not None and stated.predicate == INSTRUCTION:
                raise InvalidInput(
                    "fact", "is a standing instruction, whose words only the user may change (`ricordo fact correct`)"
                )
            if object is None and since is None:
                raise InvalidInput("object", "missing: to correct a fact, give object, since or both")
            value = None if object is None else (await review.screen_for(tx)).text("object", object)
            return await deciding.correct(tx, self._opened.user_id, fact, value, object_kind, since, names)

        return await self._decide("fact_corrected", fact, agent, correct)

    async def reject(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation:
        """Reject a fact and return it. It is no longer shown or used, and is not found again in turns from before
        the decision. A later turn can state it again. Raises NotFound."""
        return await self._decide("fact_rejected", fact, agent, deciding.reject)

    async def undo(self, fact: UUID, *, agent: UUID | str | None = None) -> Relation:
        """Undo the last decision about a fact, and return it. Raises NotFound, and InvalidInput if there is none."""
        return await self._decide("fact_decision_undone", fact, agent, deciding.undo)

    async def unread(self, conversation: str | None = None) -> UnreadTurns:
        """Count the turns of one or all conversations that no LLM has read yet, and get the reason. A turn that was
        edited after an LLM read it is unread again. Redacted turns do not count."""
        async with self._opened.transaction() as tx:
            chosen = await accounts.user_settings(tx)
            return await unread_turns(tx, self._opened.llms.configured(chosen.extract_model), conversation)

    async def extract(
        self,
        conversation: str | None = None,
        *,
        retry: bool = False,
        dry_run: bool = False,
        wait: bool = False,
        progress: Progress | None = None,
    ) -> ExtractionReport:
        """Extract facts with an LLM from the unread turns of one or all conversations. This includes turns stored
        before an LLM was configured. Failed jobs are retried. With `retry`, the LLM is also asked again about turns for
        which it gave no usable reply, for example after you changed the model.

        The work is done by background jobs, here or in any process with an LLM. With `wait`, they run in this call, and
        `progress` receives the number of turns read. You can interrupt it and call it again to continue: you never pay
        twice for a turn. With `dry_run`, turns are only counted, and `estimate` has the maximum cost.

        Raises NotFound for an unknown conversation. With `wait`, raises ModelUnavailable if no LLM is configured, or if
        it does not answer.
        """
        before = await self.unread(conversation)
        if retry:
            before = before.model_copy(update={"turns": before.turns + before.unusable, "unusable": 0})
        if dry_run:
            return ExtractionReport(
                conversations=before.conversations,
                turns=before.turns,
                left=before.turns,
                reason=before.reason,
                unusable=before.unusable,
                estimate=await self._estimate(conversation, retry),
                dry_run=True,
            )
        if wait and before.turns:
            llm = await self._opened.llms.get((await self._chosen()).extract_model)
            await llm.wire.answers(_ANSWERING)
        queued = await self._queue(conversation, retry)
        if wait and before.turns:
            await self._finish(conversation, before.turns, progress)
        after = await self.unread(conversation)
        return ExtractionReport(
            conversations=before.conversations,
            turns=before.turns,
            queued=0 if wait else queued,
            read=max(0, before.turns - after.turns),
            left=after.turns,
            reason=after.reason,
            unusable=after.unusable,
        )

    async def _chosen(self) -> UserSettings:
        async with self._opened.transaction() as tx:
            return await accounts.user_settings(tx)

    async def _estimate(self, conversation: str | None, retry: bool) -> CostEstimate | None:
        """The maximum cost of reading what is unread; None where no LLM is configured here."""
        opened, chosen = self._opened, await self._chosen()
        if not opened.llms.configured(chosen.extract_model):
            return None
        llm = await opened.llms.get(chosen.extract_model)
        return await estimate_extraction(opened.database, opened.user_id, llm, conversation, in_vain=retry)

    async def _queue(self, conversation: str | None, retry: bool) -> int:
        async with self._opened.effect(first=False) as tx:
            queued = await queue_unread(tx, conversation, retry=retry)
        self._background.wake()
        return queued

    async def _finish(self, conversation: str | None, turns: int, progress: Progress | None) -> None:
        """Run what is queued, and tell how many of these turns are read."""
        running = asyncio.create_task(self._background.drain())
        try:
            while not (await asyncio.wait([running], timeout=_LOOK_AGAIN))[0]:
                if progress:
                    progress(max(0, turns - (await self.unread(conversation)).turns), turns)
        finally:
            running.cancel()
            await asyncio.wait([running])
        running.result()

    async def _decide(
        self,
        event: EventType,
        fact: UUID,
        agent: UUID | str | None,
        decision: Callable[[Transaction, UUID, Sequence[str]], Awaitable[Relation]],
    ) -> Relation:
        """Make a decision in a transaction that no miner of this user runs beside, and log it as an event. The decision
        gets the fact and the user's names."""
        async with self._opened.transaction() as tx:
            who = (await acting(tx, agent)).agent
            if who and (await review.policies(tx)).holds("agent"):
                raise PolicyRefused(
                    "agent",
                    f"{who.name!r} cannot decide about facts, because your review policy holds what agents write",
                )
            account = await accounts.lock(tx, self._opened.user_id, self._opened.user)
            decided = await decision(tx, fact, [self._opened.user, *account.names])
            by: EventCategory = "agent_action" if who else "user_action"
            of = {"entity": str(decided.subject_id), "fact": str(fact)}
            if decided.id != fact and event == "fact_corrected":
                of["corrected"] = str(decided.id)
            await accounts.tell(tx, self._opened.user_id, event, of, by, agent=who.id if who else None)
            await idempotency.note_done(tx)
            return decided
