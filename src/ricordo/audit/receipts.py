"""What a receipt of a forgetting says: each place where something of a memory can stand, looked at afterwards, and what
is beyond the store's reach."""

from __future__ import annotations

from uuid import UUID

from ricordo.database import Transaction

#: What no deletion in a database reaches at once.
REMAINS = (
    "Dead rows in the data files, until their space is reused or `ricordo db vacuum` rewrites the tables.",
    "The write-ahead log, until its segments are recycled by checkpoints.",
    "Uploaded files, which are stored for one day, and short-term notes in a process's memory.",
    "Existing exports, replicas that lag behind, and text sent to hosted models.",
)


async def checked(tx: Transaction, id: UUID, room: int, drawer: int) -> dict[str, int]:
    """How many rows are left of a memory, by place; all of them are 0 once it was redacted or forgotten."""
    cursor = await tx.execute(
        """
        SELECT 'memories', count(*) FROM memories WHERE id = %(id)s AND NOT is_redacted
        UNION ALL SELECT 'memory_history', count(*) FROM memory_history WHERE memory_id = %(id)s
        UNION ALL SELECT 'postings', count(*) FROM postings WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'embeddings', count(*) FROM embeddings WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'unembedded', count(*) FROM unembedded WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'unindexed', count(*) FROM unindexed WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'mentions', count(*) FROM mentions WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'facts', count(*) FROM facts WHERE room = %(room)s AND drawer = %(drawer)s
        UNION ALL SELECT 'proposals', count(*) FROM proposals
            WHERE %(id)s = ANY(memory_ids) AND content <> '[redacted]'
        UNION ALL SELECT 'held_writes', count(*) FROM held_writes WHERE id = %(id)s
        UNION ALL SELECT 'jobs', count(*) FROM procrastinate_jobs WHERE strpos(args::text, %(id)s::text) > 0
        UNION ALL SELECT 'answers', count(*) FROM answers WHERE body IS NOT NULL
        UNION ALL SELECT 'exports', count(*) FROM uploads u JOIN operations o ON o.user_id = u.user_id
            AND o.upload = u.id AND o.kind = 'export'
        """,
        {"id": id, "room": room, "drawer": drawer},
    )
    return dict(await cursor.fetchall())
