"""Clocks that jump by more than a year, forwards and backwards: the server's, and the client's."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from consistency import inconsistencies
from homes import temporary_home
from miners import lost, talk
from ricordo.blocking import Memory
from ricordo.database.embedded import tools
from ricordo.settings import Settings
from stores import connect, settings_for

YEAR = 366 * 86_400
#: Seconds by which the clock is wrong, one after the other.
JUMPS = (0, YEAR, -YEAR, 3600, -1, 0)

Jump = Callable[[int], None]


@pytest.fixture
def with_clock() -> Iterator[tuple[Settings, Jump]]:
    """A store whose server sees the time that the test tells."""
    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("it takes Linux and gcc to move the clock of a server")
    with temporary_home() as home:
        library, offset, programs = home / "clock.so", home / "offset", home / "programs"
        source = Path(__file__).parents[1] / "programs" / "clock.c"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
        offset.write_bytes(struct.pack("q", 0))
        programs.mkdir()
        real = tools(Settings(home=home))
        for each in real.iterdir():
            (programs / each.name).symlink_to(each)
        (programs / "postgres").unlink()
        (programs / "postgres").write_text(
            f'#!/bin/sh\nLD_PRELOAD={library} CLOCK_OFFSET={offset} exec {real / "postgres"} "$@"\n'
        )
        for each in (programs, programs / "postgres", library, offset):
            each.chmod(0o755)

        def jump(seconds: int) -> None:
            with offset.open("r+b") as file:
                file.write(struct.pack("q", seconds))

        yield settings_for(home, postgres_bin=programs), jump


def test_the_server_s_clock_jumps(with_clock: tuple[Settings, Jump]) -> None:
    settings, jump = with_clock
    with Memory(settings=settings, background=False) as memory, connect(settings) as owner:
        agent = memory.agents.create("coder")
        [profile] = memory.profiles.list(agent.id)
        entry = memory.entries.write(profile.id, "said first").id
        for number, seconds in enumerate(JUMPS):
            jump(seconds)
            [(now,)] = owner.execute("SELECT clock_timestamp()").fetchall()
            assert abs((now - datetime.now(UTC)).total_seconds() - seconds) < 60, "the clock did not jump"
            memory.mine(talk(number), conversation=f"talk-{number}")
            memory.entries.edit(entry, content=f"said at {number}")
            memory.notes.create(f"note {number}", retention="long_term")
            assert memory.recall(f"battery {number}").context
            memory.jobs.finish()
            memory.audit.seal()
        assert [each.content for each in memory.entries.history(entry)][1:] == [
            f"said at {number}" for number in range(len(JUMPS))
        ]
        assert {each.content for each in memory.entries.page(kinds=["note"]).items} == {
            f"note {number}" for number in range(len(JUMPS))
        }
        assert memory.audit.verify().intact
        assert memory.audit.sound().found == ()
        assert lost(owner, list(range(len(JUMPS)))) == [] and inconsistencies(owner) == []


def test_the_client_s_clock_jumps(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = time.time_ns
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        ids = []
        for number, seconds in enumerate(JUMPS):
            with monkeypatch.context() as patch:
                patch.setattr(time, "time_ns", lambda moved=seconds: exact() + moved * 10**9)
                patch.setattr(time, "time", lambda moved=seconds: exact() / 10**9 + moved)
                memory.mine(talk(number), conversation=f"talk-{number}")
                ids += [memory.notes.create(f"note {number}.{each}", retention="long_term").id for each in range(3)]
                expires = datetime.now(UTC) + timedelta(days=1)
                memory.notes.create(f"passing {number}", retention="medium_term", expires_at=expires)
                assert memory.recall(f"battery {number}").context
        memory.jobs.finish()
        memory.audit.seal()
        assert len({*ids}) == len(ids)
        assert memory.audit.verify().intact and memory.audit.sound().found == ()
    with connect(settings) as owner:
        assert lost(owner, list(range(len(JUMPS)))) == [] and inconsistencies(owner) == []
