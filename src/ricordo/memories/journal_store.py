"""The SQL of journal and core that no other memory needs."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from ricordo.database import Transaction


async def now(tx: Transaction) -> datetime:
    """The moment of this transaction by the store's clock, which also dates what it writes."""
    cursor = await tx.execute("SELECT now()")
    row = await cursor.fetchone()
    assert row is not None
    moment: datetime = row[0]
    return moment


async def agents_with_journal(tx: Transaction) -> list[UUID]:
    """The agents that wrote into their journals within its week and a day."""
    cursor = await tx.execute(
        "SELECT DISTINCT agent_id FROM memories "
        "WHERE agent_id IS NOT NULL AND kind = 'journal' AND created_at > now() - interval '8 days' ORDER BY agent_id"
    )
    return [row[0] async for row in cursor]


async def lock_agent(tx: Transaction, agent: UUID) -> None:
    """One import or consolidation of an agent at a time; writes of single memories are not held up."""
    await tx.execute("SELECT FROM agents WHERE id = %s FOR NO KEY UPDATE", [agent])


async def date_back(tx: Transaction, id: UUID, created_at: datetime) -> None:
    """Give a memory that was written in this transaction the time that it comes from."""
    await tx.execute("UPDATE memories SET created_at = %s, said_at = %s WHERE id = %s", [created_at, created_at, id])
