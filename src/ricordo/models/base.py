"""The base class of all models, and the page of a list."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

T = TypeVar("T")

#: Long work calls it with how much is done and how much there is in all, as far as that is known.
Progress = Callable[[int, int], None]


class ApiModel(BaseModel):
    """Base class of all models: immutable, and unknown fields are rejected, so that typos are noticed."""

    # Built when first used: a process needs few of them, and its start would pay for all.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def version_tag(self) -> str:
        """Tells this value from every other one: equal values have the same."""
        return hashlib.sha256(self.model_dump_json().encode(errors="replace")).hexdigest()[:32]


class Page(ApiModel, Generic[T]):
    """A page of a list. Pass `cursor` to the next call to get the next page. Without one, no page follows."""

    items: tuple[T, ...]
    cursor: str | None = None

    def __iter__(self) -> Iterator[T]:  # type: ignore[override]
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
