"""Cursors of paged lists: the values at which a page ended.

Being values, and not the row that they are of, they stay good when that row is changed, moved or removed. A cursor
knows which list it is of: with other filters it would pass over rows that nobody has seen.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ricordo.errors import InvalidInput, quoted
from ricordo.times import zoned

#: Characters of the longest one: a name may be part of it.
LONGEST = 4_000
#: Numbers in cursors are those of wings, rooms, closets and drawers.
_LARGEST = 2**31 - 1


def made(of: Sequence[object], *place: datetime | UUID | str | int) -> str:
    """The cursor behind a place in the list `of`, which is told by its name and its filters."""
    told = [each if isinstance(each, int) else _written(each) for each in place]
    written = json.dumps([_mark(of), *told], separators=(",", ":"))
    return urlsafe_b64encode(written.encode()).decode().rstrip("=")


def refused(cursor: object) -> InvalidInput:
    """What is to be raised for a text that is no cursor."""
    return InvalidInput("cursor", f"invalid cursor {quoted(cursor)}: use the cursor from the previous page")


def place(cursor: object, of: Sequence[object], *kinds: type) -> Any:
    """The tuple of values of these kinds that a cursor of the list `of` holds. Raises InvalidInput for another text."""
    try:
        text = str(cursor)
        if len(text) > LONGEST:
            raise ValueError("too long")
        mark, *told = json.loads(b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
        found = tuple(_read(kind, each) for kind, each in zip(kinds, told, strict=True))
    except (ValueError, TypeError, RecursionError, InvalidInput):
        raise refused(cursor) from None
    if mark != _mark(of):
        raise InvalidInput(
            "cursor", "belongs to another list: use the same filters as for the previous page, or omit them"
        )
    return found


def _mark(of: Sequence[object]) -> str:
    return hashlib.sha256(repr(of).encode(errors="replace")).hexdigest()[:8]


def _written(value: datetime | UUID | str) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _read(kind: type, told: object) -> object:
    """A value of a kind. Raises ValueError and InvalidInput."""
    if kind is int:
        if type(told) is int and 0 <= told <= _LARGEST:
            return told
    elif isinstance(told, str):
        if kind is datetime:
            return zoned("cursor", datetime.fromisoformat(told))
        if kind is UUID:
            return UUID(told)
        if told.encode() and "\0" not in told:  # what the store can hold
            return told
    raise ValueError("another value")
