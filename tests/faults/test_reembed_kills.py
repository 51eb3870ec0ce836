"""kill -9 of re-embeddings and of the server at random moments, while another process writes: each memory ends with one
vector, of the new embedding model."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from commands import environment
from consistency import inconsistencies
from forking import Program
from homes import temporary_home
from miners import Miner, lost, talk
from models import OTHER, model_folder
from ricordo.blocking import Memory
from ricordo.database.embedded import status
from ricordo.settings import Settings
from ricordo.vectors import reembedding
from stores import connect, settings_for

ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "3"))
SEED = 20261128
DEFAULT = "all-MiniLM-L6-v2"


def reembed(settings: Settings) -> subprocess.Popen[str]:
    """A process that changes the vectors to the default embedding model's."""
    return Program(
        [sys.executable, "-m", "ricordo", "reembed", "--model", DEFAULT],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def vectors(settings: Settings) -> dict[str, int]:
    with connect(settings) as owner:
        found = owner.execute(
            "SELECT name, count(*) FROM embeddings JOIN models USING (model) WHERE drawer > 0 GROUP BY 1"
        )
        return dict(found.fetchall())


def grows(settings: Settings, more_than: int) -> None:
    """Return once there are more of the new vectors."""
    deadline = time.monotonic() + 60
    while vectors(settings).get(DEFAULT, 0) <= more_than:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_a_reembedding_that_is_killed_goes_on_and_leaves_nothing_wrong() -> None:
    chance = random.Random(SEED)
    with temporary_home() as home, ExitStack() as ended:
        settings = replace(settings_for(home), model_dir=model_folder(), embedding_model=OTHER)
        with Memory(settings=settings, background=False) as memory:
            memory.mine(talk(19), conversation="talk-19")  # 450 turns, in four batches
            memory.embed_pending()
        miner = Miner(settings, 1000, step=20)  # its memory, too, has a worker that makes vectors
        ended.callback(miner.kill)
        miner.wait_for(1)
        seen: list[int] = []
        for turn in range(ROUNDS):
            process = reembed(settings)
            # The first is killed while it starts, the others while they make vectors: with the server, and alone.
            if turn:
                grows(settings, seen[-1])
            time.sleep(chance.uniform(0, 0.5))
            if turn % 2:
                postmaster = status(settings).pid
                assert postmaster is not None
                os.kill(postmaster, signal.SIGKILL)
                miner.wait_for(len(miner.acknowledged) + 1)
            process.kill()
            process.communicate()
            with connect(settings) as owner, owner.transaction():
                owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                assert inconsistencies(owner) == [], f"round {turn}"
            seen.append(vectors(settings).get(DEFAULT, 0))
        assert seen == sorted(seen), "what was done stays done"
        assert seen[-1] > 0
        miner.kill()
        workers = [reembed(settings) for _ in range(2)]
        said = [each.communicate(timeout=300)[0] for each in workers]
        assert [each.returncode for each in workers] == [0, 0], said
        with Memory(settings=settings, background=False) as memory:
            memory.embed_pending()
            assert memory.pending() == 0
            assert memory.vectors().model == DEFAULT
            assert memory.vectors().next_model is None
        assert vectors(settings).keys() == {DEFAULT}
        with connect(settings) as owner:
            assert inconsistencies(owner) == []
            assert lost(owner, miner.acknowledged) == []


def test_vectors_that_a_killed_reembedding_left_are_removed_by_the_next_memory(
    server_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(settings_for(server_home), model_dir=model_folder())

    async def killed(self: object) -> None:
        raise RuntimeError("killed")

    with Memory(settings=settings, background=False) as memory:
        memory.mine(talk(4), conversation="talk-4")
        memory.embed_pending()
        with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="killed"):
            patched.setattr(reembedding.Reembedding, "_tidy", killed)
            memory.reembed(OTHER)
        assert memory.recall("battery or garden").notes == ()
    assert vectors(settings).keys() == {DEFAULT, OTHER}
    with Memory(settings=settings):
        deadline = time.monotonic() + 10
        while vectors(settings).keys() != {OTHER}:
            assert time.monotonic() < deadline
            time.sleep(0.05)
