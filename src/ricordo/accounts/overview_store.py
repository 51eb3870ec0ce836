"""The SQL of the overview: how much is stored for a user."""

from __future__ import annotations

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import Overview


async def overview(tx: Transaction) -> Overview:
    """How much is stored for the transaction's user. Rooms count their turns already, so no turn is read."""
    async with tx.cursor(row_factory=class_row(Overview)) as cursor:
        await cursor.execute(
            """
            SELECT (SELECT count(*) FROM conversations WHERE forgotten_at IS NULL) AS conversations,
                   (SELECT coalesce(sum(drawers), 0)::integer FROM rooms WHERE NOT is_forgotten) AS turns,
                   (SELECT count(*) FROM memories
                    WHERE agent_id IS NOT NULL AND kind IN ('entry', 'journal', 'core')) AS memories,
                   (SELECT count(*) FROM entities WHERE merged_into IS NULL) AS entities,
                   (SELECT count(*) FROM agents) AS agents,
                   (SELECT min(started_at) FROM rooms WHERE drawers > 0 AND NOT is_forgotten) AS first_at,
                   (SELECT max(ended_at) FROM rooms WHERE drawers > 0 AND NOT is_forgotten) AS last_at
            """
        )
        found = await cursor.fetchone()
    assert found is not None
    return found
