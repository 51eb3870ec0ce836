"""kill -9 of a process that runs an agent: before the commit nothing is written, in the commit all or nothing."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

import pytest

from homes import temporary_home
from ricordo.blocking import Memory
from ricordo.settings import Settings
from runners import ALL, NOTHING, Runner, remains, settled
from stores import connect, settings_for

ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "5"))


def test_a11_a_process_killed_between_buffer_and_commit_leaves_nothing(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        memory.agents.create("coder")
        [profile] = memory.profiles.list("coder")
    runner = Runner(settings, wait=True)
    held = runner.until("held")
    assert runner.kill() == []
    with connect(settings) as owner:
        settled(owner)
        assert remains(owner) == {held: NOTHING}
    with Memory(settings=settings) as memory:
        assert memory.entries.read(profile.id) == []
        [run] = memory.runs.list()
        assert (str(run.id), run.status, run.ended_at) == (held, "running", None)


@pytest.mark.slow
def test_a11_a_process_killed_in_its_commit_leaves_all_or_nothing() -> None:
    cut = {NOTHING: 0, ALL: 0}
    with temporary_home() as home, ExitStack() as ended:
        settings = settings_for(home)
        with Memory(settings=settings) as memory:
            memory.agents.create("coder")
        owner = ended.enter_context(connect(settings))
        for turn in range(ROUNDS):
            runner = Runner(settings)
            ended.callback(runner.kill)
            runner.until("held")
            start = time.monotonic()
            done = [runner.until("done")]
            took = time.monotonic() - start
            held = runner.until("held")
            time.sleep(took * (turn + 0.5) / ROUNDS)  # at all its stages, one after the other
            done += runner.kill()
            settled(owner)
            found = remains(owner)
            wrong = {id: each for id, each in found.items() if each not in (NOTHING, ALL)}
            assert wrong == {}, f"round {turn}"
            assert [found[id] for id in done] == [ALL] * len(done), f"round {turn}: what was said to be done is there"
            cut[found[held]] += 1
    print(f"{ROUNDS} kills in a commit: {cut[NOTHING]} left nothing, {cut[ALL]} left all")
