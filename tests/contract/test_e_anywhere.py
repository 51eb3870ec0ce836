"""E14: the same code on any PostgreSQL server, and reads from a streaming replica of it."""

from __future__ import annotations

import asyncio
import math
import shlex
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from homes import temporary_home
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.database import Database, Transaction
from ricordo.database.replica import Replica
from ricordo.errors import InvalidInput
from ricordo.settings import Settings
from stores import settings_for

_T = TypeVar("_T")
_SCRIPT = Path(__file__).parents[2] / "script" / "replica"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Path, str, str]]:
    """A server and a streaming replica of it: their folder, and how to connect to them."""
    with temporary_home() as folder:
        command = [sys.executable, str(_SCRIPT), str(folder)]
        made = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        primary, standby = (shlex.split(line)[1].partition("=")[2] for line in made.stdout.splitlines())
        try:
            yield folder, primary, standby
        finally:
            subprocess.run([*command, "--stop"], check=True, timeout=300)


@pytest.fixture
def replicated(servers: tuple[Path, str, str]) -> Settings:
    """An empty store of this test's own on these servers."""
    folder, primary, standby = servers
    return replace(settings_for(folder), database_url=primary, database_read_url=standby)


def _read(settings: Settings, work: Callable[[Transaction], Awaitable[_T]]) -> _T:
    """What `work` gives in a reading transaction of the settings' user."""

    async def reading() -> _T:
        async with Database(settings) as database:
            return await database.read(user_id_of(settings.user), work)

    return asyncio.run(reading())


async def _is_replica(tx: Transaction) -> bool:
    row = await (await tx.execute("SELECT pg_is_in_recovery()")).fetchone()
    return bool(row and row[0])


async def _users(tx: Transaction) -> int:
    row = await (await tx.execute("SELECT count(*) FROM users")).fetchone()
    return row[0] if row else 0


def _tell(memory: Memory, text: str) -> None:
    memory.mine([{"role": "user", "content": text}], conversation=str(uuid4()))


def test_e14_recall_reads_from_the_replica_and_misses_nothing_that_was_written_before(
    replicated: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_replica: list[bool] = []
    ask = Replica.has_caught_up

    async def noted(self: Replica, store: Any) -> bool:
        from_replica.append(await ask(self, store))
        return from_replica[-1]

    monkeypatch.setattr(Replica, "has_caught_up", noted)
    with Memory(settings=replicated, background=False) as memory:
        for number in range(20):
            _tell(memory, f"Turn {number}")
            assert f"Turn {number}" in {hit.text for hit in memory.recall(f"turn {number}", top_k=20)}
        assert len(from_replica) == 20
        assert any(_read(replicated, _is_replica) for _ in range(50))  # a busy machine may be slow to follow
        assert _read(replicated, _users) == 1


def test_e14_a_replica_that_lags_or_is_gone_costs_no_answer(
    replicated: Settings, servers: tuple[Path, str, str]
) -> None:
    standby = servers[2]
    with Memory(settings=replicated, background=False) as memory, psycopg.connect(standby, autocommit=True) as replica:
        replica.execute("SELECT pg_wal_replay_pause()")
        try:
            _tell(memory, "The spare key is under the fern")
            assert not _read(replicated, _is_replica)
            assert [hit.text for hit in memory.recall("spare key")] == ["The spare key is under the fern"]
        finally:
            replica.execute("SELECT pg_wal_replay_resume()")
    gone = replace(replicated, database_read_url=make_conninfo(standby, port=1))
    with Memory(settings=gone, background=False) as memory:
        assert not _read(gone, _is_replica)
        assert [hit.text for hit in memory.recall("spare key")] == ["The spare key is under the fern"]


def test_e14_a_read_that_the_replica_breaks_off_is_done_in_the_store(replicated: Settings) -> None:
    where: list[bool] = []

    async def work(tx: Transaction) -> int:
        where.append(await _is_replica(tx))
        if where == [True]:
            await tx.execute("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)")
        return 7

    for _ in range(50):  # a busy machine may be slow to follow
        where.clear()
        assert _read(replicated, work) == 7
        if where[0]:
            break
    assert where == [True, False]


def test_e14_a_replica_shows_a_user_their_own_rows_only(replicated: Settings) -> None:
    with Memory(settings=replace(replicated, user="ada"), background=False) as ada:
        _tell(ada, "A secret of mine")
        assert _read(replace(replicated, user="grace"), _users) == 0
        assert not ada.of("grace").recall("secret").results


def test_e14_a_promoted_replica_is_neither_read_from_nor_waited_for(
    replicated: Settings, servers: tuple[Path, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, primary, _ = servers
    monkeypatch.setattr("ricordo.database.replica._PATIENCE", math.inf)
    itself = replace(replicated, database_read_url=primary)  # a server that replays nothing, as after its promotion
    with Memory(settings=itself, background=False) as memory:
        _tell(memory, "The boat leaves at nine")
        assert [hit.text for hit in memory.recall("boat")] == ["The boat leaves at nine"]


def test_e14_a_replica_needs_the_server_that_it_is_a_replica_of(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match=r"database_read_url.*requires database_url"):
        replace(settings, database_read_url="postgresql://replica/ricordo")
