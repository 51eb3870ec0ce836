"""The SQL of the access log and its seals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Access

_COLUMNS = "l.id, l.action, l.actor, l.run_id, l.context, l.accessed_at, l.memory_ids"


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
    action: str,
    actor: str,
    run_id: UUID | None,
    context: dict[str, Any],
    memory_ids: Sequence[UUID],
) -> None:
    await tx.execute(
        "SELECT record_access(%s, %s, %s, %s, %s::uuid[])", [action, actor, run_id, Jsonb(context), list(memory_ids)]
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


async def seal(tx: Transaction) -> int:
    """Cover the accesses that are complete and not covered yet by new seals; returns how many that were."""
    cursor = await tx.execute("SELECT seal_accesses()")
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def seals(tx: Transaction) -> list[Seal]:
    async with tx.cursor(row_factory=class_row(Seal)) as cursor:
        await cursor.execute("SELECT seal, first_xid, end_xid, accesses, hash FROM access_seals ORDER BY seal")
        return await cursor.fetchall()


async def first_xid(tx: Transaction) -> int:
    """Where the log begins: at 0, or below it where rows came with an archive."""
    cursor = await tx.execute("SELECT least(min(xid), 0) FROM access_log")
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def recomputed(tx: Transaction, before: bytes, seal: Seal) -> tuple[bytes, int]:
    """The hash that a seal must have behind `before`, and how many accesses it must cover."""
    covered = [seal.first_xid, seal.end_xid]
    cursor = await tx.execute("SELECT access_hash(%s, %s, %s)", [before, *covered])
    [[hash]] = await cursor.fetchall()
    cursor = await tx.execute("SELECT count(*) FROM access_log WHERE xid >= %s AND xid < %s", covered)
    [[accesses]] = await cursor.fetchall()
    return hash, accesses


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
