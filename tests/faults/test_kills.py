"""kill -9 of the server or of a miner at random moments: what was acknowledged is there once, and all fits."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from consistency import inconsistencies
from homes import temporary_home
from miners import Miner, lost
from models import OTHER, model_folder
from ricordo.blocking import Memory
from ricordo.database.embedded import status
from ricordo.settings import Settings
from stores import connect, settings_for

ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "4"))
SEED = 20261128


@pytest.mark.slow
def test_whatever_is_killed_each_acknowledged_turn_is_there_once() -> None:
    chance = random.Random(SEED)
    acknowledged: list[int] = []
    with temporary_home() as home, ExitStack() as ended:
        # The faster embedding model: what is mined until the end has to be embedded there.
        settings = replace(settings_for(home), model_dir=model_folder(), embedding_model=OTHER)

        def mine_from(first: int) -> Miner:
            miner = Miner(settings, first)
            ended.callback(miner.kill)
            miner.wait_for(1)
            return miner

        miner = mine_from(0)
        for turn in range(ROUNDS):
            time.sleep(chance.uniform(0, 0.6))
            if turn % 2 == 0:
                postmaster = status(settings).pid
                assert postmaster is not None
                os.kill(postmaster, signal.SIGKILL)
                miner.wait_for(len(miner.acknowledged) + 2)  # the same process goes on with a new server
            else:
                miner.kill()
                acknowledged += miner.acknowledged
                miner = mine_from(miner.next)
            if turn % 4 == 3:  # what a round has broken stays broken, and a look at everything takes a while
                check(settings, [*acknowledged, *miner.acknowledged], f"round {turn}")
        miner.kill()
        acknowledged += miner.acknowledged
        check(settings, acknowledged, "the end")
        with Memory(settings=settings, background=False) as memory:
            memory.embed_pending()
            assert memory.pending() == 0
        check(settings, acknowledged, "after embedding")


def check(settings: Settings, acknowledged: list[int], when: str) -> None:
    """All is well with the store, as it stands at one moment: others may go on writing to it."""
    with connect(settings) as owner, owner.transaction():
        owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        assert inconsistencies(owner) == [], when
        assert lost(owner, acknowledged) == [], when
