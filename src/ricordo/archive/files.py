"""Archives as files: zips of a manifest and parts, each part with its checksum; written whole or not at all.

It knows nothing of what the parts hold. Nothing of a zip is unpacked to disk, so that no name in it reaches there.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import secrets
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from pydantic import ValidationError

from ricordo.errors import UnreadableSource
from ricordo.models import ARCHIVE_FORMATS, Manifest, Part, Progress

MANIFEST = "manifest.json"
#: The longest manifest that is read, and the longest directory of a zip, in bytes; and the most parts.
_MANIFEST_BYTES, _DIRECTORY_BYTES, _PARTS = 1_000_000, 1_000_000, 1000
#: What unpacks to more than both is refused: so many bytes, and so many times its packed size.
_BOMB_BYTES, _BOMB_RATIO = 100_000_000, 500
_PIECE = 1 << 20
#: The longest line of a part.
_LINE_BYTES = 1 << 26
#: What reading a damaged zip raises.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@contextmanager
def written(target: Path | BinaryIO) -> Iterator[BinaryIO]:
    """A file to write, which appears under its name when the block ends well, flushed to the disk, and never in part.

    It can be read by its owner alone. An open file is written to as it is. Raises OSError, also where the name is that
    of a device or a pipe: a file would take its place.
    """
    if not isinstance(target, Path):
        yield target
        return
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a regular file; give the name of a new file", str(target))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such folder; create it first", str(target.parent)) from None
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    if sys.platform != "win32":  # which flushes names by itself
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Writer:
    """A zip that is being written, part by part, within a block; `finish` adds the manifest."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4)
        self._parts: dict[str, Part] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @contextmanager
    def part(self, name: str, columns: dict[str, str]) -> Iterator[Callable[[bytes, int], None]]:
        """A new part, and what writes to it: bytes, and how many rows they hold."""
        digest, rows = hashlib.sha256(), 0
        with self._zip.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:

            def write(content: bytes, count: int) -> None:
                nonlocal rows
                file.write(content)
                digest.update(content)
                rows += count

            yield write
        self._parts[name] = Part(rows=rows, sha256=digest.hexdigest(), columns=columns)

    def finish(self, **told: Any) -> Manifest:
        """Write the manifest with what is `told`, and close the zip."""
        manifest = Manifest(files=self._parts, **told)
        self._zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        self._zip.close()
        return manifest


class Reader:
    """An archive whose manifest was read. Its parts exist; `check` verifies that they match the manifest.

    `progress` receives the bytes read so far, and the total of all `readings` of the file.
    """

    def __init__(
        self,
        name: str,
        archive: zipfile.ZipFile,
        manifest: Manifest,
        packed: int,
        progress: Progress | None = None,
        readings: int = 1,
    ) -> None:
        self.name = name
        self.manifest = manifest
        #: Bytes of the file.
        self.size = packed
        self._zip = archive
        self._most = max(_BOMB_BYTES, _BOMB_RATIO * packed)
        self._progress = progress
        self._read = 0
        self._to_read = readings * sum(archive.getinfo(part).file_size for part in manifest.files)

    def check(self) -> None:
        """Read every part and compare it with its checksum. Raises UnreadableSource."""
        unpacked = 0
        for part, told in self.manifest.files.items():
            digest = hashlib.sha256()
            for piece in self.pieces(part):
                digest.update(piece)
                unpacked += len(piece)
                if unpacked > self._most:
                    raise UnreadableSource(f"{self.name} unpacks to more than {_BOMB_RATIO} times its size")
            if digest.hexdigest() != told.sha256:
                raise UnreadableSource(f"{self.name} is damaged: the checksum of {part} does not match")

    def pieces(self, part: str) -> Iterator[bytes]:
        """A part's bytes. Raises UnreadableSource where they cannot be read."""
        with _told(self.name, part), self._zip.open(part) as file:
            while piece := file.read(_PIECE):
                self._note_read(len(piece))
                yield piece

    @contextmanager
    def stream(self, part: str) -> Iterator[BinaryIO]:
        """A part to read byte by byte. What is cut off may raise EOFError; raises UnreadableSource for that too."""
        with _told(self.name, part), self._zip.open(part) as file:
            yield io.BufferedReader(cast(io.RawIOBase, file), _PIECE)
            self._note_read(self._zip.getinfo(part).file_size)

    def batches(self, part: str, rows: int, size: int) -> Iterator[list[bytes]]:
        """A part's lines, in batches of up to so many that have little more than `size` bytes together. Raises
        UnreadableSource, also for a line that is longer than any can be."""
        with _told(self.name, part), self._zip.open(part) as file:
            batch: list[bytes] = []
            held = 0
            while line := file.readline(_LINE_BYTES + 1):
                if len(line) > _LINE_BYTES:
                    raise UnreadableSource(f"{self.name}, {part} has a line of more than {_LINE_BYTES:,} bytes")
                batch.append(line)
                held += len(line)
                if len(batch) >= rows or held >= size:
                    self._note_read(held)
                    yield batch
                    batch, held = [], 0
            if batch:
                self._note_read(held)
                yield batch

    def _note_read(self, size: int) -> None:
        self._read += size
        if self._progress is not None:
            self._progress(min(self._read, self._to_read), self._to_read)


@contextmanager
def opened(
    source: Path | BinaryIO, format: str, most: int, progress: Progress | None = None, readings: int = 1
) -> Iterator[Reader]:
    """An archive of this format to read, of a version of it up to `most`. Raises UnreadableSource, saying why: no such
    file, no zip, a cut or damaged one, another format, or a version that this Ricordo does not know."""
    name = _name(source)
    with ExitStack() as stack:
        with _told(name):
            file = stack.enter_context(source.open("rb")) if isinstance(source, Path) else source
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            archive = stack.enter_context(zipfile.ZipFile(_Bounded(file)))
            reader = Reader(name, archive, _manifest(name, archive, format, most), size, progress, readings)
        yield reader


class _Bounded:
    """A file that is not read in one piece larger than a zip's directory may be."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if size > max(_DIRECTORY_BYTES, _PIECE * 4):
            raise zipfile.BadZipFile(f"its directory has {size:,} bytes")
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _manifest(name: str, archive: zipfile.ZipFile, format: str, most: int) -> Manifest:
    names = [each.filename for each in archive.infolist()]
    if len(names) > _PARTS or len({*names}) < len(names):
        raise UnreadableSource(f"{name} contains a file twice, or more than {_PARTS:,} files")
    if MANIFEST not in names or archive.getinfo(MANIFEST).file_size > _MANIFEST_BYTES:
        raise UnreadableSource(f"{name} is not a Ricordo export or backup: it contains no {MANIFEST}")
    told = json.loads(archive.read(MANIFEST))
    found, version = (told.get("format"), told.get("version")) if isinstance(told, dict) else (None, None)
    if found != format:
        kind, command = ARCHIVE_FORMATS.get(str(found), ("not a Ricordo file", None))
        hint = f": use `{command}`" if command else ""
        raise UnreadableSource(f"{name} is {kind}, not {ARCHIVE_FORMATS[format][0]}{hint}")
    if not isinstance(version, int) or version > most:
        raise UnreadableSource(
            f"{name} has format version {version!s:.20}, but this Ricordo supports versions up to {most}: "
            "upgrade Ricordo (pip install -U ricordo)"
        )
    try:
        manifest = Manifest.model_validate(told)
    except ValidationError as error:
        [first, *_] = error.errors()
        where = ".".join(map(str, first["loc"]))
        raise UnreadableSource(f"{name} is damaged: {MANIFEST}, {where}: {first['msg']}") from None
    if {*names} != {MANIFEST, *manifest.files}:
        odd = sorted({*names} ^ {MANIFEST, *manifest.files})
        raise UnreadableSource(f"{name} is damaged: {odd[0]!r} is missing from the file or from its manifest")
    return manifest


def _name(source: Path | BinaryIO) -> str:
    return source.name if isinstance(source, Path) else "the archive"


def format_of(source: Path | BinaryIO) -> str:
    """The format that a file says it is in; '' where it is none of ours. Raises UnreadableSource."""
    with _told(_name(source)), zipfile.ZipFile(source) as archive:
        if MANIFEST in archive.namelist() and archive.getinfo(MANIFEST).file_size <= _MANIFEST_BYTES:
            told = json.loads(archive.read(MANIFEST))
            return str(told.get("format")) if isinstance(told, dict) else ""
    return ""


@contextmanager
def _told(name: str, part: str | None = None) -> Iterator[None]:
    """Turn what damage raises into UnreadableSource."""
    try:
        yield
    except UnreadableSource:
        raise
    except FileNotFoundError:
        raise UnreadableSource(f"file {name} not found") from None
    except RecursionError:
        raise UnreadableSource(f"{name} is damaged: its manifest is nested too deeply") from None
    except _DAMAGE as error:
        if isinstance(error, zipfile.BadZipFile) and part is None:
            raise UnreadableSource(
                f"{name} is not a Ricordo export or backup, or it is damaged ({error}). To store the chats of other "
                "programs, use `ricordo mine`"
            ) from error
        where = f", {part}" if part else ""
        raise UnreadableSource(f"cannot read {name}{where}: {error or type(error).__name__!s:.200}") from error
