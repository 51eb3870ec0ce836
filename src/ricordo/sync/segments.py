"""A segment of a device's log as bytes: a header that anyone can read, and records that only the key opens.

docs/sync-format.md describes the format. Nothing here looks at more than one segment; the order of a log is
ricordo.sync.logs.
"""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic_core import from_json

from ricordo.sync.keys import NONCE, SALT_BYTES, Key

FORMAT, VERSION = "ricordo-sync", 1
#: The hash that the first segment of a log names as the one before it.
NO_HASH = "0" * 64
#: The number of the last segment that a log can have, as in ricordo.http.routes.sync.
LAST = 99_999_999
#: The longest header, and the most bytes that a segment unpacks to.
_HEADER_BYTES, _UNPACKED_BYTES = 2_000, 64_000_000
#: Bytes of records, as JSON, after which a segment ends.
FULL = 1_000_000


class Damaged(Exception):
    """A segment cannot be read; the message is the rest of a sentence that names it."""


@dataclass(frozen=True)
class Header:
    """What anyone can read of a segment. It is authenticated with the records."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    memory: UUID
    device: UUID
    number: Annotated[int, Field(strict=True, ge=1, le=LAST)]
    #: SHA-256 of the segment before, as hexadecimal digits.
    previous: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    #: Whether a device may begin to read here: this segment and later ones contain the whole log.
    base: Annotated[bool, Field(strict=True)]
    #: Id of the key (Key.id).
    key: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    salt: Annotated[str, Field(pattern=f"^[0-9a-f]{{{2 * SALT_BYTES}}}$")]
    #: Bytes of the encrypted part.
    size: Annotated[int, Field(strict=True, ge=1)]

    def line(self) -> bytes:
        told = {"format": FORMAT, "version": VERSION}
        told |= {name: str(value) if isinstance(value, UUID) else value for name, value in vars(self).items()}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"


_HEADER = TypeAdapter(Header)


@dataclass(frozen=True)
class Opening:
    """What the writer of a segment says in it ahead of its records."""

    #: The device's name.
    name: str
    written_at: datetime
    #: Devices that were shut out when the key was rotated.
    shut_out: Sequence[UUID] = ()


def seal(
    key: Key, device: UUID, number: int, previous: str, base: bool, opening: Opening, records: Sequence[str]
) -> bytes:
    """The bytes of a segment. `records` are lines of JSON."""
    first = {
        "name": opening.name,
        "written_at": opening.written_at.isoformat(),
        "shut_out": [str(each) for each in opening.shut_out],
    }
    packed = zlib.compress("\n".join([json.dumps(first), *records]).encode())
    salt = secrets.token_bytes(SALT_BYTES)
    header = Header(key.memory, device, number, previous, base, key.id, salt.hex(), len(packed) + 16).line()
    return header + key.cipher(salt, device, number).encrypt(NONCE, packed, header)


def header_of(raw: bytes) -> Header:
    """The header of a segment, of which `raw` may be the beginning. Raises Damaged."""
    end = raw.find(b"\n", 0, _HEADER_BYTES)
    try:
        told = from_json(raw[: end + 1]) if end > 0 else None
        if not isinstance(told, dict) or told.pop("format", None) != FORMAT:
            raise Damaged("is not a segment of a sync log")
        if (version := told.pop("version", None)) != VERSION:
            raise Damaged(f"has version {version!r:.20} of the format, and this Ricordo reads {VERSION}: upgrade it")
        return _HEADER.validate_python(told)
    except ValueError:
        raise Damaged("has a header that cannot be read") from None


def opened(key: Key, raw: bytes) -> tuple[Header, Opening, list[dict[str, Any]]]:
    """The header, the opening and the records of a segment. Raises Damaged."""
    from cryptography.exceptions import InvalidTag

    header = header_of(raw)
    line, sealed = raw[: raw.index(b"\n") + 1], raw[raw.index(b"\n") + 1 :]
    if len(sealed) < header.size:
        raise Damaged(f"is torn: {len(sealed):,} of {header.size:,} bytes are there")
    if header.key != key.id:
        raise Damaged("is sealed with another key")
    try:
        packed = key.cipher(bytes.fromhex(header.salt), header.device, header.number).decrypt(NONCE, sealed, line)
    except (InvalidTag, ValueError):
        raise Damaged("was changed or forged: its seal does not hold") from None
    unpacker = zlib.decompressobj()
    try:
        lines = unpacker.decompress(packed, _UNPACKED_BYTES).split(b"\n")
        first, *records = [from_json(each, allow_inf_nan=False) for each in lines]
        opening = Opening(
            name=str(first["name"]),
            written_at=datetime.fromisoformat(first["written_at"]),
            shut_out=[UUID(each) for each in first["shut_out"]],
        )
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError):
        raise Damaged("holds records that cannot be read") from None
    return header, opening, records
