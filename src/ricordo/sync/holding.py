"""The server's side of sync over HTTP. It holds a folder for each user, and cannot read its segments.

It checks the headers and sizes of what a client sends, which needs no key.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

from ricordo.errors import Changed, InvalidInput, NotFound, StoreUnavailable, UnreadableSource
from ricordo.models import HeldFolder, HeldLog
from ricordo.settings import Settings
from ricordo.sync.folder import Folder
from ricordo.sync.keys import sha256
from ricordo.sync.local import name_of_store
from ricordo.sync.logs import Refused, require_own
from ricordo.sync.segments import Damaged, Header, header_of

#: Bytes that a file counts for at least, so that the size of a folder bounds the number of its files too.
_LEAST = 1 << 16
_NONE = "this server holds no synced memory of this user: begin one with `ricordo sync init`"


class Holding:
    """The folder that this server holds for a user. Every method blocks."""

    def __init__(self, settings: Settings, user_id: UUID) -> None:
        self._path = settings.synced_folders / name_of_store(settings, user_id)
        self._folder = Folder(self._path)

    def show(self) -> HeldFolder:
        """The memory and its logs; empty if there is no folder."""
        try:
            with self._locked():
                memory, key = self._about()
                logs = tuple(found for each in self._folder.devices() if (found := self._log(each)) is not None)
                return HeldFolder(memory=memory, key=key, logs=logs, bytes=self._folder.size())
        except NotFound:
            return HeldFolder()

    def describe(self, memory: UUID, key: str, replaces: str | None) -> None:
        """Begin a memory, or take another key for it. `replaces` is the id of the key that was read before.

        Raises Changed if another key is in use by now, and InvalidInput if the folder holds another memory's logs.
        """
        with self._locked(make=True):
            there = self._about() if self._folder.holds_memory() else None
            if replaces is not None and (there is None or replaces != there[1]):
                raise Changed(
                    "the synced folder has another key by now; nothing was written: join again with its new words"
                )
            # A memory without logs was begun by a client that did not get the answer, and so has no key.
            if there is not None and there[0] != memory and self._folder.devices():
                raise InvalidInput(
                    "memory", "the server holds another synced memory of this user: join it, or delete it first"
                )
            self._folder.put_about(memory, key)

    def segment(self, device: UUID, number: int) -> bytes:
        """A segment. Raises NotFound."""
        with self._locked():
            raw = self._folder.read(device, number)
        if raw is None:
            raise NotFound(f"segment {number} of device {device} not found")
        return raw

    def bases(self, device: UUID) -> list[int]:
        """The numbers of the segments at which a device may begin to read. Raises NotFound."""
        with self._locked():
            (memory, _), numbers = self._about(), self._folder.numbers(device)
            try:
                files = self._folder.files(memory, device)
            except Refused:
                files = {}  # whoever reads the segments will name what is wrong with them
        if not numbers:
            raise NotFound(f"device {device} not found in this folder")
        return sorted(number for number in files if number in numbers and files[number][0].header().base)

    def add(self, device: UUID, number: int, raw: bytes, most: int) -> bool:
        """Add a segment; false if it is there already. All files may have `most` bytes together.

        Raises NotFound without a folder, InvalidInput for what is not this segment, and Changed if the log has this
        number already, or a later one.
        """
        header = _checked(raw)
        with self._locked():
            memory, key = self._about()
            try:
                require_own("the body", header, memory, device, number)
            except Refused as error:
                raise InvalidInput("segment", str(error)) from None
            if header.key != key:
                raise InvalidInput("segment", "is sealed with another key than the memory's: join again")
            if self._folder.digest(device, number) == sha256(raw):
                return False
            last = max(self._folder.numbers(device), default=0)
            if number <= last:
                raise Changed(
                    f"segment {number} must come after segment {last}, the last one in the log of device {device}"
                )
            if sum(max(each, _LEAST) for each in self._folder.sizes()) + max(len(raw), _LEAST) > most:
                raise InvalidInput(
                    "segment",
                    f"does not fit: this server allows {most:,} bytes. Run `ricordo sync now --compact`, or "
                    "increase --largest-folder on the server",
                )
            self._folder.write(device, number, raw)
        return True

    def remove(self, device: UUID, before: int | None) -> None:
        """Remove a device's log, or only its segments before a number; the last one stays, so that the log does not go
        back. Raises NotFound without a folder."""
        with self._locked():
            self._about()
            if before is None:
                self._folder.remove(device)
            else:
                self._folder.remove_before(device, min(before, max(self._folder.numbers(device), default=before)))

    def delete(self) -> None:
        """Delete the folder with everything in it."""
        with suppress(NotFound), self._locked():
            shutil.rmtree(self._path)

    def _about(self) -> tuple[UUID, str]:
        """The memory and the id of its key. Raises NotFound, and StoreUnavailable for a damaged file."""
        if not self._folder.holds_memory():
            raise NotFound(_NONE)
        try:
            return self._folder.about()
        except UnreadableSource as error:
            raise StoreUnavailable(str(error)) from None

    def _log(self, device: UUID) -> HeldLog | None:
        numbers = sorted(self._folder.numbers(device))
        digest = self._folder.digest(device, numbers[-1]) if numbers else None
        return None if digest is None else HeldLog(device=device, segments=_ranges(numbers), last_sha256=digest)

    @contextmanager
    def _locked(self, make: bool = False) -> Iterator[None]:
        """Keep other processes from changing the folder, which is made on demand. Raises NotFound without one, and
        StoreUnavailable."""
        held = None
        try:
            while not self._is_current(held):  # whoever held the lock may have deleted the folder
                if held is not None:
                    os.close(held)
                    held = None
                if make:
                    self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
                elif not self._path.is_dir():
                    raise NotFound(_NONE)
                with suppress(FileNotFoundError):
                    held = os.open(self._path, os.O_RDONLY)
                    fcntl.flock(held, fcntl.LOCK_EX)
            yield
        except OSError as error:
            raise StoreUnavailable(f"the synced folder {self._path} cannot be used: {error}") from error
        finally:
            if held is not None:
                os.close(held)

    def _is_current(self, held: int | None) -> bool:
        """Whether a descriptor is of the folder that the path names now."""
        with suppress(FileNotFoundError):
            return held is not None and os.path.samestat(os.fstat(held), self._path.stat())
        return False


def _checked(raw: bytes) -> Header:
    """The header of a segment that is complete. Raises InvalidInput."""
    try:
        header = header_of(raw)
    except Damaged as error:
        raise InvalidInput("segment", str(error)) from None
    size = len(raw) - raw.index(b"\n") - 1
    if size != header.size:
        raise InvalidInput(
            "segment", f"has {size:,} bytes after its header, but the header states {header.size:,}: send it again"
        )
    return header


def _ranges(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    """Sorted numbers as ranges, each as its first and last number."""
    found: list[tuple[int, int]] = []
    for each in numbers:
        if found and each == found[-1][1] + 1:
            found[-1] = (found[-1][0], each)
        else:
            found.append((each, each))
    return tuple(found)
