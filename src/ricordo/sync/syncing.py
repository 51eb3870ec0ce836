"""One sync: write what is new here to this device's log, then apply the logs of the others.

The segments of the own log are written in the store first, in the transaction that reads what they hold, and then put
into the folder. So each step may be cut off at any moment and is done again by the next sync.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, TypeVarTuple
from uuid import UUID, uuid4

from anyio import to_thread

from ricordo import palace
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, RicordoError, StoreError, UnreadableSource
from ricordo.mining import Miner
from ricordo.models import RemovalReceipt, SyncDevice, SyncMembership, SyncReport, SyncStatus
from ricordo.opened import Opened
from ricordo.sync import local as machine
from ricordo.sync import noticing, segments
from ricordo.sync import sync_store as store
from ricordo.sync.applying import Applied, Applying
from ricordo.sync.folder import Folder
from ricordo.sync.http_folder import HttpFolder
from ricordo.sync.keys import Key, new_words, secret_of, sha256
from ricordo.sync.local import Local
from ricordo.sync.logs import Refused, SharedFolder, Waiting
from ricordo.sync.records import SyncScope, line
from ricordo.sync.segments import NO_HASH, Damaged, Opening
from ricordo.sync.sync_store import Synced

log = logging.getLogger("ricordo.sync")

T = TypeVar("T")
Given = TypeVarTuple("Given")

#: Hours after which a log is rewritten without what was redacted or forgotten.
COMPACT_HOURS = 24.0
#: Segments after which a log is rewritten in few: each sync adds one, however little it has to tell.
LONGEST_LOG = 10_000
#: The most conflicts that are listed.
CONFLICTS = 20


@dataclass
class _Writer:
    """The end of this device's log within one transaction."""

    tx: Transaction
    user_id: UUID
    key: Key
    device: UUID
    opening: Opening
    number: int
    hash: str
    base: bool = False
    lines: list[str] = field(default_factory=list)
    size: int = 0

    async def add(self, text: str) -> None:
        self.lines.append(text)
        self.size += len(text)
        if self.size >= segments.FULL:
            await self.end_segment()

    async def end_segment(self) -> None:
        self.number += 1
        raw = segments.seal(self.key, self.device, self.number, self.hash, self.base, self.opening, self.lines)
        self.hash, self.base, self.lines, self.size = sha256(raw), False, [], 0
        await store.put_segment(self.tx, self.user_id, self.number, raw)
        await store.advance(self.tx, self.device, self.number, bytes.fromhex(self.hash), self.opening.written_at)


@dataclass
class _Read:
    """What came of reading the logs of the others."""

    applied: Applied = field(default_factory=Applied)
    #: By the names of devices: why a log could not be read further, and what has not arrived yet.
    problems: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    #: Why the folder could not be used any more from some point on.
    lost: UnreadableSource | OSError | None = None


@dataclass(frozen=True)
class Syncing:
    """Sync of one user's memory."""

    opened: Opened
    miner: Miner
    redact: Callable[[UUID, str], Awaitable[RemovalReceipt]]
    forget: Callable[[UUID, str], Awaitable[RemovalReceipt]]

    # Beginning and ending -------------------------------------------------------------------------------------------

    async def init(self, address: str, server_key: str | None, name: str, scope: SyncScope) -> SyncMembership:
        """Begin a synced memory in a folder; the receipt holds the words of its key."""
        await self._require_not_synced()
        words = new_words()
        local = Local(self.opened.user, address, secret_of(words), server_key)
        key = Key(uuid4(), local.secret)
        with closing(_folder(local)) as folder:
            await _off(folder.create, key)
        await self._begin(key, local, name, scope)
        return SyncMembership(memory=key.memory, device=name, words=words)

    async def join(
        self, address: str, server_key: str | None, words: str, name: str, scope: SyncScope, *, named: bool
    ) -> SyncMembership:
        """Let this device take part in the memory that a folder holds. `named` is whether somebody chose the name.

        A device that joined before takes the new key. One that is a copy of another device, or that was shut out,
        becomes a new one.
        """
        local = Local(self.opened.user, address, secret_of(words), server_key)
        with closing(_folder(local)) as folder:
            return await self._join(folder, local, name, scope, named)

    async def _join(
        self, folder: SharedFolder, local: Local, name: str, scope: SyncScope, named: bool
    ) -> SyncMembership:
        memory, key_id = await _off(folder.about)
        key = Key(memory, local.secret)
        if key.id != key_id:
            raise InvalidInput("words", f"do not open the memory in {folder.address}: use its newest words")
        await _off(folder.require_writable, key)
        async with self.opened.transaction() as tx:
            synced = await store.synced(tx)
            devices = await store.devices(tx)
        if synced is None:
            await _off(_require_free, folder, key, name)
            await self._begin(key, local, name, scope)
            return SyncMembership(memory=memory, device=name)
        if synced.memory != memory:
            raise InvalidInput(
                "folder", f"{folder.address} holds another memory: leave the present one first (ricordo sync leave)"
            )
        has_two_histories = await _off(self._has_two_histories, folder, synced, devices)
        is_shut_out = await _off(_is_shut_out, folder, key, synced.device)
        present = next(each.name for each in devices if each.device == synced.device)
        becomes_new = has_two_histories or is_shut_out
        if named and name != present and not becomes_new:
            raise InvalidInput(
                "name", f"this device is {present!r} already: to give it another name, leave first (ricordo sync leave)"
            )
        if becomes_new:
            await _off(_require_free, folder, key, name)
        async with self.opened.effect() as tx:
            if scope.told() not in ({}, synced.scope):  # another part of the memory: the logs are read again
                await store.change_scope(tx, scope.told())
                await store.forget_refused(tx)
                await store.rewind(tx, synced.device, bytes.fromhex(NO_HASH))
            if is_shut_out:
                await self._leave_behind(tx, synced)
            if becomes_new:
                await self._become_new(tx, synced, name)
            else:
                name = present
            await store.compact_by(tx, 0.0)
        self._save(local)
        return SyncMembership(memory=memory, device=name)

    async def leave(self) -> None:
        """Take no more part. What the store holds stays, and so does this device's log, which others may still need."""
        async with self.opened.transaction() as tx:
            if await store.synced(tx) is None:
                raise NotFound("this memory is not synced: begin with `ricordo sync init FOLDER` or `join FOLDER`")
            await store.end(tx)
            await palace.forget_places(tx)
        machine.remove(self.opened.database.settings, self.opened.user_id)

    async def rotate(self, lost: str | None) -> SyncMembership:
        """Take a new key, which shuts out whoever does not get its words; the log of a `lost` device goes, and what it
        wrote that was applied here stays."""
        await self.now()
        with machine.one_at_a_time(self.opened.database.settings, self.opened.user_id):
            folder, local, synced, key = await self._open()
            with closing(folder):
                return await self._rotate(folder, local, synced, key, lost)

    async def _rotate(
        self, folder: SharedFolder, local: Local, synced: Synced, key: Key, lost: str | None
    ) -> SyncMembership:
        words = new_words()
        async with self.opened.transaction() as tx:
            devices = await store.devices(tx)
        own = next(each for each in devices if each.device == synced.device)
        out = [each.device for each in devices if lost in (each.name, str(each.device))]
        if lost is not None and (not out or out == [synced.device]):
            names = ", ".join(each.name for each in devices if each.device != synced.device)
            expected = f"expected one of {names}" if names else "this memory has no other device"
            raise NotFound(f"device {lost!r:.100} not found: {expected}")
        # Saved first: whatever happens next, this device has the key that the folder names, and can rotate again.
        local = replace(local, next_secret=secret_of(words))
        self._save(local)
        new = Key(synced.memory, secret_of(words))
        await _off(folder.describe, new, key)
        async with self.opened.effect() as tx:
            await store.shut_out(tx, out)
            await store.take_over(tx, out)
            await self._compact(tx, synced, new)
        self._save(replace(local, secret=new.secret, next_secret=None))
        await self._publish(folder, synced, new)
        for each in out:
            await _off(folder.remove, each)
        return SyncMembership(memory=new.memory, device=own.name, words=words)

    async def status(self) -> SyncStatus:
        """How the memory is synced."""
        known = machine.load(self.opened.database.settings, self.opened.user_id)
        async with self.opened.transaction() as tx:
            synced = await store.synced(tx)
            if synced is None:
                return SyncStatus(active=False)
            devices = await store.devices(tx)
            waiting = await store.waiting_segments(tx)
            conflicts = await store.conflicts(tx)
        size, problem = await _off(_size, known) if known else (0, "the key of this memory is not on this machine")
        return SyncStatus(
            active=True,
            folder=known.folder if known else None,
            memory=synced.memory,
            device=next(each.name for each in devices if each.device == synced.device),
            devices=tuple(
                SyncDevice(
                    id=each.device,
                    name=each.name,
                    is_self=each.device == synced.device,
                    segments=each.number,
                    seen_at=each.seen_at,
                    problem=each.problem,
                    shut_out=each.shut_out,
                )
                for each in devices
            ),
            scope={name: tuple(value) for name, value in synced.scope.items()},
            folder_bytes=size,
            problem=problem,
            waiting=len(waiting),
            synced_at=synced.synced_at,
            compact_by=synced.compact_by,
            conflicts=tuple(conflicts),
        )

    # One sync -------------------------------------------------------------------------------------------------------

    async def now(self, compact: bool = False) -> SyncReport:
        """Sync once. A log that cannot be read is reported and does not keep the others from being applied.

        Raises NotFound where the memory is not synced, UnreadableSource where the folder cannot be used or this device
        was copied, Changed where another process is syncing it, and StoreError.
        """
        settings, user_id = self.opened.database.settings, self.opened.user_id
        with machine.one_at_a_time(settings, user_id):
            try:
                folder, _, synced, key = await self._open()
            except UnreadableSource:
                await self._note_without_folder()
                raise
            with closing(folder):
                return await self._sync(folder, synced, key, compact)

    async def _sync(self, folder: SharedFolder, synced: Synced, key: Key, compact: bool) -> SyncReport:
        sent = await self._write(key)
        await self._publish(folder, synced, key)
        await self._mend(folder, synced)
        read = await self._read(folder, synced, key)
        applied = read.applied
        if read.lost is not None:
            await self._note_conflicts(synced, applied)
            raise read.lost
        if applied.conflicts or applied.decisions or applied.removed:
            # What carrying out others' decisions led to here, such as a merge that could not stand.
            sent += await self._write(key)
        compacted = await self._compact_if_due(synced, key, compact)
        await self._publish(folder, synced, key)
        await self._note_conflicts(synced, applied)
        async with self.opened.transaction() as tx:
            await store.finish(tx)
        return SyncReport(
            sent=sent,
            turns=applied.turns,
            memories=applied.memories,
            decisions=applied.decisions,
            removed=applied.removed,
            refused=applied.refused,
            compacted=compacted,
            conflicts=tuple(applied.conflicts),
            problems=read.problems,
            waiting=read.waiting,
        )

    async def _note_conflicts(self, synced: Synced, applied: Applied) -> None:
        async with self.opened.transaction() as tx:
            if applied.removed:  # a conflict may name what is gone
                await store.forget_conflicts(tx)
            await store.note_conflicts(tx, self.opened.user_id, synced.device, applied.conflicts, CONFLICTS)

    async def _open(self) -> tuple[SharedFolder, Local, Synced, Key]:
        """The folder, which is to be closed, with the key that opens it."""
        local = machine.load(self.opened.database.settings, self.opened.user_id)
        async with self.opened.transaction() as tx:
            synced = await store.synced(tx)
            devices = await store.devices(tx)
        if synced is None:
            raise NotFound("this memory is not synced: begin with `ricordo sync init FOLDER` or `join FOLDER`")
        if local is None:
            raise UnreadableSource(
                "the key of this memory is not on this machine: join again (ricordo sync join FOLDER)"
            )
        folder = _folder(local)
        try:
            memory, key_id = await _off(folder.about)
            if memory != synced.memory:
                raise UnreadableSource(
                    f"{folder.address} holds another memory ({memory}); nothing was applied: check what is in it"
                )
            if local.next_secret is not None and Key(memory, local.next_secret).id == key_id:
                local = await self._end_rotation(local, local.next_secret)
            key = Key(memory, local.secret)
            if key_id != key.id:
                raise UnreadableSource(
                    f"the key of the memory in {folder.address} was rotated: join again with its new words "
                    "(ricordo sync join FOLDER)"
                )
            if await _off(self._has_two_histories, folder, synced, devices):
                raise UnreadableSource(
                    "this device has two histories: its home or store was copied or restored from a backup, and the "
                    "other copy has written since. Join again as a new device (ricordo sync join FOLDER)"
                )
        except BaseException:
            folder.close()
            raise
        return folder, local, synced, key

    async def _end_rotation(self, local: Local, secret: bytes) -> Local:
        """End a rotation that was cut off after the folder took its key. Its words were not shown. Rotating
        again gives new ones."""
        local = replace(local, secret=secret, next_secret=None)
        async with self.opened.transaction() as tx:
            await store.compact_by(tx, 0.0)
        self._save(local)
        return local

    def _save(self, local: Local) -> None:
        machine.save(self.opened.database.settings, self.opened.user_id, local)

    def _has_two_histories(self, folder: SharedFolder, synced: Synced, devices: Sequence[store.Device]) -> bool:
        own = next(each for each in devices if each.device == synced.device)
        there = folder.numbers(synced.device)
        if there and max(there) > own.number:
            return True
        last = folder.digest(synced.device, own.number) if own.number in there else None
        return last is not None and last != own.hash.hex()

    async def _begin(self, key: Key, local: Local, name: str, scope: SyncScope) -> None:
        device = uuid4()
        async with self.opened.effect() as tx:
            await store.begin(tx, self.opened.user_id, key.memory, device, scope.told())
            await store.add_device(tx, self.opened.user_id, device, name, bytes.fromhex(NO_HASH))
        self._save(local)

    async def _leave_behind(self, tx: Transaction, synced: Synced) -> None:
        """Let the id that was shut out be another device's, so that its name is free."""
        old = next(each for each in await store.devices(tx) if each.device == synced.device)
        await store.shut_out(tx, [old.device])
        await store.rename_device(tx, old.device, _shut_out_name(old.name, old.device))

    async def _become_new(self, tx: Transaction, synced: Synced, name: str) -> None:
        """Take part under a new id; what this store wrote before is in the log of the old one, and is written anew."""
        old = next(each for each in await store.devices(tx) if each.device == synced.device)
        if name == old.name:
            raise InvalidInput("name", f"{name!r} is the other copy's name: choose another one (--name)")
        if any(each.name == name for each in await store.devices(tx)):
            raise _taken(name)
        device = uuid4()
        await store.add_device(tx, self.opened.user_id, device, name, bytes.fromhex(NO_HASH))
        await store.change_device(tx, device)
        await store.rewind(tx, device, bytes.fromhex(NO_HASH))
        for number in await store.waiting_segments(tx):
            await store.drop_segment(tx, number)

    async def _require_not_synced(self) -> None:
        async with self.opened.transaction() as tx:
            if await store.synced(tx) is not None:
                raise InvalidInput("folder", "this memory is synced already: see `ricordo sync status`")

    # Writing --------------------------------------------------------------------------------------------------------

    async def _note_without_folder(self) -> None:
        """Write what is new to the log in the store, so that it counts from now on though the folder is not there."""
        known = machine.load(self.opened.database.settings, self.opened.user_id)
        async with self.opened.transaction() as tx:
            synced = await store.synced(tx)
        if known is not None and synced is not None:
            await self._write(Key(synced.memory, known.secret))

    async def _write(self, key: Key) -> int:
        """Write all that is new to the log, in transactions of some thousand changes; returns how many records."""
        sent = 0
        while True:
            async with self.opened.effect() as tx:
                synced = await store.synced(tx, lock=True)
                assert synced is not None
                found = await noticing.notice(tx, SyncScope.of(synced.scope))
                writer = await self._writer(tx, synced, key)
                if not found:
                    if not writer.number:  # the others are to know of this device
                        await writer.end_segment()
                    return sent
                for each in found:
                    if each.record is not None:
                        await writer.add(line(each.record))
                        sent += 1
                    await store.note(tx, self.opened.user_id, synced.device, each.notes)
                if writer.lines:
                    await writer.end_segment()
                if any(each.takes_back for each in found):
                    await store.compact_by(tx, COMPACT_HOURS)
                    await store.forget_conflicts(tx)
            for each in found:
                if each.remove is not None:
                    await self.redact(each.remove, "redacted on another device before it was mined here again")

    async def _writer(self, tx: Transaction, synced: Synced, key: Key) -> _Writer:
        devices = {each.device: each for each in await store.devices(tx)}
        own = devices[synced.device]
        opening = Opening(
            name=own.name,
            written_at=datetime.now(UTC),
            shut_out=[each.device for each in devices.values() if each.shut_out],
        )
        writer = _Writer(tx, self.opened.user_id, key, own.device, opening, own.number, own.hash.hex())
        writer.base = own.number == 0
        return writer

    async def _publish(self, folder: SharedFolder, synced: Synced, key: Key) -> None:
        """Put segments that wait into the folder, and take away those that are not needed any more."""
        async with self.opened.transaction() as tx:
            numbers = await store.waiting_segments(tx)
        for number in numbers:
            async with self.opened.transaction() as tx:
                raw = await store.segment(tx, number)
            # Of one with a replaced key nothing is lost: the log is about to be rewritten with the new key.
            if segments.header_of(raw).key == key.id:
                await _off(folder.write, synced.device, number, raw)
            async with self.opened.transaction() as tx:
                await store.drop_segment(tx, number)
        async with self.opened.transaction() as tx:
            now = await store.synced(tx)
        if now is not None and now.base > 1:
            await _off(folder.remove_before, synced.device, now.base)

    async def _mend(self, folder: SharedFolder, synced: Synced) -> None:
        """Let the log be rewritten where the folder lost a part of it."""
        there = await _off(folder.numbers, synced.device)
        async with self.opened.transaction() as tx:
            own = next(each for each in await store.devices(tx) if each.device == synced.device)
            now = await store.synced(tx)
            if now is not None and not set(range(now.base, own.number + 1)) <= there:
                log.warning("segments of this device's log are gone from %s: it is rewritten", folder.address)
                await store.compact_by(tx, 0.0)

    async def _compact_if_due(self, synced: Synced, key: Key, wanted: bool) -> bool:
        async with self.opened.effect() as tx:
            now = await store.synced(tx, lock=True)
            assert now is not None
            own = next(each for each in await store.devices(tx) if each.device == synced.device)
            is_due = now.compact_by is not None and now.compact_by <= datetime.now(UTC)
            is_due = is_due or own.number - now.base >= LONGEST_LOG
            if not own.number or not (is_due or (wanted and now.compact_by is not None)):
                return False
            await self._compact(tx, now, key)
        return True

    async def _compact(self, tx: Transaction, synced: Synced, key: Key) -> None:
        """Rewrite this device's log with its current state; other devices begin to read there."""
        writer = await self._writer(tx, synced, key)
        writer.base, first = True, writer.number + 1
        async for each in noticing.everything(tx, SyncScope.of(synced.scope)):
            if each.record is not None:
                await writer.add(line(each.record))
        if writer.lines or writer.number < first:
            await writer.end_segment()
        await store.compacted(tx, first)

    # Reading --------------------------------------------------------------------------------------------------------

    async def _read(self, folder: SharedFolder, synced: Synced, key: Key) -> _Read:
        """Apply what is new in the logs of the others, as far as each can be read."""
        read = _Read()
        applying: Applying | None = None
        async with self.opened.transaction() as tx:
            known = {each.device: each for each in await store.devices(tx)}
        there = set(await _off(folder.devices))
        for device in sorted({*there, *(each for each in known if known[each].number)} - {synced.device}):
            was = known.get(device)
            if was is not None and was.shut_out:
                continue
            name = was.name if was else str(device)
            applying = self._applying(synced, device, name, read.applied)
            problem = None
            try:
                await self._read_log(folder, synced, key, applying, was)
            except Waiting as error:
                read.waiting[applying.name] = str(error)
            except (Refused, Damaged) as error:
                problem = read.problems[applying.name] = str(error)
                log.warning("the log of %r: %r", applying.name, str(error))
            except (UnreadableSource, OSError) as error:
                read.lost = error
            async with self.opened.transaction() as tx:
                await store.note_problem(tx, device, problem)
                if applying.takes_back:
                    await store.compact_by(tx, COMPACT_HOURS)
            if read.lost is not None:
                break
        if applying is not None:
            await applying.carry_out()
        async with self.opened.transaction() as tx:
            for each in await store.devices(tx):
                if each.shut_out:  # as one of the logs just said
                    read.problems.pop(each.name, None)
                    await store.note_problem(tx, each.device, None)
        return read

    def _applying(self, synced: Synced, device: UUID, name: str, applied: Applied) -> Applying:
        scope = SyncScope.of(synced.scope)
        return Applying(self.opened, self.miner, self.redact, self.forget, scope, device, name, applied)

    async def _read_log(
        self, folder: SharedFolder, synced: Synced, key: Key, applying: Applying, was: store.Device | None
    ) -> None:
        device = applying.device
        number, digest = (was.number, was.hash.hex()) if was else (0, NO_HASH)
        following = folder.after(synced.memory, device, number, digest)
        while (raw := await _off(next, following, None)) is not None:
            try:
                header, opening, records = await to_thread.run_sync(segments.opened, key, raw)
            except Damaged as error:
                raise Refused(f"segment {segments.header_of(raw).number} {error}") from None
            await self._require_name(device, opening.name)
            applying.name = opening.name
            for record in records:
                try:
                    await applying.apply(record)
                except StoreError:
                    raise
                except (RicordoError, KeyError, TypeError, ValueError, AttributeError) as error:
                    raise Refused(
                        f"segment {header.number} holds a record that cannot be applied: {error!r}"
                    ) from error
            async with self.opened.transaction() as tx:
                await store.advance(tx, device, header.number, bytes.fromhex(sha256(raw)), opening.written_at)
                out = [each for each in opening.shut_out if each != synced.device]
                await store.shut_out(tx, out)

    async def _require_name(self, device: UUID, name: str) -> None:
        """Raise Refused for a device that calls itself as another one does."""
        async with self.opened.effect() as tx:
            for each in await store.devices(tx):
                if each.device == device and each.name != name:
                    raise Refused(f"the device {device} calls itself {name!r}, and was {each.name!r} before")
                if each.device != device and each.name == name and each.shut_out:
                    await store.rename_device(tx, each.device, _shut_out_name(name, each.device))
                elif each.device != device and each.name == name:
                    raise Refused(
                        f"the device {device} claims the name {name!r}, which belongs to the device {each.device}"
                    )
            if not any(each.device == device for each in await store.devices(tx)):
                await store.add_device(tx, self.opened.user_id, device, name, bytes.fromhex(NO_HASH))


def _folder(local: Local) -> SharedFolder:
    """The folder at a path or URL; it is to be closed."""
    if "://" in local.folder:
        return HttpFolder(local.folder, local.server_key or "")
    return Folder(Path(local.folder))


def _size(local: Local) -> tuple[int, str | None]:
    """Bytes of a folder, or why it cannot be used."""
    with closing(_folder(local)) as folder:
        try:
            folder.about()
            return folder.size(), None
        except (UnreadableSource, OSError) as error:
            return 0, str(error)


async def _off(work: Callable[[*Given], T], *given: *Given) -> T:
    """Work that waits for a disk or a server, off the event loop. Whoever is cancelled does not wait for it: all that
    changes a folder may be done again."""
    return await to_thread.run_sync(work, *given, abandon_on_cancel=True)


def _require_free(folder: SharedFolder, key: Key, name: str) -> None:
    """Raise InvalidInput where a device in a folder has this name, as far as the logs can be read."""
    if name in {each.name for each in _openings(folder, key)}:
        raise _taken(name)


def _taken(name: str) -> InvalidInput:
    return InvalidInput("name", f"a device of this memory is called {name!r} already: choose another (--name)")


def _is_shut_out(folder: SharedFolder, key: Key, device: UUID) -> bool:
    """Whether another device says that this one was shut out: no device reads its log any more."""
    return any(device in each.shut_out for each in _openings(folder, key))


def _openings(folder: SharedFolder, key: Key) -> Iterator[Opening]:
    """What the last segment of each log says of its device, as far as it can be read."""
    for device in folder.devices():
        for number in sorted(folder.numbers(device), reverse=True)[:1]:
            try:
                yield segments.opened(key, folder.read(device, number) or b"")[1]
            except Damaged:
                continue


def _shut_out_name(name: str, device: UUID) -> str:
    return f"{name} (shut out, {str(device)[:8]})"
