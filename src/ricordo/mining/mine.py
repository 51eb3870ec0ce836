"""A conversation → the palace: every turn durable and found by keyword when this returns."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from anyio import to_thread

from ricordo import accounts, ids, jobs, palace, review, rules, vectors
from ricordo.audit import Actor
from ricordo.database import Database, Transaction, retried
from ricordo.errors import InvalidInput
from ricordo.facts import Graphing, queue_reading, read_anew
from ricordo.memories import (
    Edited,
    TurnVersion,
    add,
    conversations_that_begin,
    edit_turns,
    keys_elsewhere,
    known_turns,
    part_with_redacted,
    turn_count,
    unite_turns,
)
from ricordo.mining.alignment import Batch, Known, Plan, is_copy, plan, shared_keys, text_hash
from ricordo.mining.filing import Filing
from ricordo.mining.turns import Accepted, Turn, accept, gathered
from ricordo.models import Receipt
from ricordo.telemetry import measured
from ricordo.text import detect

#: Turns of one transaction: a longer conversation is stored in pieces, each of them durable by itself.
_PIECE = 400
_WINDOW = Batch()


@dataclass(frozen=True)
class Kept:
    """What became of a conversation's messages."""

    given: int
    accepted: Accepted
    stored: int
    #: Stored turns that have another text now.
    edited: int = 0
    #: Turns that were forgotten and stay so; with them the new ones of a conversation that was forgotten as a whole.
    forgotten: int = 0

    @property
    def duplicates(self) -> int:
        """Turns that were there before."""
        return len(self.accepted.turns) - self.stored - self.edited - self.forgotten


@dataclass
class _Mining:
    """One conversation's turns on their way into the store, piece by piece."""

    origin: palace.Origin
    turns: Sequence[Turn]
    batch: Batch
    language: str
    now: datetime
    #: What is left to be stored, as of the moment when the conversation had `count` turns.
    left: Plan | None = None
    count: int = 0
    stored: int = 0
    edited: int = 0
    forgotten: int = 0

    def planned(self, known: Sequence[Known], elsewhere: frozenset[int]) -> Plan:
        """What of the turns is new beside those that are stored. Of an append that is under way, only the rest is."""
        turns = self.turns
        if self.left is not None and self.batch.mode == "append":
            turns = [turn for turn, _ in self.left.new] + [turn for turn, _ in self.left.edited]
        return plan(turns, known, self.batch, elsewhere)


@dataclass(frozen=True)
class Miner:
    """One user's way into the palace."""

    database: Database
    user: str
    user_id: UUID
    #: Called in each transaction that stores turns, with how many.
    noted: Callable[[Transaction, int], Awaitable[None]] | None = None

    async def mine(
        self, origin: palace.Origin, messages: Iterable[Any] | AsyncIterable[Any], batch: Batch = _WINDOW
    ) -> Receipt:
        """Store the turns of a conversation that are new, each in its drawer. As `keep`, with a receipt."""
        kept = await self.keep(origin, messages, batch)
        turns = len(kept.accepted.turns)
        async with self.database.tenant(self.user_id) as tx:
            found = await palace.find_conversation(tx, origin.id)
            pending = await vectors.pending(tx)
        return Receipt(
            status="stored" if kept.stored or kept.edited else "duplicate" if turns else "rejected",
            reason=_reason(kept.stored + kept.edited, turns, kept.given),
            conversation=origin.id,
            id=found.id if found else None,
            pointer=str(palace.Pointer(found.wing, found.room)) if found and found.wing else None,
            stored=kept.stored,
            edited=kept.edited,
            duplicates=kept.duplicates + kept.forgotten,
            rejected=tuple(kept.accepted.rejections),
            left_out=tuple(kept.accepted.left_out),
            pending=pending,
        )

    @measured(
        "mine",
        lambda kept: {
            "stored": kept.stored,
            "edited": kept.edited,
            "duplicates": kept.duplicates,
            "rejected": len(kept.accepted.rejections),
        },
    )
    async def keep(
        self, origin: palace.Origin, messages: Iterable[Any] | AsyncIterable[Any], batch: Batch = _WINDOW
    ) -> Kept:
        """Store the turns of a conversation that are new, each in its drawer, and the new texts of those that were
        edited. `batch` says how the messages lie along the stored turns.

        Durable when it returns; whatever goes wrong before leaves whole pieces of the conversation, and mining
        it again adds the rest (an append: with the same key). Raises InvalidInput and StoreError.
        """
        origin = mended(origin)
        given = await gathered(messages)
        now = datetime.now(UTC)
        async with self.database.tenant(self.user_id) as tx:
            screen = await review.screen_for(tx)
        accepted = (
            accept(given, now, screen) if screen.is_open else await to_thread.run_sync(accept, given, now, screen)
        )
        origin = replace(origin, title=screen.remark(origin.title), project=screen.remark(origin.project))
        language = await to_thread.run_sync(detect, [turn.content for turn in accepted.turns])
        mining = _Mining(origin, accepted.turns, batch, language, now)
        while accepted.turns and (mining.left is None or mining.left.new or mining.left.edited):
            # A piece says how far it came only when it is durable: what is retried begins where the last one ended.
            mining = await retried(partial(self._piece, mining))
        return Kept(len(given), accepted, mining.stored, mining.edited, mining.forgotten)

    async def _piece(self, mining: _Mining) -> _Mining:
        """Store a piece of what is left, in one transaction: new turns, and once there are none the edited ones."""
        async with self.database.tenant(self.user_id) as tx:
            account = await accounts.lock(tx, self.user_id, self.user)
            row = await self._conversation(tx, mining)
            count = await turn_count(tx, row.conversation) if row else 0
            left = mining.left
            if left is None or count != mining.count:
                if row is not None and left is None and mining.batch.again:
                    await part_with_redacted(tx, row.conversation)
                known = await _known(tx, row.conversation) if row else []
                left = mining.planned(known, await self._elsewhere(tx, mining, row))
                if mining.batch.mode == "whole" and not mining.batch.again and _is_forgotten(known):
                    left = Plan(forgotten=len(mining.turns))
            new, edited = left.new[:_PIECE], 0
            if new:
                await self._store(tx, mining, account, row, count, new)
            elif left.edited and row is not None:
                edited = await self._edit(tx, account, row, left.edited, mining.origin.id)
            return replace(
                mining,
                left=Plan(left.new[_PIECE:], left.edited if new else []),
                forgotten=max(mining.forgotten, left.forgotten),
                count=count + len(new),
                stored=mining.stored + len(new),
                edited=mining.edited + edited,
            )

    async def _conversation(self, tx: Transaction, mining: _Mining) -> palace.ConversationRow | None:
        """The conversation that the turns belong to: that of the origin's id, or the same one under another id."""
        row = await palace.find_conversation(tx, mining.origin.id)
        if row is not None or not mining.batch.by_content:
            return row
        first = mining.turns[0]
        begun = await conversations_that_begin(
            tx, mining.origin.source, first.role, first.speaker, text_hash(first.content)
        )
        for number, id in begun:
            if is_copy(mining.turns, await _known(tx, number)):
                return await palace.find_conversation(tx, id)
        return None

    async def _elsewhere(self, tx: Transaction, mining: _Mining, row: palace.ConversationRow | None) -> frozenset[int]:
        """The keys of turns that other conversations of the source have: those that a fork copied."""
        keys = shared_keys(mining.turns) if mining.batch.mode == "whole" else []
        if not keys:
            return frozenset()
        return await keys_elsewhere(tx, mining.origin.source, row.conversation if row else None, keys)

    async def file(
        self, tx: Transaction, origin: palace.Origin, turns: Sequence[tuple[Turn, int]], language: str, now: datetime
    ) -> int:
        """Store turns that have their keys already, since another device of this memory stored them, as far as they
        are not here; returns how many were new. They are not screened here."""
        account = await accounts.lock(tx, self.user_id, self.user)
        row = await palace.find_conversation(tx, origin.id)
        known = {each.key for each in await _known(tx, row.conversation)} if row else set()
        fresh = [each for each in turns if each[1] not in known]
        if fresh:
            mining = _Mining(origin, [turn for turn, _ in fresh], Batch("append"), language, now)
            await self._store(tx, mining, account, row, len(known), fresh)
        return len(fresh)

    async def _store(
        self,
        tx: Transaction,
        mining: _Mining,
        account: accounts.Account,
        row: palace.ConversationRow | None,
        count: int,
        new: Sequence[tuple[Turn, int]],
    ) -> None:
        """Store new turns behind the `count` that the conversation has."""
        if row is None:
            account = replace(account, conversation=account.conversation + 1)
            row = palace.ConversationRow(
                account.conversation,
                ids.new_id(),
                mining.language,
                wing=None,
                room=None,
                drawers=0,
                ended_at=None,
            )
            await palace.add_conversation(tx, self.user_id, row, mining.origin)
        elif row.is_forgotten:
            await palace.take_up(tx, row.conversation, mining.origin)
        filing = Filing(tx, self.user_id, self.user, mining.origin, row, account)
        memories = await filing.file(new, count, mining.now)
        await add(tx, self.user_id, memories)
        terms = sum(len(each.terms) for each in memories)
        own_names = [self.user, *filing.account.names]
        languages = {*filing.account.languages, row.language}
        new_from = row.conversation, count
        await Graphing(tx, self.user_id, own_names, sorted(languages), new_from).read(
            row.conversation, range(count, count + len(memories))
        )
        counts = {"turns": len(memories), "rooms": sorted({each.room for each in memories})}
        await accounts.advance(tx, self.user_id, filing.account, len(memories), terms, row.language)
        await accounts.tell(tx, self.user_id, "memory_mined", counts, conversation=mining.origin.id)
        await self._finish(tx, row, len(memories))

    async def _edit(
        self,
        tx: Transaction,
        account: accounts.Account,
        row: palace.ConversationRow,
        edited: Sequence[tuple[Turn, int]],
        conversation: str,
    ) -> int:
        """Store what turns say now that their source edited; returns how many changed."""
        texts = [(key, text_hash(turn.content), turn.content) for turn, key in edited]
        changed = await edit_turns(tx, self.user_id, row.conversation, texts, row.language)
        if changed:
            await self._read_changed(tx, account, row, changed, conversation)
        return len(changed)

    async def unite(
        self, tx: Transaction, conversation: str, histories: Mapping[UUID, Sequence[TurnVersion]], actor: Actor
    ) -> None:
        """Let turns of a conversation, by their ids, have just these versions, the last of which is what they say:
        another device of this memory has some of them. They are not screened here."""
        account = await accounts.lock(tx, self.user_id, self.user)
        row = await palace.find_conversation(tx, conversation)
        assert row is not None
        versions = {id: (history, text_hash(history[-1].text)) for id, history in histories.items()}
        changed = await unite_turns(tx, self.user_id, versions, row.language, actor)
        if changed:
            await self._read_changed(tx, account, row, changed, conversation)

    async def _read_changed(
        self,
        tx: Transaction,
        account: accounts.Account,
        row: palace.ConversationRow,
        changed: Sequence[tuple[Edited, int]],
        conversation: str,
    ) -> None:
        """Bring what follows from the texts of turns in line with what they say now."""
        for turn, terms in changed:
            await accounts.add_terms(tx, self.user_id, terms)
            await palace.add_terms(tx, turn.room, terms)
        await read_anew(tx, [(turn.room, turn.drawer) for turn, _ in changed])
        own_names = [self.user, *account.names]
        languages = sorted({*account.languages, row.language})
        await Graphing(tx, self.user_id, own_names, languages).read(
            row.conversation, [turn.position for turn, _ in changed]
        )
        counts = {"turns": 0, "edited": len(changed), "rooms": sorted({turn.room for turn, _ in changed})}
        await accounts.tell(tx, self.user_id, "memory_mined", counts, conversation=conversation)
        await self._finish(tx, row, 0)

    async def _finish(self, tx: Transaction, row: palace.ConversationRow, stored: int) -> None:
        """Queue the background work that what was stored needs."""
        if self.database.settings.llm_url is not None:
            await queue_reading(tx, row.id)
        if self.noted is not None:
            await self.noted(tx, stored)
        await jobs.enqueue(tx, "embed")  # last: a worker that would take one which waits is held up till the commit


async def _known(tx: Transaction, conversation: int) -> list[Known]:
    return [Known(*each) for each in await known_turns(tx, conversation)]


def _is_forgotten(known: Sequence[Known]) -> bool:
    """Whether a conversation was forgotten as a whole."""
    return bool(known) and all(each.is_redacted for each in known)


def mended(origin: palace.Origin) -> palace.Origin:
    """The origin with texts that can be stored, as those of its turns are mended. Raises InvalidInput."""
    texts = {name: getattr(origin, name) for name in ("id", "title", "project")}
    better: dict[str, Any] = {name: rules.mended(text) for name, text in texts.items() if isinstance(text, str)}
    whole = replace(origin, **better)
    require_good(whole)
    return whole


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
        rules.text(field, text)
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
