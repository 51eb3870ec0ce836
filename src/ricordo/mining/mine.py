"""A conversation → the palace: every turn durable and found by keyword when this returns."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from anyio import to_thread

from ricordo import accounts, jobs, palace, review, rules, vectors
from ricordo.audit import Actor
from ricordo.database import Database, Transaction, retried
from ricordo.errors import InvalidInput, StoreError, StoreUnavailable, counted
from ricordo.facts import Graphing, NewTurn, queue_reading, read_anew
from ricordo.memories import (
    Edited,
    NewMemory,
    StoredTurn,
    TurnVersion,
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
from ricordo.models import MOST_PENDING, Receipt
from ricordo.telemetry import measured
from ricordo.text import detect

#: Turns of one transaction: a longer conversation is stored in pieces, each of them durable by itself.
PIECE = 400
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


@dataclass(frozen=True)
class Part:
    """A conversation that is to be mined, or a part of one, and how its messages lie along the stored turns."""

    origin: palace.Origin
    messages: Sequence[Any]
    batch: Batch = _WINDOW


@dataclass(frozen=True)
class _Filed:
    """New turns of a conversation in their places."""

    origin: palace.Origin
    row: palace.ConversationRow
    memories: Sequence[NewMemory]

    def turns(self) -> Iterator[NewTurn]:
        """The turns as facts are read from them."""
        for each in self.memories:
            yield NewTurn(self.row.conversation, each.position, StoredTurn(
                each.room, each.drawer, each.role, each.speaker, each.content, each.said_at, self.row.language
            ))  # fmt: skip


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

    def marks(self) -> set[object]:
        """By what it is told that another mining may be of the same conversation."""
        first = self.turns[0]
        return {self.origin.id, *([(first.role, first.speaker, first.content)] if self.batch.by_content else [])}

    def beyond(self, left: Plan) -> _Mining:
        """The mining once a piece of what is left has been filed."""
        count = len(left.new[:PIECE])
        rest = Plan(left.new[PIECE:], left.edited)
        return replace(self, left=rest, count=self.count + count, stored=self.stored + count)

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
        """Store the turns of a conversation that are new. As `mine_many`."""
        [receipt] = await self.mine_many([Part(origin, await gathered(messages), batch)])
        return receipt

    async def mine_many(self, parts: Sequence[Part]) -> list[Receipt]:
        """Store the new turns of conversations. As `keep`, with a receipt for each part."""
        parts = [replace(part, origin=mended(part.origin)) for part in parts]
        kept = await self.keep(parts)
        async with self.database.tenant(self.user_id) as tx:
            found = await palace.find_conversations(tx, [each.origin.id for each in parts])
            pending = await vectors.pending(tx, MOST_PENDING)
        return [_receipt(part.origin.id, each, found, pending) for part, each in zip(parts, kept, strict=True)]

    @measured(
        "mine",
        lambda kept: {
            "stored": sum(each.stored for each in kept),
            "edited": sum(each.edited for each in kept),
            "duplicates": sum(each.duplicates for each in kept),
            "rejected": sum(len(each.accepted.rejections) for each in kept),
        },
    )
    async def keep(self, parts: Sequence[Part]) -> list[Kept]:
        """Store the turns of conversations that are new, each in its drawer, and the new texts of those that were
        edited. The batch of a part says how its messages lie along the stored turns.

        Durable when it returns; whatever goes wrong before leaves whole pieces of conversations, and mining them again
        adds the rest (an append: with the same key). Short conversations share a transaction. Raises InvalidInput and
        StoreError.
        """
        origins = [mended(part.origin) for part in parts]
        now = datetime.now(UTC)
        async with self.database.tenant(self.user_id) as tx:
            screen = await review.screen_for(tx)
        accepted = await to_thread.run_sync(_accepted, [part.messages for part in parts], now, screen)
        minings = [
            _Mining(
                replace(origin, title=screen.remark(origin.title), project=screen.remark(origin.project)),
                each.turns, part.batch, language, now,
            )
            for part, origin, (each, language) in zip(parts, origins, accepted, strict=True)
        ]  # fmt: skip
        for group in _groups(minings):
            # A piece says how far it came only when it is durable: what is retried begins where the last one ended.
            done = await self._together([minings[index] for index in group])
            for index, mining in zip(group, done, strict=True):
                while mining.left is not None and (mining.left.new or mining.left.edited):
                    [mining] = await retried(partial(self._pieces, [mining]))
                minings[index] = mining
        return [
            Kept(len(part.messages), each, mining.stored, mining.edited, mining.forgotten)
            for part, (each, _), mining in zip(parts, accepted, minings, strict=True)
        ]

    async def _together(self, minings: Sequence[_Mining]) -> Sequence[_Mining]:
        """Store a piece of each of these conversations in one transaction. Where one of them cannot be stored, each
        gets its own: those before it are stored."""
        try:
            return await retried(partial(self._pieces, minings))
        except StoreUnavailable:
            raise  # nobody knows whether they are stored
        except (InvalidInput, StoreError):
            if len(minings) == 1:
                raise
        return [each for mining in minings for each in await retried(partial(self._pieces, [mining]))]

    async def _pieces(self, minings: Sequence[_Mining]) -> list[_Mining]:
        """Store a piece of what is left of each of these conversations, in one transaction: new turns; of a
        conversation that is alone and has none, the edited ones."""
        async with self.database.tenant(self.user_id) as tx:
            account = await accounts.lock(tx, self.user_id, self.user)
            rows = await palace.find_conversations(tx, [each.origin.id for each in minings])
            filing = Filing(tx, self.user_id, self.user, account)
            filed: list[_Filed] = []
            done: list[_Mining] = []
            for mining in minings:
                row = rows.get(mining.origin.id) or await self._same_talk(tx, mining)
                planned, left = await self._planned(tx, mining, row, filed)
                if left.new:
                    filed.append(await _file(filing, planned, row, left.new[:PIECE]))
                    planned = planned.beyond(left)
                elif left.edited and row is not None and len(minings) == 1:
                    edited = await self._edit(tx, account, row, left.edited, mining.origin.id)
                    planned = replace(planned, left=Plan(), edited=edited)
                done.append(planned)
            if filed:
                await self._store(tx, filing, filed)
        return done

    async def _planned(
        self, tx: Transaction, mining: _Mining, row: palace.ConversationRow | None, filed: Sequence[_Filed]
    ) -> tuple[_Mining, Plan]:
        """The mining with what is left of it by what the conversation has now, and that."""
        count = await turn_count(tx, row.conversation) if row else 0
        if mining.left is not None and count == mining.count:
            return mining, mining.left
        if row is not None and mining.left is None and mining.batch.again:
            await part_with_redacted(tx, row.conversation)
        known = await _known(tx, row.conversation) if row else []
        left = mining.planned(known, await self._elsewhere(tx, mining, row, filed))
        if mining.batch.mode == "whole" and not mining.batch.again and _is_forgotten(known):
            left = Plan(forgotten=len(mining.turns))
        return replace(mining, left=left, count=count, forgotten=max(mining.forgotten, left.forgotten)), left

    async def _same_talk(self, tx: Transaction, mining: _Mining) -> palace.ConversationRow | None:
        """The conversation that the turns belong to under another id than the origin's, where that may change."""
        if not mining.batch.by_content:
            return None
        first = mining.turns[0]
        begun = await conversations_that_begin(
            tx, mining.origin.source, first.role, first.speaker, text_hash(first.content)
        )
        for number, id in begun:
            if is_copy(mining.turns, await _known(tx, number)):
                return await palace.find_conversation(tx, id)
        return None

    async def _elsewhere(
        self, tx: Transaction, mining: _Mining, row: palace.ConversationRow | None, filed: Sequence[_Filed]
    ) -> frozenset[int]:
        """The keys of turns that other conversations of the source have: those that a fork copied."""
        keys = shared_keys(mining.turns) if mining.batch.mode == "whole" else []
        if not keys:
            return frozenset()
        source = mining.origin.source
        beside = {
            turn.turn_key for each in filed if each.origin.source == source for turn in each.memories if turn.has_id
        }
        return frozenset(beside.intersection(keys)) | await keys_elsewhere(
            tx, source, row.conversation if row else None, keys
        )

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
            filing = Filing(tx, self.user_id, self.user, account)
            mining = _Mining(origin, [turn for turn, _ in fresh], _WINDOW, language, now, count=len(known))
            await self._store(tx, filing, [await _file(filing, mining, row, fresh)])
        return len(fresh)

    async def _store(self, tx: Transaction, filing: Filing, filed: Sequence[_Filed]) -> None:
        """Store what was filed, and what its turns name and state."""
        own_names = [self.user, *filing.account.names]
        turns = [turn for each in filed for turn in each.turns()]
        languages, zone = sorted(filing.account.languages), await accounts.zone(tx)
        await Graphing(tx, self.user_id, own_names, languages, zone).read_new(turns, filing.write)
        mined = [
            (each.origin.id, {"turns": len(each.memories), "rooms": sorted({turn.room for turn in each.memories})})
            for each in filed
        ]
        await accounts.tell_mined(tx, self.user_id, mined)
        await self._finish(tx, [each.row for each in filed], len(turns))

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
        languages, zone = sorted({*account.languages, row.language}), await accounts.zone(tx)
        await Graphing(tx, self.user_id, own_names, languages, zone).read(
            row.conversation, [turn.position for turn, _ in changed]
        )
        counts = {"turns": 0, "edited": len(changed), "rooms": sorted({turn.room for turn, _ in changed})}
        await accounts.tell(tx, self.user_id, "memory_mined", counts, conversation=conversation)
        await self._finish(tx, [row], 0)

    async def _finish(self, tx: Transaction, rows: Iterable[palace.ConversationRow], stored: int) -> None:
        """Queue the background work that what was stored needs."""
        if self.database.settings.llm_url is not None:
            for row in rows:
                await queue_reading(tx, row.id)
        if self.noted is not None:
            await self.noted(tx, stored)
        await jobs.enqueue(tx, "embed")  # last: a worker that would take one which waits is held up till the commit


async def _file(
    filing: Filing, mining: _Mining, row: palace.ConversationRow | None, new: Sequence[tuple[Turn, int]]
) -> _Filed:
    """Find places for new turns behind those that a conversation has."""
    found, memories = await filing.file(mining.origin, row, mining.language, new, mining.count, mining.now)
    return _Filed(mining.origin, found, memories)


def _accepted(given: Sequence[Sequence[Any]], now: datetime, screen: review.Screen) -> list[tuple[Accepted, str]]:
    """What became of the messages of each conversation, and its language."""
    accepted = [accept(messages, now, screen) for messages in given]
    return [(each, detect([turn.content for turn in each.turns])) for each in accepted]


def _groups(minings: Sequence[_Mining]) -> Iterator[list[int]]:
    """The indices of conversations that may be stored in one transaction, in their order: short ones, none of which may
    be another one of them. Those without turns are left out."""
    group: list[int] = []
    size = 0
    taken: set[object] = set()
    for index, each in enumerate(minings):
        if not each.turns:
            continue
        marks = each.marks()
        if group and (size + len(each.turns) > PIECE or not taken.isdisjoint(marks)):
            yield group
            group, size, taken = [], 0, set()
        group.append(index)
        size += len(each.turns)
        taken |= marks
    if group:
        yield group


def _receipt(id: str, kept: Kept, found: Mapping[str, palace.ConversationRow], pending: int) -> Receipt:
    turns = len(kept.accepted.turns)
    row = found.get(id)
    return Receipt(
        status="stored" if kept.stored or kept.edited else "duplicate" if turns else "rejected",
        reason=_reason(kept),
        conversation=id,
        id=row.id if row else None,
        pointer=str(palace.Pointer(row.wing, row.room)) if row and row.wing else None,
        stored=kept.stored,
        edited=kept.edited,
        duplicates=kept.duplicates + kept.forgotten,
        rejected=tuple(kept.accepted.rejections),
        left_out=tuple(kept.accepted.left_out),
        pending=pending,
    )


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


def _reason(kept: Kept) -> str | None:
    if not kept.given:
        return "no messages: pass at least one"
    if not kept.accepted.turns:
        return "no turn could be stored: see `rejected`"
    if kept.forgotten:
        known = "; all others were already stored" if kept.duplicates and not (kept.stored or kept.edited) else ""
        was = "was forgotten here and stays so" if kept.forgotten == 1 else "were forgotten here and stay so"
        return f"{counted(kept.forgotten, 'turn')} {was}{known}"
    if not (kept.stored or kept.edited):
        return "all turns were already stored"
    return None
