"""A file, or a file inside a zip, as bytes in UTF-8: opened again for every pass, held in pieces only."""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, Any, NamedTuple, cast

import zstandard

#: What opening or reading a source may raise.
READ_ERRORS = (OSError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, zstandard.ZstdError)
#: The endings of compressed files. They are read as what they hold, and are called so.
COMPRESSED = (".zst", ".gz")
#: What unpacks to more than both is left out: so many bytes, and so many times its packed size.
BOMB_BYTES = 100_000_000
BOMB_RATIO = 200

_CHUNK = 1 << 18
_PROBE = 8192
#: The longer marks first: UTF-32's begins with UTF-16's.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Control characters that no text has: all but tab, line feed, form feed, carriage return and escape.
_CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13, 27})
_BEYOND_ASCII = re.compile("[^\x00-\x7f\N{REPLACEMENT CHARACTER}]")


class Line(NamedTuple):
    """A line of a source without its line break."""

    number: int
    raw: bytes
    #: True where the line was longer than asked for and `raw` holds only its beginning.
    cut: bool


@contextmanager
def damage_told() -> Iterator[None]:
    """Makes BadZipFile of what else zipfile raises when the headers of a zip are damaged."""
    try:
        yield
    except (ValueError, KeyError, RuntimeError, OverflowError, struct.error) as error:
        raise zipfile.BadZipFile(f"its headers are damaged ({error})") from error


class _Unpacked(io.RawIOBase):
    """What a compressed file holds, as a stream. Raises OSError where it unpacks to many times its size."""

    def __init__(self, file: IO[bytes], packing: str, packed: int) -> None:
        self._stream: Any = (
            zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file, read_across_frames=True)
            if packing == ".zst"
            else gzip.GzipFile(fileobj=file)
        )
        self._left = max(BOMB_BYTES, BOMB_RATIO * packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._stream.read(len(buffer))
        self._left -= len(piece)
        if self._left < 0:
            raise OSError(f"it unpacks to more than {BOMB_RATIO} times its size")
        buffer[: len(piece)] = piece
        return len(piece)


@dataclass(frozen=True)
class Source:
    """Something to read: where it is, how problems call it, and the id of the conversation it holds."""

    path: Path
    #: How problems name it: the path as it was given, and the name inside a zip.
    label: str
    #: The id of its conversation where it has none of its own.
    id: str
    #: The name inside the zip at `path`; None where `path` is the file itself.
    member: str | None = None
    #: The zip, held open by whoever goes through it: its directory is read once, not once for each file in it.
    archive: zipfile.ZipFile | None = None
    #: So many of its bytes are read, as the rest is still being written; None where all are.
    end: int | None = None

    @property
    def file(self) -> PurePath:
        """Where the file lies: on the disk, or inside its zip."""
        return PurePath(self.member) if self.member else self.path

    @property
    def name(self) -> str:
        """The file's name, without the ending that says how it is compressed."""
        return self.file.stem if self.is_compressed else self.file.name

    @property
    def is_compressed(self) -> bool:
        """Whether the file's ending says that it is compressed."""
        return self.file.suffix.lower() in COMPRESSED

    @property
    def suffix(self) -> str:
        """The file name's extension in lower case, with its dot."""
        return PurePath(self.name).suffix.lower()

    def id_of(self, number: int | None) -> str:
        """The id of the conversation in element or line `number` (None: the only one) that has none of its own."""
        return self.id if number is None else f"{self.id}#{number}"

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The bytes as they stand, unpacked where the file is compressed; raises one of READ_ERRORS."""
        packing = self.file.suffix.lower()
        with self._opened() as file:
            if packing not in COMPRESSED:
                yield file
            else:
                unpacked = io.BufferedReader(_Unpacked(file, packing, self._packed_size()), _CHUNK)
                yield cast("IO[bytes]", unpacked)

    def _packed_size(self) -> int:
        if self.member is None:
            return self.path.stat().st_size
        with damage_told():
            if self.archive is not None:
                return self.archive.getinfo(self.member).file_size
            with zipfile.ZipFile(self.path) as archive:
                return archive.getinfo(self.member).file_size

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        """The bytes of the file itself."""
        if self.member is None:
            with self.path.open("rb") as file:
                yield file
        else:
            with ExitStack() as opened:
                with damage_told():
                    archive = self.archive or opened.enter_context(zipfile.ZipFile(self.path))
                    unpacked = opened.enter_context(archive.open(self.member))
                yield unpacked

    def is_binary(self) -> bool:
        """True where the beginning holds more control characters than a text with some damage would."""
        with self.open() as file:
            head = file.read(_PROBE)
        if _wide(head) is not None:
            return False
        controls = len(head) - len(head.translate(None, delete=_CONTROLS))
        return controls >= 8 and controls * 50 > len(head)

    def chunks(self) -> Iterator[bytes]:
        """The content in pieces, without a byte order mark; UTF-16 and UTF-32 are turned into UTF-8."""
        with self.open() as file:
            left = sys.maxsize if self.end is None else self.end
            chunk = file.read(min(_CHUNK, left))
            encoding = _wide(chunk[:_PROBE])
            decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
            left -= len(chunk)
            chunk = chunk.removeprefix(codecs.BOM_UTF8)
            while chunk:
                yield decoder.decode(chunk).encode() if decoder else chunk
                chunk = file.read(min(_CHUNK, left))
                left -= len(chunk)
            if decoder:
                yield decoder.decode(b"", final=True).encode()

    def lines(self, limit: int) -> Iterator[Line]:
        """The lines, of each at most `limit` bytes; the rest of a longer one is passed over, not held."""
        number, held, cut = 1, bytearray(), False
        for chunk in self.chunks():
            start = 0
            while (end := chunk.find(b"\n", start)) >= 0:
                cut |= _hold(held, chunk[start:end], limit)
                yield Line(number, bytes(held).removesuffix(b"\r"), cut)
                number, start, cut = number + 1, end + 1, False
                held.clear()
            cut |= _hold(held, chunk[start:], limit)
        if held:
            yield Line(number, bytes(held).removesuffix(b"\r"), cut)


def _wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 by the mark that it begins with; UTF-16 without one by its NULs, every other byte of ASCII."""
    marked = next((name for mark, name in _WIDE_MARKS if head.startswith(mark)), None)
    if marked is not None:
        return marked
    even, odd = head[::2], head[1::2]
    for name, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if len(high) > 8 and 2 * high.count(0) > len(high) and 0 not in low:
            return name
    return None


def _hold(held: bytearray, piece: bytes, limit: int) -> bool:
    room = limit - len(held)
    held += piece[:room]
    return len(piece) > room


def decoded(raw: bytes) -> tuple[str, str | None]:
    """`raw` as text, and what was done to read it where it is no UTF-8 (else None).

    Bytes with some good UTF-8 beyond ASCII are damaged UTF-8: what can't be read becomes U+FFFD. Others are
    taken as Windows-1252, which Latin-1 text is too.
    """
    try:
        return raw.decode(), None
    except UnicodeDecodeError:
        text = raw.decode(errors="replace")
    if _BEYOND_ASCII.search(text):
        return text, "is not entirely UTF-8; replaced invalid bytes with U+FFFD"
    return raw.decode("cp1252", errors="replace"), "is not UTF-8; read as Windows-1252"
