"""The SQL of a user's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID
from zoneinfo import ZoneInfo

from psycopg import sql
from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import UserSettings

#: The time zone whose days are the user's, as an SQL expression: the setting, else that of the process, else UTC.
ZONE: LiteralString = """
    (SELECT coalesce((SELECT time_zone FROM settings WHERE user_id = tenant_id()),
                     nullif(current_setting('ricordo.time_zone', true), ''), 'UTC'))
"""
COLUMNS = tuple(UserSettings.model_fields)
_SELECT = sql.SQL("SELECT {} FROM settings").format(sql.SQL(", ").join(map(sql.Identifier, COLUMNS)))


async def find(tx: Transaction) -> UserSettings:
    """The user's settings; the defaults where nothing was chosen."""
    async with tx.cursor(row_factory=class_row(UserSettings)) as cursor:
        await cursor.execute(_SELECT)
        return await cursor.fetchone() or UserSettings()


async def lock(tx: Transaction, user_id: UUID) -> UserSettings:
    """The user's settings, which nobody else changes until the transaction ends."""
    await tx.execute("INSERT INTO settings (user_id) VALUES (%s) ON CONFLICT DO NOTHING", [user_id])
    async with tx.cursor(row_factory=class_row(UserSettings)) as cursor:
        await cursor.execute(_SELECT + sql.SQL(" FOR UPDATE"))
        found = await cursor.fetchone()
    assert found is not None
    return found


async def zone(tx: Transaction) -> ZoneInfo:
    """The time zone whose days are the user's."""
    cursor = await tx.execute(f"SELECT {ZONE}")
    row = await cursor.fetchone()
    return ZoneInfo(row[0] if row else "UTC")


async def change(tx: Transaction, changes: Mapping[str, Any]) -> None:
    """Write what was chosen anew."""
    assigned = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in changes)
    await tx.execute(sql.SQL("UPDATE settings SET {}").format(assigned), list(changes.values()))


async def remove(tx: Transaction) -> None:
    """Take back every choice."""
    await tx.execute("DELETE FROM settings")


async def embedding_model(tx: Transaction) -> str | None:
    """The embedding model that the user's vectors are of, if there is one."""
    cursor = await tx.execute("SELECT name FROM models JOIN user_models USING (model)")
    row = await cursor.fetchone()
    return row[0] if row else None
