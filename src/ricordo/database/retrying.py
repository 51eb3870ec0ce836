"""Does work again that the database ended because others did the like at the same time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar

from ricordo.database.failures import Repeatable

_T = TypeVar("_T")

#: How often work is begun at most.
_TRIES = 8
#: Seconds that the first pause takes at most; each further one may take twice as long.
_PAUSE = 0.01


class _Try:
    """One try of some work, and whether a transaction was committed in it."""

    has_committed = False


#: The tries that the task at hand is in, the outermost first.
_within: ContextVar[tuple[_Try, ...]] = ContextVar("tries", default=())


def committed() -> None:
    """Say that a transaction was committed: what was done in it must not be done again."""
    for each in _within.get():
        each.has_committed = True


async def retried(work: Callable[[], Awaitable[_T]]) -> _T:
    """What `work` gives. It is done again, a few times, where its first transaction was ended by what others did at
    the same time: then it has changed nothing. On its next try it sees what they did, and says so if that forbids it.
    """
    for number in range(_TRIES):
        mine = _Try()
        token = _within.set((*_within.get(), mine))
        try:
            return await work()
        except Repeatable:
            if mine.has_committed or number == _TRIES - 1:
                raise
        finally:
            _within.reset(token)
        # By chance, so that those who met do not meet again.
        await asyncio.sleep(random.uniform(0, _PAUSE * 2**number))
    raise AssertionError("the last try returns or raises")
