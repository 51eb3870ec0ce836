"""Whether work grows with its input as it should, told without a clock's word on a busy machine: by a ratio."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Times as much input. What is linear takes as many times longer, what is quadratic the square of it.
_FACTOR = 8


def grows_gently(work: Callable[[int], object], size: int) -> bool:
    """Whether work on `size` pieces takes at most about in proportion as long as on an eighth of them."""
    work(size)  # what is made once
    small, large = (min(_seconds(work, each) for _ in range(3)) for each in (size // _FACTOR, size))
    return large <= 3 * _FACTOR * max(small, 1e-4)


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started
