"""The SQL of memory profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Agent, Profile

_COLUMNS = (
    "id, agent_id, name, scope, retention_seconds, max_entries, isolation, injection_strategy, injection_limit, "
    "injection_scopes, seed_entries, secrets, personal_data, review, is_default, created_at"
)


async def insert(tx: Transaction, user_id: UUID, fields: Mapping[str, Any]) -> bool:
    """Write a profile's row; False where the agent has one of this name."""
    values = {"user_id": user_id, **fields, "seed_entries": Jsonb(fields["seed_entries"])}
    cursor = await tx.execute(
        sql.SQL("INSERT INTO profiles ({}) VALUES ({}) ON CONFLICT (user_id, agent_id, name) DO NOTHING").format(
            sql.SQL(", ").join(map(sql.Identifier, values)), sql.SQL(", ").join(map(sql.Placeholder, values))
        ),
        values,
    )
    return cursor.rowcount == 1


async def of_agent(tx: Transaction, agent_id: UUID) -> list[Profile]:
    """An agent's profiles, the default one first, then by age."""
    async with tx.cursor(row_factory=class_row(Profile)) as cursor:
        await cursor.execute(
            f"SELECT {_COLUMNS} FROM profiles WHERE agent_id = %s ORDER BY is_default DESC, created_at, id", [agent_id]
        )
        return await cursor.fetchall()


async def find(tx: Transaction, id: UUID, lock: bool = False) -> Profile | None:
    async with tx.cursor(row_factory=class_row(Profile)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} FROM profiles WHERE id = %s{' FOR UPDATE' if lock else ''}", [id])
        return await cursor.fetchone()


async def find_with_agent(tx: Transaction, id: UUID) -> tuple[Profile, Agent] | None:
    """A profile and its agent."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT p.*, a.name AS agent_name, a.system_prompt, a.memory_disabled, a.created_at AS agent_created_at
            FROM profiles p JOIN agents a ON a.user_id = p.user_id AND a.id = p.agent_id WHERE p.id = %s
            """,
            [id],
        )
        row = await cursor.fetchone()
    if row is None:
        return None
    agent = Agent(
        id=row["agent_id"],
        name=row.pop("agent_name"),
        system_prompt=row.pop("system_prompt"),
        memory_disabled=row.pop("memory_disabled"),
        created_at=row.pop("agent_created_at"),
    )
    del row["user_id"]
    return Profile(**row), agent


async def update(tx: Transaction, id: UUID, changes: Mapping[str, Any]) -> bool:
    """Write these columns; False where the agent has another profile of the new name."""
    if "name" in changes:
        cursor = await tx.execute(
            "SELECT 1 FROM profiles a JOIN profiles b USING (user_id, agent_id) "
            "WHERE a.id = %s AND b.id <> a.id AND b.name = %s",
            [id, changes["name"]],
        )
        if await cursor.fetchone():
            return False
    await tx.execute(
        sql.SQL("UPDATE profiles SET {} WHERE id = %(id)s").format(
            sql.SQL(", ").join(
                sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in changes
            )
        ),
        {**changes, "id": id},
    )
    return True


async def make_default(tx: Transaction, profile: Profile) -> None:
    """Move the default from the agent's other profile to this one."""
    await tx.execute("UPDATE profiles SET is_default = false WHERE agent_id = %s AND is_default", [profile.agent_id])
    await tx.execute("UPDATE profiles SET is_default = true WHERE id = %s", [profile.id])


async def delete(tx: Transaction, id: UUID) -> None:
    await tx.execute("DELETE FROM profiles WHERE id = %s", [id])


async def claim_past(tx: Transaction, profile: UUID | None, limit: int | None) -> list[tuple[UUID, int]]:
    """(id, drawer of room 0) of up to `limit` entries of a profile, or of all, that are past its retention, locked
    until the transaction ends; with a `limit` those that nobody else has locked."""
    cursor = await tx.execute(
        f"""
        SELECT m.id, m.drawer FROM memories m JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id
        WHERE p.retention_seconds IS NOT NULL AND m.kind = 'entry' AND (%(profile)s::uuid IS NULL OR p.id = %(profile)s)
          AND m.created_at <= now() - p.retention_seconds * interval '1 second'
        ORDER BY m.drawer LIMIT %(limit)s FOR UPDATE OF m {"" if limit is None else "SKIP LOCKED"}
        """,
        {"profile": profile, "limit": limit},
    )
    return [(row[0], row[1]) async for row in cursor]


async def summary(tx: Transaction, id: UUID) -> tuple[int, list[str], Any]:
    """(how many live entries, their scopes, when the newest was written) of a profile."""
    cursor = await tx.execute(
        """
        SELECT (s -> 'count')::integer, ARRAY(SELECT jsonb_array_elements_text(s -> 'scopes')),
               (s ->> 'last_written_at')::timestamptz
        FROM fn_summarize_memory_profile(%s) s
        """,
        [id],
    )
    row = await cursor.fetchone()
    assert row is not None
    return row[0], row[1], row[2]
