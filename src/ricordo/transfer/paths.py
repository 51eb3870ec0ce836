"""The files under the paths that a user names, each as sources to read.

In folders, hidden files and folders are passed over; a link to a folder is followed once, so that circles
end. A zip is read like a folder, without being unpacked: its files are read where they lie, so that no name
in it reaches the disk.

The id of a conversation that has none of its own is its file's place in what was named: the named folder's
own name and the path below it (`chats/2025/ada.md`), or for a named file the name of its folder and its own
(`chats/ada.md`). It depends on nothing in the file, so a file that grew is the same conversation.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.transfer.problems import Reporter, Sink
from ricordo.transfer.source import Source, damage_told

#: A file in a zip that unpacks to more than both: so many bytes, and so many times its packed size.
_BOMB_BYTES = 100_000_000
_BOMB_RATIO = 200
#: Files in a zip that are looked at.
_MEMBERS = 10_000
_ENCRYPTED = 0x1


def check(paths: Sequence[Path]) -> list[Path]:
    """The paths, once each; raises UnreadableSource where one is not there, or neither a file nor a folder."""
    if not paths:
        raise InvalidInput("paths", "name at least one file or folder to read")
    checked: dict[Path, Path] = {}
    for path in map(Path, paths):
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            raise UnreadableSource(f"{printable(path)} cannot be read: {reason(error)}") from None
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise UnreadableSource(f"{printable(path)} is neither a file nor a folder; save its content to a file")
        checked.setdefault(path.resolve(), path)
    return list(checked.values())


def files(root: Path, sink: Sink) -> Iterator[Path]:
    """The files in a folder and its folders, in the order of their names; what can't be entered is reported."""
    entered: set[tuple[int, int]] = set()
    # Not by recursion: folders may lie deeper in each other than Python calls may.
    open_folders = [iter([root])]
    while open_folders:
        path = next(open_folders[-1], None)
        if path is None:
            open_folders.pop()
            continue
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                yield path
            elif stat.S_ISDIR(status.st_mode) and (status.st_dev, status.st_ino) not in entered:
                entered.add((status.st_dev, status.st_ino))
                open_folders.append(iter(sorted(each for each in path.iterdir() if not each.name.startswith("."))))
        except OSError as error:
            Reporter(printable(path), sink)(f"cannot be read: {reason(error)}")


def file_source(path: Path, root: Path) -> Source:
    """A file as a source; `root` is the folder that was named, or the file itself."""
    base = root.resolve()
    below = path.relative_to(root).as_posix() if path != root else base.name
    above = base.name if path != root else base.parent.name
    return Source(path, printable(path), _text(f"{above}/{below}" if above else below))


def members(archive: Source, report: Reporter) -> Iterator[Source]:
    """The files in a zip as sources, in the order of their names. Raises one of READ_ERRORS."""
    with damage_told(), zipfile.ZipFile(archive.path) as opened:
        entries = sorted(opened.infolist(), key=lambda entry: entry.filename)
    # A damaged entry may have no name at all, on which its own is_dir fails.
    entries = [each for each in entries if each.filename.strip("/") and not each.filename.endswith("/")]
    entries = [each for each in entries if not _hidden(each.filename)]
    if len(entries) > _MEMBERS:
        report(f"holds {len(entries):,} files; those after the first {_MEMBERS:,} were left out")
    for entry in entries[:_MEMBERS]:
        name = "/".join(part for part in PurePosixPath(entry.filename).parts if part not in ("/", ".", ".."))
        bytes_a_byte = entry.file_size / max(1, entry.compress_size)
        if entry.flag_bits & _ENCRYPTED:
            report(f"{name} in it is encrypted")
        elif entry.file_size > _BOMB_BYTES and bytes_a_byte > _BOMB_RATIO:
            report(f"{name} in it unpacks to {bytes_a_byte:,.0f} times its size")
        else:
            yield Source(archive.path, f"{archive.label}/{name}", f"{archive.id}/{name}", entry.filename)


def is_zip(source: Source) -> bool:
    """Whether a file is a zip, by its first bytes; raises one of READ_ERRORS."""
    with source.open() as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def reason(error: BaseException) -> str:
    """Why something can't be read, in the system's words without the path."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def printable(path: Path) -> str:
    """A path as text that can be shown and stored, whatever bytes its name has."""
    return _text(str(path))


def listed(names: Iterable[str], most: int = 10) -> str:
    """Names for a message, the first ones only where there are many."""
    shown = list(names)
    return ", ".join(shown[:most]) + (", …" if len(shown) > most else "")


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
