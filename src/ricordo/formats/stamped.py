"""Texts in which a line with a date begins each entry, and lines without one go on with it: what phones export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ricordo.formats.draft import TURN_BYTES
from ricordo.formats.labels import is_log_word
from ricordo.formats.problems import Reporter
from ricordo.formats.sample import Sample
from ricordo.formats.source import Source, decoded

#: A longer line is above what a turn may have, whatever it begins with.
_LINE_BYTES = TURN_BYTES + 1000
#: Lines of a sample that are asked who speaks.
_LOOKED_AT = 2000
#: At least this share of the entries is somebody's: in a group more come and go than speak.
_SPOKEN_SHARE = 0.2

Said = TypeVar("Said")
#: Takes a line; gives what its beginning says of the time, the speaker (None for none) and the words, or None.
Head = Callable[[str], tuple[Said, str | None, str] | None]


@dataclass
class Entry(Generic[Said]):
    """A line with a date, and those that follow it without one."""

    number: int
    said: Said
    speaker: str | None
    first: str
    too_long: bool
    lines: list[str] = field(default_factory=list)
    _size: int = 0

    def add(self, line: str, cut: bool) -> None:
        """Takes a line after the first; no more is held than a turn may have."""
        self._size += len(line) + 1
        self.too_long = self.too_long or cut or len(self.first) + self._size > TURN_BYTES
        if self.too_long:
            self.lines.clear()
        else:
            self.lines.append(line)


def entries(source: Source, head: Head[Said], report: Reporter) -> Iterator[Entry[Said]]:
    """The entries of a text; lines before the first, and entries that are too long for a turn, are reported."""
    entry: Entry[Said] | None = None
    told: set[str] = set()
    unread = 0
    for number, raw, cut in source.lines(_LINE_BYTES):
        line, note = decoded(raw)
        if note and note not in told:
            told.add(note)
            report(note, where=number, lost=False)
        found = head(line)
        if found is not None:
            if entry is not None:
                yield from _whole(entry, report)
            entry = Entry(number, *found, too_long=cut)
        elif entry is not None:
            entry.add(line, cut)
        else:
            unread += bool(line.strip())
    if unread:
        report(f"skipped {unread} line{'s' if unread > 1 else ''} before the first turn", where=1)
    if entry is not None:
        yield from _whole(entry, report)


def _whole(entry: Entry[Said], report: Reporter) -> Iterator[Entry[Said]]:
    if entry.too_long:
        report("a turn exceeds the limit of 1 MB", where=entry.number)
    else:
        yield entry


def is_stamped(sample: Sample, head: Head[Said]) -> bool:
    """Whether a text begins with an entry, and its entries are people's and no log's."""
    if sample.shape != "text" or head(next((line for line in sample.lines if line.strip()), "")) is None:
        return False
    found = [each for line in sample.lines[:_LOOKED_AT] if (each := head(line)) is not None]
    names = [name for _, name, _ in found if name is not None]
    return len(names) >= _SPOKEN_SHARE * len(found) and sum(map(is_log_word, names)) * 2 < len(names)
