"""`python -m bench http` on a real server."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bench import http
from http_server import running
from ricordo.errors import InvalidInput
from ricordo.settings import Settings


def test_a_load_is_asked_for_and_measured(settings: Settings) -> None:
    with running(settings) as server:
        keys = asyncio.run(http.prepare(settings, 2))
        load = http.measure(server.url, keys, connections=3, seconds=1)
        with pytest.raises(InvalidInput, match="answers 1 of 3 users with an error"):
            http.measure(server.url, [*keys, "rk_none"], 1, 1)
    assert load.requests > 3 and load.errors == 0
    assert 0 < load.p50 <= load.p99
    if sys.platform == "linux":
        assert load.memory_before and load.memory_after and load.memory_halfway


def test_errors_are_counted_and_stop_nothing(settings: Settings) -> None:
    with running(settings, rate="3/minute") as server:
        keys = asyncio.run(http.prepare(settings, 1))
        load = http.measure(server.url, keys, connections=2, seconds=1)
    assert load.requests - load.errors <= 2 and load.errors > 0


@pytest.mark.parametrize("url", ["https://localhost", "localhost:7667", "http://"])
def test_what_is_no_server_here_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        http.measure(url, [], 1, 1)
