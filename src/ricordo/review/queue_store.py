"""The SQL of writes that wait for a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.models import HeldWrite


async def insert(
    tx: Transaction,
    user_id: UUID,
    id: UUID,
    kind: str,
    content: str,
    fields: Mapping[str, Any],
    speaker: str,
    actor: Actor,
) -> None:
    await tx.execute(
        """
        INSERT INTO held_writes (user_id, id, kind, content, fields, speaker, actor, run_id, agent_id)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        [
            user_id, id, kind, content, Jsonb(dict(fields)), speaker, actor.name, actor.run_id,
            fields.get("agent_id"),
        ],
    )  # fmt: skip


async def same(tx: Transaction, kind: str, content: str, fields: Mapping[str, Any], actor: str) -> UUID | None:
    """The id of a write that waits already and differs in nothing."""
    cursor = await tx.execute(
        """
        SELECT id FROM held_writes WHERE kind = %s AND content = %s AND fields = %s AND actor = %s
        ORDER BY created_at, id LIMIT 1
        """,
        [kind, content, Jsonb(dict(fields)), actor],
    )
    row = await cursor.fetchone()
    return row[0] if row else None


async def count(tx: Transaction) -> int:
    """How many writes are held."""
    cursor = await tx.execute("SELECT count(*) FROM held_writes")
    row = await cursor.fetchone()
    return row[0] if row else 0


async def select(tx: Transaction, id: UUID | None, limit: int, parent: str | None) -> list[HeldWrite]:
    """What waits under an id, or all, oldest first; only what subagents of the agent of this name wrote, if one is
    given."""
    async with tx.cursor(row_factory=class_row(HeldWrite)) as cursor:
        await cursor.execute(
            """
            SELECT id, kind, content, fields, speaker, actor, run_id, agent_id, created_at FROM held_writes
            WHERE (%(id)s::uuid IS NULL OR id = %(id)s)
              AND (%(parent)s::text IS NULL OR starts_with(actor, 'agent:' || %(parent)s || '/'))
            ORDER BY created_at, id LIMIT %(limit)s
            """,
            {"id": id, "parent": parent, "limit": limit},
        )
        return await cursor.fetchall()


async def remove(tx: Transaction, id: UUID) -> bool:
    """Remove one; False where it is gone."""
    cursor = await tx.execute("DELETE FROM held_writes WHERE id = %s", [id])
    return cursor.rowcount == 1


async def fitting(
    tx: Transaction,
    kinds: Sequence[str],
    source: str | None,
    since: datetime | None,
    until: datetime | None,
    agent: UUID | None,
) -> list[UUID]:
    """What waits of these kinds, from a source, since and until a time, and of an agent; locked until the transaction
    ends. What is None does not narrow."""
    cursor = await tx.execute(
        """
        SELECT id FROM held_writes
        WHERE kind = ANY(%(kinds)s) AND (%(source)s::text IS NULL OR fields ->> 'source' = %(source)s)
          AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
          AND (%(until)s::timestamptz IS NULL OR created_at < %(until)s)
          AND (%(agent)s::uuid IS NULL OR agent_id = %(agent)s)
        ORDER BY id FOR UPDATE
        """,
        {"kinds": list(kinds), "source": source, "since": since, "until": until, "agent": agent},
    )
    return [row[0] async for row in cursor]


async def remove_all(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Remove these."""
    await tx.execute("DELETE FROM held_writes WHERE id = ANY(%s)", [list(ids)])


async def waiting(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    cursor = await tx.execute("SELECT id FROM held_writes WHERE id = ANY(%s)", [list(ids)])
    return {row[0] async for row in cursor}


async def drop_of(tx: Transaction, field: str, owner: UUID) -> None:
    """Remove what waits to be written into a profile or onto a whiteboard, named by the column that will tell of it."""
    await tx.execute("DELETE FROM held_writes WHERE fields ->> %s = %s", [field, str(owner)])
