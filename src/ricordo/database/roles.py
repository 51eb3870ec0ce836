"""Login roles for SQL clients, each bound to one user by the database: what such a role sets cannot change whose rows
it sees."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg import errors, sql

from ricordo.database.migrations import SQL_ROLE
from ricordo.database.store import owner
from ricordo.errors import InvalidInput, NotFound, StoreIncompatible, quoted
from ricordo.settings import Settings

#: Longer names PostgreSQL cuts off.
_LONGEST = 63


@dataclass(frozen=True)
class NewRole:
    """A role that was created, with the password that is shown once."""

    role: str
    password: str


@dataclass(frozen=True)
class BoundRole:
    """A role that is bound to a user."""

    role: str
    user: str
    created_at: datetime


async def create_role(settings: Settings, role: str, user_id: UUID, user: str) -> NewRole:
    """Create a login role that may call the SQL surface as this user and do nothing else.

    Raises InvalidInput for a name that is none or taken, NotFound for a user without a memory, StoreIncompatible where
    the owner of the store may not create roles, and StoreError.
    """
    if not role or role != role.strip() or len(role.encode()) > _LONGEST or "\0" in role:
        raise InvalidInput("name", f"{quoted(role)} is not a role name: use 1 to {_LONGEST} bytes")
    password = secrets.token_urlsafe(24)
    async with owner(settings) as connection, connection.transaction():
        hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
        schema = sql.Identifier(settings.schema)
        await connection.execute(sql.SQL("SET LOCAL ricordo.user_id = {}").format(sql.Literal(str(user_id))))
        # Whoever deletes the user waits, or is waited for. On a distributed store no foreign key sees to that.
        found = await connection.execute(
            sql.SQL("SELECT FROM {}.users WHERE user_id = %s FOR KEY SHARE").format(schema), [user_id]
        )
        if not found.rowcount:
            raise NotFound(f"user {quoted(user)} not found: store something as this user first")
        try:
            await connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}").format(
                    sql.Identifier(role), sql.Literal(hashed), sql.Identifier(SQL_ROLE)
                )
            )
            await connection.execute(
                sql.SQL("ALTER ROLE {} SET search_path = {}, public").format(sql.Identifier(role), schema)
            )
            await connection.execute(
                sql.SQL("INSERT INTO {}.sql_roles (user_id, role) VALUES (%s, %s)").format(schema), [user_id, role]
            )
        except errors.DuplicateObject:
            raise InvalidInput(
                "name", f"role {quoted(role)} already exists in the database: choose another name"
            ) from None
        except errors.InsufficientPrivilege as error:
            raise StoreIncompatible(
                f"the database role {connection.info.user!r} cannot create roles ({error.diag.message_primary}): "
                "set RICORDO_DATABASE_OWNER_URL to a role that can"
            ) from error
    return NewRole(role, password)


async def drop_role(settings: Settings, role: str) -> None:
    """Drop a role that `create_role` created. Raises NotFound for any other, and StoreError."""
    async with owner(settings) as connection, connection.transaction():
        gone = await connection.execute(
            sql.SQL("DELETE FROM {}.sql_roles WHERE role = %s").format(sql.Identifier(settings.schema)), [role]
        )
        if not gone.rowcount:
            raise NotFound(f"no role {quoted(role)} is bound to a user; `ricordo db role list` lists them")
        await connection.execute(sql.SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(sql.Identifier(role)))


async def bound_roles(settings: Settings) -> Sequence[BoundRole]:
    """The roles that are bound to a user, by name."""
    async with owner(settings) as connection:
        roles = await (
            await connection.execute(
                sql.SQL("SELECT role, user_id, created_at FROM {}.sql_roles ORDER BY role").format(
                    sql.Identifier(settings.schema)
                )
            )
        ).fetchall()
        found = []
        async with connection.transaction():
            for role, user_id, created_at in roles:  # each user's name is that user's row
                await connection.execute(sql.SQL("SET LOCAL ricordo.user_id = {}").format(sql.Literal(str(user_id))))
                cursor = await connection.execute(
                    sql.SQL("SELECT name FROM {}.users WHERE user_id = %s").format(sql.Identifier(settings.schema)),
                    [user_id],
                )
                row = await cursor.fetchone()
                found.append(BoundRole(role, row[0] if row else str(user_id), created_at))
    return found
