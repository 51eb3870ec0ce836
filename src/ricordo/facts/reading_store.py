"""The SQL of turns that an LLM is to read, and of those that it was asked about in vain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row

from ricordo import jobs
from ricordo.database import Transaction, execute_each


@dataclass(frozen=True)
class Unread:
    """A turn that no LLM has read, with the conversation's own id, its number and the turn's position in it."""

    conversation: str
    number: int
    position: int
    room: int
    drawer: int
    role: str
    speaker: str
    content: str
    said_at: datetime


async def queue(tx: Transaction, id: UUID, at: datetime | None = None) -> None:
    """Let an LLM read what none has of a conversation, when this commits or at a moment."""
    await jobs.enqueue(tx, "extract", {"conversation": id}, lock=f"extract {id}", at=at)


async def external_id(tx: Transaction, id: UUID) -> str | None:
    """A conversation's own id; None where it is not there (any more)."""
    cursor = await tx.execute("SELECT external_id FROM conversations WHERE id = %s", [id])
    row = await cursor.fetchone()
    return row[0] if row else None


async def unread(
    tx: Transaction,
    conversation: str | None,
    places: Sequence[tuple[int, int]] | None = None,
    *,
    in_vain: bool = False,
) -> list[Unread]:
    """The turns of a conversation, or of all, that no LLM has read, in their order; of `places`, rooms and drawers,
    where they are given. Those that one was asked about `in_vain` are left out unless wanted, redacted ones always."""
    async with tx.cursor(row_factory=class_row(Unread)) as cursor:
        await cursor.execute(
            """
            SELECT c.external_id AS conversation, c.conversation AS number, m.position,
                   m.room, m.drawer, m.role, m.speaker, m.content, m.said_at
            FROM conversations c JOIN memories m USING (user_id, conversation)
            LEFT JOIN model_reads r USING (user_id, room, drawer)
            LEFT JOIN unread_turns u USING (user_id, room, drawer)
            WHERE m.kind = 'drawer' AND NOT m.is_redacted AND r.room IS NULL AND (u.room IS NULL OR %(in_vain)s)
              AND (%(conversation)s::text IS NULL OR c.external_id = %(conversation)s)
              AND (%(rooms)s::integer[] IS NULL
                   OR (m.room, m.drawer) IN (SELECT * FROM unnest(%(rooms)s::integer[], %(drawers)s::integer[])))
            ORDER BY c.conversation, m.position
            """,
            {
                "conversation": conversation,
                "in_vain": in_vain,
                "rooms": None if places is None else [room for room, _ in places],
                "drawers": None if places is None else [drawer for _, drawer in places],
            },
        )
        return await cursor.fetchall()


async def unread_conversations(tx: Transaction, conversation: str | None) -> list[tuple[UUID, int, int]]:
    """Of each conversation, or of the one named: its id, how many of its turns no LLM has read, and about how many it
    was asked in vain; without those of which both are 0."""
    cursor = await tx.execute(
        """
        SELECT c.id, count(*) FILTER (WHERE u.room IS NULL), count(u.room)
        FROM conversations c JOIN memories m USING (user_id, conversation)
        LEFT JOIN model_reads r USING (user_id, room, drawer)
        LEFT JOIN unread_turns u USING (user_id, room, drawer)
        WHERE m.kind = 'drawer' AND NOT m.is_redacted AND r.room IS NULL
          AND (%(conversation)s::text IS NULL OR c.external_id = %(conversation)s)
        GROUP BY c.conversation, c.id ORDER BY c.conversation
        """,
        {"conversation": conversation},
    )
    return await cursor.fetchall()


async def give_up(tx: Transaction, user_id: UUID, places: Sequence[tuple[int, int]]) -> None:
    """Note that an LLM was asked about these turns in vain."""
    await execute_each(
        tx,
        "INSERT INTO unread_turns (user_id, room, drawer) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [(user_id, *place) for place in places],
    )


async def forgive(tx: Transaction, conversation: str | None) -> None:
    """Let an LLM be asked again about the turns of a conversation, or of all, that it was asked about in vain."""
    await tx.execute(
        """
        DELETE FROM unread_turns u USING memories m, conversations c
        WHERE m.user_id = u.user_id AND m.room = u.room AND m.drawer = u.drawer
          AND c.user_id = m.user_id AND c.conversation = m.conversation
          AND (%(conversation)s::text IS NULL OR c.external_id = %(conversation)s)
        """,
        {"conversation": conversation},
    )


async def read_anew(tx: Transaction, places: Sequence[tuple[int, int]]) -> None:
    """Let an LLM read these turns again: they say something else now."""
    rooms, drawers = [room for room, _ in places], [drawer for _, drawer in places]
    for table in ("model_reads", "unread_turns"):
        await tx.execute(
            sql.SQL(
                "DELETE FROM {} t USING unnest(%s::integer[], %s::integer[]) AS p (room, drawer) "
                "WHERE t.room = p.room AND t.drawer = p.drawer"
            ).format(sql.Identifier(table)),
            [rooms, drawers],
        )
