"""The SQL of the palace: conversations, wings, rooms, closets, and looking at what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

from psycopg.rows import class_row

from ricordo.accounts import ZONE
from ricordo.database import Transaction
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
    return (await find_conversations(tx, [external_id])).get(external_id)


async def find_conversations(tx: Transaction, external_ids: Sequence[str]) -> dict[str, ConversationRow]:
    """The conversations that were mined under these ids, be they forgotten, as far as there are some."""
    cursor = await tx.execute(
        """
        SELECT DISTINCT ON (asked.id) asked.id, c.conversation, c.id, c.language, r.wing, r.room,
               coalesce(r.drawers, 0), r.ended_at, coalesce(r.edited, false), c.forgotten_at IS NOT NULL
        FROM unnest(%s::text[]) AS asked (id)
        JOIN conversations c ON c.external_id IN (asked.id, forgotten_id(asked.id))
        LEFT JOIN LATERAL (
            SELECT wing, room, drawers, ended_at, edited FROM rooms
            WHERE rooms.user_id = c.user_id AND rooms.conversation = c.conversation AND NOT rooms.is_forgotten
            ORDER BY room DESC LIMIT 1
        ) r ON true
        ORDER BY asked.id, c.forgotten_at NULLS FIRST
        """,
        [list(external_ids)],
    )
    return {asked: ConversationRow(*row) async for asked, *row in cursor}


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
