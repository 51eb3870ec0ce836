"""The SQL of backups: every row of a store out of it and into an empty one, in PostgreSQL's own binary form."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from psycopg import errors, sql

from ricordo.archive.portable_store import Unfit, carried_columns, latest_transaction
from ricordo.database import Table, Transaction

#: What PostgreSQL raises for a file that does not hold rows of the table.
Damaged = (*Unfit, errors.BadCopyFileFormat, errors.ProtocolViolation)
#: What it raises where row-level security would hide rows from the role.
Hidden = errors.InsufficientPrivilege


async def begin_reading(tx: Transaction, schema: str) -> None:
    """See the whole store as it is at this moment, or fail where a part of it would be hidden."""
    await tx.execute(
        sql.SQL(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path = {}, public, extensions; "
            "SET LOCAL row_security = off; SET LOCAL synchronize_seqscans = off"
        ).format(sql.Identifier(schema))
    )


async def rows_of(tx: Transaction, table: Table) -> AsyncIterator[bytes]:
    """A table's rows as COPY writes them. Raises Hidden."""
    query = sql.SQL("COPY ({latest}SELECT {columns} FROM {table}) TO STDOUT (FORMAT binary)").format(
        latest=latest_transaction(table),
        columns=sql.SQL(", ").join(carried_columns(table, table.columns, loose_numbers=True)),
        table=sql.Identifier(table.name),
    )
    async with tx.cursor() as cursor, cursor.copy(query) as copy:
        async for piece in copy:
            yield bytes(piece)


async def count(tx: Transaction, table: Table) -> int:
    """How many rows a table has."""
    cursor = await tx.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table.name)))
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def sequences(tx: Transaction) -> dict[str, int]:
    """The last number that each sequence of the store gave; 0 for none."""
    cursor = await tx.execute(
        "SELECT sequencename::text, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema()"
    )
    return dict(await cursor.fetchall())


async def set_sequences(tx: Transaction, numbers: Mapping[str, int]) -> None:
    """Let each sequence of the store go on behind these numbers."""
    for name, last in numbers.items():
        await tx.execute("SELECT setval(%s::regclass, greatest(%s, 1), %s > 0)", [name, last, last])


async def schema_is_there(tx: Transaction, schema: str) -> bool:
    """Whether Ricordo's tables are in this schema."""
    cursor = await tx.execute("SELECT to_regclass(%s) IS NOT NULL", [f"{schema}.schema_migrations"])
    row = await cursor.fetchone()
    return bool(row and row[0])


async def holds_others(tx: Transaction) -> bool:
    """Whether the schema holds what removing an empty store would remove with it: views of the user's, or all that is
    in PostgreSQL's own schema."""
    cursor = await tx.execute(
        """
        SELECT current_schema() = 'public' OR EXISTS (
            SELECT FROM pg_views WHERE schemaname = current_schema()
            AND viewname NOT IN ('memories_v', 'memory_access_logs_v'))
        """
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def drop_schema(tx: Transaction, schema: str) -> None:
    """Remove an empty store."""
    await tx.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))


async def look_at(tx: Transaction, schema: str) -> None:
    """Let names mean what is in this schema until the transaction ends."""
    await tx.execute(sql.SQL("SET LOCAL search_path = {}, public, extensions").format(sql.Identifier(schema)))


async def forced(tx: Transaction) -> list[str]:
    """The tables whose policies bind their owner too."""
    cursor = await tx.execute(
        "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relforcerowsecurity"
    )
    return [name async for (name,) in cursor]


async def set_guards(tx: Transaction, tables: Sequence[Table], forced: Sequence[str], on: bool) -> None:
    """Turn triggers, and the policies' hold on the owner, off while rows are brought back as they were; or on again."""
    for table in tables:
        name = sql.Identifier(table.name)
        await tx.execute(sql.SQL("ALTER TABLE {} {} TRIGGER USER").format(name, sql.SQL("ENABLE" if on else "DISABLE")))
        if table.name in forced:
            force = sql.SQL("FORCE" if on else "NO FORCE")
            await tx.execute(sql.SQL("ALTER TABLE {} {} ROW LEVEL SECURITY").format(name, force))


async def bring_back(tx: Transaction, table: Table, pieces: Iterator[bytes]) -> int:
    """Fill a table with what `rows_of` gave; returns how many rows. Raises one of Damaged."""
    query = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, table.columns))
    )
    await tx.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)))
    async with tx.cursor() as cursor:
        async with cursor.copy(query) as copy:
            for piece in pieces:
                await copy.write(piece)
        return cursor.rowcount


async def analyze(tx: Transaction, tables: Sequence[Table]) -> None:
    """Let the planner know the tables as they are now."""
    for table in tables:
        await tx.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table.name)))
