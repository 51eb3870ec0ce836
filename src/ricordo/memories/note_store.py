"""The SQL that notes need beyond that of all loose memories: expiry, and a history that moves in with its memory."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from ricordo.database import Transaction, execute_each
from ricordo.models import Version

_EXPIRED = sql.SQL("(kind = 'document' OR kind = 'note' AND retention = 'medium_term') AND expires_at <= now()")


async def any_expired(tx: Transaction) -> bool:
    """Whether a note or document is past its moment; one look into an index, which locks nothing."""
    cursor = await tx.execute(sql.SQL("SELECT EXISTS (SELECT FROM memories WHERE {})").format(_EXPIRED))
    row = await cursor.fetchone()
    return bool(row and row[0])


async def claim_expired(tx: Transaction, limit: int) -> list[tuple[UUID, int]]:
    """(id, drawer of room 0) of up to `limit` that are past their moment, locked until the transaction ends."""
    cursor = await tx.execute(
        sql.SQL(
            "SELECT id, drawer FROM memories WHERE {} ORDER BY expires_at, id LIMIT %s FOR UPDATE SKIP LOCKED"
        ).format(_EXPIRED),
        [limit],
    )
    return [(row[0], row[1]) async for row in cursor]


async def remove(tx: Transaction, claimed: Sequence[tuple[UUID, int]]) -> None:
    """Remove claimed notes with all that is derived from them, in one look through each table."""
    drawers = [drawer for _, drawer in claimed]
    # The queue first: it waits for a worker that is just making a vector, which then is there to be removed.
    for table in ("unindexed", "unembedded", "embeddings", "postings", "memories"):
        await tx.execute(
            sql.SQL("DELETE FROM {} WHERE room = 0 AND drawer = ANY(%s)").format(sql.Identifier(table)), [drawers]
        )
    await tx.execute("DELETE FROM memory_history WHERE memory_id = ANY(%s)", [[id for id, _ in claimed]])


async def add_versions(tx: Transaction, user_id: UUID, id: UUID, versions: Sequence[Version]) -> None:
    """Write what a memory said before it came into the store."""
    await execute_each(
        tx,
        """
        INSERT INTO memory_history (user_id, memory_id, version, content, fields, valid_from, valid_to, actor)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        """,
        [
            (
                user_id,
                id,
                each.version,
                each.content,
                Jsonb(each.fields),
                each.valid_from,
                each.valid_to,
                each.actor,
            )
            for each in versions
        ],
    )
