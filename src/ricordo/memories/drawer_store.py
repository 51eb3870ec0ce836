"""The SQL of memories: writing them with their postings and their places in the queue for vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from psycopg import AsyncCursor
from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.database.transport import adapt_numpy
from ricordo.text import term_hash

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


def counted(terms: Sequence[str]) -> tuple[dict[int, int], int]:
    """How often each term stands in a memory, by its hash, and how many it has: as postings hold them."""
    frequencies = {term: min(times, LARGEST_SMALLINT) for term, times in Counter(map(term_hash, terms)).items()}
    return frequencies, min(len(terms), LARGEST_SMALLINT)


async def add_postings(tx: Transaction, user_id: UUID, memories: Sequence[NewMemory | Indexed]) -> None:
    """Let memories be found by their terms."""
    lengths = np.array([len(each.terms) for each in memories], np.int64)
    if not lengths.sum():
        return
    terms = np.fromiter((term_hash(term) for each in memories for term in each.terms), np.int64, lengths.sum())
    # Term by term, so that neighbours in the index are written one after the other.
    pairs, frequencies = np.unique(terms * len(memories) + np.arange(len(memories)).repeat(lengths), return_counts=True)
    found, which = np.divmod(pairs, len(memories))
    rooms, drawers = np.array([(each.room, each.drawer) for each in memories], np.int32).T
    async with AsyncCursor(tx) as cursor:
        adapt_numpy(cursor)
        await cursor.execute(
            "INSERT INTO postings SELECT %s, * FROM unnest(%s, %s, %s, %s, %s)",
            [
                user_id,
                found.astype(np.int32),
                rooms[which],
                drawers[which],
                *(each.clip(max=LARGEST_SMALLINT).astype(np.int16) for each in (frequencies, lengths[which])),
            ],
        )


async def turn_keys(tx: Transaction, conversation: int) -> dict[int, int]:
    """The keys of a conversation's stored turns, with their positions."""
    cursor = await tx.execute("SELECT turn_key, position FROM memories WHERE conversation = %s", [conversation])
    return dict(await cursor.fetchall())


@dataclass(frozen=True)
class StoredTurn:
    """A turn as it stands in the palace, with the language of its conversation."""

    room: int
    drawer: int
    role: str
    speaker: str
    content: str
    said_at: datetime
    language: str


async def turns(tx: Transaction, conversation: int, first: int, last: int) -> list[StoredTurn]:
    """The turns of a conversation from position `first` to before `last`, without those that are redacted."""
    async with tx.cursor(row_factory=class_row(StoredTurn)) as cursor:
        await cursor.execute(
            """
            SELECT room, drawer, role, speaker, content, said_at, language
            FROM memories JOIN conversations USING (user_id, conversation)
            WHERE conversation = %s AND position >= %s AND position < %s AND NOT is_redacted ORDER BY position
            """,
            [conversation, first, last],
        )
        return await cursor.fetchall()
