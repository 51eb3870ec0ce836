"""The SQL of memories: writing them with their postings and their places in the queue for vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from psycopg import AsyncCursor

from ricordo.database import Transaction
from ricordo.database.transport import adapt_numpy
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
