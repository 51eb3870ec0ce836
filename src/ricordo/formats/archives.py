"""Zips, read like folders and never unpacked: no name in them reaches the disk.

What a zip could do harm with, or hide, is left out and reported: files that unpack to many times their size, a
whole that does, encrypted files, zips inside it, and a directory too large to be held.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from ricordo.formats.paths import place_in_order
from ricordo.formats.problems import Reporter
from ricordo.formats.source import BOMB_BYTES, BOMB_RATIO, READ_ERRORS, Source, damage_told
from ricordo.models import ARCHIVE_FORMATS

#: Files in a zip that are looked at: those of ten Slack channels in ten years, and as many again.
_MEMBERS = 80_000
#: The longest directory of a zip that is read, in bytes; each file in it takes some 100 of them.
_DIRECTORY_BYTES = 12_000_000
_ENCRYPTED = 0x1
_MANIFEST, _MANIFEST_BYTES = "manifest.json", 4096


class _Bounded(io.BufferedReader):
    """A file that refuses to be read in one piece larger than a zip's directory may be."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _DIRECTORY_BYTES:
            raise zipfile.BadZipFile(f"its directory has {size:,} bytes; the maximum is {_DIRECTORY_BYTES:,}")
        return super().read(size)


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip to read from; raises one of READ_ERRORS where it can't be opened."""
    with _Bounded(io.FileIO(path)) as file:
        with damage_told():
            archive = zipfile.ZipFile(file)
        with archive:
            yield archive


def members(source: Source, archive: zipfile.ZipFile, report: Reporter) -> list[Source]:
    """The files in a zip as sources, in the order of their names; what is left out is reported."""
    # A damaged entry may have no name at all, on which its own is_dir fails.
    entries = [each for each in archive.infolist() if each.filename.strip("/") and not each.filename.endswith("/")]
    # The last of one name is the one that opening it by name gives.
    named = {each.filename: each for each in entries if not _hidden(each.filename)}
    entries = sorted(named.values(), key=lambda each: place_in_order(each.filename))
    if len(entries) > _MEMBERS:
        report(f"contains {len(entries):,} files; skipped all after the first {_MEMBERS:,}")
    found: list[Source] = []
    packed = unpacked = 0
    for entry in entries[:_MEMBERS]:
        name = "/".join(part for part in PurePosixPath(entry.filename).parts if part not in ("/", ".", ".."))
        ratio = entry.file_size / max(1, entry.compress_size)
        if entry.flag_bits & _ENCRYPTED:
            report(f"{name} in it is encrypted")
        elif name.lower().endswith(".zip"):
            report(f"{name} in it is itself a zip file: unpack it and pass it too")
        elif entry.file_size > BOMB_BYTES and ratio > BOMB_RATIO:
            report(f"{name} in it unpacks to {ratio:,.0f} times its size")
        elif unpacked + entry.file_size > max(BOMB_BYTES, BOMB_RATIO * (packed + entry.compress_size)):
            report(f"its files unpack to more than {BOMB_RATIO} times their size; skipped {name} and the rest")
            break
        else:
            packed, unpacked = packed + entry.compress_size, unpacked + entry.file_size
            found.append(Source(source.path, f"{source.label}/{name}", f"{source.id}/{name}", entry.filename, archive))
    return found


def own(archive: zipfile.ZipFile) -> str | None:
    """What a zip is and how to load it, where Ricordo wrote it; None for all others. Read as chats, it would double the
    memory."""
    if _MANIFEST not in archive.namelist():
        return None
    try:
        with damage_told(), archive.open(_MANIFEST) as file:
            said = re.search(rb'"format":\s*"([\w-]+)"', file.read(_MANIFEST_BYTES))
    except READ_ERRORS:  # its other files may still be readable
        return None
    found = ARCHIVE_FORMATS.get(said[1].decode()) if said else None
    return f"is {found[0]}: use `{found[1]}`" if found else None


def is_zip(source: Source) -> bool:
    """Whether a file is a zip, by its first bytes; raises one of READ_ERRORS."""
    with source.open() as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)
