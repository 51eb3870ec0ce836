"""What a receipt of a forgetting says: each place where something of a memory can stand, looked at afterwards, and what
is beyond the store's reach."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo.database import Transaction

#: What no deletion in a database reaches at once.
REMAINS = (
    "Dead rows in the data files, until their space is reused or `ricordo db vacuum` rewrites the tables.",
    "The write-ahead log, until its segments are recycled by checkpoints.",
    "Uploaded files, which are stored for one day, and short-term notes in a process's memory.",
    "Existing exports, replicas that lag behind, and text sent to hosted models.",
)


_DERIVED = ("postings", "embeddings", "unembedded", "unindexed", "mentions", "facts")


async def checked(tx: Transaction, ids: Sequence[UUID], places: Sequence[tuple[int, int]]) -> dict[str, int]:
    """How many rows are left of memories with these ids and (room, drawer), by place; all of them are 0 once they were
    redacted or forgotten."""
    derived = " ".join(
        f"UNION ALL SELECT '{table}', count(*) FROM {table} JOIN places USING (room, drawer)" for table in _DERIVED
    )
    cursor = await tx.execute(
        f"""
        WITH places AS (SELECT * FROM unnest(%(rooms)s::integer[], %(drawers)s::integer[]) AS p (room, drawer))
        SELECT 'memories', count(*) FROM memories WHERE id = ANY(%(ids)s) AND NOT is_redacted
        UNION ALL SELECT 'memory_history', count(*) FROM memory_history WHERE memory_id = ANY(%(ids)s)
        {derived}
        UNION ALL SELECT 'proposals', count(*) FROM proposals
            WHERE memory_ids && %(ids)s::uuid[] AND content <> '[redacted]'
        UNION ALL SELECT 'held_writes', count(*) FROM held_writes WHERE id = ANY(%(ids)s)
        UNION ALL SELECT 'answers', count(*) FROM answers WHERE body IS NOT NULL
        UNION ALL SELECT 'exports', count(*) FROM uploads u JOIN operations o ON o.user_id = u.user_id
            AND o.upload = u.id AND o.kind = 'export'
        """,
        {"ids": list(ids), "rooms": [each[0] for each in places], "drawers": [each[1] for each in places]},
    )
    found: dict[str, int] = dict(await cursor.fetchall())
    # By itself: on a distributed store jobs lie elsewhere than users' rows.
    cursor = await tx.execute(
        "SELECT 'jobs', count(*) FROM procrastinate_jobs "
        "WHERE args::text ~ ANY (ARRAY(SELECT id::text FROM unnest(%s::uuid[]) id))",
        [list(ids)],
    )
    return found | dict(await cursor.fetchall())
