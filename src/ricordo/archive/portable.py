"""A user's memory as one file, and back: JSON Lines in a zip, one file for each table (see docs/format.md).

What is derived from the texts is left out and made again: search terms at once, vectors in the background.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, TypeVar
from uuid import UUID

from ricordo import accounts, audit, jobs, keywords, review
from ricordo.archive import backup_store, files, soundness
from ricordo.archive import portable_store as store
from ricordo.archive.outsiders import DECIDING, POLICIES, Outsiders
from ricordo.database import Database, Table, Transaction, catalog, schema_version
from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.models import ArchiveFile, LoadReceipt, Manifest, Progress, UserSettings
from ricordo.text import memory_terms
from ricordo.times import parsed

#: The format's name, and its version: higher where what older archives hold has to be read in another way. Version 1
#: is of unreleased Ricordos: its `schema_version` counts other migrations, and its seals are hashed in another way.
FORMAT, VERSION = "ricordo-archive", 2
#: Rows, and bytes, that are read or written at a time.
_ROWS, _BYTES = 500, 4_000_000
#: Files in which a user who is not new may have rows of their own: they add up.
_ADD_UP = frozenset(["users", "activity", "access_log"]) | DECIDING
_JOBS = "jobs.jsonl"
_TIME = "timestamp with time zone"
_Result = TypeVar("_Result")
#: Numbers of transactions lie below all that a store gives itself, so that nothing of it is mistaken for an archive's.
_HIGHEST = {"access_log": {"xid": -1}, "access_seals": {"first_xid": 0, "end_xid": 0}}


async def save(
    database: Database,
    user_id: UUID,
    user: str,
    target: Path | BinaryIO,
    progress: Progress | None = None,
) -> ArchiveFile:
    """Write everything that is the user's into an archive, as it is at one moment; a file appears whole or not at all.

    The access log tells of it afterwards. Raises OSError where the file cannot be written, and StoreError.
    """
    with files.written(target) as file:
        with files.Writer(file) as writer:
            await _write(database, user_id, writer, progress)
            manifest = writer.finish(
                format=FORMAT,
                version=VERSION,
                ricordo=version("ricordo"),
                schema_version=schema_version(),
                created_at=datetime.now(UTC),
                user=user,
            )
        size = file.tell()
    if sum(each.rows for each in manifest.files.values()):
        async with database.tenant(user_id) as tx:
            context = {"archive": digest(manifest).hex(), "memories": manifest.files["memories.jsonl"].rows}
            await audit.log(tx, user_id, audit.Actor(), "export", [], context)
    return ArchiveFile(path=target.name if isinstance(target, Path) else None, manifest=manifest, size=size)


async def _write(database: Database, user_id: UUID, writer: files.Writer, progress: Progress | None) -> None:
    async with database.tenant(user_id) as tx:
        await store.begin_reading(tx)
        tables = await _carried(tx)
        total = sum([await backup_store.count(tx, each) for each in tables]) if progress is not None else 0
        done = 0
        for table in tables:
            with writer.part(f"{table.name}.jsonl", store.fields(table)) as write:
                async for lines in store.lines(tx, table, _ROWS):
                    await asyncio.to_thread(write, _joined(lines), len(lines))
                    done += len(lines)
                    if progress is not None:
                        progress(done, total)
        with writer.part(_JOBS, store.JOB_FIELDS) as write:
            lines = await store.job_lines(tx)
            write(_joined(lines), len(lines))


def check(source: Path | BinaryIO, progress: Progress | None = None) -> ArchiveFile:
    """Read an archive from end to end and compare it with its checksums. Raises UnreadableSource."""
    with files.opened(source, FORMAT, VERSION, progress) as reader:
        reader.check()
        return ArchiveFile(path=reader.name, manifest=reader.manifest, size=reader.size)


async def load(
    database: Database,
    user_id: UUID,
    user: str,
    source: Path | BinaryIO,
    dry_run: bool = False,
    trusted: bool = False,
    noted: Callable[[Transaction, LoadReceipt], Awaitable[None]] | None = None,
    progress: Progress | None = None,
) -> LoadReceipt:
    """Bring an archive into the memory of a user who has none yet: all of it in one transaction, or nothing.

    Unless it is `trusted`, the policies that the user has already hold for it, and it decides nothing for the user
    (ricordo.archive.outsiders): an archive has nothing by which it could show whose it is. The same archive again
    changes nothing, also where the user has gone on since; but that what was left out of it is taken over once it is
    trusted. `noted` is called in the transaction that loads it, with what came of it. Raises UnreadableSource for a
    damaged or hostile archive, naming file and line; InvalidInput for a user who has something already, and for what
    the user's policies keep out; StoreError.
    """
    with files.opened(source, FORMAT, VERSION, progress, readings=2) as reader:
        await asyncio.to_thread(reader.check)
        _require_known_schema(reader)
        told = LoadReceipt(status="duplicate", rows={}, dry_run=dry_run, of=reader.manifest.user, user=user)
        known_by = digest(reader.manifest)
        async with database.tenant(user_id) as tx:
            await accounts.lock(tx, user_id, user)
            tables = await _carried(tx)
            before = await store.was_loaded(tx, known_by)
            if before or (before is False and not trusted):
                return told
            gate = None if trusted else Outsiders(await review.policies(tx))
            loading = _Loading(tx, user_id, reader, gate)
            if trusted and await accounts.user_settings(tx) == UserSettings():
                await accounts.reset_settings(tx, user_id)  # the defaults are no choice that would have to stay
            if before is None:
                await _require_new(tx, tables, user)
                await loading.run(tables)
            else:
                await loading.take_over(tables)
            await store.note_loaded(tx, user_id, known_by, trusted)
            told = told.model_copy(update={"status": "stored", "rows": loading.came, "left_out": loading.left_out()})
            if noted is not None:
                await noted(tx, told)
            if dry_run:
                await tx.rollback()
    return told


async def described(database: Database, user_id: UUID) -> dict[str, dict[str, str]]:
    """The files of an archive, each with the SQL types of its fields."""
    async with database.tenant(user_id) as tx:
        found = {f"{table.name}.jsonl": store.fields(table) for table in await _carried(tx)}
    return dict(sorted({**found, _JOBS: store.JOB_FIELDS}.items()))


def digest(manifest: Manifest) -> bytes:
    """What tells an archive's content from that of every other one: sha256 over its files' checksums."""
    parts = {name: part.sha256 for name, part in manifest.files.items()}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


async def _carried(tx: Transaction) -> Sequence[Table]:
    """The tables of an archive, in an order in which rows can go in."""
    return [each for each in await catalog.tables(tx) if each.of_users and each.name not in store.LEFT_OUT]


def _joined(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _require_known_schema(reader: files.Reader) -> None:
    if reader.manifest.version > 1 and reader.manifest.schema_version > schema_version():
        raise UnreadableSource(
            f"{reader.name} was written by Ricordo {reader.manifest.ricordo:.20} with schema version "
            f"{reader.manifest.schema_version}, but this Ricordo supports versions up to {schema_version()}: "
            "upgrade Ricordo (pip install -U ricordo)"
        )


async def _require_new(tx: Transaction, tables: Sequence[Table], user: str) -> None:
    taken = await store.occupied(tx, [each for each in tables if each.name not in _ADD_UP])
    if taken:
        raise InvalidInput(
            "user",
            f"user {user!r} already has data ({', '.join(taken[:3])}{', …' if len(taken) > 3 else ''}), and an export "
            "cannot be merged: import it for a new user (--user NAME), or delete this one (ricordo user delete)",
        )


class _Loading:
    """The loading of one archive within one transaction."""

    def __init__(self, tx: Transaction, user_id: UUID, reader: files.Reader, gate: Outsiders | None) -> None:
        self._tx = tx
        self._user_id = user_id
        self._reader = reader
        self._gate = gate
        #: Rows by file.
        self.came: dict[str, int] = {}
        self._left_out: dict[str, int] = {}

    def left_out(self) -> dict[str, int]:
        """What did not come, as `LoadReceipt` tells it."""
        policies = {"profiles.jsonl": self._gate.without_policies} if self._gate else {}
        return {name: rows for name, rows in {**self._left_out, **policies}.items() if rows}

    async def take_over(self, tables: Sequence[Table]) -> None:
        """Take over what was left out when the same archive was loaded untrusted."""
        for table in tables:
            if table.name in DECIDING:
                await self._table(table)
            elif table.name == "profiles":
                await self._policies(table)
        if _JOBS in self._reader.manifest.files:
            await self._jobs()
        await self._guarded(store.check_constraints(self._tx), "the whole")

    async def run(self, tables: Sequence[Table]) -> None:
        parts = self._reader.manifest.files
        odd = sorted(parts.keys() - {f"{each.name}.jsonl" for each in tables} - {_JOBS})
        if odd:
            raise UnreadableSource(f"{self._reader.name} contains {odd[0]}, which does not belong in an export")
        for table in tables:
            await self._table(table)
        if _JOBS in parts and self._gate is None:
            await self._jobs()
        elif _JOBS in parts:
            self._left_out[_JOBS] = parts[_JOBS].rows
        await self._guarded(store.check_constraints(self._tx), "the whole")
        await self._guarded(self._derive(), "the whole")
        found = await soundness.examine(self._tx, terms=False)
        if not found.sound:
            first = found.found[0]
            raise UnreadableSource(
                f"{self._reader.name} is inconsistent: {first.rows:,} {first.rule}, such as {first.examples[0]}; "
                "nothing was imported"
            )

    async def _table(self, table: Table) -> None:
        part = f"{table.name}.jsonl"
        if self._gate is not None and table.name in DECIDING:
            self._left_out[part] = self._reader.manifest.files[part].rows if part in self._reader.manifest.files else 0
            return
        async for before, names, texts in self._lines(table):
            if self._gate is not None:
                texts = await asyncio.to_thread(self._gate.rows, table, texts, self._reader.name, before)
            if table.name == "users":
                if before or len(texts) > 1:
                    raise UnreadableSource(
                        f"{self._reader.name}, {part} contains several users; an export must contain one user"
                    )
                await self._guarded(store.update_user(self._tx, self._user_id, table, names, texts[0]), part)
                came = 1
            else:
                came = await self._insert(table, names, texts, part, before)
            self.came[part] += came
            self._left_out[part] = self._left_out.get(part, 0) + len(texts) - came

    async def _policies(self, table: Table) -> None:
        async for _, _, texts in self._lines(table):
            taken = await self._guarded(
                store.take_policies(self._tx, POLICIES, f"[{','.join(texts)}]"), "profiles.jsonl"
            )
            self.came["profiles.jsonl"] += taken

    async def _lines(self, table: Table) -> AsyncIterator[tuple[int, list[str], list[str]]]:
        """Checked lines of a table's file, in batches: how many were before, their fields, and the lines."""
        part = f"{table.name}.jsonl"
        if part not in self._reader.manifest.files:
            return
        self.came[part] = number = 0
        names = list(self._reader.manifest.files[part].columns)
        odd = [name for name in names if name not in store.fields(table)]
        if odd:
            raise UnreadableSource(f"{self._reader.name}, {part} has the unknown field {odd[0]!r:.50}")
        times = [name for name in names if table.columns[name] == _TIME]
        async for batch in self._batches(part):
            checked = []
            for at, line in enumerate(batch, number + 1):
                where = f"{self._reader.name}, {part}, line {at}"
                checked.append(_line(line, names, where, _HIGHEST.get(table.name), times))
            yield number, names, checked
            number += len(batch)
        self._require_rows(part, number)

    async def _insert(self, table: Table, names: list[str], texts: list[str], part: str, before: int) -> int:
        """Insert lines at once; where that fails one by one, to tell which of them it is. Returns how many came."""
        try:
            async with self._tx.transaction():
                return await store.insert(self._tx, self._user_id, table, names, f"[{','.join(texts)}]")
        except store.Unfit:
            pass
        came = 0
        for number, text in enumerate(texts, before + 1):
            insertion = store.insert(self._tx, self._user_id, table, names, f"[{text}]")
            came += await self._guarded(insertion, f"{part}, line {number}")
        return came

    async def _jobs(self) -> None:
        number = 0
        async for batch in self._batches(_JOBS):
            for line in batch:
                number += 1
                where = f"{_JOBS}, line {number}"
                job = json.loads(_line(line, list(store.JOB_FIELDS), f"{self._reader.name}, {where}"))
                args, due = job["args"] or {}, job["scheduled_at"]
                try:
                    at = None if due is None else datetime.fromisoformat(due)
                    enqueued = jobs.enqueue(self._tx, str(job["task"]), args, lock=job["lock"], at=at)
                    await self._guarded(enqueued, where)
                except (TypeError, ValueError, AttributeError) as error:
                    raise UnreadableSource(f"{self._reader.name}, {where}: {error}") from error
        self._require_rows(_JOBS, number)
        self.came[_JOBS] = number

    async def _batches(self, part: str) -> AsyncIterator[list[bytes]]:
        reading = self._reader.batches(part, _ROWS, _BYTES)
        while (batch := await asyncio.to_thread(next, reading, None)) is not None:
            yield batch

    def _require_rows(self, part: str, number: int) -> None:
        told = self._reader.manifest.files[part].rows
        if number != told:
            raise UnreadableSource(
                f"{self._reader.name} is damaged: {part} has {number:,} lines, but the manifest lists {told:,}"
            )

    async def _guarded(self, statement: Awaitable[_Result], where: str) -> _Result:
        try:
            return await statement
        except store.Unfit as error:
            reason = (error.diag.message_primary or str(error)).splitlines()[0][:200]
            raise UnreadableSource(f"{self._reader.name}, {where}: {reason}; nothing was imported") from error

    async def _derive(self) -> None:
        await store.derive(self._tx)
        async for batch in store.drawers(self._tx, _ROWS):
            made = [
                keywords.Indexed(room, drawer, memory_terms(content, speaker, said_at, language))
                for room, drawer, content, speaker, said_at, language in batch
            ]
            await keywords.add_postings(self._tx, self._user_id, made)
        while await keywords.index_waiting(self._tx, self._user_id):
            pass
        await store.count_terms(self._tx)
        await store.count_days(self._tx)


def _line(
    line: bytes,
    names: Sequence[str],
    where: str,
    highest: Mapping[str, int] | None = None,
    times: Sequence[str] = (),
) -> str:
    """A line's text, once it is known to be one JSON object with just these fields, whose times and numbers others can
    read too: PostgreSQL has more of them than they."""
    try:
        text = line.decode("utf-8")
        read = json.loads(text, parse_float=_finite)
    except RecursionError:
        raise UnreadableSource(f"{where} is nested too deeply") from None
    except ValueError as error:
        raise UnreadableSource(f"{where} is not valid JSON in UTF-8: {error!s:.100}") from None
    if not isinstance(read, dict) or read.keys() != {*names}:
        odd = sorted({*read} ^ {*names}) if isinstance(read, dict) else [*names]
        raise UnreadableSource(f"{where} has unknown or missing fields: {', '.join(odd[:3])!r:.150}")
    for name, most in (highest or {}).items():
        if not isinstance(read.get(name), int) or read[name] > most:
            raise UnreadableSource(f"{where}: {name} must be a number up to {most}")
    for name in times:
        if read[name] is not None:
            try:
                parsed(name, str(read[name]))
            except InvalidInput as error:
                raise UnreadableSource(f"{where}: {error}") from None
    return text


def _finite(written: str) -> float:
    number = float(written)
    if math.isinf(number):
        raise ValueError(f"the number {written[:20]} is too large")
    return number
