"""The SQL of the access log and its seals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Access

_COLUMNS = "l.id, l.action, l.actor, l.run_id, l.context, l.accessed_at, l.memory_ids"


@dataclass(frozen=True)
class Row:
    """A row of the log as it is hashed, and the transaction that wrote it."""

    xid: int
    fields: dict[str, Any]


@dataclass(frozen=True)
class Seal:
    """A seal covers the rows with first_xid <= xid < end_xid."""

    seal: int
    first_xid: int
    end_xid: int
    accesses: int
    hash: bytes


async def is_run_of_another(tx: Transaction, run_id: UUID, actor: str) -> bool:
    """Whether a run is one of another agent than the actor; the user takes part in every run."""
    if not actor.startswith("agent:"):
        return False
    cursor = await tx.execute(
        "SELECT 'agent:' || a.name <> %s FROM runs r JOIN agents a ON a.user_id = r.user_id AND a.id = r.agent_id "
        "WHERE r.id = %s",
        [actor, run_id],
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def add(
    tx: Transaction,
    user_id: UUID,
    id: UUID,
    action: str,
    actor: str,
    run_id: UUID | None,
    context: dict[str, Any],
    memory_ids: Sequence[UUID],
) -> None:
    await tx.execute(
        """
        WITH logged AS (
            INSERT INTO access_log (user_id, id, action, actor, run_id, context, memory_ids)
            VALUES (%(user_id)s, %(id)s, %(action)s, %(actor)s, %(run_id)s, %(context)s, %(ids)s::uuid[])
        )
        INSERT INTO access_memories (user_id, memory_id, access_id)
        SELECT DISTINCT %(user_id)s::uuid, memory_id, %(id)s::uuid FROM unnest(%(ids)s::uuid[]) AS memory_id
        """,
        {
            "user_id": user_id,
            "id": id,
            "action": action,
            "actor": actor,
            "run_id": run_id,
            "context": Jsonb(context),
            "ids": list(memory_ids),
        },
    )


async def of_memory(tx: Transaction, memory_id: UUID) -> list[Access]:
    async with tx.cursor(row_factory=class_row(Access)) as cursor:
        await cursor.execute(
            f"""
            SELECT {_COLUMNS} FROM access_memories m JOIN access_log l ON l.user_id = m.user_id AND l.id = m.access_id
            WHERE m.memory_id = %s ORDER BY l.accessed_at, l.id
            """,
            [memory_id],
        )
        return await cursor.fetchall()


async def of_run(tx: Transaction, run_id: UUID) -> list[Access]:
    async with tx.cursor(row_factory=class_row(Access)) as cursor:
        await cursor.execute(
            f"SELECT {_COLUMNS} FROM access_log l WHERE l.run_id = %s ORDER BY l.accessed_at, l.id", [run_id]
        )
        return await cursor.fetchall()


async def lock_chain(tx: Transaction, user_id: UUID) -> None:
    """One sealer of a user at a time."""
    await tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('seal:' || %s::text, 0))", [user_id])


async def last_seal(tx: Transaction) -> Seal | None:
    async with tx.cursor(row_factory=class_row(Seal)) as cursor:
        await cursor.execute(
            "SELECT seal, first_xid, end_xid, accesses, hash FROM access_seals ORDER BY seal DESC LIMIT 1"
        )
        return await cursor.fetchone()


async def seals(tx: Transaction) -> list[Seal]:
    async with tx.cursor(row_factory=class_row(Seal)) as cursor:
        await cursor.execute("SELECT seal, first_xid, end_xid, accesses, hash FROM access_seals ORDER BY seal")
        return await cursor.fetchall()


async def add_seal(tx: Transaction, user_id: UUID, seal: Seal) -> None:
    await tx.execute(
        """
        INSERT INTO access_seals (user_id, seal, first_xid, end_xid, accesses, hash) VALUES (%s, %s, %s, %s, %s, %s)
        """,
        [user_id, seal.seal, seal.first_xid, seal.end_xid, seal.accesses, seal.hash],
    )


async def first_xid(tx: Transaction) -> int:
    """Where the log begins: at 0, or below it where rows came with an archive."""
    cursor = await tx.execute("SELECT least(min(xid), 0) FROM access_log")
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def horizon(tx: Transaction) -> int:
    """Every transaction with a lower number has ended."""
    cursor = await tx.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def rows(tx: Transaction, first_xid: int, end_xid: int, limit: int | None) -> list[Row]:
    """The rows of these transactions in the chain's order. A limit never parts the rows of one transaction."""
    async with AsyncCursor(tx) as cursor:
        await cursor.execute(
            """
            SELECT xid, jsonb_build_object('id', id, 'action', action, 'actor', actor, 'run_id', run_id,
                'context', context, 'memory_ids', memory_ids, 'accessed_at', accessed_at AT TIME ZONE 'UTC')
            FROM (
                SELECT * FROM access_log WHERE xid >= %s AND xid < %s
                ORDER BY xid FETCH FIRST (coalesce(%s::bigint, 9223372036854775807)) ROWS WITH TIES
            ) covered
            ORDER BY xid, id
            """,
            [first_xid, end_xid, limit],
        )
        return [Row(*row) async for row in cursor]


async def count_from(tx: Transaction, first_xid: int) -> int:
    cursor = await tx.execute("SELECT count(*) FROM access_log WHERE xid >= %s", [first_xid])
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def mislisted(tx: Transaction) -> int:
    """Pairs of access and memory that only one of the log and its index by memory holds."""
    cursor = await tx.execute(
        """
        WITH logged AS (SELECT DISTINCT id, unnest(memory_ids) AS memory_id FROM access_log),
             listed AS (SELECT access_id, memory_id FROM access_memories)
        SELECT count(*) FROM (
            (TABLE logged EXCEPT TABLE listed) UNION ALL (TABLE listed EXCEPT TABLE logged)
        ) apart
        """
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0
