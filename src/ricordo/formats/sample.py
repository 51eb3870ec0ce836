"""What a look at the beginning of a source shows, for the formats to tell whether it is theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from ricordo.formats.elements import ELEMENT_BYTES, Shape, Unparsable, elements, parse, whole
from ricordo.formats.outline import outline
from ricordo.formats.problems import Reporter
from ricordo.formats.source import Source, decoded
from ricordo.formats.sqlite import tables

#: How many elements or lines of a JSON file are looked at.
_RECORDS = 20
#: After so many bytes of them no more is looked at.
_RECORDS_BYTES = 1 << 20
#: How much of a text is looked at: enough for speakers to have come back, after long first turns too.
_TEXT_BYTES = 1 << 20
_TEXT_LINE_BYTES = 1 << 16

_BEGINS_AS_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*[{"\]])')
_LINE_SUFFIXES = {".jsonl", ".ndjson"}
_JSON_SUFFIXES = {".json", *_LINE_SUFFIXES}


@dataclass(frozen=True)
class Sample:
    """The shape of a source and what it begins with."""

    shape: Shape
    #: The file's own name.
    name: str
    #: The first values of a JSON source: elements, lines, or the one object.
    records: tuple[object, ...] = ()
    #: The first lines of a text, or of JSON that turned out to be none.
    lines: tuple[str, ...] = ()
    #: The tables of a source that is an SQLite database.
    tables: frozenset[str] = frozenset()
    #: What the beginning of a lone JSON object holds that can't be parsed as a whole, for formats that stream it.
    outline: dict[str, object] | None = None
    #: Why a source that looks like JSON can't be read as such, and the line; None where there is no such reason.
    fault: Unparsable | None = None

    @property
    def suffix(self) -> str:
        """The name's extension in lower case, with its dot."""
        return PurePath(self.name).suffix.lower()

    @property
    def objects(self) -> Iterator[dict[str, object]]:
        """Those of `records` that are JSON objects."""
        return (record for record in self.records if isinstance(record, dict))


def look_at(source: Source) -> Sample:
    """A sample of `source`; raises one of READ_ERRORS."""
    name = source.name
    if source.is_binary():
        return Sample("binary", name, tables=tables(source))
    lines = tuple(_head(source))
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first:
        return Sample("empty", name)
    fault: Unparsable | None = None
    if first[0] == "[":
        elements_read, fault = _first_elements(source)
        if any(isinstance(each, dict) for each in elements_read):  # "[18]" begins many a text
            return Sample("array", name, tuple(elements_read))
    elif first[0] == "{":
        records = tuple(_first_lines(source))
        if records:
            return Sample("lines", name, records)
        try:
            return Sample("object", name, (_lone_object(source),))
        except Unparsable as error:
            fault = error
    looks_like_json = source.suffix in _JSON_SUFFIXES or _BEGINS_AS_JSON.match("\n".join(lines[:5]))
    if fault is None or not looks_like_json:
        return Sample("text", name, lines=lines)
    shown = outline(_beginning(source)) if first[0] == "{" else None
    return Sample("text", name, lines=lines, outline=shown, fault=fault)


def _beginning(source: Source) -> bytes:
    held = b""
    for chunk in source.chunks():
        held += chunk
        if len(held) >= _RECORDS_BYTES:
            break
    return held[:_RECORDS_BYTES]


def _head(source: Source) -> Iterator[str]:
    size = 0
    for line in source.lines(_TEXT_LINE_BYTES):
        size += len(line.raw) + 1
        yield decoded(line.raw)[0]
        if size > _TEXT_BYTES:
            return


def _first_elements(source: Source) -> tuple[list[object], Unparsable | None]:
    """The first elements of a JSON list, and why the first one that can't be read can't be."""
    found: list[object] = []
    fault: Unparsable | None = None
    size = 0
    unheard = Reporter(source.label, lambda problem: None)
    for element in islice(elements(source.chunks(), unheard), _RECORDS):
        try:
            if not element.complete:
                raise Unparsable("the file ends inside this element of its JSON list", element.number)
            if element.size <= ELEMENT_BYTES:
                found.append(parse(element.raw)[0])
        except Unparsable as error:
            fault = fault or Unparsable(str(error), element.number)
        size += element.size
        if size > _RECORDS_BYTES and found:
            break
    return found, fault


def _first_lines(source: Source) -> list[object]:
    """The objects among the first lines where each line is JSON by itself; none where one value spans lines, or
    is the only one. The latter may still be JSON Lines by its name, to which more will be added."""
    found: list[object] = []
    seen = size = 0
    first_is_one = False
    by_name = source.suffix in _LINE_SUFFIXES
    for line in source.lines(ELEMENT_BYTES):
        stripped = line.raw.strip()
        if stripped == b"{" or seen == _RECORDS or size > _RECORDS_BYTES:
            break
        if not stripped:
            continue
        seen, size = seen + 1, size + len(stripped)
        try:
            value = None if line.cut else parse(stripped)[0]
        except Unparsable:
            continue
        if isinstance(value, dict):  # "12" and "[1]" are lines of many a text
            found.append(value)
            first_is_one = first_is_one or seen == 1
    # The last object of a list that is written one a line is a line of JSON too.
    proven = by_name or (seen > 1 and first_is_one) or len(found) > 1
    return found if proven else []


def _lone_object(source: Source) -> object:
    raw, too_large = whole(source)
    if too_large:
        limit = f"{ELEMENT_BYTES // 1_000_000} MB"
        raise Unparsable(f"one JSON object over the limit of {limit} (write one conversation per line)")
    return parse(raw)[0]
