"""Processes that work on queued jobs until they are killed.

Run as a program it runs the jobs of every user in the store of the RICORDO_… variables, with one more task, `count`:
each of its jobs tells one event, within `Work.once`, and takes a while before and after.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from functools import partial
from uuid import UUID

from miners import environment
from ricordo import accounts
from ricordo.database import Database
from ricordo.jobs import Work
from ricordo.settings import Settings

#: Seconds between two signs of life; a worker is given up for dead after three times that.
HEARTBEAT = 0.2


def start(settings: Settings) -> subprocess.Popen[str]:
    """A process that works."""
    from forking import Program  # which the program itself does not need

    return Program(
        [sys.executable, __file__],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


async def count(work: Work) -> None:
    """Tell the event `counted` of the job's number, once."""
    await asyncio.sleep(0.01)
    async with work.once() as tx:
        if tx:
            await accounts.tell(tx, work.user_id, "counted", {"number": work.args["number"]}, "system")
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)


async def main() -> None:
    from ricordo.background.working import _abilities, tasks
    from ricordo.jobs.worker import Worker

    async def embedding_model(_: UUID) -> None:
        return None

    async with Database(Settings.from_environment()) as database:
        every = {**tasks(), "count": count}
        able = partial(_abilities, database.settings)
        await Worker(database, every, embedding_model, concurrency=2, heartbeat=HEARTBEAT, abilities=able).run()


if __name__ == "__main__":
    asyncio.run(main())
