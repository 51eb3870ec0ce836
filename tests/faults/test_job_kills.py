"""kill -9 of workers at random moments: each job has its effect exactly once."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from contextlib import ExitStack
from uuid import UUID

import pytest

import jobbers
from homes import temporary_home
from ricordo import accounts, jobs
from ricordo.blocking import Memory
from ricordo.database import Database
from ricordo.settings import Settings
from stores import connect, settings_for

ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "8"))
SEED = 20261128
#: Jobs that are queued for each round.
JOBS = 6


async def queue(settings: Settings, user_id: UUID, numbers: range) -> None:
    async with Database(settings) as database, database.tenant(user_id) as tx:
        await accounts.ensure(tx, user_id, settings.user)
        for number in numbers:
            await jobs.enqueue(tx, "count", {"number": number})


@pytest.mark.slow
def test_c2_e7_whenever_a_worker_is_killed_each_job_has_its_effect_once() -> None:
    chance = random.Random(SEED)
    with temporary_home() as home, ExitStack() as ended:
        settings = settings_for(home)
        with Memory(settings=settings, background=False) as memory:
            user_id = accounts.user_id_of(memory.user)
            memory.agents.create("coder")
            for _ in range(2):
                memory.journal.save("coder", "The user prefers small commits with tests")
        owner = ended.enter_context(connect(settings))
        workers = [jobbers.start(settings) for _ in range(2)]
        for turn in range(ROUNDS):
            asyncio.run(queue(settings, user_id, range(turn * JOBS, (turn + 1) * JOBS)))
            time.sleep(chance.uniform(0, 0.5))
            victim = chance.randrange(len(workers))
            with workers[victim] as process:
                process.kill()
            workers[victim] = jobbers.start(settings)
        patience = time.monotonic() + 60
        while left := owner.execute(
            "SELECT id, task_name, status, attempts FROM procrastinate_jobs "
            "WHERE scheduled_at IS NULL OR status = 'doing' OR scheduled_at <= now()"
        ).fetchall():
            assert time.monotonic() < patience, f"jobs are left: {left}"
            time.sleep(0.05)
        for process in workers:
            with process:
                process.kill()
        told = Counter(
            row[0] for row in owner.execute("SELECT payload ->> 'number' FROM activity WHERE event = 'counted'")
        )
        assert told == Counter(str(number) for number in range(ROUNDS * JOBS))
        assert owner.execute("SELECT count(*) FROM activity WHERE event = 'proposals_made'").fetchone() == (1,)
        assert owner.execute("SELECT count(*) FROM proposals").fetchone() == (1,)
        # The chains of upkeep go on, each once.
        assert owner.execute("SELECT task_name FROM procrastinate_jobs ORDER BY 1").fetchall() == [
            ("consolidate",),
            ("upkeep",),
        ]
