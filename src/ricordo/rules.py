"""What a memory's fields may hold. Each check names the field and the rule."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from ricordo.errors import InvalidInput, quoted
from ricordo.models import Scope, Source
from ricordo.times import parsed, zoned

#: The longest content of an entry, journal, core memory or note, in characters (seed 002).
LONGEST = 10_000
_TAGS, _TAG = 100, 100
_METADATA_BYTES, _METADATA_DEPTH = 100_000, 32


def text(field: str, value: object, longest: int | None = None) -> str:
    """A text that PostgreSQL and UTF-8 can hold. With `longest`, it comes without surrounding white space, and must not
    be blank or longer. Raises InvalidInput."""
    if not isinstance(value, str):
        raise InvalidInput(field, f"must be text, not {type(value).__name__}")
    if longest is not None:
        value = value.strip()
        if not value:
            raise InvalidInput(field, "must not be blank")
        if len(value) > longest:
            raise InvalidInput(field, f"has {len(value):,} characters; the maximum is {longest:,}")
    if (problem := unstorable(value)) is not None:
        raise InvalidInput(field, problem)
    return value


def unstorable(text: str) -> str | None:
    """Why PostgreSQL or UTF-8 cannot store a text, or None if they can."""
    if "\0" in text:
        return "contains a NUL character, which PostgreSQL cannot store: remove it"
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        return "contains half of a surrogate pair, which is not valid UTF-8: decode the text correctly"
    return None


def mended(text: str) -> str:
    """The text as it can be stored: two halves of a surrogate pair become the character that they are, and each NUL,
    which PostgreSQL cannot hold, and each single half, which UTF-8 cannot, becomes U+FFFD."""
    if unstorable(text) is None:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")


def period(since: datetime | None, until: datetime | None) -> None:
    """Raise InvalidInput for a period that ends before it begins."""
    if since is not None and until is not None and since > until:
        raise InvalidInput(
            "since", f"{since.isoformat()} is after until ({until.isoformat()}): expected an earlier time"
        )


def path(field: str, value: object) -> Path:
    """A path of a file or a folder, whose name need not be text that the store could hold. An empty one is refused: it
    comes of a variable that is not set, and would be the current folder. Raises InvalidInput."""
    if not isinstance(value, str | os.PathLike):
        raise InvalidInput(field, f"must be a path, not {type(value).__name__}")
    if not (given := os.fspath(value)):
        raise InvalidInput(field, "is an empty path: give a file or a folder; . is the current folder")
    try:
        raw = os.fsencode(given)
    except UnicodeEncodeError:
        raise InvalidInput(
            field, "contains half of a surrogate pair, which paths cannot contain: decode it correctly"
        ) from None
    if b"\0" in raw:
        raise InvalidInput(field, "contains a NUL character, which paths cannot contain: remove it")
    return Path(os.fsdecode(raw))


def name(field: str, value: object, longest: int = 200) -> str:
    """A name of 1 to `longest` printable characters, stripped. Raises InvalidInput."""
    said = value.strip() if isinstance(value, str) else ""
    if not said or len(said) > longest or not said.isprintable():
        raise InvalidInput(field, f"invalid value {quoted(value)}: expected 1 to {longest} printable characters")
    return text(field, said)


def confidence(value: object, field: str = "confidence") -> float:
    """A number from 0 to 1. Raises InvalidInput."""
    number = _number(field, value)
    if not 0 <= number <= 1:
        raise InvalidInput(field, f"must be between 0 and 1, not {value}")
    return number


def importance(value: object) -> int:
    """A whole number from 1 to 10. Raises InvalidInput."""
    number = _number("importance", value)
    if number != int(number) or not 1 <= number <= 10:
        raise InvalidInput("importance", f"must be a whole number from 1 to 10, not {value}")
    return int(number)


def limit(value: object, most: int = 1000) -> int:
    """A whole number from 1 to `most`. Raises InvalidInput."""
    number = _number("limit", value)
    if number != int(number) or not 1 <= number <= most:
        raise InvalidInput("limit", f"must be a whole number from 1 to {most:,}, not {value}")
    return int(number)


def scope(value: object) -> str:
    """project, conversation or global. Raises InvalidInput."""
    return one_of("scope", value, get_args(Scope))


def source(value: object) -> str:
    """user, agent, tool, eval or manual. Raises InvalidInput."""
    return one_of("source", value, get_args(Source))


def one_of(field: str, value: object, allowed: Sequence[str]) -> str:
    """One of the allowed words. Raises InvalidInput that lists them."""
    if value not in allowed:
        raise InvalidInput(field, f"must be one of {', '.join(allowed)}, not {quoted(value)}")
    return str(value)


def future(field: str, moment: object) -> datetime:
    """A time that is still to come, as a datetime or in ISO 8601; without a zone it is UTC. Raises InvalidInput."""
    told = parsed(field, moment) if isinstance(moment, str) else zoned(field, moment)
    if told <= datetime.now(UTC):
        raise InvalidInput(field, f"{told.isoformat()} is in the past: expected a future time")
    return told


def tags(values: object) -> list[str]:
    """Up to 100 different tags of up to 100 characters, in their order. Raises InvalidInput."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidInput("tags", f"must be a list of texts, not {type(values).__name__}")
    if len(values) > _TAGS:
        raise InvalidInput("tags", f"has {len(values):,} tags; the maximum is {_TAGS}")
    return list(dict.fromkeys(name("tags", each, _TAG) for each in values))


def metadata(value: object, field: str = "metadata", most: int = _METADATA_BYTES) -> dict[str, Any]:
    """A JSON object of up to `most` bytes (100 KB) and 32 levels. Raises InvalidInput."""
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"must be an object with named values, not {type(value).__name__}")
    if _depth(value) > _METADATA_DEPTH:
        raise InvalidInput(field, f"is nested more than {_METADATA_DEPTH} levels deep")
    try:
        written = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(field, f"cannot be written as JSON: {error}") from None
    if len(written) > most:
        raise InvalidInput(field, f"has {len(written):,} bytes as JSON; the maximum is {most:,}")
    read: dict[str, Any] = json.loads(written)
    for half in _strings(read):
        text(field, half)
    return read


def _number(field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(field, f"must be a number, not {quoted(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidInput(field, f"must be a number, not {number}")
    return number


def _depth(value: object) -> int:
    """How deep a value is nested, without recursion; stops counting where it is too deep (or a cycle)."""
    level, depth = [value], 0
    while level and depth <= _METADATA_DEPTH:
        level = [
            inner
            for each in level
            if isinstance(each, Mapping | list | tuple)
            for inner in (each.values() if isinstance(each, Mapping) else each)
        ]
        depth += 1
    return depth


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (key, *_strings(each))]
    return [text for each in value for text in _strings(each)] if isinstance(value, list) else []
