"""A drawer for each new turn: which room and closet it goes to, making those that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from anyio import to_thread

from ricordo import accounts, ids, palace
from ricordo.accounts import Account
from ricordo.database import Transaction
from ricordo.facts import dictionary
from ricordo.memories import NewMemory
from ricordo.mining import placement
from ricordo.mining.alignment import text_hash
from ricordo.mining.placement import PAGE
from ricordo.mining.turns import Turn
from ricordo.text import memory_terms


@dataclass
class Filing:
    """The filing of one conversation's new turns within one transaction. `account` moves on as it goes."""

    tx: Transaction
    user_id: UUID
    user: str
    origin: palace.Origin
    row: palace.ConversationRow
    account: Account

    async def file(self, fresh: Sequence[tuple[Turn, int]], position: int, now: datetime) -> list[NewMemory]:
        """The turns, each with its key, as memories in their places; the first one's position is given."""
        turns = [turn for turn, _ in fresh]
        times = _times(turns, now)
        await self._learn_names(turns)
        wing = self.row.wing or await self._wing(turns)
        room, drawers = self.row.room or 0, self.row.drawers
        memories: list[NewMemory] = []
        for part, goes_on in placement.rooms_of(times, self.row.ended_at, drawers):
            if not goes_on:
                room, drawers = await self._room(wing, times[part.start]), 0
            said = [(turns[index], fresh[index][1], times[index]) for index in part]
            memories += await self._fill(room, drawers, said, position + part.start)
            drawers += len(part)
        return memories

    async def _wing(self, turns: Sequence[Turn]) -> int:
        subject = placement.subject_of(
            self.origin.title,
            self.origin.project,
            [_who(turn.role, turn.speaker) for turn in turns],
            [turn.content for turn in turns],
            self.row.language,
            [self.user, *self.account.names],
        )
        if subject.kind == "topic" and await self._is_person(subject.name):
            subject = replace(subject, kind="person")
        names = palace.keys(subject.name, self.row.language, proper=subject.kind != "topic")
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
            await palace.settle_names(self.tx, self.user_id, [self.user, *self.account.names])

    async def _room(self, wing: int, at: datetime) -> int:
        self.account = replace(self.account, room=self.account.room + 1)
        name = placement.room_name(at.astimezone(await accounts.zone(self.tx)), self.origin.title)
        await palace.add_room(self.tx, self.user_id, self.account.room, wing, self.row.conversation, name, at)
        return self.account.room

    async def _fill(
        self, room: int, drawers: int, said: Sequence[tuple[Turn, int, datetime]], position: int
    ) -> list[NewMemory]:
        """Turns of one room as memories, in closets by topic, behind the `drawers` that are there."""
        language = self.row.language
        terms = [memory_terms(turn.content, turn.speaker, at, language) for turn, _, at in said]
        closets = await self._closets(room, drawers, [turn for turn, _, _ in said])
        told = [(turn.role, turn.speaker, at) for turn, _, at in said]
        await palace.fill_room(self.tx, self.user_id, room, told, sum(map(len, terms)))
        if self.origin.import_id is not None:
            first, last = drawers + 1, drawers + len(said)
            await palace.note_import(self.tx, self.user_id, self.origin.import_id, room, first, last)
        return [
            NewMemory(
                id=ids.new_id(),
                room=room,
                drawer=drawers + index + 1,
                closet=closets[drawers + index + 1],
                conversation=self.row.conversation,
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

    async def _closets(self, room: int, drawers: int, turns: Sequence[Turn]) -> dict[int, int]:
        """The closet of each of a room's new drawers, by their numbers.

        Drawers are looked at a page at a time, those that stand in it already among them, unless the user changed
        the room's closets: so a conversation has the same closets whether it was mined whole or in pieces.
        """
        start = drawers + 1 if self.row.edited and room == self.row.room else drawers // PAGE * PAGE + 1
        standing = await palace.drawers(self.tx, room, start, drawers) if start <= drawers else []
        said = [(each.text, _who(each.role, each.speaker)) for each in standing]
        said += [(turn.content, _who(turn.role, turn.speaker)) for turn in turns]
        placed: dict[int, int] = {}
        while said:
            page, said = said[: PAGE - (start - 1) % PAGE], said[PAGE - (start - 1) % PAGE :]
            texts, speakers = [text for text, _ in page], [who for _, who in page]
            named = await to_thread.run_sync(placement.closets_of, texts, speakers, self.origin.title)
            topics = [(name, [start + index for index in part]) for name, part in named]
            kept = set(placed.values())
            placed |= await palace.arrange(self.tx, self.user_id, room, start, topics, kept, drawers)
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
