"""A drawer for each new turn: which room and closet it goes to, making those that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from anyio import to_thread

from ricordo import accounts, ids, palace
from ricordo.accounts import Account
from ricordo.database import Transaction
from ricordo.facts import dictionary
from ricordo.memories import NewMemory, add
from ricordo.mining import placement
from ricordo.mining.alignment import text_hash
from ricordo.mining.placement import PAGE
from ricordo.mining.turns import Turn
from ricordo.text import memory_terms, term_count
from ricordo.times import within


@dataclass
class Filing:
    """The filing of conversations' new turns within one transaction: `file` finds their places, and `write` stores all
    of them at once. `account` moves on as it goes."""

    tx: Transaction
    user_id: UUID
    user: str
    account: Account
    memories: list[NewMemory] = field(default_factory=list)
    _new: palace.NewPlaces = field(default_factory=palace.NewPlaces)
    #: The wings of subjects that were looked up.
    _wings: dict[palace.Subject, int] = field(default_factory=dict)
    #: Whether wings may have become one since the conversations' rows were read.
    _has_settled: bool = False
    _zone: ZoneInfo | None = None

    async def file(
        self,
        origin: palace.Origin,
        row: palace.ConversationRow | None,
        language: str,
        fresh: Sequence[tuple[Turn, int]],
        position: int,
        now: datetime,
    ) -> tuple[palace.ConversationRow, Sequence[NewMemory]]:
        """Make memories of the turns of a conversation, each with its key, in their places; the first one's position is
        given. Without a `row`, the conversation is new."""
        if row is None:
            row = self._conversation(origin, language)
        elif row.is_forgotten:
            await palace.take_up(self.tx, row.conversation, origin)
        if row.language not in self.account.languages:
            self.account = replace(self.account, languages=(*self.account.languages, row.language))
        turns = [turn for turn, _ in fresh]
        times = _times(turns, now)
        await self._learn_names(turns)
        wing = await self._wing_at(row) or await self._wing(origin, row, turns)
        room, drawers = row.room or 0, row.drawers
        first = len(self.memories)
        for part, goes_on in placement.rooms_of(times, row.ended_at, drawers):
            if not goes_on:
                room, drawers = await self._room(origin, row, wing, times[part.start]), 0
            said = [(turns[index], fresh[index][1], times[index]) for index in part]
            self.memories += await self._fill(origin, row, room, drawers, said, position + part.start)
            drawers += len(part)
        return row, self.memories[first:]

    async def write(self) -> None:
        """Store the memories, and the new places that they have; the account of the user has them too then."""
        await self._write_places()
        await add(self.tx, self.user_id, self.memories)
        terms = sum(term_count(each.terms) for each in self.memories)
        await accounts.advance(self.tx, self.user_id, self.account, len(self.memories), terms)

    async def _write_places(self) -> None:
        new, self._new = self._new, palace.NewPlaces()
        await palace.add_places(self.tx, self.user_id, new)

    def _conversation(self, origin: palace.Origin, language: str) -> palace.ConversationRow:
        self.account = replace(self.account, conversation=self.account.conversation + 1)
        row = palace.ConversationRow(
            self.account.conversation, ids.new_id(), language, wing=None, room=None, drawers=0, ended_at=None
        )
        self._new.conversations.append((row, origin))
        return row

    async def _wing_at(self, row: palace.ConversationRow) -> int | None:
        """The wing in which a conversation stands now; None for one that has no room yet."""
        if row.wing is None or row.room is None or not self._has_settled:
            return row.wing
        return await palace.wing_of_room(self.tx, row.room, row.wing)

    async def _wing(self, origin: palace.Origin, row: palace.ConversationRow, turns: Sequence[Turn]) -> int:
        subject = placement.subject_of(
            origin.title,
            origin.project,
            [_who(turn.role, turn.speaker) for turn in turns],
            [turn.content for turn in turns],
            row.language,
            [self.user, *self.account.names],
        )
        if subject not in self._wings:
            self._wings[subject] = await self._wing_of(subject, row.language)
        return self._wings[subject]

    async def _wing_of(self, subject: palace.Subject, language: str) -> int:
        if subject.kind == "topic" and await self._is_person(subject.name):
            subject = replace(subject, kind="person")
        names = palace.keys(subject.name, language, proper=subject.kind != "topic")
        standing = await palace.wing_for(self.tx, self.user_id, subject, names)
        if standing is not None:
            return standing.wing
        self.account = replace(self.account, wing=self.account.wing + 1)
        await palace.add_wing(self.tx, self.user_id, self.account.wing, subject, names)
        return self.account.wing

    async def _is_person(self, name: str) -> bool:
        """Whether the palace knows somebody of this name."""
        known = await dictionary(self.tx, [name])
        return any(kind == "person" and name in (called, *spellings) for called, kind, spellings in known)

    async def _learn_names(self, turns: Sequence[Turn]) -> None:
        """Who talks with an assistant is the user, by whatever name."""
        if not any(turn.role == "assistant" for turn in turns):
            return
        called = {turn.speaker for turn in turns if turn.role == "user"} - {"user", *self.account.names}
        if called:
            self.account = replace(self.account, names=(*self.account.names, *sorted(called)))
            await self._write_places()  # the rooms of wings that become one must be stored to move
            await palace.settle_names(self.tx, self.user_id, [self.user, *self.account.names])
            self._wings.clear()
            self._has_settled = True

    async def _room(self, origin: palace.Origin, row: palace.ConversationRow, wing: int, at: datetime) -> int:
        if self._zone is None:
            self._zone = await accounts.zone(self.tx)
        number = self.account.room + 1
        self.account = replace(self.account, room=number)
        name = placement.room_name(within(at, self._zone), origin.title)
        self._new.rooms[number] = palace.NewRoom(number, wing, row.conversation, name, at, at)
        return number

    async def _fill(
        self,
        origin: palace.Origin,
        row: palace.ConversationRow,
        room: int,
        drawers: int,
        said: Sequence[tuple[Turn, int, datetime]],
        position: int,
    ) -> list[NewMemory]:
        """Turns of one room as memories, in closets by topic, behind the `drawers` that are there."""
        terms = [memory_terms(turn.content, turn.speaker, at, row.language) for turn, _, at in said]
        closets = await self._closets(origin, row, room, drawers, [turn for turn, _, _ in said])
        await self._account_for(origin, room, drawers, [(turn.role, turn.speaker, at) for turn, _, at in said], terms)
        return [
            NewMemory(
                id=ids.new_id(),
                room=room,
                drawer=drawers + index + 1,
                closet=closets[drawers + index + 1],
                conversation=row.conversation,
                position=position + index,
                turn_key=key,
                text_hash=text_hash(turn.content) if turn.text_hash is None else turn.text_hash,
                has_id=turn.id is not None,
                has_time=turn.at is not None and turn.has_time,
                role=turn.role,
                speaker=turn.speaker,
                content=turn.content,
                said_at=at,
                terms=terms[index],
                stored_at=turn.stored_at,
            )
            for index, (turn, key, at) in enumerate(said)
        ]

    async def _account_for(
        self,
        origin: palace.Origin,
        room: int,
        drawers: int,
        told: Sequence[tuple[str, str, datetime]],
        terms: Sequence[Sequence[str]],
    ) -> None:
        """Count drawers that come behind the `drawers` of a room."""
        count = sum(map(term_count, terms))
        new = self._new.rooms.get(room)
        if new is None:
            await palace.fill_room(self.tx, room, told, count)
        else:
            new.fill(told, count)
        self._new.said += [(room, *each) for each in told]
        if origin.import_id is not None:
            self._new.imported.append((origin.import_id, room, drawers + 1, drawers + len(told)))

    async def _closets(
        self, origin: palace.Origin, row: palace.ConversationRow, room: int, drawers: int, turns: Sequence[Turn]
    ) -> dict[int, int]:
        """The closet of each of a room's new drawers, by their numbers.

        Drawers are looked at a page at a time, those that stand in it already among them, unless the user changed
        the room's closets: so a conversation has the same closets whether it was mined whole or in pieces.
        """
        start = drawers + 1 if row.edited and room == row.room else drawers // PAGE * PAGE + 1
        standing = await palace.drawers(self.tx, room, start, drawers) if start <= drawers else []
        said = [(each.text, _who(each.role, each.speaker)) for each in standing]
        said += [(turn.content, _who(turn.role, turn.speaker)) for turn in turns]
        new = self._new.rooms.get(room)
        placed: dict[int, int] = {}
        while said:
            page, said = said[: PAGE - (start - 1) % PAGE], said[PAGE - (start - 1) % PAGE :]
            texts, speakers = [text for text, _ in page], [who for _, who in page]
            named = await to_thread.run_sync(placement.closets_of, texts, speakers, origin.title)
            topics = [(name, [start + index for index in part]) for name, part in named]
            if new is None:
                kept = set(placed.values())
                placed |= await palace.arrange(self.tx, self.user_id, room, start, topics, kept, drawers)
            else:
                placed |= palace.arrange_new(new.closets, topics)
            start += len(page)
        return placed


def _who(role: str, speaker: str) -> str:
    """A turn's speaker, or that it was an assistant, by whatever name."""
    return speaker if role == "user" else role


def _times(turns: Sequence[Turn], now: datetime) -> list[datetime]:
    """When each turn was said: what it tells, else the time of the turn before it in this call, else now."""
    times: list[datetime] = []
    for turn in turns:
        times.append(turn.at or (times[-1] if times else now))
    return times
