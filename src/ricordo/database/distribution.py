"""Spreading a store over the workers of a Citus cluster by user, so that what is one user's stays together.

Sources: Citus's documentation of create_distributed_table, create_reference_table, triggers on distributed tables
(citus.enable_unsafe_triggers), identity columns, row-level security and citus.propagate_set_commands, Citus 12 and 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from psycopg import sql

from ricordo.database import catalog, migrations
from ricordo.database.catalog import Table
from ricordo.database.failures import described
from ricordo.database.store import Transaction, owner
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings

#: Tables that stay on the coordinator: the queue, which has ids of its own, and what belongs to its jobs.
LOCAL = frozenset(
    [
        "procrastinate_jobs",
        "procrastinate_events",
        "procrastinate_workers",
        "procrastinate_periodic_defers",
        "job_outcomes",
    ]
)
#: Tables that every worker has a copy of: models, to which vectors refer, and the users of login roles, which are
#: looked up before a user is known.
REFERENCE = frozenset(["models", "sql_roles"])
#: The table that the others lie beside.
_FIRST = "users"


async def distribute(settings: Settings, dry_run: bool = False) -> list[str]:
    """Spread the store's tables, as far as they are not yet; returns the statements that did it, or would in a dry run.

    Raises StoreIncompatible where the server is no Citus coordinator, or the schema is not at this program's version.
    """
    async with owner(settings) as connection:
        migrations.check(await migrations.version(connection, settings.schema), settings.schema)
        if not dry_run:
            await _require_citus(connection, settings)
        async with connection.transaction():
            await connection.execute(
                sql.SQL("SET LOCAL search_path = {}, public, extensions").format(sql.Identifier(settings.schema))
            )
            done = await _placed(connection)
            tables = [each for each in await catalog.tables(connection) if each.name not in done]
            statements = plan(tables, await _keys_to_drop(connection), connection.info.dbname)
            texts = [each.as_string(connection) for each in statements]
            if not dry_run:
                for each in statements:
                    await connection.execute(each)
    return texts


def plan(tables: Sequence[Table], dropped: Sequence[tuple[str, str]], database: str) -> list[sql.Composed]:
    """The statements that spread these tables, none where none is to be. `tables` come with each behind those that it
    refers to; `dropped` are the tables and names of foreign keys between what stays and what goes."""
    spread = [each for each in tables if each.name not in LOCAL]
    if not spread:
        return []
    statements = [
        # Ours touch rows of the user alone whose row fires them, which lie on the same worker.
        sql.SQL("SET LOCAL citus.enable_unsafe_triggers = on").format(),
        # With it workers know whose rows a transaction may see, for row-level security.
        sql.SQL("ALTER DATABASE {} SET citus.propagate_set_commands = 'local'").format(sql.Identifier(database)),
        # Workers are reached as the role that asks.
        sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(migrations.APP_ROLE)),
    ]
    statements += [
        sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(sql.Identifier(table), sql.Identifier(name))
        for table, name in dropped
    ]
    for table in spread:
        if table.name in REFERENCE:
            statements += _reference(table.name)
    for table in sorted(spread, key=lambda each: each.name != _FIRST):
        if table.name not in REFERENCE:
            beside = sql.SQL("'none'") if table.name == _FIRST else sql.Literal(_FIRST)
            statements.append(
                sql.SQL("SELECT create_distributed_table({}, 'user_id', colocate_with => {})").format(
                    sql.Literal(table.name), beside
                )
            )
    return statements


def _reference(name: str) -> list[sql.Composed]:
    """A reference table has no identity of a small type; a sequence on the coordinator, where rows are made, gives its
    numbers."""
    steps: tuple[LiteralString, ...] = (
        "ALTER TABLE {table} ALTER COLUMN model DROP IDENTITY",
        "CREATE SEQUENCE {sequence} AS smallint",
        "SELECT setval({named}, (SELECT coalesce(max(model), 0) + 1 FROM {table}), false)",
        "ALTER TABLE {table} ALTER COLUMN model SET DEFAULT nextval({named})",
        "GRANT USAGE ON SEQUENCE {sequence} TO {role}",
        "SELECT create_reference_table({literal})",
    )
    values = {
        "table": sql.Identifier(name),
        "literal": sql.Literal(name),
        "sequence": sql.Identifier(f"{name}_numbers"),
        "named": sql.Literal(f"{name}_numbers"),
        "role": sql.Identifier(migrations.APP_ROLE),
    }
    return [sql.SQL(step).format(**values) for step in steps]


async def _require_citus(connection: Transaction, settings: Settings) -> None:
    cursor = await connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    if await cursor.fetchone() is None:
        where = described(settings.database_url) if settings.database_url else "the embedded server"
        raise StoreIncompatible(
            f"{where} does not have the extension citus: set RICORDO_DATABASE_URL to the coordinator of a Citus "
            "cluster, and run CREATE EXTENSION citus there"
        )


async def _placed(connection: Transaction) -> set[str]:
    """The tables that Citus knows of already."""
    cursor = await connection.execute("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL")
    row = await cursor.fetchone()
    if not (row and row[0]):
        return set()
    cursor = await connection.execute("SELECT relname::text FROM pg_dist_partition JOIN pg_class ON oid = logicalrelid")
    return {name async for (name,) in cursor}


async def _keys_to_drop(connection: Transaction) -> list[tuple[str, str]]:
    """(table, name) of foreign keys of the tables that stay to tables that are spread: Citus has none of these. The
    deletion of a user empties both kinds by itself."""
    cursor = await connection.execute(
        """
        SELECT c.relname::text, k.conname::text
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace
          AND c.relname = ANY(%(local)s) AND r.relname <> ALL(%(local)s)
        ORDER BY 1, 2
        """,
        {"local": sorted(LOCAL)},
    )
    return await cursor.fetchall()
