"""The shared folder: a file that says whose it is, and a folder of segments for each device.

Every file in it may have been torn, delayed, doubled, swapped or forged. A log is read segment by segment, each checked
against the one before it, and what does not fit is named and not applied.
"""

from __future__ import annotations

import json
import os
import secrets
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.sync.keys import Key, sha256
from ricordo.sync.segments import FORMAT, VERSION, Damaged, Header, header_of

_ABOUT, _DEVICES, _SUFFIX = "ricordo-sync.json", "devices", ".segment"
#: Bytes that hold any header.
_HEADER_BYTES = 2_000
#: The longest segment that is read.
_LONGEST = 80_000_000


class Refused(Exception):
    """A log does not fit: nothing of it from here on is applied. The message names what is wrong."""


class Waiting(Exception):
    """A log has a gap that a later delivery can close."""


@dataclass(frozen=True)
class _File:
    path: Path
    header: Header


class Folder:
    """A folder that some other tool carries from device to device."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, key: Key) -> None:
        """Begin a synced memory here. Raises InvalidInput where the folder holds one already."""
        if not self.path.is_dir():
            raise InvalidInput("folder", f"{self.path} is not a folder: create it first")
        if (self.path / _ABOUT).exists():
            raise InvalidInput("folder", f"{self.path} holds a synced memory already: use `ricordo sync join`")
        self.describe(key)

    def describe(self, key: Key) -> None:
        """Say which memory this is, and which key is in use."""
        told = {"format": FORMAT, "version": VERSION, "memory": str(key.memory), "key": key.id}
        _write(self.path / _ABOUT, json.dumps(told, indent=2).encode() + b"\n")

    def about(self) -> tuple[UUID, str]:
        """The memory that the folder holds, and the id of its key. Raises UnreadableSource."""
        path = self.path / _ABOUT
        try:
            told = json.loads(path.read_bytes()[:_HEADER_BYTES])
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
        """The devices that have a log here."""
        found = []
        for each in self._entries(self.path / _DEVICES):
            try:
                found.append(UUID(each.name))
            except ValueError:
                continue
        return sorted(found)

    def numbers(self, device: UUID) -> set[int]:
        """The numbers of the segments of a log, by the names of their files."""
        stems = (each.name.removesuffix(_SUFFIX) for each in self._entries(self._log(device)))
        return {int(each) for each in stems if each.isascii() and each.isdigit()}

    def read(self, device: UUID, number: int) -> bytes | None:
        """The file of this name; None where there is none."""
        try:
            return self._path(device, number).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, device: UUID, number: int, raw: bytes) -> None:
        """Put a segment into the folder: the whole of it or nothing. Raises OSError."""
        self._log(device).mkdir(parents=True, exist_ok=True)
        _write(self._path(device, number), raw)

    def remove_before(self, device: UUID, number: int) -> None:
        """Remove the segments before one that holds all that they held."""
        for each in self._entries(self._log(device)):
            stem = each.name.removesuffix(_SUFFIX).partition(" ")[0].partition(".")[0]
            if stem.isascii() and stem.isdigit() and int(stem) < number:
                each.unlink(missing_ok=True)

    def remove(self, device: UUID) -> None:
        """Remove a device's log."""
        for each in self._entries(self._log(device)):
            each.unlink(missing_ok=True)
        if self._log(device).is_dir():
            self._log(device).rmdir()

    def size(self) -> int:
        """Bytes of the whole folder."""
        return sum(each.stat().st_size for each in self.path.rglob("*") if each.is_file())

    def after(self, memory: UUID, device: UUID, number: int, digest: str) -> Iterator[bytes]:
        """The segments of a log that come after one that was applied, in order.

        Raises Refused for what does not fit, and Waiting where segments have not arrived.
        """
        files = self._files(memory, device)
        if number and not files:
            raise Refused("its log is gone from the folder")
        if number and max(files) < number:
            raise Refused(f"its log went back: segment {number} was applied, and the folder ends at {max(files)}")
        if number in files:
            for each in files[number]:
                if sha256(_read(each.path)) != digest:
                    raise Refused(
                        f"segment {number} is not the one that was applied: the device has two histories, as a copy "
                        "of it would have, or the folder was changed"
                    )
        while True:
            found = self._next(files, number)
            if found is None:
                return
            raw = self._single(files[found], found)
            previous = files[found][0].header.previous
            if found == number + 1 and previous != digest:
                raise Refused(
                    f"segment {found} does not follow segment {number}: the device has two histories, as a copy of it "
                    "would have, or the folder was changed"
                )
            yield raw
            number, digest = found, sha256(raw)

    def _next(self, files: dict[int, list[_File]], number: int) -> int | None:
        """The number of the segment to go on with. Raises Waiting."""
        if number + 1 in files:
            return number + 1
        later = sorted(each for each in files if each > number)
        bases = [each for each in later if files[each][0].header.base]
        if bases:
            return bases[-1]
        if later:
            first, last = number + 1, later[0] - 1
            which = f"segment {first} has" if first == last else f"segments {first} to {last} have"
            raise Waiting(f"{which} not arrived, and segment {later[0]} needs {'it' if first == last else 'them'}")
        return None

    def _single(self, files: list[_File], number: int) -> bytes:
        """The bytes of a segment that may be there more than once. Raises Refused where these differ."""
        found = {sha256(raw): raw for raw in (_read(each.path) for each in files)}
        if len(found) > 1:
            names = " and ".join(repr(each.path.name) for each in files)
            raise Refused(f"segment {number} is there twice and differs ({names}): the device has two histories")
        return next(iter(found.values()))

    def _files(self, memory: UUID, device: UUID) -> dict[int, list[_File]]:
        """The files of a log by their segments' numbers. Raises Refused."""
        found: defaultdict[int, list[_File]] = defaultdict(list)
        for path in self._entries(self._log(device)):
            if path.name.startswith(".") or _SUFFIX not in path.name:
                continue  # what other tools keep beside it, and what is just being written
            try:
                header = header_of(_read(path, _HEADER_BYTES))
            except Damaged as error:
                raise Refused(f"{path.name} {error}") from None
            if header.memory != memory:
                raise Refused(f"{path.name} belongs to another memory, {header.memory}")
            if header.device != device:
                raise Refused(f"{path.name} is a segment of another device, {header.device}")
            if path.name != self._path(device, header.number).name and _is_plain(path.name):
                raise Refused(f"{path.name} holds segment {header.number}: segments were swapped")
            found[header.number].append(_File(path, header))
        return dict(found)

    def _log(self, device: UUID) -> Path:
        return self.path / _DEVICES / str(device)

    def _path(self, device: UUID, number: int) -> Path:
        return self._log(device) / f"{number:08}{_SUFFIX}"

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return sorted(folder.iterdir())
        except FileNotFoundError:
            return []


def _is_plain(name: str) -> bool:
    """Whether a name is one that Ricordo gives; others are copies that another tool made of a conflict."""
    stem = name.removesuffix(_SUFFIX)
    return stem.isascii() and stem.isdigit()


def _read(path: Path, most: int = _LONGEST) -> bytes:
    with path.open("rb") as file:
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
