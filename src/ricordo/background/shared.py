"""What the memories of several users have in common when one process serves them all."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from ricordo.database import Database
from ricordo.settings import Settings
from ricordo.vectors import Loading

#: Batches of memories that are given their vectors at a time.
_BATCHES = 2
#: Memories of users that are kept although nobody uses them.
_KEPT = 1_000


Guest = TypeVar("Guest")


class Guests(Generic[Guest]):
    """The memories of users, one for each, as long as somebody uses it or it holds what is nowhere else."""

    def __init__(self) -> None:
        self._all: WeakValueDictionary[UUID, Guest] = WeakValueDictionary()
        self._kept: OrderedDict[UUID, Guest] = OrderedDict()

    def of(self, user_id: UUID, make: Callable[[], Guest], spare: Callable[[Guest], bool]) -> Guest:
        """The user's memory, which `make` makes where there is none. `spare` says of one that nobody used for long
        whether it may go."""
        guest = self._all.get(user_id)
        if guest is None:
            guest = self._all[user_id] = make()
        self._kept[user_id] = guest
        self._kept.move_to_end(user_id)
        for _ in range(2):
            oldest, memory = next(iter(self._kept.items()))
            if len(self._kept) > _KEPT and spare(memory):
                del self._kept[oldest]
            elif len(self._kept) > _KEPT:
                self._kept.move_to_end(oldest)
        return guest

    def every(self) -> list[Guest]:
        """All of them."""
        return list(self._all.values())


class Shared:
    """One process's connections, embedding models and background turns, and the memories of users that go by them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings)
        self.loading: Loading = {}
        self.turns = asyncio.Semaphore(_BATCHES)
        self.guests: Guests[Any] = Guests()
        self.is_open = False
