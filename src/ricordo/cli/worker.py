"""ricordo worker: runs background jobs for all users."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ricordo.errors import counted
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.jobs.worker import Worker


@click.command("worker")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Number of jobs to run at the same time.",
)
@click.option("--once", is_flag=True, help="Run the jobs that are due now, then exit.")
@click.option("--quiet", is_flag=True, help="Do not print failed jobs.")
def command(concurrency: int, once: bool, quiet: bool) -> None:
    """Run background jobs for all users until Ctrl-C or SIGTERM. The current job finishes first.

    You can run several workers. The worker connects as the owner of the store (RICORDO_DATABASE_OWNER_URL) to see all
    users' jobs, and runs each job as its user.
    """
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.ERROR if quiet else logging.WARNING)
    done = asyncio.run(_work(concurrency, once))
    click.echo(f"{counted(done, 'job')} done")


async def _work(concurrency: int, once: bool) -> int:
    from ricordo.background import work_for_all

    def started(worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C interrupts, and what was begun is run again
                loop.add_signal_handler(number, worker.stop)
        if not once:
            click.echo("The worker is running. Press Ctrl-C to stop.", err=True)

    return await work_for_all(Settings.from_environment(), started, concurrency, once)
