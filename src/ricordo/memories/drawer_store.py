"""The SQL of memories: writing them with their postings and their places in the queue for vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
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
    text_hash: int
    #: Whether its source gave it an id, and a time.
    has_id: bool
    has_time: bool
    role: str
    speaker: str
    content: str
    said_at: datetime
    terms: Sequence[str]
    #: When another device stored it first, where one did.
    stored_at: datetime | None = None


async def add(tx: Transaction, user_id: UUID, memories: Sequence[NewMemory]) -> None:
    """Write drawers, their postings and their places in the queue for vectors: three statements."""
    now = datetime.now(UTC)
    await tx.execute(
        """
        INSERT INTO memories (user_id, kind, room, drawer, id, closet, conversation, position, turn_key,
                              text_hash, has_id, has_time, role, speaker, content, said_at, created_at)
        SELECT %s, 'drawer', room, drawer, id, closet, conversation, position, turn_key, text_hash, has_id, has_time,
               role, speaker, content, said_at, stored_at
        FROM unnest(%s::integer[], %s::integer[], %s::uuid[], %s::integer[], %s::integer[],
            %s::integer[], %s::bigint[], %s::bigint[], %s::boolean[], %s::boolean[], %s::text[], %s::text[],
            %s::text[], %s::timestamptz[], %s::timestamptz[])
            AS n (room, drawer, id, closet, conversation, position, turn_key, text_hash, has_id, has_time, role,
                  speaker, content, said_at, stored_at)
        """,
        [
            user_id,
            *(
                [getattr(each, name) for each in memories]
                for name in ("room", "drawer", "id", "closet", "conversation", "position", "turn_key", "text_hash",
                             "has_id", "has_time", "role", "speaker", "content", "said_at")
            ),
            [each.stored_at or now for each in memories],
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


async def known_turns(
    tx: Transaction, conversation: int
) -> list[tuple[int, str, str, int | None, datetime | None, bool, bool]]:
    """(key, role, speaker, hash of its text, when its source says it was said, whether it has an id, whether it is
    redacted) of each turn of a conversation, in order."""
    cursor = await tx.execute(
        "SELECT turn_key, role, speaker, text_hash, CASE WHEN has_time THEN said_at END, has_id, is_redacted "
        "FROM memories WHERE conversation = %s ORDER BY position",
        [conversation],
    )
    return await cursor.fetchall()


async def part_with_redacted(tx: Transaction, conversation: int) -> None:
    """Let the redacted turns of a conversation stand for nothing any more: what they said is new when it comes."""
    await tx.execute(
        "UPDATE memories SET turn_key = hashtextextended(id::text, 0), text_hash = NULL, has_id = false, "
        "has_time = false WHERE conversation = %s AND is_redacted",
        [conversation],
    )


async def turn_count(tx: Transaction, conversation: int) -> int:
    """How many turns a conversation has."""
    cursor = await tx.execute(
        "SELECT coalesce(sum(drawers), 0)::integer FROM rooms WHERE conversation = %s", [conversation]
    )
    row = await cursor.fetchone()
    return row[0] if row else 0


async def conversations_that_begin(
    tx: Transaction, source: str, role: str, speaker: str, text_hash: int
) -> list[tuple[int, str]]:
    """(number, id) of conversations of a source whose first turn says this, some of them."""
    cursor = await tx.execute(
        """
        SELECT conversation, external_id FROM memories JOIN conversations USING (user_id, conversation)
        WHERE position = 0 AND text_hash = %s AND role = %s AND speaker = %s AND conversations.source = %s
        ORDER BY conversation LIMIT 20
        """,
        [text_hash, role, speaker, source],
    )
    return await cursor.fetchall()


async def keys_elsewhere(tx: Transaction, source: str, conversation: int | None, keys: Sequence[int]) -> frozenset[int]:
    """Those of the keys, made from ids, that turns of other conversations of a source have."""
    cursor = await tx.execute(
        """
        SELECT turn_key FROM memories JOIN conversations USING (user_id, conversation)
        WHERE has_id AND turn_key = ANY(%s) AND conversation IS DISTINCT FROM %s AND conversations.source = %s
        """,
        [list(keys), conversation, source],
    )
    return frozenset(key for (key,) in await cursor.fetchall())


@dataclass(frozen=True)
class Edited:
    """A stored turn that its source edited."""

    id: UUID
    room: int
    drawer: int
    position: int
    content: str
    speaker: str
    said_at: datetime
    created_at: datetime


async def edited_turn(tx: Transaction, conversation: int, key: int, text: str) -> Edited | None:
    """The turn with this key, locked, where the text is new to it: None where it is redacted, or said so before."""
    async with tx.cursor(row_factory=class_row(Edited)) as cursor:
        await cursor.execute(
            """
            SELECT id, room, drawer, position, content, speaker, said_at, created_at FROM memories m
            WHERE conversation = %(conversation)s AND turn_key = %(key)s AND NOT is_redacted
              AND content <> %(text)s
              AND NOT EXISTS (SELECT FROM memory_history WHERE memory_id = m.id AND content = %(text)s)
            FOR UPDATE
            """,
            {"conversation": conversation, "key": key, "text": text},
        )
        return await cursor.fetchone()


async def live_turn(tx: Transaction, id: UUID) -> Edited | None:
    """A turn, locked; None where it is redacted."""
    async with tx.cursor(row_factory=class_row(Edited)) as cursor:
        await cursor.execute(
            """
            SELECT id, room, drawer, position, content, speaker, said_at, created_at FROM memories
            WHERE id = %s AND kind = 'drawer' AND NOT is_redacted FOR UPDATE
            """,
            [id],
        )
        return await cursor.fetchone()


async def stored_first(tx: Transaction, id: UUID, stored_at: datetime, is_edited: bool) -> None:
    """Set when a turn was stored first, on whatever device; an edited one counts as changed now."""
    await tx.execute(
        "UPDATE memories SET created_at = %s, updated_at = coalesce(%s, updated_at) WHERE id = %s",
        [stored_at, datetime.now(UTC) if is_edited else None, id],
    )


async def term_count(tx: Transaction, room: int, drawer: int) -> int:
    """How many search terms a turn has."""
    cursor = await tx.execute(
        "SELECT coalesce(max(length), 0) FROM postings WHERE room = %s AND drawer = %s", [room, drawer]
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def change_turn(tx: Transaction, id: UUID, text: str, text_hash: int) -> None:
    """Let a turn say something else from now on."""
    await tx.execute(
        "UPDATE memories SET content = %s, text_hash = %s, updated_at = %s WHERE id = %s",
        [text, text_hash, datetime.now(UTC), id],
    )


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
        # In UTC as when they came, whatever zone the server is in.
        return [replace(each, said_at=each.said_at.astimezone(UTC)) async for each in cursor]
