"""The SQL of what must hold between the tables of a store, whatever was killed, restored or imported.

Each query finds rows that must not be there: of one user in a transaction of theirs, of all for a superuser.

Every query reads each table once. A side is grouped before it is joined, and every join compares columns for equality:
then PostgreSQL can hash or merge it, which `database.whole_tables` makes it do whatever its statistics say. A
subquery that runs once for each row, or a condition with OR between two tables, leaves it no other way than to read one
table again for each row of another.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from ricordo.database import Transaction

RULES: dict[str, LiteralString] = {
    "conversations whose turns are not numbered 0, 1, 2, …": """
        SELECT user_id, conversation, array_agg(position ORDER BY position) FROM memories WHERE kind = 'drawer'
        GROUP BY user_id, conversation
        HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR count(DISTINCT position) <> count(*)
    """,
    "conversations whose turns and drawers are in different order": """
        SELECT * FROM (
            SELECT user_id, conversation, position,
                   row_number() OVER (PARTITION BY user_id, conversation ORDER BY room, drawer) - 1 AS place
            FROM memories WHERE kind = 'drawer'
        ) m WHERE position <> place
    """,
    "rooms that do not match their drawers": """
        SELECT user_id, room, r.drawers, m.drawers, started_at, first, ended_at, last, p.terms, r.terms
        FROM rooms r
        LEFT JOIN (
            SELECT user_id, room, count(*) AS drawers, max(drawer) AS highest, min(said_at) AS first,
                   max(said_at) AS last, count(DISTINCT conversation) AS talks, min(conversation) AS talk
            FROM memories WHERE room > 0 GROUP BY user_id, room
        ) m USING (user_id, room)
        LEFT JOIN (SELECT user_id, room, sum(frequency) AS terms FROM postings WHERE room > 0 GROUP BY user_id, room) p
            USING (user_id, room)
        WHERE (r.drawers, m.highest, r.terms, started_at, ended_at, talks, talk)
            IS DISTINCT FROM (m.drawers, m.drawers, coalesce(p.terms, 0), first, last, 1, r.conversation)
    """,
    "days with a wrong turn count": """
        SELECT user_id, room, day, role, speaker, o.drawers, m.drawers FROM said_on o
        FULL JOIN (
            SELECT user_id, room, (said_at AT TIME ZONE 'UTC')::date AS day, role, speaker, count(*) AS drawers
            FROM memories WHERE kind = 'drawer' GROUP BY 1, 2, 3, 4, 5
        ) m USING (user_id, room, day, role, speaker)
        WHERE o.drawers IS DISTINCT FROM m.drawers
    """,
    "users with wrong counters": """
        SELECT user_id, u.memories, u.terms, last_conversation, last_wing, last_room,
               m.memories, p.terms, c.last, w.last, r.last
        FROM users u
        LEFT JOIN (SELECT user_id, count(*) AS memories FROM memories WHERE room > 0 GROUP BY user_id) m USING (user_id)
        LEFT JOIN (SELECT user_id, sum(frequency) AS terms FROM postings WHERE room > 0 GROUP BY user_id) p
            USING (user_id)
        LEFT JOIN (SELECT user_id, max(conversation) AS last FROM conversations GROUP BY user_id) c USING (user_id)
        LEFT JOIN (SELECT user_id, max(wing) AS last FROM wings GROUP BY user_id) w USING (user_id)
        LEFT JOIN (SELECT user_id, max(room) AS last FROM rooms GROUP BY user_id) r USING (user_id)
        WHERE (u.memories, u.terms, last_conversation, last_wing, last_room) IS DISTINCT FROM (
            coalesce(m.memories, 0), coalesce(p.terms, 0), coalesce(c.last, 0), coalesce(w.last, 0), coalesce(r.last, 0)
        )
    """,
    "users with entity numbers above the counter": """
        SELECT user_id, last_entity, max(entity) FROM users JOIN entities USING (user_id)
        GROUP BY user_id, last_entity HAVING max(entity) > last_entity
    """,
    "users whose conversations, wings or rooms are not numbered 1, 2, 3, …": """
        SELECT kind, user_id FROM (
            SELECT 'conversation' AS kind, user_id, conversation AS number FROM conversations
            UNION ALL SELECT 'wing', user_id, wing FROM wings
            UNION ALL SELECT 'room', user_id, room FROM rooms
        ) numbered GROUP BY kind, user_id HAVING min(number) <> 1 OR max(number) <> count(*)
    """,
    "conversations without turns, and wings without rooms that were not emptied by an edit": """
        SELECT 'conversation', user_id, conversation FROM conversations c WHERE NOT EXISTS
            (SELECT FROM memories m WHERE (m.user_id, m.conversation) = (c.user_id, c.conversation))
        UNION ALL SELECT 'wing', user_id, wing FROM wings w WHERE NOT EXISTS
            (SELECT FROM rooms r WHERE (r.user_id, r.wing) = (w.user_id, w.wing))
            AND NOT EXISTS (SELECT FROM former_places f WHERE (f.user_id, f.wing) = (w.user_id, w.wing))
    """,
    "closets that are empty, or not numbered 1, 2, 3, …, in rooms without edits": """
        SELECT user_id, room FROM closets c
        JOIN (SELECT user_id, room, edited FROM rooms) r USING (user_id, room)
        LEFT JOIN (SELECT DISTINCT user_id, room, closet, true AS full FROM memories WHERE room > 0) m
            USING (user_id, room, closet)
        WHERE NOT edited
        GROUP BY user_id, room HAVING count(m.full) <> count(*) OR min(closet) <> 1 OR max(closet) <> count(*)
    """,
    "memories with a vector that are queued for one, or without one that are not queued": """
        SELECT user_id, room, drawer, u.user_id IS NOT NULL AS waits, coalesce(e.vectors, 0) FROM memories
        LEFT JOIN (SELECT * FROM unembedded WHERE NOT renewal) u USING (user_id, room, drawer)
        LEFT JOIN (
            SELECT user_id, room, drawer, count(*) AS vectors FROM embeddings JOIN user_models USING (user_id, model)
            GROUP BY user_id, room, drawer
        ) e USING (user_id, room, drawer)
        WHERE CASE WHEN is_redacted THEN u.user_id IS NOT NULL OR e.vectors IS NOT NULL
                   -- A document that no search is to find has none and waits for none.
                   WHEN kind = 'document' THEN u.user_id IS NOT NULL AND e.vectors IS NOT NULL
                   ELSE (u.user_id IS NULL) <> (e.vectors IS NOT NULL) END
    """,
    "memories in a switch of embedding models that neither have the new vector nor are queued for it, or both": """
        SELECT user_id, room, drawer FROM embeddings c JOIN user_models m USING (user_id, model)
        LEFT JOIN (SELECT user_id, room, drawer, true AS waits FROM unembedded WHERE renewal) u
            USING (user_id, room, drawer)
        LEFT JOIN (SELECT user_id, room, drawer, model AS next_model, true AS is_there FROM embeddings) n
            USING (user_id, room, drawer, next_model)
        WHERE next_model IS NOT NULL AND drawer > 0 AND (waits IS NULL) = (is_there IS NULL)
    """,
    "rows without a memory": """
        SELECT 'unembedded', user_id, room, drawer FROM unembedded LEFT JOIN memories USING (user_id, room, drawer)
        WHERE memories.id IS NULL
        UNION ALL SELECT 'embeddings', user_id, room, drawer FROM embeddings
        LEFT JOIN memories USING (user_id, room, drawer) WHERE memories.id IS NULL AND drawer <> 0
        UNION ALL SELECT 'postings', user_id, room, drawer FROM postings
        LEFT JOIN memories USING (user_id, room, drawer) WHERE memories.id IS NULL
        UNION ALL SELECT 'memory_history', h.user_id, h.version, 0 FROM memory_history h
        LEFT JOIN memories m ON (m.user_id, m.id) = (h.user_id, h.memory_id) WHERE m.is_redacted IS NOT FALSE
    """,
    "mentions and facts of deleted or redacted turns": """
        SELECT user_id, room, drawer FROM (
            SELECT user_id, room, drawer FROM mentions
            UNION ALL SELECT user_id, room, drawer FROM facts WHERE room IS NOT NULL
        ) drawn LEFT JOIN memories m USING (user_id, room, drawer) WHERE m.is_redacted IS NOT FALSE
    """,
    "spellings with a wrong number of drawers": """
        SELECT * FROM spellings s
        FULL JOIN (
            SELECT user_id, slug, name, kind, count(*) AS there FROM mentions GROUP BY user_id, slug, name, kind
        ) m USING (user_id, slug, name, kind)
        WHERE s.drawers IS DISTINCT FROM m.there
    """,
    "unused names, and entities without a name": """
        SELECT 'name', user_id, slug FROM aliases a
        LEFT JOIN (
            SELECT user_id, slug, true AS needed FROM spellings
            UNION SELECT user_id, subject, true FROM facts UNION SELECT user_id, object, true FROM facts
        ) n USING (user_id, slug)
        WHERE by_hand IS NULL AND needed IS NULL
        UNION ALL SELECT 'entity', user_id, id::text FROM entities e WHERE chosen_name IS NULL
            AND NOT EXISTS (SELECT FROM aliases a WHERE (a.user_id, a.entity) = (e.user_id, e.entity))
    """,
    "names in mentions and facts without an entity": """
        SELECT user_id, slug FROM (
            SELECT user_id, slug FROM mentions UNION ALL SELECT user_id, subject FROM facts
            UNION ALL SELECT user_id, object FROM facts WHERE object IS NOT NULL
        ) used LEFT JOIN aliases a USING (user_id, slug) WHERE a.entity IS NULL
    """,
    "entities whose root is not the end of their merge chain": """
        SELECT e.user_id, e.entity FROM entities e LEFT JOIN entities i
            ON i.user_id = e.user_id AND i.entity = e.merged_into
        WHERE e.root <> coalesce(i.root, e.entity)
    """,
    "rooms whose vector is not the mean of their turns": """
        SELECT user_id, model, room, mean IS NULL, vector IS NULL
        FROM (
            SELECT user_id, model, room, avg(vector) AS mean FROM embeddings
            JOIN memories USING (user_id, room, drawer) WHERE role = 'user' AND room > 0
            GROUP BY user_id, model, room
        ) m
        FULL JOIN (SELECT user_id, model, room, vector FROM embeddings WHERE drawer = 0) e
            USING (user_id, model, room)
        WHERE coalesce(mean <=> vector, 2) > 0.001
    """,
    "accesses that are not in both the log and its index": """
        WITH logged AS (SELECT DISTINCT user_id, id, unnest(memory_ids) AS memory_id FROM access_log),
             listed AS (SELECT user_id, access_id, memory_id FROM access_memories)
        (TABLE logged EXCEPT TABLE listed) UNION ALL (TABLE listed EXCEPT TABLE logged)
    """,
}


async def breaking(tx: Transaction, rule: str) -> list[tuple[Any, ...]]:
    """The rows that break a rule of RULES."""
    cursor = await tx.execute(RULES[rule])
    return await cursor.fetchall()


#: A memory as it is indexed: who, where, what, by whom, when, in which language, whether it is a drawer; and the terms,
#: how often each, and the lengths that its postings have.
Indexed = tuple[UUID, int, int, str, str, datetime, str, bool, list[int], list[int], list[int]]


async def indexed(tx: Transaction, batch: int) -> AsyncIterator[list[Indexed]]:
    """Every memory that is not waiting for its terms, with its postings, in batches."""
    async with tx.cursor(name="indexed") as cursor:
        await cursor.execute(
            """
            SELECT user_id, room, drawer, CASE WHEN is_redacted THEN '' ELSE content END, speaker, said_at,
                   coalesce(language, ''), kind = 'drawer' AND NOT is_redacted,
                   coalesce(terms, '{}'), coalesce(frequencies, '{}'), coalesce(lengths, '{}')
            FROM memories m
            LEFT JOIN conversations USING (user_id, conversation)
            LEFT JOIN (
                SELECT user_id, room, drawer, array_agg(term) AS terms, array_agg(frequency) AS frequencies,
                       array_agg(DISTINCT length) AS lengths
                FROM postings GROUP BY user_id, room, drawer
            ) p USING (user_id, room, drawer)
            LEFT JOIN (SELECT user_id, room, drawer, true AS waits FROM unindexed) u USING (user_id, room, drawer)
            WHERE waits IS NULL
            """
        )
        while found := await cursor.fetchmany(batch):
            yield found
