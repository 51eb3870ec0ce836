"""Runs queued work: of its own user within an open memory, of all users in `ricordo worker`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo import accounts, embedding, jobs
from ricordo.background.gauges import gauging
from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import StoreError
from ricordo.settings import Settings
from ricordo.vectors import Encoding, Loading

if TYPE_CHECKING:
    from ricordo.jobs import Task
    from ricordo.jobs.worker import Worker

#: Seconds after which an open memory begins: what is opened for one call ends before that.
_SETTLED = 2.0
#: Seconds that closing leaves to the job at hand.
_PATIENCE = 0.5
#: Seconds between two looks at what other workers have at hand.
_LOOK_AGAIN = 0.1

log = logging.getLogger("ricordo")


class Background:
    """The work of one open memory's user. `run` is its task; `wake` says that something was queued here."""

    def __init__(
        self, database: Database, user_id: UUID, embedding_model: Callable[[], Awaitable[EmbeddingModel | None]]
    ) -> None:
        self._database = database
        self._user_id = user_id
        self._embedding_model = embedding_model
        self._closing = asyncio.Event()
        self._worker: Worker | None = None
        #: Workers of `drain`, each with what is done once it has ended.
        self._draining: dict[Worker, asyncio.Future[None]] = {}

    def wake(self) -> None:
        """Something was queued."""
        if self._worker is not None:
            self._worker.wake()

    def close(self) -> None:
        """Let `run` and `drain` end behind the job at hand; what is left waits in the store."""
        self._closing.set()
        for worker in filter(None, (self._worker, *self._draining)):
            worker.stop()

    async def drained(self) -> None:
        """Wait for `drain` to end, also where its caller was interrupted: its last job is still put back then."""
        if self._draining:
            await asyncio.wait(self._draining.values())

    async def run(self) -> None:
        """Work until the memory is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETTLED):
                await self._closing.wait()
        if self._closing.is_set():
            return
        worker = await asyncio.to_thread(self._make)
        if not self._closing.is_set():
            self._worker = worker
            await self._queue_upkeep()
            async with backing_up(self._database.settings):
                await worker.run()

    async def drain(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Do what is due, and wait for what other processes have at hand; where one of them dies, its jobs are done
        here. Returns how many jobs were done here."""
        worker = await asyncio.to_thread(self._make)
        self._draining[worker] = asyncio.get_running_loop().create_future()
        try:
            await worker.hasten()
            while not self._closing.is_set() and (left := await self._unfinished()):
                if progress:
                    progress(worker.done, worker.done + left)
                if not await worker.drain():
                    await asyncio.sleep(_LOOK_AGAIN)
        finally:
            self._draining.pop(worker).set_result(None)
        if progress:
            progress(worker.done, worker.done)
        return worker.done

    def _make(self) -> Worker:
        from ricordo.jobs.worker import Worker

        return Worker(
            self._database,
            tasks(),
            lambda _: self._embedding_model(),
            self._user_id,
            patience=_PATIENCE,
            hastened=_postponed(self._database.settings),
            abilities=self._abilities,
        )

    async def _queue_upkeep(self) -> None:
        """An open memory tidies up when it is settled, and not only every quarter of an hour."""
        try:
            async with self._database.tenant(self._user_id) as tx:
                if await jobs.listed(tx, None, 1):  # else there is no such user yet
                    await jobs.enqueue(tx, "upkeep")
        except StoreError as error:
            log.info("maintenance postponed: %s", error)

    async def _unfinished(self) -> int:
        async with self._database.tenant(self._user_id) as tx:
            able = self._abilities()
            return await jobs.unfinished(tx, able.lacking, able.models)

    def _abilities(self) -> jobs.Abilities:
        return _abilities(self._database.settings)


async def work_for_all(settings: Settings, started: Callable[[Worker], None], concurrency: int, once: bool) -> int:
    """Run the jobs of all users until the worker is stopped, or `once` till none is due; returns how many were done.

    `started` is given the worker, so that it can be stopped. Raises StoreError where the store cannot be opened.
    """
    async with Database(settings) as database:
        worker = worker_for_all(settings, database, {}, concurrency)
        started(worker)
        if once:
            await worker.drain()
        else:
            async with backing_up(settings):
                await worker.run()
    return worker.done


@asynccontextmanager
async def backing_up(settings: Settings) -> AsyncIterator[None]:
    """Within the block the store is backed up by the clock, where that is wanted."""
    if settings.backup_every is None:
        yield
        return
    from ricordo import archive

    task = asyncio.create_task(archive.keep_backed_up(settings))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def worker_for_all(settings: Settings, database: Database, loading: Loading, concurrency: int = 1) -> Worker:
    """What runs the jobs of all users of an opened store; takes 140 ms the first time."""
    from ricordo.jobs.worker import Worker

    async def embedding_model(user_id: UUID) -> EmbeddingModel | None:
        return await Encoding(settings, database, user_id, loading).embedding_model()

    return Worker(
        database,
        tasks(),
        embedding_model,
        concurrency=concurrency,
        heartbeat=settings.worker_heartbeat,
        hastened=_postponed(settings),
        abilities=partial(_abilities, settings),
        beside=partial(gauging, database),
    )


def _abilities(settings: Settings) -> jobs.Abilities:
    """What this process can do: jobs that need more wait for another one."""
    return jobs.Abilities(
        lacking=() if settings.llm_url is not None else ("extract",),
        models=tuple(dict.fromkeys(embedding.choices(settings).values())),
    )


def _postponed(settings: Settings) -> dict[str, tuple[timedelta, datetime]]:
    """Tasks that were postponed until a process can do them, as this one can, and for how long at most; those that wait
    for the month's end were stopped by a cap."""
    from ricordo.mining import LATER

    return {"extract": (LATER, accounts.next_month(datetime.now(UTC)))} if settings.llm_url is not None else {}


def tasks() -> dict[str, Task]:
    """The tasks of every feature, by name."""
    from ricordo.background.operating import operate
    from ricordo.memories import TASKS as OF_ENTRIES
    from ricordo.mining import TASKS as OF_MINING

    return {**OF_ENTRIES, **OF_MINING, "operate": operate}
