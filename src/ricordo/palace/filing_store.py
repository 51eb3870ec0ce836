"""The SQL of what mining adds to the palace in one transaction: new conversations, rooms and closets, and who said how
much on which day. Each table takes one statement, however many conversations there are.

Not COPY: PostgreSQL refuses it on tables with row-level security.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from ricordo.database import Transaction, execute_each
from ricordo.palace.editing_store import ClosetRow
from ricordo.palace.store import ConversationRow, Origin

#: The role and the speaker of a drawer, and when it was said.
Told = tuple[str, str, datetime]


@dataclass
class NewRoom:
    """A room that is not stored yet, with its closets, as far as it is filled."""

    room: int
    wing: int
    conversation: int
    name: str
    started_at: datetime
    ended_at: datetime
    drawers: int = 0
    terms: int = 0
    closets: list[ClosetRow] = field(default_factory=list)

    def fill(self, told: Sequence[Told], terms: int) -> None:
        """Account for drawers that are added, and how many terms they have."""
        times = [at for _, _, at in told]
        self.started_at, self.ended_at = min(self.started_at, *times), max(self.ended_at, *times)
        self.drawers += len(told)
        self.terms += terms


@dataclass
class NewPlaces:
    """What a transaction adds to the palace."""

    conversations: list[tuple[ConversationRow, Origin]] = field(default_factory=list)
    #: Rooms by their numbers.
    rooms: dict[int, NewRoom] = field(default_factory=dict)
    #: The room of each new drawer, its role, its speaker and when it was said.
    said: list[tuple[int, str, str, datetime]] = field(default_factory=list)
    #: The import of new drawers, their room, and the first and the last of them.
    imported: list[tuple[UUID, int, int, int]] = field(default_factory=list)


async def add_places(tx: Transaction, user_id: UUID, new: NewPlaces) -> None:
    """Write new conversations, rooms and closets, and count drawers by day and speaker."""
    if new.conversations:
        await _add_conversations(tx, user_id, new.conversations)
    if new.rooms:
        await _add_rooms(tx, user_id, list(new.rooms.values()))
    if new.said:
        counted = Counter((room, at.astimezone(UTC).date(), role, speaker) for room, role, speaker, at in new.said)
        await execute_each(
            tx,
            """
            INSERT INTO said_on AS o (user_id, room, day, role, speaker, drawers) VALUES (%s, %s, %s, %s, %s, %s)
            ON CONFLICT (user_id, room, day, role, speaker_key) DO UPDATE SET drawers = o.drawers + EXCLUDED.drawers
            """,
            [(user_id, *key, drawers) for key, drawers in counted.items()],
        )
    if new.imported:
        await tx.execute(
            """
            INSERT INTO imported_turns (user_id, import_id, room, first_drawer, last_drawer)
            SELECT %s, * FROM unnest(%s::uuid[], %s::integer[], %s::integer[], %s::integer[])
            """,
            [user_id, *_columns(new.imported)],
        )


async def fill_room(tx: Transaction, room: int, told: Sequence[Told], terms: int) -> None:
    """Account for drawers that are added to a stored room, and how many terms they have."""
    times = [at for _, _, at in told]
    await tx.execute(
        """
        UPDATE rooms SET drawers = drawers + %s, terms = terms + %s,
            started_at = least(started_at, %s), ended_at = greatest(ended_at, %s)
        WHERE room = %s
        """,
        [len(times), terms, min(times), max(times), room],
    )


async def _add_conversations(
    tx: Transaction, user_id: UUID, conversations: Sequence[tuple[ConversationRow, Origin]]
) -> None:
    await tx.execute(
        """
        INSERT INTO conversations (user_id, conversation, id, external_id, title, source, project, language)
        SELECT %s, * FROM unnest(%s::integer[], %s::uuid[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
        """,
        [
            user_id,
            *_columns(
                [
                    (row.conversation, row.id, origin.id, origin.title, origin.source, origin.project, row.language)
                    for row, origin in conversations
                ]
            ),
        ],
    )


async def _add_rooms(tx: Transaction, user_id: UUID, rooms: Sequence[NewRoom]) -> None:
    await tx.execute(
        """
        INSERT INTO rooms (user_id, room, wing, conversation, name, started_at, ended_at, drawers, terms)
        SELECT %s, * FROM unnest(%s::integer[], %s::integer[], %s::integer[], %s::text[], %s::timestamptz[],
                                 %s::timestamptz[], %s::integer[], %s::integer[])
        """,
        [
            user_id,
            *_columns(
                [
                    (each.room, each.wing, each.conversation, each.name, each.started_at, each.ended_at,
                     each.drawers, each.terms)
                    for each in rooms
                ]
            ),
        ],
    )  # fmt: skip
    closets = [(each.room, closet.closet, closet.name, closet.slug) for each in rooms for closet in each.closets]
    await tx.execute(
        "INSERT INTO closets (user_id, room, closet, name, slug) "
        "SELECT %s, * FROM unnest(%s::integer[], %s::integer[], %s::text[], %s::text[])",
        [user_id, *_columns(closets)],
    )


def _columns(rows: Sequence[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]
