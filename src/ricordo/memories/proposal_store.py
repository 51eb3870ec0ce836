"""The SQL of proposals to promote journal entries to core, and of what they are found by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from psycopg.rows import class_row, dict_row

from ricordo.database import Transaction
from ricordo.database.transport import load_arrays_as_numpy
from ricordo.models import Proposal

_COLUMNS = "id, agent_id, memory_ids, content, reason, status, core_id, created_at, decided_at"


async def insert(
    tx: Transaction, user_id: UUID, id: UUID, agent: UUID, memory_ids: Sequence[UUID], content: str, reason: str
) -> None:
    await tx.execute(
        """
        INSERT INTO proposals (user_id, id, agent_id, memory_ids, content, reason) VALUES (%s, %s, %s, %s, %s, %s)
        """,
        [user_id, id, agent, list(memory_ids), content, reason],
    )


async def of_agent(tx: Transaction, agent: UUID, status: str | None) -> list[Proposal]:
    """An agent's proposals (of one status), newest first."""
    async with tx.cursor(row_factory=class_row(Proposal)) as cursor:
        await cursor.execute(
            f"""
            SELECT {_COLUMNS} FROM proposals WHERE agent_id = %(agent)s
                AND (%(status)s::text IS NULL OR status = %(status)s) ORDER BY created_at DESC, id DESC
            """,
            {"agent": agent, "status": status},
        )
        return await cursor.fetchall()


async def lock(tx: Transaction, id: UUID) -> Proposal | None:
    """A proposal, locked until the transaction ends."""
    async with tx.cursor(row_factory=class_row(Proposal)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM proposals WHERE id = %s FOR UPDATE", [id])
        return await cursor.fetchone()


async def decide(tx: Transaction, id: UUID, status: str, core: UUID | None = None) -> Proposal:
    """Write what was decided; `core` is the memory that was made, and is kept where none is given."""
    async with tx.cursor(row_factory=class_row(Proposal)) as cursor:
        await cursor.execute(
            f"""
            UPDATE proposals SET status = %s, core_id = coalesce(%s, core_id), decided_at = now() WHERE id = %s
            RETURNING {_COLUMNS}
            """,
            [status, core, id],
        )
        decided = await cursor.fetchone()
    assert decided is not None
    return decided


async def searches(tx: Transaction, memories: Sequence[UUID]) -> dict[UUID, int]:
    """How many searches found each of these memories, as the access log tells."""
    cursor = await tx.execute(
        """
        SELECT m.memory_id, count(*) FROM access_memories m
        JOIN access_log l ON l.user_id = m.user_id AND l.id = m.access_id
        WHERE m.memory_id = ANY(%s) AND l.action = 'read' AND l.context @> '{"search": true}'
        GROUP BY m.memory_id
        """,
        [list(memories)],
    )
    return {row[0]: row[1] async for row in cursor}


async def repeats(tx: Transaction, memories: Sequence[UUID]) -> dict[UUID, int]:
    """How often each of these memories was written again, word for word, as the access log tells."""
    cursor = await tx.execute(
        """
        SELECT m.memory_id, count(*) FROM access_memories m
        JOIN access_log l ON l.user_id = m.user_id AND l.id = m.access_id
        WHERE m.memory_id = ANY(%s) AND l.action = 'write' AND l.context @> '{"duplicate": true}'
        GROUP BY m.memory_id
        """,
        [list(memories)],
    )
    return {row[0]: row[1] async for row in cursor}


async def vectors(tx: Transaction, memories: Sequence[UUID]) -> list[tuple[int, UUID, np.ndarray]]:
    """(embedding model, memory, vector) of those of these memories that have one."""
    async with tx.cursor() as cursor:
        load_arrays_as_numpy(cursor)
        await cursor.execute(
            """
            SELECT e.model, m.id, e.vector::real[] FROM memories m
            JOIN embeddings e ON e.user_id = m.user_id AND e.room = m.room AND e.drawer = m.drawer
            WHERE m.id = ANY(%s) AND m.room = 0
            """,
            [list(memories)],
            binary=True,
        )
        return await cursor.fetchall()


async def every(tx: Transaction) -> list[dict[str, Any]]:
    """Every proposal of the user, as its columns."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM proposals ORDER BY created_at, id")
        return await cursor.fetchall()


async def put(tx: Transaction, user_id: UUID, values: Mapping[str, Any]) -> None:
    """Write a proposal as another device has it. What was struck from it here stays struck."""
    await tx.execute(
        f"""
        INSERT INTO proposals AS p (user_id, {_COLUMNS})
        VALUES (%(user_id)s, %(id)s, %(agent_id)s, %(memory_ids)s, %(content)s, %(reason)s, %(status)s, %(core_id)s,
                %(created_at)s, %(decided_at)s)
        ON CONFLICT (user_id, id) DO UPDATE SET status = excluded.status, core_id = excluded.core_id,
            decided_at = excluded.decided_at,
            content = CASE WHEN p.content = '[redacted]' THEN p.content ELSE excluded.content END
        """.encode(),
        {**values, "user_id": user_id},
    )
