"""Whether a text stands in a backup or an archive: each column that can hold one is read, of every row."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ricordo import audit
from ricordo.archive import files, portable
from ricordo.archive.backup import FORMAT as BACKUP
from ricordo.archive.backup import VERSION as BACKUP_VERSION
from ricordo.archive.files import Reader
from ricordo.errors import UnreadableSource
from ricordo.models import Absence, Place, Progress

_ROWS, _BYTES = 500, 4_000_000
#: What COPY's binary form begins with, as PostgreSQL documents it; flags and the length of more to skip follow.
_SIGNATURE = b"PGCOPY\n\xff\r\n\0"
_UNKNOWN = (
    "Rows were searched as stored, in a backup those of every user. Compressed data in them (exports to download, "
    "uploaded files) was not unpacked.",
    "Search terms are 32-bit hashes and vectors are numbers, so they contain no text to search.",
    "Only this file was searched, and only for the exact text, not for paraphrases.",
)


def absent(source: Path | BinaryIO, text: str, progress: Progress | None = None) -> Absence:
    """Look for a text, its case ignored but for bytes, in every column of a backup or an archive that can hold one.

    The file is compared with its checksums first. Raises UnreadableSource for what is neither, or damaged; InvalidInput
    for a blank text.
    """
    wanted = audit.Wanted(text)
    is_backup = files.format_of(source) == BACKUP
    format, version = (BACKUP, BACKUP_VERSION) if is_backup else (portable.FORMAT, portable.VERSION)
    with files.opened(source, format, version, progress, readings=2) as reader:
        reader.check()
        places = [place for part in reader.manifest.files for place in _places(reader, part, wanted, is_backup)]
    return Absence(places=tuple(places), left_over={}, unknown=_UNKNOWN)


def _places(reader: Reader, part: str, wanted: audit.Wanted, is_backup: bool) -> Iterator[Place]:
    """The searched columns of a part."""
    columns = reader.manifest.files[part].columns
    looks = _IN_COPY if is_backup else _IN_JSON
    searched = {name: looks[plain] for name, kind in columns.items() if (plain := kind.partition("(")[0]) in looks}
    counts = dict.fromkeys(searched, 0)
    if searched:
        for row in _copied(reader, part) if is_backup else _lines(reader, part):
            for name, look in searched.items():
                try:
                    stands = (value := row.get(name)) is not None and look(wanted, value)
                except (ValueError, struct.error):
                    raise UnreadableSource(f"{reader.name}, {part} has an invalid {name:.50}") from None
                counts[name] += stands
    for name, count in counts.items():
        yield Place(table=part.partition(".")[0], column=name, rows=count)


def _lines(reader: Reader, part: str) -> Iterator[Mapping[str, Any]]:
    number = 0
    for batch in reader.batches(part, _ROWS, _BYTES):
        for line in batch:
            number += 1
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise UnreadableSource(f"{reader.name}, {part}, line {number} is not a JSON object")
            yield row


def _copied(reader: Reader, part: str) -> Iterator[Mapping[str, bytes | None]]:
    """The rows of a part in COPY's binary form, each field as PostgreSQL sends its type."""
    names = list(reader.manifest.files[part].columns)
    with reader.stream(part) as file:
        if _taken(file, len(_SIGNATURE)) != _SIGNATURE:
            raise UnreadableSource(f"{reader.name}, {part} is not in the format of PostgreSQL COPY")
        _, more = struct.unpack("!iI", _taken(file, 8))
        _taken(file, more)
        while (count := struct.unpack("!h", _taken(file, 2))[0]) >= 0:
            if count != len(names):
                raise UnreadableSource(f"{reader.name}, {part} has rows with {count} fields instead of {len(names)}")
            yield {name: _field(file) for name in names}


def _field(file: BinaryIO) -> bytes | None:
    length = struct.unpack("!i", _taken(file, 4))[0]
    return None if length < 0 else _taken(file, length)


def _taken(file: BinaryIO, length: int) -> bytes:
    taken = file.read(length)
    if len(taken) < length:
        raise EOFError("the file is truncated")
    return taken


def _elements(array: bytes) -> Iterator[bytes]:
    """The elements of an array: how many dimensions, flags and a type come first, then two numbers for each."""
    at = 12 + 8 * int(struct.unpack_from("!i", array)[0])
    while at < len(array):
        length = struct.unpack_from("!i", array, at)[0]
        at += 4
        if length >= 0:
            yield array[at : at + length]
            at += length


#: How a field of each type is searched.
_IN_COPY: Mapping[str, Callable[[audit.Wanted, bytes], bool]] = {
    "text": lambda wanted, field: wanted.in_text(field.decode()),
    "character varying": lambda wanted, field: wanted.in_text(field.decode()),
    "text[]": lambda wanted, field: wanted.in_text("\n".join(each.decode() for each in _elements(field))),
    "jsonb": lambda wanted, field: wanted.in_json(field[1:].decode()),  # behind the version of its form
    "bytea": lambda wanted, field: wanted.in_bytes(field),
}
_IN_JSON: Mapping[str, Callable[[audit.Wanted, Any], bool]] = {
    "text": lambda wanted, value: wanted.in_text(str(value)),
    "text[]": lambda wanted, value: wanted.in_text(
        "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    ),
    "jsonb": lambda wanted, value: wanted.in_json(json.dumps(value, ensure_ascii=False)),
    "bytea": lambda wanted, value: wanted.in_bytes(bytes.fromhex(str(value).removeprefix("\\x"))),
}
