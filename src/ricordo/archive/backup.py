"""A whole store as one file, and back into an empty one: every user, with all that is derived.

The file holds rows in PostgreSQL's binary form and no SQL: the tables are made by this program's own migrations, up to
the version that the backup was of, and brought to the newest with the rows in them. So backups of older Ricordos come
back, into any schema and any server, and a file that somebody tampered with can put in rows and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ricordo import database
from ricordo.archive import backup_store as store
from ricordo.archive import files
from ricordo.database import Table, Transaction, catalog, migrations
from ricordo.errors import StoreIncompatible, UnreadableSource
from ricordo.models import ArchiveFile, LoadReceipt, Progress
from ricordo.settings import Settings

FORMAT, VERSION = "ricordo-backup", 2
#: Tables in which a store that nobody has used yet has rows.
_OF_NOBODY = frozenset(["models", "procrastinate_workers", "procrastinate_periodic_defers"])
_PIECE = 1 << 20


async def backup(settings: Settings, target: Path, progress: Progress | None = None) -> ArchiveFile:
    """Write the whole store of these settings to a file, as it is at one moment, while others go on writing to it.

    The file is read again and compared before it appears under its name, so it is never incomplete. Writing is the
    first half of the `progress`, reading the second. Raises StoreIncompatible if there is no store yet or the owner's
    role cannot see all of it, and OSError.
    """
    with files.written(target) as file:
        with files.Writer(file) as writer:
            async with database.owner(settings) as connection:
                found = await migrations.version(connection, settings.schema)
                if not 0 < found <= migrations.latest():
                    migrations.check(found, settings.schema)
                await store.begin_reading(connection, settings.schema)
                await _write(connection, writer, progress)
                manifest = writer.finish(
                    format=FORMAT,
                    version=VERSION,
                    ricordo=version("ricordo"),
                    schema_version=found,
                    created_at=datetime.now(UTC),
                    sequences=await store.sequences(connection),
                )
        size = file.tell()
        read = progress and (lambda done, total: progress(total + done, 2 * total))
        with files.opened(file, FORMAT, VERSION, read) as reader:
            await asyncio.to_thread(reader.check)
    return ArchiveFile(path=str(target), manifest=manifest, size=size)


async def restore(settings: Settings, source: Path, progress: Progress | None = None) -> LoadReceipt:
    """Bring a backup back into the store of these settings, which must be new or empty: all of it, or nothing.

    Raises UnreadableSource for a damaged backup or one of a newer Ricordo; StoreIncompatible where the store has
    something already.
    """
    with files.opened(source, FORMAT, VERSION, progress, readings=2) as reader:
        await asyncio.to_thread(reader.check)
        told = reader.manifest
        if told.version < VERSION:
            raise UnreadableSource(
                f"{reader.name} was made by an unreleased Ricordo version that this version cannot upgrade: restore "
                "it with that version and run `ricordo export FILE --user NAME` for each user. Then run `ricordo "
                "import FILE --user NAME` with this version"
            )
        if told.schema_version > migrations.latest():
            raise UnreadableSource(
                f"{reader.name} has schema version {told.schema_version}, but this Ricordo supports versions up to "
                f"{migrations.latest()}: upgrade Ricordo (pip install -U ricordo)"
            )
        async with database.owner(settings) as connection:
            async with connection.transaction():
                await migrations.lock(connection)
                await _require_empty(connection, settings, told.schema_version)
                login = settings.database_url is None
                await migrations.migrate(connection, settings.schema, login, told.schema_version)
                await store.look_at(connection, settings.schema)
                await _bring_back(connection, reader)
                await migrations.migrate(connection, settings.schema, login)
            async with connection.transaction():
                await store.look_at(connection, settings.schema)
                await store.analyze(connection, await catalog.tables(connection))
    return LoadReceipt(status="stored", rows={name: part.rows for name, part in told.files.items()})


def check_backup(source: Path, progress: Progress | None = None) -> ArchiveFile:
    """Read a backup from end to end and compare it with its checksums. Raises UnreadableSource."""
    with files.opened(source, FORMAT, VERSION, progress) as reader:
        reader.check()
        return ArchiveFile(path=reader.name, manifest=reader.manifest, size=reader.size)


async def _write(connection: Transaction, writer: files.Writer, progress: Progress | None) -> None:
    try:
        tables = await catalog.tables(connection)
        counts = [await store.count(connection, each) for each in tables]
        done = 0
        for table, rows in zip(tables, counts, strict=True):
            with writer.part(f"{table.name}.copy", table.columns) as write:
                held = bytearray()
                async for piece in store.rows_of(connection, table):
                    held += piece
                    done += 1  # one piece is one row; a table's first has its header as well
                    if len(held) >= _PIECE:
                        await asyncio.to_thread(write, bytes(held), 0)
                        held.clear()
                        if progress is not None:
                            progress(min(done, sum(counts)), 2 * sum(counts))
                await asyncio.to_thread(write, bytes(held), rows)
    except store.Hidden as error:
        raise StoreIncompatible(
            f"the role {connection.info.user!r} cannot read all users' rows, which a backup requires: set "
            "RICORDO_DATABASE_OWNER_URL to a superuser or a role with BYPASSRLS, or export each user "
            "(ricordo export FILE --user NAME)"
        ) from error


async def _require_empty(connection: Transaction, settings: Settings, version: int) -> None:
    """See that nothing is in the store; where it is at another version, it is made anew."""
    schema = settings.schema
    if not await store.schema_is_there(connection, schema):
        return
    await store.look_at(connection, schema)
    tables = await catalog.tables(connection)
    # An owner whom policies bind sees no users here, but sees the job of each that is never done.
    full = [each.name for each in tables if each.name not in _OF_NOBODY and await store.count(connection, each)]
    there = await migrations.version(connection, schema)
    if full or (there != version and await store.holds_others(connection)):
        what = f"has something in it ({', '.join(full[:3])})" if full else f"has version {there}, not {version}"
        raise StoreIncompatible(
            f"schema {schema!r} {what}, but a backup can only be restored into a new store: set RICORDO_HOME to a new "
            "folder, or RICORDO_SCHEMA to a new name"
        )
    if there != version:
        await store.drop_schema(connection, schema)


async def _bring_back(connection: Transaction, reader: files.Reader) -> None:
    tables = await catalog.tables(connection)
    _require_same(reader, tables)
    forced = await store.forced(connection)
    await store.set_guards(connection, tables, forced, on=False)
    for table in tables:
        part = f"{table.name}.copy"
        try:
            rows = await store.bring_back(connection, table, reader.pieces(part))
        except store.Damaged as error:
            reason = (error.diag.message_primary or str(error)).splitlines()[0][:200]
            raise UnreadableSource(f"{reader.name}, {part}: {reason}; nothing was restored") from error
        if rows != (told := reader.manifest.files[part].rows):
            raise UnreadableSource(
                f"{reader.name} is damaged: {part} has {rows:,} rows, but the manifest lists {told:,}"
            )
    known = await store.sequences(connection)
    given = reader.manifest.sequences
    await store.set_sequences(connection, {name: given.get(name, 0) for name in known})
    await store.set_guards(connection, tables, forced, on=True)


def _require_same(reader: files.Reader, tables: Sequence[Table]) -> None:
    wanted = {f"{each.name}.copy": each.columns for each in tables}
    given = {name: part.columns for name, part in reader.manifest.files.items()}
    odd = sorted(name for name in wanted.keys() | given.keys() if wanted.get(name) != given.get(name))
    if odd:
        raise UnreadableSource(
            f"{reader.name} has schema version {reader.manifest.schema_version}, but {odd[0]} does not match that "
            "version: the file was written by another program or by an unreleased Ricordo version"
        )
