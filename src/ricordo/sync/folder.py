"""A shared folder on this machine: a file that says which memory it is, and a folder of segments for each device."""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from uuid import UUID

from pydantic_core import from_json

from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.sync.keys import Key, sha256
from ricordo.sync.logs import LONGEST, SUFFIX, Refused, SegmentFile, SharedFolder, name_of, require_own
from ricordo.sync.segments import FORMAT, VERSION, Damaged, Header, header_of

_ABOUT, _DEVICES = "ricordo-sync.json", "devices"
#: Bytes that hold any header.
_HEADER_BYTES = 2_000


@dataclass(frozen=True)
class _File:
    """A segment's file, whose header was read and fits."""

    path: Path
    checked: Header

    @property
    def name(self) -> str:
        return self.path.name

    def header(self) -> Header:
        return self.checked

    def raw(self) -> bytes:
        return _read(self.path)

    def digest(self) -> str:
        return sha256(self.raw())


class Folder(SharedFolder):
    """A folder that some other tool carries from device to device, or that a server holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.address = str(path)

    def create(self, key: Key) -> None:
        if not self.path.is_dir():
            raise InvalidInput("folder", f"{self.path} is not a folder: create it first")
        if self.holds_memory():
            raise InvalidInput("folder", f"{self.path} holds a synced memory already: use `ricordo sync join`")
        self.describe(key)

    def holds_memory(self) -> bool:
        """Whether a memory was begun here."""
        return (self.path / _ABOUT).exists()

    def describe(self, key: Key, replaces: Key | None = None) -> None:
        self.put_about(key.memory, key.id)

    def put_about(self, memory: UUID, key: str) -> None:
        """Write the file that says which memory this is, and the id of its key."""
        told = {"format": FORMAT, "version": VERSION, "memory": str(memory), "key": key}
        _write(self.path / _ABOUT, json.dumps(told, indent=2).encode() + b"\n")

    def require_writable(self, key: Key) -> None:
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise UnreadableSource(
                f"{self.path} cannot be written to: change its permissions, or choose another folder"
            )

    def about(self) -> tuple[UUID, str]:
        path = self.path / _ABOUT
        try:
            told = from_json(_read(path, _HEADER_BYTES))
            if told["format"] != FORMAT:
                raise ValueError
            version, memory, key = told["version"], UUID(told["memory"]), str(told["key"])
        except FileNotFoundError:
            raise UnreadableSource(
                f"{self.path} holds no synced memory ({_ABOUT} is missing): check the path, or wait until it is synced"
            ) from None
        except OSError as error:
            raise UnreadableSource(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise UnreadableSource(f"{path} is damaged: restore it from another device's copy of the folder") from None
        if version != VERSION:
            raise UnreadableSource(f"{path} has version {version!r:.20} of the format: upgrade Ricordo")
        return memory, key

    def devices(self) -> list[UUID]:
        found = []
        for each in self._entries(self.path / _DEVICES):
            try:
                found.append(UUID(each.name))
            except ValueError:
                continue
        return sorted(found)

    def numbers(self, device: UUID) -> set[int]:
        numbers = (_number(each.name) for each in self._entries(self._log(device)))
        return {each for each in numbers if each is not None}

    def digest(self, device: UUID, number: int) -> str | None:
        raw = self.read(device, number)
        return None if raw is None else sha256(raw)

    def read(self, device: UUID, number: int) -> bytes | None:
        try:
            return _read(self._path(device, number))
        except FileNotFoundError:
            return None

    def write(self, device: UUID, number: int, raw: bytes) -> None:
        self._log(device).mkdir(parents=True, exist_ok=True)
        for left in self._log(device).glob(".*.partial"):  # of a process that was killed: there is one writer at a time
            left.unlink(missing_ok=True)
        _write(self._path(device, number), raw)

    def remove_before(self, device: UUID, number: int) -> None:
        for each in self._entries(self._log(device)):
            stem = each.name.removesuffix(SUFFIX).partition(" ")[0].partition(".")[0]
            if stem.isascii() and stem.isdigit() and int(stem) < number:
                each.unlink(missing_ok=True)

    def remove(self, device: UUID) -> None:
        for each in self._entries(self._log(device)):
            each.unlink(missing_ok=True)
        if self._log(device).is_dir():
            self._log(device).rmdir()

    def size(self) -> int:
        return sum(self.sizes())

    def sizes(self) -> Iterator[int]:
        """Bytes of each file in the folder; skips files that are removed meanwhile."""
        for each in self.path.rglob("*"):
            with suppress(FileNotFoundError):
                found = each.stat()
                if S_ISREG(found.st_mode):
                    yield found.st_size

    def files(self, memory: UUID, device: UUID) -> Mapping[int, Sequence[SegmentFile]]:
        found: defaultdict[int, list[_File]] = defaultdict(list)
        for path in self._entries(self._log(device)):
            if path.name.startswith(".") or SUFFIX not in path.name:
                continue  # what other tools keep beside it, and what is just being written
            try:
                header = header_of(_read(path, _HEADER_BYTES))
            except Damaged as error:
                raise Refused(f"{path.name} {error}") from None
            require_own(path.name, header, memory, device, _number(path.name))
            found[header.number].append(_File(path, header))
        return dict(found)

    def last_base(self, device: UUID, files: Mapping[int, Sequence[SegmentFile]], after: int) -> int | None:
        return max((each for each in files if each > after and files[each][0].header().base), default=None)

    def close(self) -> None:
        pass

    def _log(self, device: UUID) -> Path:
        return self.path / _DEVICES / str(device)

    def _path(self, device: UUID, number: int) -> Path:
        return self._log(device) / name_of(number)

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return sorted(folder.iterdir())
        except FileNotFoundError:
            return []


def _number(name: str) -> int | None:
    """The number in a name that Ricordo gives; None for others, such as copies that a tool made of a conflict."""
    stem = name.removesuffix(SUFFIX)
    return int(stem) if stem.isascii() and stem.isdigit() else None


def _read(path: Path, most: int = LONGEST) -> bytes:
    """The beginning of a file. Raises OSError, also for what is no regular file: reading a pipe would never end."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(most)


def _write(path: Path, raw: bytes) -> None:
    """A file that appears whole, flushed to the disk, or not at all."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
