"""The SQL of the palace: conversations, wings, rooms, closets, and looking at what stands in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, LiteralString
from uuid import UUID

from psycopg.rows import class_row

from ricordo.accounts import ZONE
from ricordo.database import Transaction, execute_each
from ricordo.models import Drawer
from ricordo.palace.pointer import Pointer

Kind = Literal["person", "project", "topic", "agent"]


@dataclass(frozen=True)
class Subject:
    """What a wing is about. `slug` is what spellings of one name have in common."""

    kind: Kind
    name: str
    slug: str


@dataclass(frozen=True)
class WingRow:
    wing: int
    kind: Kind
    name: str
    slug: str
    #: Whether the user chose its name.
    edited: bool = False


@dataclass(frozen=True)
class Origin:
    """What a source tells of a conversation besides its turns (see ricordo.models.Conversation)."""

    id: str
    title: str | None
    project: str | None
    source: str
    #: The import that brings it, where one does.
    import_id: UUID | None = None


@dataclass(frozen=True)
class ConversationRow:
    """A conversation, and its newest room as far as there is one."""

    conversation: int
    id: UUID
    language: str
    wing: int | None
    room: int | None
    drawers: int
    ended_at: datetime | None
    #: Whether the user changed that room's closets.
    edited: bool = False
    #: Whether it was forgotten as a whole, with all of its rooms.
    is_forgotten: bool = False


@dataclass(frozen=True)
class RoomRow:
    room: int
    wing: int
    name: str
    started_at: datetime
    ended_at: datetime
    drawers: int


#: The tags of a drawer's pointer, as an SQL expression on a row of `memories m`: whom and what it names, and the day.
TAGS: LiteralString = f"""
    ARRAY(
        SELECT DISTINCT CASE WHEN e.kind = 'person' THEN '@p ' WHEN e.kind = 'place' THEN '@l '
                        WHEN e.kind = 'event' THEN '@e ' ELSE '@i ' END || e.name
        FROM mentions t
        JOIN aliases a ON a.user_id = t.user_id AND a.slug = t.slug
        JOIN entities named ON named.user_id = a.user_id AND named.entity = a.entity
        JOIN entities e ON e.user_id = named.user_id AND e.entity = named.root
        WHERE t.user_id = m.user_id AND t.room = m.room AND t.drawer = m.drawer AND e.kind <> 'topic'
        ORDER BY 1
    ) || ('@t ' || to_char(m.said_at AT TIME ZONE {ZONE}, 'YYYY-MM-DD'))
"""


async def find_conversation(tx: Transaction, external_id: str) -> ConversationRow | None:
    """The conversation that was mined under this id, be it forgotten."""
    async with tx.cursor(row_factory=class_row(ConversationRow)) as cursor:
        await cursor.execute(
            """
            SELECT c.conversation, c.id, c.language, r.wing, r.room, coalesce(r.drawers, 0) AS drawers, r.ended_at,
                   coalesce(r.edited, false) AS edited, c.forgotten_at IS NOT NULL AS is_forgotten
            FROM conversations c
            LEFT JOIN LATERAL (
                SELECT wing, room, drawers, ended_at, edited FROM rooms
                WHERE rooms.user_id = c.user_id AND rooms.conversation = c.conversation AND NOT rooms.is_forgotten
                ORDER BY room DESC LIMIT 1
            ) r ON true
            WHERE c.external_id IN (%(id)s, forgotten_id(%(id)s)) ORDER BY c.forgotten_at NULLS FIRST LIMIT 1
            """,
            {"id": external_id},
        )
        return await cursor.fetchone()


async def add_conversation(tx: Transaction, user_id: UUID, row: ConversationRow, origin: Origin) -> None:
    await tx.execute(
        """
        INSERT INTO conversations (user_id, conversation, id, external_id, title, source, project, language)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        """,
        [
            user_id,
            row.conversation,
            row.id,
            origin.id,
            origin.title,
            origin.source,
            origin.project,
            row.language,
        ],
    )


async def take_up(tx: Transaction, conversation: int, origin: Origin) -> None:
    """Let a conversation that was forgotten go on under its id, with the title and project that it has now."""
    await tx.execute(
        "UPDATE conversations SET external_id = %s, title = %s, project = %s, forgotten_at = NULL "
        "WHERE conversation = %s",
        [origin.id, origin.title, origin.project, conversation],
    )


async def wings(tx: Transaction) -> list[WingRow]:
    """Every wing of the user that was not merged into another one, oldest first."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute("SELECT wing, kind, name, slug, edited FROM wings WHERE merged_into IS NULL ORDER BY wing")
        return await cursor.fetchall()


async def add_wing(tx: Transaction, user_id: UUID, wing: int, subject: Subject) -> None:
    await tx.execute(
        "INSERT INTO wings (user_id, wing, kind, name, slug) VALUES (%s, %s, %s, %s, %s)",
        [user_id, wing, subject.kind, subject.name, subject.slug],
    )


async def add_room(
    tx: Transaction, user_id: UUID, room: int, wing: int, conversation: int, name: str, at: datetime
) -> None:
    """A new, empty room that starts (and so far ends) at `at`."""
    await tx.execute(
        """
        INSERT INTO rooms (user_id, room, wing, conversation, name, started_at, ended_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s)
        """,
        [user_id, room, wing, conversation, name, at, at],
    )


async def fill_room(
    tx: Transaction, user_id: UUID, room: int, said: Sequence[tuple[str, str, datetime]], terms: int
) -> None:
    """Account for drawers that were added to a room: (role, speaker, when) of each, and how many terms they have."""
    times = [at for _, _, at in said]
    await tx.execute(
        """
        UPDATE rooms SET drawers = drawers + %s, terms = terms + %s,
            started_at = least(started_at, %s), ended_at = greatest(ended_at, %s)
        WHERE room = %s
        """,
        [len(times), terms, min(times), max(times), room],
    )
    counted = Counter((at.astimezone(UTC).date(), role, speaker) for role, speaker, at in said)
    await execute_each(
        tx,
        """
        INSERT INTO said_on AS o (user_id, room, day, role, speaker, drawers) VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id, room, day, role, speaker_key) DO UPDATE SET drawers = o.drawers + EXCLUDED.drawers
        """,
        [(user_id, room, *key, drawers) for key, drawers in counted.items()],
    )


async def add_terms(tx: Transaction, room: int, terms: int) -> None:
    """Count so many more search terms in a room."""
    await tx.execute("UPDATE rooms SET terms = terms + %s WHERE room = %s", [terms, room])


async def rooms(tx: Transaction, wing: int | None = None) -> list[RoomRow]:
    """The rooms of a wing, or of all, in the order of their time."""
    async with tx.cursor(row_factory=class_row(RoomRow)) as cursor:
        await cursor.execute(
            """
            SELECT room, wing, name, started_at, ended_at, drawers FROM rooms
            WHERE NOT is_forgotten AND (%s::integer IS NULL OR wing = %s) ORDER BY wing, started_at, room
            """,
            [wing, wing],
        )
        return await cursor.fetchall()


async def closets(tx: Transaction, wing: int | None = None) -> list[tuple[int, int, str, int]]:
    """(room, closet, its name, how many drawers it has) of each closet of a wing, or of all, in order."""
    cursor = await tx.execute(
        """
        SELECT c.room, c.closet, c.name, count(m.drawer)::integer
        FROM closets c JOIN rooms r USING (user_id, room) LEFT JOIN memories m USING (user_id, room, closet)
        WHERE NOT r.is_forgotten AND (%s::integer IS NULL OR r.wing = %s)
        GROUP BY c.room, c.closet, c.name ORDER BY c.room, c.closet
        """,
        [wing, wing],
    )
    return await cursor.fetchall()


async def drawers(tx: Transaction, room: int, first: int = 1, last: int | None = None) -> list[Drawer]:
    """The drawers of a room from number `first` to `last`, in order."""
    return await drawers_where(
        tx,
        "m.room = %s AND m.drawer >= %s AND (%s::integer IS NULL OR m.drawer <= %s) ORDER BY m.drawer",
        [room, first, last, last],
    )


async def drawers_where(tx: Transaction, condition: LiteralString, parameters: Sequence[object]) -> list[Drawer]:
    """The drawers that a condition on `memories m`, with what stands behind it, leaves."""
    cursor = await tx.execute(
        f"""
        SELECT m.id, r.wing, m.room, m.drawer, m.content, m.speaker, m.role, m.said_at, c.external_id, m.position,
               k.name, {TAGS}
        FROM memories m
        JOIN rooms r USING (user_id, room)
        JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
        JOIN closets k ON k.user_id = m.user_id AND k.room = m.room AND k.closet = m.closet
        WHERE {condition}
        """,
        parameters,
    )
    return [
        Drawer(
            id=id, pointer=str(Pointer(wing, number, drawer)), text=text, speaker=speaker, role=role, at=at,
            conversation=conversation, position=position, closet=closet, tags=tuple(tags),
        )
        async for id, wing, number, drawer, text, speaker, role, at, conversation, position, closet, tags in cursor
    ]  # fmt: skip
