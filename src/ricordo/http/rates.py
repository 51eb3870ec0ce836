"""How often a key may ask, and an address may fail to show one. Counted in this process."""

from __future__ import annotations

import math
import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from ricordo.errors import InvalidInput
from ricordo.http.problems import Refused


class Rates:
    """The counts of one server."""

    def __init__(self, rate: str) -> None:
        """Raises InvalidInput for a rate that cannot be read."""
        try:
            self._rate = parse(rate)
        except ValueError:
            raise InvalidInput("rate", f"{rate[:50]!r} is no rate; one looks like 1200/minute") from None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def count(self, holder: str) -> None:
        """Count a request. Raises Refused where there were too many."""
        if not self._limiter.hit(self._rate, holder):
            raise self._too_many(self._rate, holder, "too many requests with this key")

    def count_failure(self, guest: str) -> None:
        """Count a request without a valid key. Raises Refused where there were too many; valid keys are not held up."""
        if not self._limiter.hit(self._rate, guest):
            raise self._too_many(self._rate, guest, "too many requests without a valid key")

    def _too_many(self, rate: RateLimitItem, who: str, what: str) -> Refused:
        reset = self._limiter.get_window_stats(rate, who).reset_time
        seconds = max(1, math.ceil(reset - time.time()))
        return Refused(429, "too-many-requests", f"{what} ({rate}); try again later", {"Retry-After": str(seconds)})
