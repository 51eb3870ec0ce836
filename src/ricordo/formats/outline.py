"""One large JSON object read as a stream: what stands at some places in it, a value at a time, whatever its size.

`members` goes down only to the places that are asked for; all else is parsed in one piece, or passed over where it
is above ELEMENT_BYTES. `outline` shows what the beginning of an object holds, for formats to know it by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ricordo.formats.elements import ELEMENT_BYTES, Unparsable, parse
from ricordo.formats.problems import Reporter
from ricordo.formats.source import Source

#: The keys and 0-based indices on the way to a value; in a place that is asked for, `*` is any of them.
Path = tuple[str | int, ...]

#: Deeper places are not gone down to: no format has any.
_DEPTH = 12
#: A longer key is none that a format has.
_KEY_BYTES = 100_000

_BLANK = re.compile(rb"[ \t\r\n]*+")
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_SCALAR = re.compile(rb"[^,\]}\s]*+")


class Member(NamedTuple):
    """A value inside the object, and the way to it."""

    path: Path
    value: object


class _Ended(Exception):
    """The bytes end inside the object."""


class _Broken(Exception):
    """The bytes are no JSON from here on."""


def members(source: Source, places: Sequence[tuple[str, ...]], report: Reporter) -> Iterator[Member]:
    """The values at `places` (`("chats", "list", "*", "messages", "*")`) and beside the ways to them, in their order.

    What can't be parsed is reported and left out; so is what follows a place where the file is cut or broken.
    """
    walk = _Walk(source.chunks(), places, report)
    try:
        yield from walk.value(())
    except _Ended:
        report(f"the file ends inside its JSON, at {_shown(walk.path)}")
    except _Broken:
        report(f"not valid JSON at {_shown(walk.path)}; skipped the rest")


def _shown(path: Path) -> str:
    return ".".join(str(each + 1 if isinstance(each, int) else each)[:40] for each in path) or "its beginning"


class _Walk:
    """Goes through an object once."""

    def __init__(self, chunks: Iterable[bytes], places: Sequence[tuple[str, ...]], report: Reporter) -> None:
        self.path: Path = ()
        self._bytes = _Bytes(chunks)
        self._places = places
        self._report = report

    def value(self, path: Path) -> Iterator[Member]:
        """The value that begins here, or those inside it."""
        self.path = path
        mark = self._bytes.peek()
        if mark in (b"{", b"[") and len(path) < _DEPTH and self._leads_on(path):
            self._bytes.skip(1)
            yield from self._object(path) if mark == b"{" else self._list(path)
            return
        raw, size = self._bytes.value()
        if size > ELEMENT_BYTES:
            self._report(f"{_shown(path)} exceeds the limit of {ELEMENT_BYTES // 1_000_000} MB")
            return
        try:
            value, note = parse(raw)
        except Unparsable as error:
            self._report(f"{_shown(path)}: {error}")
            return
        if note:
            self._report(f"{_shown(path)} {note}", lost=False)
        yield Member(path, value)

    def _leads_on(self, path: Path) -> bool:
        return any(
            len(place) > len(path) and all(step in ("*", each) for step, each in zip(place, path, strict=False))
            for place in self._places
        )

    def _object(self, path: Path) -> Iterator[Member]:
        while (mark := self._bytes.peek()) != b"}":
            if mark == b",":
                self._bytes.skip(1)
                continue
            if mark != b'"':
                raise _Broken
            raw, size = self._bytes.value()
            if size > _KEY_BYTES or self._bytes.peek() != b":":
                raise _Broken
            self._bytes.skip(1)
            try:
                key = parse(raw)[0]
            except Unparsable:
                raise _Broken from None
            yield from self.value((*path, str(key)))
        self._bytes.skip(1)

    def _list(self, path: Path) -> Iterator[Member]:
        index = 0
        while (mark := self._bytes.peek()) != b"]":
            if mark == b",":
                self._bytes.skip(1)
                continue
            if mark in (b"}", b":"):
                raise _Broken
            yield from self.value((*path, index))
            index += 1
        self._bytes.skip(1)


class _Bytes:
    """Bytes that come in chunks, of which no more is held than what is being read."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._buffer = b""
        self._at = 0

    def _load(self, keep: int) -> None:
        """Takes the next chunk, after what stands from `keep` on; raises _Ended where there is none."""
        chunk = next(self._chunks, None)
        if chunk is None:
            raise _Ended
        self._buffer = self._buffer[keep:] + chunk

    def peek(self) -> bytes:
        """The next byte that is no blank, which is where reading goes on."""
        while True:
            found = _BLANK.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            self._load(len(self._buffer))
            self._at = 0

    def skip(self, count: int) -> None:
        self._at += count

    def value(self) -> tuple[bytes, int]:
        """The JSON value that begins here, at most ELEMENT_BYTES of it, and its size."""
        mark = self.peek()
        if mark not in (b"{", b"[", b'"'):
            return self._scalar()
        held, size, depth = bytearray(), 0, 0
        start, position, in_string = self._at, self._at, False
        while True:
            if position >= len(self._buffer):
                size += self._hold(held, start, position)
                self._load(position)
                start = position = 0
            pattern = _IN_STRING if in_string else _TO_BRACKET if depth else None
            found = pattern.match(self._buffer, position) if pattern else None
            position = found.end() if found else position
            if position >= len(self._buffer):
                continue
            mark = self._buffer[position : position + 1]
            if mark == b"\\":  # its other half is in the next chunk
                size += self._hold(held, start, position)
                self._load(position)
                start = position = 0
                continue
            if mark == b'"':
                in_string = not in_string
            else:
                depth += 1 if mark in b"{[" else -1
            position += 1
            if not depth and not in_string:
                size += self._hold(held, start, position)
                self._at = position
                return bytes(held), size

    def _scalar(self) -> tuple[bytes, int]:
        held, size = bytearray(), 0
        while True:
            found = _SCALAR.match(self._buffer, self._at)
            end = found.end() if found else self._at
            size += self._hold(held, self._at, end)
            self._at = end
            if end < len(self._buffer):
                break
            self._load(end)
            self._at = 0
        if not size:
            raise _Broken
        return bytes(held), size

    def _hold(self, held: bytearray, start: int, end: int) -> int:
        held += self._buffer[start : min(end, start + max(0, ELEMENT_BYTES - len(held)))]
        return end - start


def outline(head: bytes) -> dict[str, object] | None:
    """What the beginning of a JSON object holds: all values that end in `head`; None where it is no such object."""
    ends = _whole_values(head)
    for end, closing in reversed(ends):
        try:
            value, _ = parse(head[:end].rstrip(b", \t\r\n") + closing)
        except Unparsable:
            continue
        return value if isinstance(value, dict) else None
    return None


def _whole_values(head: bytes) -> list[tuple[int, bytes]]:
    """The last places where the text may be cut, each with the brackets that are open there, to be closed."""
    places: list[tuple[int, bytes]] = []
    open_brackets = bytearray()
    position = 0
    while position < len(head) and len(open_brackets) < 200:
        found = _TO_COMMA.match(head, position)
        position = found.end() if found else position
        mark = head[position : position + 1]
        if mark in (b"", b'"'):
            break
        if mark in b"{[":
            open_brackets += b"}" if mark == b"{" else b"]"
        elif mark in b"}]":
            if not open_brackets:
                break
            open_brackets.pop()
        position += 1
        if open_brackets:
            places = [*places[-3:], (position, bytes(reversed(open_brackets)))]
    return places


_TO_COMMA = re.compile(rb'(?:[^"\[\]{},]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
