"""The SQL of a user's agents and of the grants between them."""

from __future__ import annotations

from typing import Literal, LiteralString
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.models import Agent

#: What belongs to an agent, and its table.
Owned = Literal["memory", "profile", "run", "proposal"]
_TABLES: dict[Owned, LiteralString] = {
    "memory": "memories",
    "profile": "profiles",
    "run": "runs",
    "proposal": "proposals",
}
_COLUMNS = "id, name, system_prompt, memory_disabled, created_at"


async def add_agent(tx: Transaction, user_id: UUID, id: UUID, name: str, system_prompt: str | None) -> None:
    """A new agent; its default profile must follow in the same transaction. Raises InvalidInput for a taken name."""
    cursor = await tx.execute(
        """
        INSERT INTO agents (user_id, id, name, system_prompt) VALUES (%s, %s, %s, %s)
        ON CONFLICT (user_id, name) DO NOTHING
        """,
        [user_id, id, name, system_prompt],
    )
    if not cursor.rowcount:
        raise InvalidInput("name", f"agent {name!r} already exists: choose another name")


async def agents(tx: Transaction) -> list[Agent]:
    """Every agent of the user, oldest first."""
    async with tx.cursor(row_factory=class_row(Agent)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM agents ORDER BY created_at, id")
        return await cursor.fetchall()


async def agent(tx: Transaction, who: UUID | str, lock: bool = False) -> Agent:
    """The agent of this id or name, with `lock` kept from changing until the transaction ends. Raises NotFound where
    the user has none."""
    async with tx.cursor(row_factory=class_row(Agent)) as cursor:
        await cursor.execute(
            f"SELECT {_COLUMNS} FROM agents WHERE id::text = %s OR name = %s{' FOR UPDATE' if lock else ''}",
            [str(who), str(who)],
        )
        found = await cursor.fetchall()
    if not found:
        raise NotFound(f"agent {quoted(who, 100)} not found: list agents with `ricordo agent list`")
    return found[0]


async def change_agent(tx: Transaction, changed: Agent) -> None:
    """Write an agent's name, system prompt and memory switch. Raises InvalidInput for a taken name."""
    cursor = await tx.execute("SELECT 1 FROM agents WHERE name = %s AND id <> %s", [changed.name, changed.id])
    if await cursor.fetchone():
        raise InvalidInput("name", f"agent {changed.name!r} already exists: choose another name")
    await tx.execute(
        "UPDATE agents SET name = %s, system_prompt = %s, memory_disabled = %s WHERE id = %s",
        [changed.name, changed.system_prompt, changed.memory_disabled, changed.id],
    )


async def remove_agent(tx: Transaction, id: UUID) -> None:
    """Remove an agent with its profiles, memories, grants, runs and proposals."""
    await tx.execute("DELETE FROM agents WHERE id = %s", [id])


async def owner_of(tx: Transaction, what: Owned, id: UUID) -> UUID | None:
    """The agent that a memory, profile, run or proposal belongs to; None where it is no agent's. Raises NotFound."""
    cursor = await tx.execute(f"SELECT agent_id FROM {_TABLES[what]} WHERE id = %s", [id])
    row = await cursor.fetchone()
    if row is None:
        raise NotFound(f"{what} {id} not found")
    return None if row[0] is None else UUID(str(row[0]))


async def reaches(tx: Transaction, reader: UUID, what: Literal["memory", "profile"], id: UUID) -> bool:
    """Whether anything of a memory or profile of an agent is open to this agent: its own, what is in a shared profile,
    and of an agent that opened its global entries to it these, and the profiles that hold them."""
    row = {
        "memory": "SELECT agent_id, profile_id, scope FROM memories",
        "profile": "SELECT agent_id, id, NULL FROM profiles",
    }
    cursor = await tx.execute(
        f"""
        SELECT FROM ({row[what]} WHERE id = %(id)s) AS what (agent, profile, scope)
        WHERE agent = %(reader)s OR profile IN (SELECT id FROM profiles WHERE isolation = 'shared')
           OR coalesce(scope, 'global') = 'global' AND profile IS NOT NULL
              AND agent IN (SELECT from_agent FROM grants WHERE to_agent = %(reader)s)
        """,
        {"id": id, "reader": reader},
    )
    return bool(cursor.rowcount)


async def is_granted(tx: Transaction, from_agent: UUID, to_agent: UUID) -> bool:
    """Whether the global entries of one agent are open to another."""
    cursor = await tx.execute("SELECT FROM grants WHERE from_agent = %s AND to_agent = %s", [from_agent, to_agent])
    return bool(cursor.rowcount)


async def grant(tx: Transaction, user_id: UUID, from_agent: UUID, to_agent: UUID) -> bool:
    """Open one agent's global entries to another; False where they were open. Raises InvalidInput for one agent."""
    if from_agent == to_agent:
        raise InvalidInput("to_agent", "is the same agent: it always reads its own global entries; name another one")
    cursor = await tx.execute(
        "INSERT INTO grants (user_id, from_agent, to_agent) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [user_id, from_agent, to_agent],
    )
    return cursor.rowcount == 1


async def revoke(tx: Transaction, from_agent: UUID, to_agent: UUID) -> bool:
    """Close them again; False where they were not open."""
    cursor = await tx.execute("DELETE FROM grants WHERE from_agent = %s AND to_agent = %s", [from_agent, to_agent])
    return cursor.rowcount == 1


async def grants(tx: Transaction) -> list[tuple[UUID, UUID]]:
    """Every (from, to) pair of agents between which global entries are open."""
    cursor = await tx.execute("SELECT from_agent, to_agent FROM grants ORDER BY created_at")
    return [(row[0], row[1]) async for row in cursor]
