"""Files that grow while they are read: looking for what has changed, and when it has settled.

Looking is by polling: each file is asked for its size and its time. That needs no more of the system than reading
does, holds for every file system, and a folder of 5,000 files takes some 60 ms.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.formats import paths as places
from ricordo.formats.elements import ELEMENT_BYTES
from ricordo.formats.source import Source

#: A file that goes on changing is due after so many times the rest that it is asked for.
_PATIENCE = 6
#: A file rests for at least a second for each so many bytes, which are read in a twentieth of that: reading a large
#: session again and again stays a small part of the time.
_BYTES_A_SECOND = 2_500_000
#: Files to whose last line may still be added.
_LINE_SUFFIXES = {".jsonl", ".ndjson"}
_BLOCK = 1 << 16


class Stamp(NamedTuple):
    """What tells that a file has changed."""

    size: int
    #: When it was last changed, in nanoseconds since 1970.
    changed_ns: int


def folders(paths: Sequence[Path]) -> list[Path]:
    """The folders that are to be followed, without links. Raises UnreadableSource and InvalidInput."""
    checked = places.check(paths)
    for path in checked:
        if not path.is_dir():
            raise UnreadableSource(f"{places.printable(path)} is a file: pass its folder")
    found = [path.resolve() for path in checked]
    for path in found:
        if inner := next((each for each in found if each != path and each.is_relative_to(path)), None):
            raise InvalidInput(
                "folders", f"{places.printable(inner)} is inside {places.printable(path)}: pass only one of them"
            )
    return found


def look(roots: Iterable[Path], is_whole: Callable[[Path], bool]) -> dict[Path, tuple[Path, Stamp]]:
    """The files under the folders, each with its folder and stamp; what cannot be looked at is passed over.

    Folders that are read as a whole do not grow line by line, and are passed over too.
    """
    found: dict[Path, tuple[Path, Stamp]] = {}
    for root in roots:
        for path in places.files(root, lambda problem: None, is_whole):
            try:
                status = path.stat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                found[path] = root, Stamp(status.st_size, status.st_mtime_ns)
    return found


@dataclass(frozen=True)
class _Followed:
    """What is known of a file."""

    stamp: Stamp
    #: When it was first seen with this stamp, and with the first one that is not mined.
    since: float
    unmined_since: float
    mined: Stamp | None


class Growing:
    """Which files have settled, that is, have rested for `settle` seconds since they last changed. All moments are
    seconds of one clock that never goes back."""

    def __init__(self, settle: float) -> None:
        self._settle = settle
        self._files: dict[Path, _Followed] = {}

    def unknown(self, found: Iterable[Path]) -> list[Path]:
        """Those of the files that were never told of."""
        return [path for path in found if path not in self._files]

    def begin(self, path: Path, stamp: Stamp, age: float, mined: Stamp | None, now: float) -> None:
        """A file is there, last changed `age` seconds ago; `mined` is how it was when it was mined before."""
        since = now - max(0.0, age)
        self._files[path] = _Followed(stamp, since, since, mined)

    def note(self, path: Path, stamp: Stamp, now: float) -> None:
        """A file that is followed looks so."""
        known = self._files[path]
        if stamp != known.stamp:
            unmined_since = now if known.stamp == known.mined else known.unmined_since
            self._files[path] = replace(known, stamp=stamp, since=now, unmined_since=unmined_since)

    def due(self, now: float) -> list[Path]:
        """The files that are to be mined now, those that have waited longest first."""
        waiting = [
            (known.unmined_since, path)
            for path, known in self._files.items()
            if known.stamp != known.mined and self._has_settled(known, now)
        ]
        return [path for _, path in sorted(waiting)]

    def _has_settled(self, known: _Followed, now: float) -> bool:
        rest = max(self._settle, known.stamp.size / _BYTES_A_SECOND)
        return now - known.since >= rest or now - known.unmined_since >= _PATIENCE * rest

    def mined(self, path: Path, stamp: Stamp, now: float) -> None:
        """A file was mined as it was with this stamp."""
        self._files[path] = replace(self._files[path], mined=stamp, unmined_since=now)

    def gone(self, found: Iterable[Path]) -> list[Path]:
        """Lets go of the files that are not there any more, and returns them."""
        gone = list(self._files.keys() - set(found))
        for path in gone:
            del self._files[path]
        return gone


def up_to_last_line(source: Source) -> Source:
    """The source without a last line that is still being written. Raises OSError."""
    if source.suffix not in _LINE_SUFFIXES or source.is_compressed:
        return source
    with source.path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        start, tail = size, b""
        while start and b"\n" not in tail and len(tail) <= ELEMENT_BYTES:
            end, start = start, max(0, start - _BLOCK)
            file.seek(start)
            tail = file.read(end - start) + tail
    begun = tail[tail.rfind(b"\n") + 1 :]
    return source if not begun or _is_json(begun) else replace(source, end=size - len(begun))


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
