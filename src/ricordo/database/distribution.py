"""Distributes a store over the workers of a Citus cluster by user, so that each user's rows stay together.

Not supported yet: written for what a cluster demanded in a manual test, and not confirmed on one. Sources: Citus's
documentation of create_distributed_table, create_reference_table, triggers on distributed tables
(citus.enable_unsafe_triggers), identity columns, row-level security and citus.propagate_set_commands, Citus 12 to 14.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg import sql

from ricordo.database import catalog, migrations, scoping
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
#: Tables that are copied to every worker: models, to which vectors refer, and the users of login roles. The latter are
#: looked up before a user is known.
REFERENCE = frozenset(["models", "sql_roles"])
#: The table that the others lie beside.
_FIRST = "users"
#: A policy without a sub-select, which Citus refuses on these tables. On one node it would tell the planner whose rows
#: are read (0003).
_POLICY = "CREATE POLICY tenant ON {table} USING (user_id = tenant_id()) WITH CHECK (user_id = tenant_id())"
#: That of a table which tenant_id() itself reads.
_POLICIES: dict[str, LiteralString] = {
    "sql_roles": "CREATE POLICY tenant ON {table} TO {role} "
    "USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)"
}


#: A reference table has no identity of a small type; a sequence on the coordinator gives its numbers.
_NUMBERED: Sequence[LiteralString] = (
    "ALTER TABLE {table} ALTER COLUMN model DROP IDENTITY IF EXISTS",
    "CREATE SEQUENCE {sequence} AS smallint",
    "SELECT setval({named}, (SELECT coalesce(max(model), 0) + 1 FROM {table}), false)",
    "ALTER TABLE {table} ALTER COLUMN model SET DEFAULT nextval({named})",
)


@dataclass(frozen=True)
class Trigger:
    name: str
    #: The statement that creates it.
    statement: str


@dataclass(frozen=True)
class Key:
    """A foreign key."""

    table: str
    name: str
    refers_to: str
    #: The text after ADD CONSTRAINT … in the statement that creates it.
    definition: str


@dataclass(frozen=True)
class Found:
    """The parts of a store that are not distributed yet."""

    #: The tables that are not distributed yet, each after those that it refers to.
    tables: Sequence[Table]
    triggers: dict[str, list[Trigger]]
    keys: Sequence[Key]
    #: Tables with the policy `tenant`, and those that are bound by their policies even for the owner.
    policies: frozenset[str]
    forced: frozenset[str]
    #: Whether the last step is still to be done.
    is_open: bool


async def distribute(settings: Settings, dry_run: bool = False) -> list[str]:
    """Spread the store's tables, where they are not yet; returns the statements that did it, or would in a dry run.

    Each step is a transaction of its own, and what an interrupted run has done is found done by the next one.
    Raises StoreIncompatible where the server is no Citus coordinator, or the schema is not at this program's version.
    """
    async with owner(settings) as connection:
        migrations.check(await migrations.version(connection, settings.schema), settings.schema)
        if not dry_run:
            await _require_citus(connection, settings)
        path = sql.SQL("SET search_path = {}, public, extensions").format(sql.Identifier(settings.schema))
        await connection.execute(path)
        steps = plan(await find(connection, settings.schema), settings.schema, connection.info.dbname)
        texts = [path.as_string(connection)] if steps else []
        for step in steps:
            texts += ["BEGIN", *(each.as_string(connection) for each in step), "COMMIT"]
            if not dry_run:
                async with connection.transaction():
                    for each in step:
                        await connection.execute(each)
    return texts


def plan(found: Found, schema: str, database: str) -> list[list[sql.Composed]]:
    """The steps that distribute a store; empty if it is distributed. Each step runs in one transaction."""
    names = {"schema": sql.Identifier(schema), "role": sql.Identifier(migrations.APP_ROLE)}
    if not found.tables and not found.is_open:
        return []
    begin = [
        # With it workers know whose rows a transaction may see, for row-level security.
        sql.SQL("ALTER DATABASE {} SET citus.propagate_set_commands = 'local'").format(sql.Identifier(database)),
        # Workers are reached as the role that asks.
        sql.SQL("ALTER ROLE {role} LOGIN").format(**names),
        # Whoever owns the views must be allowed to create them on the workers.
        sql.SQL("GRANT CREATE ON SCHEMA {schema} TO {role}").format(**names),
        *map(_dropped, _keys_to_leave_out(found.keys)),
    ]
    end = [sql.SQL("REVOKE CREATE ON SCHEMA {schema} FROM {role}").format(**names)]
    return [begin, *(_step(group, found) for group in _groups(found)), end]


def _keys_to_leave_out(keys: Iterable[Key]) -> list[Key]:
    """Keys that Citus does not support: from local or copied tables to distributed ones. Deleting a user removes the
    user's rows from these tables without them."""
    stays = LOCAL | REFERENCE
    return [key for key in keys if key.table in stays and key.refers_to not in stays]


def _groups(found: Found) -> list[list[Table]]:
    """The tables that go in one step each: a copied table goes together with those that refer to it, whose keys are
    away meanwhile."""
    left = [each for each in found.tables if each.name not in LOCAL]
    referring = {name: {key.table for key in found.keys if key.refers_to == name} for name in REFERENCE}
    groups: list[list[Table]] = []
    grouped: set[str] = set()
    for name in sorted(REFERENCE):
        group = [each for each in left if each.name == name or each.name in referring[name]]
        grouped |= {each.name for each in group}
        groups.append(sorted(group, key=lambda each: each.name not in REFERENCE))
    single = [[each] for each in left if each.name not in grouped]
    first = [each for each in single if each[0].name == _FIRST]
    return [*first, *(each for each in groups if each), *(each for each in single if each not in first)]


def _step(group: Sequence[Table], found: Found) -> list[sql.Composed]:
    """The statements that put tables where they belong, with their triggers, policies and keys as they were."""
    names = [each.name for each in group]
    keys = [
        key
        for key in found.keys
        if key.refers_to in REFERENCE and key.table in names and key not in _keys_to_leave_out(found.keys)
    ]
    return [
        # Parts of one table after the other, since keys lead to copied tables.
        sql.SQL("SET LOCAL citus.multi_shard_modify_mode = 'sequential'").format(),
        # Ours touch rows of the user alone whose row fires them, which lie on the same worker.
        sql.SQL("SET LOCAL citus.enable_unsafe_triggers = on").format(),
        *map(_dropped, keys),
        *(statement for name in names for statement in _placed(name, found)),
        *(
            sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} {}").format(
                sql.Identifier(key.table), sql.Identifier(key.name), sql.SQL(key.definition)
            )
            for key in keys
        ),
    ]


def _placed(name: str, found: Found) -> list[sql.Composed]:
    """The statements that put one table where it belongs."""
    steps: list[LiteralString] = []
    triggers = found.triggers.get(name, [])
    if name == "models":
        steps += _NUMBERED
    # They would fire again for each row that is copied.
    dropped = [
        sql.SQL("DROP TRIGGER {} ON {}").format(sql.Identifier(each.name), sql.Identifier(name)) for each in triggers
    ]
    if name in found.policies:
        steps += ["DROP POLICY tenant ON {table}", _POLICIES.get(name, _POLICY)]
    # An owner that is no superuser would copy no row.
    if name in found.forced:
        steps.append("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    if name in REFERENCE:
        steps.append("SELECT create_reference_table({literal})")
    elif name == _FIRST:
        steps.append("SELECT create_distributed_table({literal}, 'user_id', colocate_with => 'none')")
    else:
        steps.append("SELECT create_distributed_table({literal}, 'user_id', colocate_with => {first})")
    if name in found.forced:
        steps.append("ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    values = {
        "table": sql.Identifier(name),
        "literal": sql.Literal(name),
        "first": sql.Literal(_FIRST),
        "sequence": sql.Identifier(f"{name}_numbers"),
        "named": sql.Literal(f"{name}_numbers"),
        "role": sql.Identifier(migrations.APP_ROLE),
    }
    return [
        *dropped,
        *(sql.SQL(step).format(**values) for step in steps),
        *(sql.Composed([sql.SQL(each.statement)]) for each in triggers),
    ]


def _dropped(key: Key) -> sql.Composed:
    return sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(sql.Identifier(key.table), sql.Identifier(key.name))


async def find(connection: Transaction, schema: str) -> Found:
    """The parts of the current schema that are not distributed yet."""
    placed = await scoping.placed_tables(connection, schema)
    tables = [each for each in await catalog.tables(connection) if each.name not in placed.keys() | LOCAL]
    triggers: defaultdict[str, list[Trigger]] = defaultdict(list)
    cursor = await connection.execute(
        """
        SELECT c.relname::text, t.tgname::text, pg_get_triggerdef(t.oid, true)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2
        """
    )
    async for table, name, statement in cursor:
        triggers[table].append(Trigger(name, statement))
    cursor = await connection.execute(
        """
        SELECT c.relname::text, k.conname::text, r.relname::text, pg_get_constraintdef(k.oid, true)
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace AND k.conparentid = 0
        ORDER BY 1, 2
        """
    )
    keys = [Key(*row) for row in await cursor.fetchall()]
    cursor = await connection.execute(
        "SELECT tablename::text FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'tenant'"
    )
    policies = frozenset([name async for (name,) in cursor])
    cursor = await connection.execute(
        "SELECT relname::text FROM pg_class WHERE relforcerowsecurity AND relnamespace = current_schema()::regnamespace"
    )
    forced = frozenset([name async for (name,) in cursor])
    cursor = await connection.execute(
        "SELECT has_schema_privilege(%s, current_schema(), 'CREATE')", [migrations.APP_ROLE]
    )
    [[is_open]] = await cursor.fetchall()
    return Found(tables, triggers, keys, policies, forced, is_open)


async def lacking(connection: Transaction, schema: str) -> list[str] | None:
    """What the current schema lacks to be fully distributed; None if it is not distributed."""
    if not await scoping.placed_tables(connection, schema):
        return None
    found = await find(connection, schema)
    lacks = [f"{each.name} is not distributed" for each in found.tables]
    lacks += [f"{key.table} has the foreign key {key.name}" for key in _keys_to_leave_out(found.keys)]
    if found.is_open and not lacks:
        lacks.append(f"{migrations.APP_ROLE} may create tables")
    cursor = await connection.execute("SELECT current_setting('citus.propagate_set_commands', true)")
    if await cursor.fetchone() != ("local",):
        lacks.append("citus.propagate_set_commands is not local")
    return lacks


async def _require_citus(connection: Transaction, settings: Settings) -> None:
    cursor = await connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    if await cursor.fetchone() is None:
        where = described(settings.database_url) if settings.database_url else "the embedded server"
        raise StoreIncompatible(
            f"{where} does not have the extension citus: set RICORDO_DATABASE_URL to the coordinator of a Citus "
            "cluster, and run CREATE EXTENSION citus there"
        )
