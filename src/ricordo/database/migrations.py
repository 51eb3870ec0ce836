"""Brings a schema to the version of this program: numbered SQL files, forward only, each checked by its hash."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from ricordo.errors import StoreIncompatible

#: The role that every tenant transaction runs as: no owner, no superuser, bound by row-level security.
APP_ROLE = "ricordo_app"
#: The role that may call the functions of the SQL surface and nothing else; it logs in as nobody.
SQL_ROLE = "ricordo_sql"
PGVECTOR_AT_LEAST = (0, 8)
POSTGRESQL_AT_LEAST = 15
#: A line that stands for a file of an installed package, of just this content.
_INCLUDED = re.compile(r"^-- include (?P<package>\w+)/(?P<path>\S+) sha256=(?P<sha256>[0-9a-f]{64})$", re.MULTILINE)
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('ricordo', 0))"


@dataclass(frozen=True)
class Migration:
    version: int
    name: str
    script: str

    @property
    def whole(self) -> str:
        """The script with the files of other packages that it includes. Raises StoreIncompatible where one of these is
        not there in the form that the script names."""
        return _INCLUDED.sub(lambda found: _included(found["package"], found["path"], found["sha256"]), self.script)

    @property
    def checksum(self) -> str:
        """sha256 of the script, so that a file that was changed after it ran is seen."""
        return hashlib.sha256(self.script.encode()).hexdigest()


@cache
def migrations() -> tuple[Migration, ...]:
    """Every migration of this program in its order."""
    folder = files("ricordo.database") / "migrations"
    named = ((re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name), file) for file in folder.iterdir())
    found = [Migration(int(name[1]), name[2], file.read_text("utf-8")) for name, file in named if name]
    return tuple(sorted(found, key=lambda each: each.version))


def latest() -> int:
    """The schema version of this program."""
    return migrations()[-1].version


def check(version: int, schema: str) -> None:
    """Raise StoreIncompatible where `version`, the schema's own, is not the one of this program."""
    if version > latest():
        raise StoreIncompatible(
            f"schema {schema!r} has version {version}, but this Ricordo supports versions up to {latest()}: "
            "upgrade Ricordo (pip install -U ricordo)"
        )
    if version < latest():
        raise StoreIncompatible(
            f"schema {schema!r} has version {version}, but this Ricordo needs {latest()}: run `ricordo db migrate`"
        )


async def lock(connection: psycopg.AsyncConnection[Any]) -> None:
    """Keep every migration of this database waiting until the transaction ends."""
    await connection.execute(_ONE_AT_A_TIME)


async def version(connection: psycopg.AsyncConnection[Any], schema: str) -> int:
    """The schema's version; 0 where Ricordo's tables are not there yet.

    Raises StoreIncompatible where other migrations than those of this program made it.
    """
    query = sql.SQL("SELECT version, name, checksum FROM {} ORDER BY version")
    try:
        cursor = await connection.execute(query.format(sql.Identifier(schema, "schema_migrations")), prepare=False)
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return 0
    known = {each.version: each for each in migrations()}
    found = 0
    async for number, name, checksum in cursor:
        if number in known and checksum != known[number].checksum:
            raise StoreIncompatible(
                f"schema {schema!r} was created by an unreleased Ricordo version (its migration {number:04} {name!r} "
                "differs from this version's) and cannot be upgraded: with that version, run `ricordo export FILE "
                "--user NAME` for each user. Then set RICORDO_HOME to a new folder, or RICORDO_SCHEMA to a new name, "
                "and run `ricordo import FILE --user NAME` with this version"
            )
        found = max(found, number)
    return found


async def migrate(
    connection: psycopg.AsyncConnection[Any], schema: str, login: bool, to: int | None = None
) -> list[str]:
    """Bring the schema to this program's version, or `to` an earlier one; returns the names of the migrations that ran.

    `connection` is the owner's, in autocommit; `login` lets the application's role connect by itself, which
    is safe where the socket's folder is the gate. Each migration is a transaction of its own under the database's one
    advisory lock, so that of many processes one migrates and the others wait (also those of other schemas: they share
    the extension and the roles); an interrupted run is taken up again.
    Raises StoreIncompatible for a newer schema, a changed migration, an old server or a missing pgvector.
    """
    await _require_server(connection)
    ran: list[str] = []
    async with connection.transaction():
        await connection.execute(_ONE_AT_A_TIME)
        await _prepare(connection, schema, login)
        await version(connection, schema)
    for migration in (each for each in migrations() if to is None or each.version <= to):
        async with connection.transaction():
            await connection.execute(_ONE_AT_A_TIME)
            await connection.execute(
                sql.SQL("SET LOCAL search_path = {}, public, extensions").format(sql.Identifier(schema))
            )
            if await _applied(connection, migration):
                continue
            await connection.execute(migration.whole.encode())
            await connection.execute(
                "INSERT INTO schema_migrations (version, name, checksum) VALUES (%s, %s, %s)",
                [migration.version, migration.name, migration.checksum],
            )
            ran.append(f"{migration.version:04}_{migration.name}")
    if to is None:
        check(await version(connection, schema), schema)
    return ran


async def _require_server(connection: psycopg.AsyncConnection[Any]) -> None:
    major = connection.info.server_version // 10000
    if major < POSTGRESQL_AT_LEAST:
        raise StoreIncompatible(f"the server is PostgreSQL {major}; Ricordo needs {POSTGRESQL_AT_LEAST} or newer")
    cursor = await connection.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
    row = await cursor.fetchone()
    cursor = await connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    found = await cursor.fetchone() or row
    _require_pgvector(found and str(found[0]))


def _require_pgvector(found: str | None) -> None:
    if found is None:
        raise StoreIncompatible(
            "the server has no pgvector extension: install it (Debian: postgresql-NN-pgvector) or use another server"
        )
    if tuple(map(int, found.split(".")[:2])) < PGVECTOR_AT_LEAST:
        raise StoreIncompatible(
            f"the database has pgvector {found}; Ricordo needs 0.8 or newer: upgrade it on the server, "
            "then run ALTER EXTENSION vector UPDATE"
        )


async def _prepare(connection: psycopg.AsyncConnection[Any], schema: str, login: bool) -> None:
    """The schema, the extension, the application's role and the table of migrations."""
    name, role = sql.Identifier(schema), sql.Identifier(APP_ROLE)
    missing = await _missing(connection, schema, login)
    try:
        for statement in missing:
            # Roles belong to the whole server: a migration in another database may have been faster.
            with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
                async with connection.transaction():
                    await connection.execute(statement)
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreIncompatible(
            f"the database role {connection.info.user!r} cannot set up the store "
            f"({error.diag.message_primary}): set RICORDO_DATABASE_OWNER_URL to a role that can, or ask an "
            "administrator to run in this database: "
            + "; ".join(statement.as_string(connection) for statement in missing)
        ) from error
    await connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(name, role))
    table = sql.Identifier(schema, "schema_migrations")
    await connection.execute(
        sql.SQL(
            "CREATE TABLE IF NOT EXISTS {} (version integer PRIMARY KEY, name text NOT NULL, "
            "checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
        ).format(table)
    )
    await connection.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(table, role))


async def _missing(connection: psycopg.AsyncConnection[Any], schema: str, login: bool) -> list[sql.Composed]:
    """The statements that make what a store needs before its tables and does not have yet."""
    # Since PostgreSQL 16 a role can be a member of another and still not be allowed to become it.
    privilege = "SET" if connection.info.server_version >= 160000 else "MEMBER"
    cursor = await connection.execute(
        "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector'), to_regrole(%s) IS NOT NULL, "
        "coalesce(pg_has_role(to_regrole(%s), %s), false), to_regrole(%s) IS NOT NULL, to_regnamespace(%s) IS NOT NULL",
        [APP_ROLE, APP_ROLE, privilege, SQL_ROLE, schema],
    )
    extension, role, becomes, sql_role, made = await cursor.fetchone() or (False,) * 5
    names = {
        "role": sql.Identifier(APP_ROLE),
        "sql_role": sql.Identifier(SQL_ROLE),
        "login": sql.SQL("LOGIN" if login else "NOLOGIN"),
        "user": sql.Identifier(connection.info.user),
        "schema": sql.Identifier(schema),
    }
    statements = (
        (extension, "CREATE EXTENSION vector"),
        (role, "CREATE ROLE {role} {login}"),
        (becomes, "GRANT {role} TO {user}"),
        (sql_role, "CREATE ROLE {sql_role} NOLOGIN"),
        (made, "CREATE SCHEMA {schema} AUTHORIZATION {user}"),
    )
    return [sql.SQL(text).format(**names) for there, text in statements if not there]


def _included(package: str, path: str, sha256: str) -> str:
    spec = find_spec(package)  # imports nothing
    folders = (spec.submodule_search_locations if spec else None) or ()
    for file in (Path(folder) / path for folder in folders):
        if file.exists():
            content = file.read_bytes()
            if hashlib.sha256(content).hexdigest() == sha256:
                return content.decode()
    raise StoreIncompatible(
        f"the installed package {package!r} does not contain the expected {path}: "
        "install the version that Ricordo requires (pip install -U ricordo)"
    )


async def _applied(connection: psycopg.AsyncConnection[Any], migration: Migration) -> bool:
    cursor = await connection.execute("SELECT FROM schema_migrations WHERE version = %s", [migration.version])
    return await cursor.fetchone() is not None
