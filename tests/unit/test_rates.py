"""How many requests a holder has in a period, by a clock of the test's own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ricordo.errors import InvalidInput
from ricordo.http import rates
from ricordo.http.problems import Refused
from ricordo.http.rates import Rates


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time, in seconds."""
    now = SimpleNamespace(at=1000.0)
    now.monotonic = lambda: now.at
    monkeypatch.setattr(rates, "time", now)
    return now


def _tries(counted: Rates, who: str, times: int) -> list[str]:
    """What came of so many requests: nothing, or after how many seconds to try again."""
    outcomes = []
    for _ in range(times):
        try:
            counted.count(who)
            outcomes.append("")
        except Refused as error:
            assert error.status == 429
            outcomes.append(error.headers["Retry-After"])
    return outcomes


def test_a_period_has_so_many_requests_wherever_it_begins(clock: SimpleNamespace) -> None:
    counted = Rates("3/minute")
    assert _tries(counted, "ada", 2) == ["", ""]
    clock.at += 50
    assert _tries(counted, "ada", 3) == ["", "10", "10"]
    assert _tries(counted, "ben", 1) == [""]
    clock.at += 10.5
    assert _tries(counted, "ada", 3) == ["", "", "50"]  # two of the three were long ago
    clock.at += 49.5
    assert _tries(counted, "ada", 2) == ["", "11"]


def test_who_is_refused_is_not_held_up_for_longer(clock: SimpleNamespace) -> None:
    counted = Rates("1 per 2 minute")
    assert _tries(counted, "ada", 1000) == ["", *["120"] * 999]
    clock.at += 120
    assert _tries(counted, "ada", 1) == [""]


def test_who_has_not_asked_for_long_is_forgotten(clock: SimpleNamespace) -> None:
    counted = Rates("5/second")
    for number in range(1000):
        counted.count(f"address:{number}")
    clock.at += 1.1
    counted.count("ada")
    assert set(counted._asked) == {"ada"}


@pytest.mark.parametrize("rate", ["", "fast", "0/minute", "-1/minute", "1/fortnight"])
def test_what_is_no_rate_is_refused(rate: str) -> None:
    with pytest.raises(InvalidInput, match="rate"):
        Rates(rate)
