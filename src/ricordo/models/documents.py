"""JSON documents stored by path and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from ricordo.models.base import ApiModel

#: Where a document stands in its collection: its path and its key.
Address = tuple[tuple[str, ...], str]


class _Anything:
    """Whatever stands there, and nothing as well."""


ANYTHING: Final = _Anything()


class Document(ApiModel):
    """A value stored under a path and a key of a collection."""

    id: UUID
    collection: str
    path: tuple[str, ...]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    #: How well it answers the query that it was found by; None where it was not found by one.
    score: float | None = None

    @property
    def address(self) -> Address:
        return self.path, self.key


@dataclass(frozen=True)
class Change:
    """A change of one document. A `value` of None deletes it."""

    path: tuple[str, ...]
    key: str
    value: Mapping[str, Any] | None
    #: What searches find it by, of which the first 10,000 characters count; None keeps it out of them.
    text: str | None = None
    #: Minutes until it expires; None if it is permanent.
    minutes: float | None = None
    #: The value that must stand there now, None for nothing; else nothing of the whole call is written.
    expected: Mapping[str, Any] | _Anything | None = ANYTHING
