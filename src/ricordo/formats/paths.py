"""The files under the paths that a user names, each as sources to read.

In folders, hidden files and folders are passed over; a link to a folder is followed once, so that circles
end. Zips are read like folders: see ricordo.formats.archives.

The id of a conversation that has none of its own is its file's place in what was named: the named folder's
own name and the path below it (`chats/2025/ada.md`), or for a named file the name of its folder and its own
(`chats/ada.md`). It depends on nothing in the file, so a file that grew is the same conversation.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.formats.problems import Reporter, Sink
from ricordo.formats.source import COMPRESSED, Source

#: A part of a conversation of Facebook's or Instagram's, which are numbered from the newest one on.
_FROM_THE_NEWEST = re.compile(r"(?<![^/])message_(\d{1,6})\.json$")


def place_in_order(name: str) -> str:
    """What files are sorted by: their names, and parts of a conversation by when they were written."""
    return _FROM_THE_NEWEST.sub(lambda part: f"message_{10**6 - int(part[1]):07}.json", name)


def check(paths: Sequence[Path]) -> list[Path]:
    """The paths, once each; raises UnreadableSource where one is not there, or neither a file nor a folder."""
    if not paths:
        raise InvalidInput("paths", "expected at least one file or folder")
    checked: dict[Path, Path] = {}
    for path in map(Path, paths):
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            raise UnreadableSource(f"cannot read {printable(path)}: {reason(error)}") from None
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise UnreadableSource(f"{printable(path)} is not a file or folder: save its content to a file")
        checked.setdefault(path.resolve(), path)
    return list(checked.values())


def files(root: Path, sink: Sink, is_whole: Callable[[Path], bool]) -> Iterator[Path]:
    """The files in a folder and its folders, in the order of their names (`place_in_order`); what can't be entered is
    reported.

    A folder for which `is_whole` holds is given itself, and not gone through.
    """
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
                if is_whole(path):
                    yield path
                    continue
                seen = [each for each in path.iterdir() if not each.name.startswith(".")]
                open_folders.append(iter(sorted(seen, key=lambda each: place_in_order(each.name))))
        except OSError as error:
            Reporter(printable(path), sink)(f"cannot be read: {reason(error)}")


def file_source(path: Path, root: Path) -> Source:
    """A file as a source; `root` is the folder that was named, or the file itself."""
    base = root.resolve()
    below = path.relative_to(root).as_posix() if path != root else base.name
    above = base.name if path != root else base.parent.name
    place = f"{above}/{below}" if above else below
    # A file that was compressed since is the same file.
    packing = path.suffix
    return Source(path, printable(path), _text(place.removesuffix(packing) if packing.lower() in COMPRESSED else place))


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


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
