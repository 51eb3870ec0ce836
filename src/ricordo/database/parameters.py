"""Converts lists for SQL parameters in one step, because psycopg looks up the conversion of each element separately."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.abc import AdaptContext
from psycopg.adapt import Buffer
from psycopg.types.array import ListDumper

#: Separates texts while they are escaped. Texts in PostgreSQL cannot contain it.
_BETWEEN = "\0"


class _Lists(ListDumper):
    """Converts a list to psycopg's text format. Lists of other types than those below are left to psycopg, as are mixed
    or nested lists and texts that cannot be sent."""

    def dump(self, obj: list[Any]) -> Buffer | None:
        kinds = set(map(type, obj))
        made = _MADE.get(kinds.pop()) if len(kinds) == 1 else None
        array = made(obj) if made is not None else None
        return super().dump(obj) if array is None else array.encode()


def _numbers(numbers: list[Any]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _truths(truths: list[Any]) -> str:
    return "{" + ",".join("t" if each else "f" for each in truths) + "}"


def _ids(ids: list[Any]) -> str:
    return "{" + ",".join(each.hex for each in ids) + "}"


def _times(times: list[Any]) -> str:
    return '{"' + '","'.join(map(str, times)) + '"}'


def _texts(texts: list[Any]) -> str | None:
    joined = _BETWEEN.join(texts)
    if joined.count(_BETWEEN) >= len(texts):
        return None
    return '{"' + joined.replace("\\", "\\\\").replace('"', '\\"').replace(_BETWEEN, '","') + '"}'


_MADE: dict[type, Callable[[list[Any]], str | None]] = {
    int: _numbers,
    bool: _truths,
    UUID: _ids,
    datetime: _times,
    str: _texts,
}


def adapt_lists(connection: AdaptContext) -> None:
    """Make this connection send lists this way."""
    connection.adapters.register_dumper(list, _Lists)
