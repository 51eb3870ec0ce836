"""How often a key may ask, and an address may fail to show one. Counted in this process."""

from __future__ import annotations

import math
import time
from collections import deque

from limits import parse

from ricordo.errors import InvalidInput
from ricordo.http.problems import Refused


class Rates:
    """The counts of one server: of each holder the times of the last requests, as many as may come in one period."""

    def __init__(self, rate: str) -> None:
        """Raises InvalidInput for what is no rate."""
        try:
            self._rate = parse(rate)
        except ValueError:
            raise InvalidInput("rate", f"invalid rate {rate[:50]!r}: expected a rate such as 1200/minute") from None
        if self._rate.amount < 1:
            raise InvalidInput(
                "rate", f"rate {rate[:50]!r} allows no requests: expected at least 1, such as 1200/minute"
            )
        self._period = self._rate.get_expiry()
        self._asked: dict[str, deque[float]] = {}
        self._swept = time.monotonic()

    def count(self, holder: str) -> None:
        """Count a request. Raises Refused where there were too many."""
        self._count(holder, "too many requests with this key")

    def count_failure(self, guest: str) -> None:
        """Count a request without a valid key. Raises Refused where there were too many; valid keys are not held up."""
        self._count(guest, "too many requests without a valid key")

    def _count(self, who: str, what: str) -> None:
        now = time.monotonic()
        if now - self._swept > self._period:
            self._sweep(now)
        asked = self._asked.get(who)
        if asked is None:
            asked = self._asked[who] = deque(maxlen=self._rate.amount)
        if len(asked) == asked.maxlen and (left := asked[0] + self._period - now) > 0:
            seconds = str(math.ceil(left))
            raise Refused(429, "too-many-requests", f"{what} ({self._rate}); try again later", {"Retry-After": seconds})
        asked.append(now)

    def _sweep(self, now: float) -> None:
        """Forget who has not asked for a period."""
        self._asked = {who: asked for who, asked in self._asked.items() if asked[-1] > now - self._period}
        self._swept = now
