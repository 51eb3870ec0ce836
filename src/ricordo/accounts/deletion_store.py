"""The SQL that removes a user's rows from every table that has any, whichever tables there are."""

from __future__ import annotations

from uuid import UUID

from psycopg import sql

from ricordo.database import Transaction


async def lock(tx: Transaction, user_id: UUID, name: str) -> bool:
    """Wait for whoever writes for this user, and hold up the others: each of them needs the user's row. Where there is
    none it is made, so that none can come meanwhile; returns whether it was."""
    while True:
        made = await tx.execute(
            "INSERT INTO users (user_id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING", [user_id, name]
        )
        held = await tx.execute("SELECT FROM users WHERE user_id = %s FOR UPDATE", [user_id])
        if held.rowcount:  # else it was deleted in between
            return made.rowcount == 1


async def tables(tx: Transaction) -> dict[str, set[str]]:
    """Every table with a user_id, with the others among them that refer to it and must be emptied before."""
    cursor = await tx.execute(
        """
        WITH of_users AS (
            SELECT c.oid, c.relname::text AS name FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id'
                          AND NOT a.attisdropped)
        )
        SELECT t.name, coalesce(array_agg(r.name) FILTER (WHERE r.name IS NOT NULL), '{}')
        FROM of_users t
        LEFT JOIN pg_constraint k ON k.contype = 'f' AND k.confrelid = t.oid AND k.conrelid <> t.oid
        LEFT JOIN of_users r ON r.oid = k.conrelid
        GROUP BY t.name ORDER BY t.name
        """
    )
    return {name: set(referring) async for name, referring in cursor}


async def remove(tx: Transaction, table: str, user_id: UUID) -> int:
    """Remove a user's rows from a table; returns how many."""
    cursor = await tx.execute(sql.SQL("DELETE FROM {} WHERE user_id = %s").format(sql.Identifier(table)), [user_id])
    return cursor.rowcount


async def remove_indexes(tx: Transaction, user_id: UUID) -> None:
    """Remove the indexes that are of this user's rows alone, since their names hold the user's id."""
    cursor = await tx.execute(
        """
        SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' AND strpos(c.relname, %s) > 0
        """,
        [user_id.hex],
    )
    for (name,) in await cursor.fetchall():
        await tx.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(name)))
