"""The SQL that documents need beyond that of all loose memories."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg import sql

from ricordo.database import Transaction
from ricordo.memories.loose_store import Chosen


async def lock(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Keep others from writing these documents, there or not, until the transaction ends."""
    await tx.execute(
        # One order for all writers, so that none waits for another in a circle.
        "SELECT pg_advisory_xact_lock(hashtextextended(id::text, 0)) FROM unnest(%s::uuid[]) id",
        [sorted(ids)],
    )


async def keep_on(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Let the time begin anew for which these documents are kept."""
    await tx.execute(
        """
        UPDATE memories SET expires_at = now() + (metadata->>'minutes')::float * interval '1 minute'
        WHERE id = ANY(%s) AND metadata ? 'minutes'
        """,
        [list(ids)],
    )


async def unindex(tx: Transaction, id: UUID) -> None:
    """Keep a document out of searches: neither its terms nor a vector of it."""
    for table in ("unembedded", "embeddings", "postings"):
        await tx.execute(
            sql.SQL(
                "DELETE FROM {} t USING memories m WHERE m.id = %s AND (t.room, t.drawer) = (m.room, m.drawer)"
            ).format(sql.Identifier(table)),
            [id],
        )


async def paths(tx: Transaction, chosen: Chosen) -> list[tuple[str, ...]]:
    """The different paths of the chosen documents, in order."""
    condition, parameters = chosen.conditions()
    cursor = await tx.execute(
        sql.SQL(
            "SELECT DISTINCT m.metadata->'path' FROM memories m "
            "LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id WHERE {}"
        ).format(condition),
        parameters,
    )
    return sorted([tuple(row[0]) async for row in cursor])
