"""The SQL of memories: writing them with their postings and their places in the queue for vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.keywords import Indexed, add_postings


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
