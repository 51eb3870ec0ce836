"""The SQL of whiteboards; their notes are memories."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import Whiteboard

_COLUMNS = "id, name, agents, created_at"


async def insert(tx: Transaction, user_id: UUID, id: UUID, name: str, agents: Sequence[UUID]) -> bool:
    """Write a whiteboard's row; False where the user has one of this name."""
    cursor = await tx.execute(
        """
        INSERT INTO whiteboards (user_id, id, name, agents) VALUES (%s, %s, %s, %s)
        ON CONFLICT (user_id, name) DO NOTHING
        """,
        [user_id, id, name, list(agents)],
    )
    return cursor.rowcount == 1


async def every(tx: Transaction) -> list[Whiteboard]:
    """Every whiteboard of the user, oldest first."""
    async with tx.cursor(row_factory=class_row(Whiteboard)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM whiteboards ORDER BY created_at, id")
        return await cursor.fetchall()


async def find(tx: Transaction, which: UUID | str, lock: bool) -> Whiteboard | None:
    """The whiteboard of this id or name; with `lock` nobody else changes it until the transaction ends."""
    async with tx.cursor(row_factory=class_row(Whiteboard)) as cursor:
        await cursor.execute(
            f"SELECT {_COLUMNS} FROM whiteboards WHERE id::text = %s OR name = %s"
            f"{' FOR NO KEY UPDATE' if lock else ''}",
            [str(which), str(which)],
        )
        return await cursor.fetchone()


async def lock(tx: Transaction, id: UUID) -> None:
    """Wait for who is writing on a whiteboard, and let nobody begin: it is about to be deleted."""
    await tx.execute("SELECT FROM whiteboards WHERE id = %s FOR UPDATE", [id])


async def set_agents(tx: Transaction, id: UUID, agents: Sequence[UUID]) -> None:
    await tx.execute("UPDATE whiteboards SET agents = %s WHERE id = %s", [list(agents), id])


async def delete(tx: Transaction, id: UUID) -> None:
    await tx.execute("DELETE FROM whiteboards WHERE id = %s", [id])
