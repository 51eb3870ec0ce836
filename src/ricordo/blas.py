"""Products of matrices on the calling thread alone.

numpy's BLAS shares even small products among the cores, and its other threads then wait for more by spinning: a recall
of 30 ms used another 30 to 90 ms of the second core, which PostgreSQL needed. The limit holds for the whole process,
so it is set only while products are computed, and what the program around Ricordo had set comes back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class _Library:
    """How many threads a BLAS library uses, and what sets it."""

    get: Callable[[], int]
    set: Callable[[int], object]


class _OneThread(ContextDecorator):
    """The limit to one thread, kept as long as anybody is within it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._within = 0
        self._before: list[tuple[_Library, int]] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._within == 0:
                self._before = [(library, library.get()) for library in _libraries()]
                for library, _ in self._before:
                    library.set(1)
            self._within += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._within -= 1
            if self._within == 0:
                for library, threads in self._before:
                    library.set(threads)


#: `with one_thread:`, or `@one_thread` for a whole function.
one_thread = _OneThread()


@cache
def _libraries() -> list[_Library]:
    """The BLAS libraries of this process; numpy, whose own is among them, has been imported by now."""
    from threadpoolctl import ThreadpoolController

    return [
        # Since 3.8 `set_num_threads` heeds only the thread that called it first. Here the lock keeps callers apart.
        _Library(each.get_num_threads, getattr(each, "_real_set_num_threads", each.set_num_threads))
        for each in ThreadpoolController().select(user_api="blas").lib_controllers
    ]
