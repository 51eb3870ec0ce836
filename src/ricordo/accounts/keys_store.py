"""The SQL of API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row

from ricordo.database import Database, Transaction
from ricordo.models import ApiKey

_COLUMNS = (
    "k.id, u.name AS user, k.name, k.agent_id, k.palace, k.read_only, k.created_at, k.expires_at, k.revoked_at, "
    "k.last_used_at"
)
_FROM = "FROM api_keys k JOIN users u USING (user_id)"
_OPENING = sql.SQL(
    f"SELECT k.digest, {_COLUMNS} {_FROM} "
    "WHERE k.id = {} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())"
)


async def add(
    tx: Transaction,
    user_id: UUID,
    id: UUID,
    digest: bytes,
    name: str,
    agent: UUID | None,
    palace: bool,
    read_only: bool,
    expires_at: datetime | None,
) -> None:
    """A new key, of which only the digest is kept."""
    await tx.execute(
        "INSERT INTO api_keys (user_id, id, digest, name, agent_id, palace, read_only, expires_at) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        [user_id, id, digest, name, agent, palace, read_only, expires_at],
    )


async def every(tx: Transaction) -> Sequence[ApiKey]:
    """The user's keys, oldest first."""
    async with tx.cursor(row_factory=class_row(ApiKey)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} {_FROM} ORDER BY k.created_at, k.id")
        return await cursor.fetchall()


async def find(tx: Transaction, id: UUID) -> ApiKey | None:
    """The user's key of this id."""
    async with tx.cursor(row_factory=class_row(ApiKey)) as cursor:
        await cursor.execute(f"SELECT {_COLUMNS} {_FROM} WHERE k.id = %s", [id])
        return await cursor.fetchone()


async def opening(database: Database, user_id: UUID, id: UUID) -> tuple[bytes, ApiKey] | None:
    """The digest of a key of the user's that opens something now, and the key."""
    row = await database.glance(user_id, _OPENING.format(sql.Literal(id)))
    if row is None:
        return None
    return bytes(row[0]), ApiKey(**dict(zip(ApiKey.model_fields, row[1:], strict=True)))


async def touch(tx: Transaction, id: UUID) -> None:
    """Note that a key is used."""
    await tx.execute("UPDATE api_keys SET last_used_at = now() WHERE id = %s", [id])


async def revoke(tx: Transaction, id: UUID) -> None:
    """Let a key open nothing from now on."""
    await tx.execute("UPDATE api_keys SET revoked_at = now() WHERE id = %s AND revoked_at IS NULL", [id])


async def exist(tx: Transaction) -> bool:
    """Whether any user has a key that opens something now."""
    cursor = await tx.execute("SELECT api_keys_exist()")
    row = await cursor.fetchone()
    return bool(row and row[0])
