"""kill -9 of everything that writes to one store, in an order that a seed gives; script/faults does it for long."""

from __future__ import annotations

import os

import pytest

from soak import soak

KILLS = int(os.environ.get("RICORDO_TEST_ROUNDS", "4"))
SEED = int(os.environ.get("RICORDO_TEST_SEED", "20261128"))


@pytest.mark.slow
def test_e7_whatever_is_killed_what_was_acknowledged_is_there_once() -> None:
    tally = soak(SEED, KILLS, minutes=5, look=KILLS)
    assert tally.kills.total() >= KILLS
    assert min(tally.acknowledged.values()) > 0, tally
    print(tally)
