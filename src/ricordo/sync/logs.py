"""What a shared folder is, wherever it is, and how a device's log is read from it.

Every segment in it may have been torn, delayed, doubled, swapped or forged. A log is read segment by segment, each
checked against the one before it, and what does not fit is named and not applied.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol
from uuid import UUID

from ricordo.sync.keys import Key, sha256
from ricordo.sync.segments import Header

#: The longest segment that is read.
LONGEST = 80_000_000
SUFFIX = ".segment"


class Refused(Exception):
    """A log does not fit: nothing of it from here on is applied. The message names what is wrong."""


class Waiting(Exception):
    """A log has a gap that a later delivery can close."""


class SegmentFile(Protocol):
    """A segment in a folder."""

    @property
    def name(self) -> str: ...

    def header(self) -> Header:
        """Its header, which names the log that it stands in. Raises Refused."""

    def raw(self) -> bytes:
        """All of its bytes."""

    def digest(self) -> str:
        """The SHA-256 of these."""


class SharedFolder(ABC):
    """A folder that every device of a memory reaches. Its methods block; they raise UnreadableSource and OSError where
    it cannot be used."""

    #: Path or URL.
    address: str

    @abstractmethod
    def create(self, key: Key) -> None:
        """Begin a synced memory here. Raises InvalidInput if the folder holds one already."""

    @abstractmethod
    def describe(self, key: Key, replaces: Key | None = None) -> None:
        """Say which memory this is, and which key is in use."""

    @abstractmethod
    def require_writable(self, key: Key) -> None:
        """Raise UnreadableSource where this device may read the folder, which has this key, and not write to it."""

    @abstractmethod
    def about(self) -> tuple[UUID, str]:
        """The memory that the folder holds, and the id of its key."""

    @abstractmethod
    def devices(self) -> list[UUID]:
        """The devices that have a log here."""

    @abstractmethod
    def numbers(self, device: UUID) -> set[int]:
        """The numbers of the segments of a log, by the names of their files."""

    @abstractmethod
    def digest(self, device: UUID, number: int) -> str | None:
        """The SHA-256 of the segment of this name; None if there is none."""

    @abstractmethod
    def read(self, device: UUID, number: int) -> bytes | None:
        """The segment of this name; None if there is none."""

    @abstractmethod
    def write(self, device: UUID, number: int, raw: bytes) -> None:
        """Put a segment into the folder: the whole of it or nothing."""

    @abstractmethod
    def remove_before(self, device: UUID, number: int) -> None:
        """Remove the segments before one that holds all that they held."""

    @abstractmethod
    def remove(self, device: UUID) -> None:
        """Remove a device's log."""

    @abstractmethod
    def size(self) -> int:
        """Bytes of the whole folder."""

    @abstractmethod
    def files(self, memory: UUID, device: UUID) -> Mapping[int, Sequence[SegmentFile]]:
        """The segments of a log by their numbers; more than one where a tool made copies. Raises Refused."""

    @abstractmethod
    def last_base(self, device: UUID, files: Mapping[int, Sequence[SegmentFile]], after: int) -> int | None:
        """The last segment after one at which reading may begin; None if there is none."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what the folder needed while it was in use."""

    def after(self, memory: UUID, device: UUID, number: int, digest: str) -> Iterator[bytes]:
        """The segments of a log that come after one that was applied, in order.

        Raises Refused for what does not fit, and Waiting where segments have not arrived.
        """
        files = dict(self.files(memory, device))
        if number and not files:
            raise Refused("its log is gone from the folder")
        if number and max(files) < number:
            raise Refused(f"its log went back: segment {number} was applied, but the folder ends at {max(files)}")
        # The next segment names the one before it, so this is only in question where there is none.
        if number + 1 not in files and any(each.digest() != digest for each in files.get(number, ())):
            raise Refused(
                f"segment {number} is not the one that was applied: the device has two histories because it was "
                "copied, or the folder was changed"
            )
        while True:
            found = self._next(device, files, number)
            if found is None:
                return
            segment = files.pop(found)  # which keeps its bytes
            raw, header = _single(segment, found), segment[0].header()
            if found == number + 1 and header.previous != digest:
                raise Refused(
                    f"segment {found} does not follow segment {number}: the device has two histories because it was "
                    "copied, or the folder was changed"
                )
            if found != number + 1 and not header.base:
                raise Refused(f"a log cannot begin with segment {found}: the folder was changed")
            yield raw
            number, digest = found, sha256(raw)

    def _next(self, device: UUID, files: Mapping[int, Sequence[SegmentFile]], number: int) -> int | None:
        """The number of the segment to go on with. Raises Waiting."""
        if number + 1 in files:
            return number + 1
        later = min((each for each in files if each > number), default=None)
        if later is None:
            return None
        base = self.last_base(device, files, number)
        if base is not None:
            return base
        first, last = number + 1, later - 1
        which = f"segment {first} has" if first == last else f"segments {first} to {last} have"
        raise Waiting(f"{which} not arrived, and segment {later} needs {'it' if first == last else 'them'}")


def name_of(number: int) -> str:
    """The name of a segment's file."""
    return f"{number:08}{SUFFIX}"


def require_own(name: str, header: Header, memory: UUID, device: UUID, number: int | None) -> None:
    """Raise Refused if a header does not name this memory, device and number. `number` is None for a copy, which may
    have any name."""
    if header.memory != memory:
        raise Refused(f"{name} belongs to another memory, {header.memory}")
    if header.device != device:
        raise Refused(f"{name} is a segment of another device, {header.device}")
    if number not in (None, header.number):
        raise Refused(f"{name} holds segment {header.number}: segments were swapped")


def _single(files: Sequence[SegmentFile], number: int) -> bytes:
    """The bytes of a segment that may be there more than once. Raises Refused where these differ."""
    found = {sha256(raw): raw for raw in (each.raw() for each in files)}
    if len(found) > 1:
        names = " and ".join(repr(each.name) for each in files)
        raise Refused(f"the copies of segment {number} differ ({names}): the device has two histories")
    return next(iter(found.values()))
