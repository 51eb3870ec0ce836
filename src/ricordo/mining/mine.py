"""A conversation → the palace: every turn durable and found by keyword when this returns."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from anyio import to_thread

from ricordo import accounts, ids, jobs, palace, review, rules, vectors
from ricordo.database import Database, Transaction, retried
from ricordo.errors import InvalidInput
from ricordo.facts import Graphing, queue_reading
from ricordo.memories import add, turn_keys
from ricordo.mining.alignment import new_turns
from ricordo.mining.filing import Filing
from ricordo.mining.turns import Accepted, Turn, accept, gathered
from ricordo.models import Receipt
from ricordo.telemetry import measured
from ricordo.text import detect

#: Turns of one transaction: a longer conversation is stored in pieces, each of them durable by itself.
_PIECE = 400


@dataclass(frozen=True)
class Kept:
    """What became of a conversation's messages."""

    given: int
    accepted: Accepted
    stored: int

    @property
    def duplicates(self) -> int:
        """Turns that were there before."""
        return len(self.accepted.turns) - self.stored


@dataclass(frozen=True)
class Miner:
    """One user's way into the palace."""

    database: Database
    user: str
    user_id: UUID
    #: Called in each transaction that stores turns, with how many.
    noted: Callable[[Transaction, int], Awaitable[None]] | None = None

    async def mine(self, origin: palace.Origin, messages: Iterable[Any] | AsyncIterable[Any]) -> Receipt:
        """Store the turns of a conversation that are new, each in its drawer. As `keep`, with a receipt."""
        kept = await self.keep(origin, messages)
        turns = len(kept.accepted.turns)
        async with self.database.tenant(self.user_id) as tx:
            found = await palace.find_conversation(tx, origin.id)
            pending = await vectors.pending(tx)
        return Receipt(
            status="stored" if kept.stored else "duplicate" if turns else "rejected",
            reason=_reason(kept.stored, turns, kept.given),
            conversation=origin.id,
            id=found.id if found else None,
            pointer=str(palace.Pointer(found.wing, found.room)) if found and found.wing else None,
            stored=kept.stored,
            duplicates=kept.duplicates,
            rejected=tuple(kept.accepted.rejections),
            left_out=tuple(kept.accepted.left_out),
            pending=pending,
        )

    @measured(
        "mine",
        lambda kept: {
            "stored": kept.stored,
            "duplicates": kept.duplicates,
            "rejected": len(kept.accepted.rejections),
        },
    )
    async def keep(self, origin: palace.Origin, messages: Iterable[Any] | AsyncIterable[Any]) -> Kept:
        """Store the turns of a conversation that are new, each in its drawer.

        Durable when it returns; whatever goes wrong before leaves whole pieces of the conversation, and mining
        it again adds the rest. Raises InvalidInput and StoreError.
        """
        require_good(origin)
        given = await gathered(messages)
        now = datetime.now(UTC)
        async with self.database.tenant(self.user_id) as tx:
            screen = await review.screen_for(tx)
        accepted = (
            accept(given, now, screen) if screen.is_open else await to_thread.run_sync(accept, given, now, screen)
        )
        origin = replace(origin, title=screen.remark(origin.title), project=screen.remark(origin.project))
        turns = accepted.turns
        language = await to_thread.run_sync(detect, [turn.content for turn in turns])
        stored = 0
        for start in range(0, len(turns), _PIECE):
            # Each piece comes with all turns before it: a piece alone could lie along an earlier like one.
            stored += await retried(partial(self._piece, origin, turns[: start + _PIECE], language, now))
        return Kept(len(given), accepted, stored)

    async def _piece(self, origin: palace.Origin, turns: Sequence[Turn], language: str, now: datetime) -> int:
        async with self.database.tenant(self.user_id) as tx:
            return await self._store(tx, origin, turns, language, now)

    async def _store(
        self, tx: Transaction, origin: palace.Origin, turns: Sequence[Turn], language: str, now: datetime
    ) -> int:
        """Store what is new of these turns in one transaction; returns how many that was."""
        account = await accounts.lock(tx, self.user_id, self.user)
        row = await palace.find_conversation(tx, origin.id)
        keys = await turn_keys(tx, row.conversation) if row else {}
        fresh = new_turns(turns, keys)
        if not fresh:
            return 0
        if row is None:
            account = replace(account, conversation=account.conversation + 1)
            row = palace.ConversationRow(
                account.conversation,
                ids.new_id(),
                language,
                wing=None,
                room=None,
                drawers=0,
                ended_at=None,
            )
            await palace.add_conversation(tx, self.user_id, row, origin)
        filing = Filing(tx, self.user_id, self.user, origin, row, account)
        memories = await filing.file(fresh, len(keys), now)
        await add(tx, self.user_id, memories)
        terms = sum(len(each.terms) for each in memories)
        own_names = [self.user, *filing.account.names]
        languages = {*filing.account.languages, row.language}
        new_from = row.conversation, len(keys)
        await Graphing(tx, self.user_id, own_names, sorted(languages), new_from).read(
            row.conversation, range(len(keys), len(keys) + len(memories))
        )
        counts = {"turns": len(memories), "rooms": sorted({each.room for each in memories})}
        await accounts.advance(tx, self.user_id, filing.account, len(memories), terms, row.language)
        await accounts.tell(tx, self.user_id, "memory_mined", counts, conversation=origin.id)
        if self.database.settings.llm_url is not None:
            await queue_reading(tx, row.id)
        if self.noted is not None:
            await self.noted(tx, len(memories))
        await jobs.enqueue(tx, "embed")  # last: a worker that would take one which waits is held up till the commit
        return len(memories)


def require_good(origin: palace.Origin) -> None:
    """Raise InvalidInput for an origin that the store could not hold."""
    for field, text, longest in (
        ("conversation", origin.id, 500),
        ("title", "" if origin.title is None else origin.title, 2000),
        ("project", "" if origin.project is None else origin.project, 500),
        ("source", origin.source, 100),
    ):
        if not isinstance(text, str):
            raise InvalidInput(field, f"must be text, not {type(text).__name__}")
        if len(text) > longest:
            raise InvalidInput(field, f"has {len(text):,} characters; the maximum is {longest:,}")
        rules.storable(field, text)
    if not origin.id.strip():
        raise InvalidInput("conversation", "must not be blank: Ricordo uses this id to recognize the conversation")


def _reason(stored: int, turns: int, given: int) -> str | None:
    if not given:
        return "no messages"
    if not turns:
        return "no turn could be stored: see `rejected`"
    if not stored:
        return "all turns were already stored"
    return None
