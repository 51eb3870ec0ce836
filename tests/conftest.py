"""Fixtures that every kind of test shares. What tests import is in support/, what runs beside them in programs/."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import citus_like
import forking
import statements
from homes import temporary_home
from models import model_folder
from ricordo.blocking import Memory
from ricordo.database import Database
from ricordo.settings import Settings
from stores import copies, drop_copies, empty_settings_for, prepare, settings_for

#: The transactions that the task at hand is in, and those that began it.
_within: ContextVar[tuple[list[bool], ...]] = ContextVar("transactions", default=())


@pytest.fixture
def one_transaction_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds a connection must not ask for another: where the pool has no more, both would wait for ever."""
    begin = Database._transaction

    @asynccontextmanager
    async def guarded(self: Database, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        assert not any(open for [open] in _within.get()), "a transaction is begun within another one"
        ours = [True]
        token = _within.set((*_within.get(), ours))
        try:
            async with begin(self, *args, **kwargs) as tx:
                yield tx
        finally:
            ours[0] = False
            _within.reset(token)

    monkeypatch.setattr(Database, "_transaction", guarded)


def pytest_addoption(parser: pytest.Parser) -> None:
    """What script/leaks sets (tests/attacks/test_isolation.py), and whether statements are sent as on Citus."""
    parser.addoption("--distributed", action="store_true", help="complete every statement as on a distributed store")
    parser.addoption("--leak-calls", type=int, default=300, help="how many calls the hunt for leaks makes")
    parser.addoption("--race-pairs", type=int, default=60, help="how many pairs of operations race; 0 for every pair")
    parser.addoption("--leak-seed", type=int, default=1, help="what its chances come from")


# A shell ignores Ctrl-C for what it starts in the background, and so would every program that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Where no bytecode is kept, every program that a test starts compiles the source again, for a third of its time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_unconfigure() -> None:
    """End what programs were forked from."""
    forking.end()


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among what importing has made: that takes a tenth of the tests' time."""
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session", autouse=True)
def _statements_are_checked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Look at every statement about users' rows; with --distributed take every store for a distributed one."""
    with pytest.MonkeyPatch.context() as patch:
        statements.record(patch)
        if request.config.getoption("--distributed"):
            citus_like.pretend(patch)
        yield


@pytest.fixture(autouse=True)
def _a_cluster_would_take_every_statement() -> Iterator[None]:
    """Fail the test that first sends a statement which a distributed store would not take."""
    yield
    new, statements.refused = statements.refused, {}
    assert new == {}


@pytest.fixture(scope="session")
def server_home(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The home of this test process's embedded server."""
    with temporary_home() as home:
        prepare(home)
        if request.config.getoption("--distributed"):
            citus_like.spread(Settings(home=home, database="template1"))
        yield home


@pytest.fixture(autouse=True)
def _stores_are_dropped() -> Iterator[None]:
    """Remove the stores that a test asked for, and not those of its module."""
    before = len(copies)
    yield
    drop_copies(before)


@pytest.fixture
def settings(server_home: Path) -> Settings:
    """Settings of an empty store of this test's own; no embedding model is installed."""
    return settings_for(server_home)


@pytest.fixture
def empty_settings(server_home: Path) -> Settings:
    """Settings of a store that nobody has migrated yet."""
    return empty_settings_for(server_home)


@pytest.fixture
def with_vectors(settings: Settings) -> Settings:
    """The same with the real embedding model."""
    return replace(settings, model_dir=model_folder())


@pytest.fixture
def memory(settings: Settings) -> Iterator[Memory]:
    """An open memory of the user `ada` on an empty store, by keyword only."""
    with Memory(settings=replace(settings, user="ada")) as memory:
        yield memory
