"""JSON read as a stream: the elements of a list, or lines of JSON, one at a time, whatever the file's size.

Only one element is ever held, and none above `ELEMENT_BYTES`. A scanner finds where each element of a list ends by its
brackets and strings; `json` then parses the element by itself. So an element that is broken, or too large,
or too deep for the parser is reported and the ones after it are still read.

Not ijson, which reads a list three times as fast: its parser ends at the first fault, so that one broken element, one
byte that is no UTF-8 or one NaN loses everything after it. It also sets no limit to the size and depth of an element.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ricordo.formats.problems import Reporter
from ricordo.formats.source import Source, decoded

#: An element of a list, a line, or a whole object with more bytes than this is reported and left out. Parsed
#: chats take three to five times their size in memory.
ELEMENT_BYTES = 32_000_000

#: Commas, and four times the brackets, that one may have: what keeps 32 MB of `[],[],…` from becoming a gigabyte.
_PARTS = 3_000_000

#: What a file holds: a JSON list, lines of JSON, one JSON object; or no JSON at all.
Shape = Literal["array", "lines", "object", "text", "binary", "empty"]

# The quantifiers are possessive: each byte is looked at once, whatever the input.
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + _STRING + rb")*+", re.DOTALL)
_TO_BRACKET_OR_COMMA = re.compile(rb'(?:[^"\[\]{},]++|' + _STRING + rb")*+", re.DOTALL)
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BLANK = b" \t\r\n"


class Element(NamedTuple):
    """One element of a JSON list as it stands in the file."""

    #: 1-based.
    number: int
    raw: bytes
    #: How long it is in bytes; more than `raw` holds where it is too large.
    size: int
    #: False for what stands after the last comma of a list that does not end.
    complete: bool


class Unparsable(ValueError):
    """A piece of JSON can't be parsed; `line` is the line inside the piece where it breaks."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.line = line


def parse(raw: bytes) -> tuple[object, str | None]:
    """The value of one JSON text, and what was done to read its characters (see `decoded`).

    Raises Unparsable.
    """
    parts = 4 * (raw.count(b"[") + raw.count(b"{")) + raw.count(b",")
    if parts > _PARTS:
        raise Unparsable("too many values in one piece of JSON")
    text, note = decoded(raw)
    try:
        return json.loads(text), note
    except json.JSONDecodeError as error:
        raise Unparsable(f"not valid JSON ({error.msg}, column {error.colno})", error.lineno) from None
    except ValueError:  # Python refuses whole numbers of more than 4300 digits
        raise Unparsable("not readable JSON (a number is too long)") from None
    except RecursionError:
        raise Unparsable("not readable JSON (nested too deeply)") from None


def values(source: Source, shape: Shape, report: Reporter) -> Iterator[tuple[int | None, object]]:
    """The JSON values of a source with the number of the element or line of each (None for a lone object).

    What can't be parsed, or is above ELEMENT_BYTES, is reported and left out.
    """
    what = {"array": "element", "lines": "line"}.get(shape, "object")
    for number, raw, too_large in _pieces(source, shape, report):
        if too_large:
            report(f"a JSON {what} over the limit of {ELEMENT_BYTES // 1_000_000} MB", where=number)
            continue
        try:
            value, note = parse(raw)
        except Unparsable as error:
            report(f"{error}", where=number or error.line)
            continue
        if note:
            report(note, where=number, lost=False)
        yield number, value


def _pieces(source: Source, shape: Shape, report: Reporter) -> Iterator[tuple[int | None, bytes, bool]]:
    if shape == "array":
        for element in elements(source.chunks(), report):
            if element.complete:
                yield element.number, element.raw, element.size > ELEMENT_BYTES
            else:
                report("the file ends inside this element", where=element.number)
    elif shape == "lines":
        for line in source.lines(ELEMENT_BYTES):
            if line.raw.strip(_BLANK):
                yield line.number, line.raw, line.cut
    else:
        raw, too_large = whole(source)
        yield None, raw, too_large


def whole(source: Source) -> tuple[bytes, bool]:
    """The content of a source, at most ELEMENT_BYTES of it, and whether there is more."""
    held = bytearray()
    for chunk in source.chunks():
        held += chunk
        if len(held) > ELEMENT_BYTES:
            return bytes(held[:ELEMENT_BYTES]), True
    return bytes(held), False


def elements(chunks: Iterable[bytes], report: Reporter) -> Iterator[Element]:
    """Cuts a JSON list into its elements; `chunks` are its bytes in UTF-8.

    A list that does not end gives what stands after its last comma as an element that is not complete. Text
    after the list is reported.
    """
    scanner = _Scanner()
    for chunk in chunks:
        yield from scanner.feed(chunk)
        if scanner.ended:
            break
    yield from scanner.rest()
    if scanner.after.strip(_BLANK):
        report("skipped text after the end of the JSON list")
    elif not scanner.ended and not scanner.pending:
        report("the file ends before its JSON list does")


class _Scanner:
    """Finds the ends of a list's elements in chunks that may break anywhere."""

    def __init__(self) -> None:
        self.ended = False
        self.after = b""
        self._number = 1
        self._depth = 0
        self._in_string = False
        self._carry = b""
        self._held = bytearray()
        self._size = 0

    @property
    def pending(self) -> bool:
        return bool(self._held.strip(_BLANK))

    def feed(self, chunk: bytes) -> Iterator[Element]:
        chunk, self._carry = self._carry + chunk, b""
        start = 0
        if not self._depth:
            start = chunk.find(b"[") + 1
            if not start:
                return
            self._depth = 1
        position = start
        while position < len(chunk):
            position = self._skip(chunk, position)
            if position >= len(chunk) or self._in_string:
                break
            mark = chunk[position : position + 1]
            if mark == b'"':
                self._in_string = True
            elif mark in b"[{":
                self._depth += 1
            elif mark in b"]}":
                self._depth -= 1
            if self._depth == 0 or (self._depth == 1 and mark == b","):
                self._hold(chunk[start:position])
                yield from self._cut(last=self._depth == 0)
                start = position + 1
            position += 1
            if self._depth == 0:
                self.ended, self.after = True, chunk[position:]
                return
        self._hold(chunk[start : len(chunk) - len(self._carry)])

    def rest(self) -> Iterator[Element]:
        """What stands after the last comma when the chunks end before the list does."""
        if not self.ended and self.pending:
            yield Element(self._number, bytes(self._held), self._size, complete=False)

    def _skip(self, chunk: bytes, position: int) -> int:
        """The place of the next character that matters, or the end of the chunk."""
        if self._in_string:
            match = _IN_STRING.match(chunk, position)
            end = match.end() if match else position
            if end == len(chunk):
                return end
            if chunk[end : end + 1] == b"\\":  # its other half is in the next chunk
                self._carry = chunk[end:]
                return len(chunk)
            self._in_string = False
            return self._skip(chunk, end + 1)
        pattern = _TO_BRACKET_OR_COMMA if self._depth == 1 else _TO_BRACKET
        match = pattern.match(chunk, position)
        return match.end() if match else position

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        self._held += piece[: max(0, ELEMENT_BYTES - len(self._held))]

    def _cut(self, *, last: bool) -> Iterator[Element]:
        element = Element(self._number, bytes(self._held), self._size, complete=True)
        empty = last and not self.pending
        self._number += 1
        self._size = 0
        self._held.clear()
        if not empty:
            yield element
