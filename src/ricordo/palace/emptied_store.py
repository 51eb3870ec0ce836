"""The SQL of rooms, conversations and wings that a forgetting left empty, and of which turns an import stored."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import ImportedTurns


async def imports(tx: Transaction, most: int) -> list[ImportedTurns]:
    """The newest imports with what is left of their turns, newest first."""
    async with tx.cursor(row_factory=class_row(ImportedTurns)) as cursor:
        await cursor.execute(
            """
            SELECT i.import_id AS id, min(i.imported_at) AS imported_at, count(m.id)::integer AS turns,
                   count(DISTINCT m.conversation)::integer AS conversations
            FROM imported_turns i LEFT JOIN memories m ON m.user_id = i.user_id AND m.room = i.room
                AND m.drawer BETWEEN i.first_drawer AND i.last_drawer AND NOT m.is_redacted
            GROUP BY i.import_id ORDER BY 2 DESC, 1 DESC LIMIT %s
            """,
            [most],
        )
        return await cursor.fetchall()


async def forget_rooms(tx: Transaction, rooms: Sequence[int]) -> list[int]:
    """Let those of these rooms be forgotten that hold no text any more: their names, closets and speakers go, and they
    are in no list. Returns which these are."""
    cursor = await tx.execute(
        """
        UPDATE rooms r SET is_forgotten = true, name = '[redacted]'
        WHERE room = ANY(%s) AND NOT is_forgotten
          AND NOT EXISTS (SELECT FROM memories m WHERE m.user_id = r.user_id AND m.room = r.room AND NOT m.is_redacted)
        RETURNING room
        """,
        [list(rooms)],
    )
    gone = sorted([row[0] async for row in cursor])
    await tx.execute(
        "UPDATE closets SET name = 'Redacted', slug = 'redacted-' || closet, aliases = '{}' WHERE room = ANY(%s)",
        [gone],
    )
    await tx.execute("UPDATE memories SET speaker = '[redacted]' WHERE room = ANY(%s)", [gone])
    await tx.execute("DELETE FROM said_on WHERE room = ANY(%s)", [gone])
    await tx.execute(
        """
        INSERT INTO said_on (user_id, room, day, role, speaker, drawers)
        SELECT user_id, room, (said_at AT TIME ZONE 'UTC')::date, role, speaker, count(*)
        FROM memories WHERE room = ANY(%s) GROUP BY 1, 2, 3, 4, 5
        """,
        [gone],
    )
    return gone


async def users_spoken(tx: Transaction) -> list[str]:
    """By which names somebody speaks as the user, in what is left."""
    cursor = await tx.execute("SELECT DISTINCT speaker FROM said_on WHERE role = 'user'")
    return [row[0] async for row in cursor]


async def forget_conversations(tx: Transaction, rooms: Sequence[int]) -> list[str]:
    """Let the conversations of these rooms be forgotten of which no room is left: their titles and projects go, and of
    their ids only a hash stays, by which they are recognized. Returns the ids that they had."""
    cursor = await tx.execute(
        """
        WITH gone AS (
            SELECT user_id, conversation, external_id FROM conversations c
            WHERE conversation IN (SELECT conversation FROM rooms WHERE room = ANY(%s)) AND forgotten_at IS NULL
              AND NOT EXISTS (SELECT FROM rooms r WHERE (r.user_id, r.conversation) = (c.user_id, c.conversation)
                              AND NOT r.is_forgotten)
        )
        UPDATE conversations c SET forgotten_at = now(), title = NULL, project = NULL,
            external_id = forgotten_id(c.external_id)
        FROM gone g WHERE (c.user_id, c.conversation) = (g.user_id, g.conversation)
        RETURNING g.external_id
        """,
        [list(rooms)],
    )
    ids = [row[0] async for row in cursor]
    await tx.execute("SELECT forget_conversation_ids(%s)", [ids])
    return ids


async def forget_wings(tx: Transaction, rooms: Sequence[int]) -> int:
    """Let the wings of these rooms be forgotten of which no room is left, and those that were merged into them: their
    names and spellings go, and they are in no list. Returns how many."""
    cursor = await tx.execute(
        """
        WITH emptied AS (
            SELECT user_id, wing FROM wings w
            WHERE wing IN (SELECT wing FROM rooms WHERE room = ANY(%s))
              AND NOT EXISTS (SELECT FROM rooms r WHERE (r.user_id, r.wing) = (w.user_id, w.wing)
                              AND NOT r.is_forgotten)
        ), named AS (
            SELECT w.user_id, w.wing FROM wings w JOIN emptied e
            ON e.user_id = w.user_id AND e.wing IN (w.wing, w.merged_into)
        ), spelled AS (
            DELETE FROM wing_keys k USING named n WHERE (k.user_id, k.wing) = (n.user_id, n.wing)
        ), renamed AS (
            UPDATE wings w SET name = '[redacted]', slug = 'redacted-' || w.wing
            FROM named n WHERE (w.user_id, w.wing) = (n.user_id, n.wing)
        )
        SELECT count(*) FROM emptied
        """,
        [list(rooms)],
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0
