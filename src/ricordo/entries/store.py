"""The SQL of memories: writing them with their postings, and the queue of those without a vector."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from uuid import UUID

import numpy as np
from psycopg import AsyncCursor

from ricordo.database import Transaction
from ricordo.database.transport import adapt_numpy, vector_literal
from ricordo.entries.terms import term_hash

LARGEST_SMALLINT = 32767


@dataclass(frozen=True)
class NewMemory:
    """A memory to be written, with its place and its search terms (with repetition)."""

    id: UUID
    room: int
    drawer: int
    closet: int
    conversation: int
    position: int
    turn_key: int
    role: str
    speaker: str
    content: str
    said_at: datetime
    terms: Sequence[str]


@dataclass(frozen=True)
class Indexed:
    """A memory that is to be found: its place and its terms (with repetition)."""

    room: int
    drawer: int
    terms: Sequence[str]


@dataclass(frozen=True)
class Unembedded:
    """A memory that waits for its vector."""

    room: int
    drawer: int
    content: str


async def add(tx: Transaction, user_id: UUID, memories: Sequence[NewMemory]) -> None:
    """Write drawers, their postings and their places in the queue for vectors: three statements."""
    await tx.execute(
        """
        INSERT INTO memories (user_id, kind, room, drawer, id, closet, conversation, position, turn_key, role,
                              speaker, content, said_at)
        SELECT %s, 'drawer', * FROM unnest(%s::integer[], %s::integer[], %s::uuid[], %s::integer[], %s::integer[],
            %s::integer[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::timestamptz[])
        """,
        [
            user_id,
            *(
                [getattr(each, name) for each in memories]
                for name in ("room", "drawer", "id", "closet", "conversation", "position", "turn_key", "role",
                             "speaker", "content", "said_at")
            ),
        ],
    )  # fmt: skip
    await index(tx, user_id, memories)


async def index(tx: Transaction, user_id: UUID, memories: Sequence[NewMemory | Indexed]) -> None:
    """Let memories be found by their terms, and queue them for their vectors."""
    await add_postings(tx, user_id, memories)
    await tx.execute(
        "INSERT INTO unembedded SELECT %s, * FROM unnest(%s::integer[], %s::integer[])",
        [user_id, [each.room for each in memories], [each.drawer for each in memories]],
    )


async def add_postings(tx: Transaction, user_id: UUID, memories: Sequence[NewMemory | Indexed]) -> None:
    """Let memories be found by their terms."""
    rows = [
        (term, each.room, each.drawer, min(times, LARGEST_SMALLINT), min(len(each.terms), LARGEST_SMALLINT))
        for each in memories
        for term, times in Counter(map(term_hash, each.terms)).items()
    ]
    if rows:
        columns = np.array(rows, np.int64).T
        async with AsyncCursor(tx) as cursor:
            adapt_numpy(cursor)
            await cursor.execute(
                "INSERT INTO postings SELECT %s, * FROM unnest(%s, %s, %s, %s, %s)",
                [
                    user_id,
                    *(column.astype(np.int32) for column in columns[:3]),
                    *(column.astype(np.int16) for column in columns[3:]),
                ],
            )


async def turn_keys(tx: Transaction, conversation: int) -> dict[int, int]:
    """The keys of a conversation's stored turns, with their positions."""
    cursor = await tx.execute("SELECT turn_key, position FROM memories WHERE conversation = %s", [conversation])
    return dict(await cursor.fetchall())


async def model_number(tx: Transaction, name: str, dimension: int) -> int:
    """The number of an encoder in this store; registers it when it is new."""
    for _ in range(2):
        cursor = await tx.execute("SELECT model FROM models WHERE name = %s", [name])
        row = await cursor.fetchone()
        if row:
            return int(row[0])
        await tx.execute(
            "INSERT INTO models (name, dimension) VALUES (%s, %s) ON CONFLICT DO NOTHING", [name, dimension]
        )
    raise AssertionError("a registered encoder has a number")


async def claim_unembedded(tx: Transaction, limit: int, characters: int) -> list[Unembedded]:
    """Memories without a vector, oldest first, locked against other workers till the transaction ends.

    They are up to `limit`, and no more than have `characters` together; but at least one, if any is free.
    """
    cursor = await tx.execute(
        """
        SELECT m.room, m.drawer, m.content
        FROM (SELECT user_id, room, drawer FROM unembedded ORDER BY room, drawer LIMIT %s FOR UPDATE SKIP LOCKED) u
        JOIN memories m USING (user_id, room, drawer) ORDER BY room, drawer
        """,
        [limit],
    )
    claimed = [Unembedded(*row) async for row in cursor]
    total = list(accumulate(len(each.content) for each in claimed))
    return claimed[: max(1, bisect_right(total, characters))]


async def add_vectors(
    tx: Transaction, user_id: UUID, model: int, claimed: Sequence[Unembedded], vectors: np.ndarray
) -> None:
    """Write the vectors of claimed memories, take these off the queue, and renew the vectors of their rooms."""
    places = [[each.room for each in claimed], [each.drawer for each in claimed]]
    await tx.execute(
        """
        INSERT INTO embeddings (user_id, model, room, drawer, vector)
        SELECT %s, %s, room, drawer, vector::halfvec
        FROM unnest(%s::integer[], %s::integer[], %s::text[]) AS new (room, drawer, vector)
        ON CONFLICT (user_id, model, room, drawer) DO UPDATE SET vector = excluded.vector
        """,
        [user_id, model, *places, [vector_literal(vector) for vector in vectors]],
    )
    await tx.execute(
        """
        DELETE FROM unembedded u USING unnest(%s::integer[], %s::integer[]) AS done (room, drawer)
        WHERE u.room = done.room AND u.drawer = done.drawer
        """,
        places,
    )
    await _renew_room_vectors(tx, user_id, model, sorted(set(places[0])))


async def _renew_room_vectors(tx: Transaction, user_id: UUID, model: int, rooms: Sequence[int]) -> None:
    """Make the vectors of these rooms anew: the mean of what people said in them. Room 0 has none."""
    # Who embeds the rest of a room waits here, and then sees these vectors too; in order, so that none waits in turn.
    await tx.execute("SELECT FROM rooms WHERE room = ANY(%s) ORDER BY room FOR NO KEY UPDATE", [list(rooms)])
    await tx.execute(
        """
        INSERT INTO embeddings (user_id, model, room, drawer, vector)
        SELECT %s, %s, e.room, 0, avg(e.vector)
        FROM embeddings e JOIN memories m USING (user_id, room, drawer)
        WHERE e.model = %s AND e.room > 0 AND e.room = ANY(%s) AND m.role = 'user'
        GROUP BY e.room
        ON CONFLICT (user_id, model, room, drawer) DO UPDATE SET vector = excluded.vector
        """,
        [user_id, model, model, list(rooms)],
    )


async def pending(tx: Transaction) -> int:
    """How many of the user's memories have no vector yet."""
    cursor = await tx.execute("SELECT count(*) FROM unembedded")
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def forget_room_vector(tx: Transaction, user_id: UUID, room: int) -> dict[str, int]:
    """Make a room's own vector anew from those that are left in it; nothing for room 0, which has none."""
    if not room:
        return {}
    cursor = await tx.execute("DELETE FROM embeddings WHERE room = %s AND drawer = 0 RETURNING model", [room])
    models = [row[0] async for row in cursor]
    for model in models:
        await _renew_room_vectors(tx, user_id, model, [room])
    return {"room_vectors": len(models)}
