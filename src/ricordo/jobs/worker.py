"""Runs queued jobs, by procrastinate's worker. Import it only where work is done: procrastinate takes 140 ms."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import UUID

from procrastinate import App, BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.connector import BaseAsyncConnector, Notify
from procrastinate.jobs import Job as QueuedJob
from procrastinate.sql import queries
from procrastinate.worker import Worker as ProcrastinateWorker
from psycopg.rows import dict_row

from ricordo.database import Database, Transaction
from ricordo.embedding import EmbeddingModel
from ricordo.errors import InvalidInput, RicordoError, StoreError, StoreIncompatible
from ricordo.jobs import store
from ricordo.jobs.work import Abilities, Task, Work

#: The release whose schema the store has (see the migration `jobs`).
_RELEASE = "3.10."
#: Seconds until a job is tried again that failed: the first time, by how much longer each time, and at most. After so
#: many failures it is dead.
_FIRST_PAUSE, _GROWTH, _LONGEST_PAUSE = 5.0, 4.0, 3600.0
_MOST_FAILURES = 8
#: Tries, ended by the deaths of their workers, after which a job counts as what kills them.
_MOST_ATTEMPTS = 30
#: Seconds between two looks at the queue where no notice came.
_POLL = 5.0
#: Seconds that a worker which is asked to stop gives to the jobs at hand; they are run again later.
_PATIENCE = 20.0

log = logging.getLogger("ricordo.jobs")
# It logs every step of every job, and each failure with its traceback; we tell of failures ourselves.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


class Worker:
    """Runs the jobs of one user, or of all where `user_id` is None: then it needs the owner's role.

    `heartbeat` is in seconds; a worker that is silent three times as long counts as dead, and its jobs are run again.
    `beside` is entered for as long as the worker runs. `abilities` tells what the process can do, each time anew;
    `hastened` are tasks that were postponed, at most so long, until a worker can do them, as this one can; a job that
    waits for the second moment is not postponed so.
    """

    def __init__(
        self,
        database: Database,
        tasks: Mapping[str, Task],
        embedding_model: Callable[[UUID], Awaitable[EmbeddingModel | None]],
        user_id: UUID | None = None,
        *,
        concurrency: int = 1,
        heartbeat: float = 10.0,
        patience: float = _PATIENCE,
        beside: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
        hastened: Mapping[str, tuple[timedelta, datetime]] | None = None,
        abilities: Callable[[], Abilities] = Abilities,
    ) -> None:
        if not version("procrastinate").startswith(_RELEASE):
            raise StoreIncompatible(
                f"procrastinate {version('procrastinate')} is installed, but the store's queue needs {_RELEASE}x: "
                "install the version that Ricordo requires (pip install -U ricordo)"
            )
        self._database = database
        self._embedding_model = embedding_model
        self._user_id = user_id
        self._heartbeat = heartbeat
        self._hastened = dict(hastened or {})
        self._beside = beside
        self._notice = asyncio.Event()
        self._stopping = asyncio.Event()
        self._running: ProcrastinateWorker | None = None
        self._options: dict[str, Any] = {
            "queues": None if user_id is None else [str(user_id)],
            "concurrency": concurrency,
            "fetch_job_polling_interval": min(_POLL, heartbeat),
            "shutdown_graceful_timeout": patience,
            "delete_jobs": "successful",
            "install_signal_handlers": False,
            "update_heartbeat_interval": heartbeat,
            "stalled_worker_timeout": 3 * heartbeat,
        }
        #: Jobs that were done.
        self.done = 0
        self._app = App(connector=_Connector(self._begin, self._notices, abilities))
        for name, task in tasks.items():
            self._app.task(name=name, queue="", pass_context=True, retry=_Backoff())(self._wrapped(task))

    def wake(self) -> None:
        """Look at the queue at once: something was put into it here."""
        self._notice.set()

    def stop(self) -> None:
        """Let `run` end behind the jobs at hand."""
        self._stopping.set()
        if self._running is not None:
            self._running.stop()  # type: ignore[no-untyped-call]

    async def run(self) -> None:
        """Run what is queued until `stop`. While the store does not answer it tries again and again."""
        async with self._beside():
            await self._run_until_stopped()

    async def _run_until_stopped(self) -> None:
        rescuing = asyncio.create_task(self._rescue())
        pause = 1.0
        try:
            while not self._stopping.is_set():
                try:
                    await self._run(wait=True)
                except StoreError as error:
                    log.warning("waiting for the store: %s", error)
                except Exception:  # the edge of a worker: what it cannot do now must not end it
                    log.exception("the worker restarts after an internal error")
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._stopping.wait()
                pause = min(2 * pause, 60.0)
        finally:
            rescuing.cancel()
            await asyncio.wait([rescuing])

    async def drain(self) -> int:
        """Run what is due now, and what that puts into the queue; returns how many jobs were done here."""
        before = self.done
        async with self._begin() as tx:
            await store.rescue(tx, 3 * self._heartbeat, _MOST_ATTEMPTS)
        await self._run(wait=False)
        return self.done - before

    async def hasten(self) -> None:
        """Bring forward, once, what waited for a worker that can do it."""
        tasks, self._hastened = self._hastened, {}
        if tasks:
            async with self._begin() as tx:
                for task, (within, save) in tasks.items():
                    await store.hasten(tx, task, within, save)

    async def _run(self, wait: bool) -> None:
        await self.hasten()
        self._running = ProcrastinateWorker(self._app, wait=wait, listen_notify=wait, **self._options)
        if not self._stopping.is_set():
            await self._running.run()  # type: ignore[no-untyped-call]

    async def _rescue(self) -> None:
        """Again and again take up the jobs of workers that died."""
        while True:
            try:
                async with self._begin() as tx:
                    if rescued := await store.rescue(tx, 3 * self._heartbeat, _MOST_ATTEMPTS):
                        log.warning("rerunning %d jobs of workers that died", rescued)
                        self.wake()
            except StoreError as error:
                log.info("could not check for dead workers: %s", error)
            await asyncio.sleep(self._heartbeat)

    def _begin(self) -> AbstractAsyncContextManager[Transaction]:
        return self._database.operator() if self._user_id is None else self._database.tenant(self._user_id)

    async def _notices(self, channels: Iterable[str]) -> AsyncIterator[None]:
        """Tells of jobs that may be due: for one user those that were put in here, else also the database's notices."""
        if self._user_id is not None:
            while True:
                await self._notice.wait()
                self._notice.clear()
                yield
        async with self._database.owner() as connection:
            for channel in channels:
                await connection.execute(f'LISTEN "{channel}"'.encode())
            async for _ in connection.notifies():
                yield

    def _wrapped(self, task: Task) -> Callable[..., Awaitable[None]]:
        async def run(context: JobContext, **args: Any) -> None:
            assert context.job.id is not None
            user_id = UUID(context.job.queue)
            work = Work(context.job.id, user_id, args, self._database, partial(self._embedding_model, user_id))
            try:
                await task(work)
            except Exception as error:  # the edge of a worker: whatever fails is tried again, and told
                raise await self._failed(context, work, error) from error
            self.done += 1

        return run

    async def _failed(self, context: JobContext, work: Work, error: Exception) -> _Failed:
        reason = _told(error)
        try:
            async with work.transaction() as tx:
                failures = await store.record_failure(tx, work.user_id, work.id, reason)
        except StoreError:
            failures = context.job.attempts + 1
        failed = _Failed(failures)
        ours = isinstance(error, RicordoError)
        when = (
            f"will be retried in {failed.pause:,.0f} s" if failed.pause else "will not be retried; see `ricordo jobs`"
        )
        log.warning(
            "job %d, %s: %s; %s", work.id, context.job.task_name, reason, when, exc_info=None if ours else error
        )
        return failed


class _Failed(Exception):
    """A try that failed, for the so manieth time."""

    def __init__(self, failures: int) -> None:
        super().__init__(failures)
        #: Seconds until it is tried again; None for never.
        self.pause = (
            None if failures >= _MOST_FAILURES else min(_LONGEST_PAUSE, _FIRST_PAUSE * _GROWTH ** (failures - 1))
        )


class _Backoff(BaseRetryStrategy):
    """Later and later after failures, and at once where a worker that stops broke off the job."""

    def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision | None:
        pause = exception.pause if isinstance(exception, _Failed) else 0.0
        return None if pause is None else RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=pause))


class _Connector(BaseAsyncConnector):
    """procrastinate's way to the store, by the transactions and notices that it is given."""

    def __init__(
        self,
        begin: Callable[[], AbstractAsyncContextManager[Transaction]],
        notices: Callable[[Iterable[str]], AsyncIterator[None]],
        abilities: Callable[[], Abilities],
    ) -> None:
        self._begin = begin
        self._notices = notices
        self._abilities = abilities

    async def execute_query_async(self, query: str, **arguments: Any) -> None:
        async with self._begin() as tx:
            await tx.execute(query.encode(), arguments)

    async def execute_query_one_async(self, query: str, **arguments: Any) -> dict[str, Any]:
        if query == queries["fetch_job"]:  # procrastinate's own gives a worker also what its process cannot do
            able = self._abilities()
            async with self._begin() as tx:
                return await store.fetch(tx, arguments["queues"], arguments["worker_id"], able.lacking, able.models)
        async with self._begin() as tx, tx.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), arguments)
            row = await cursor.fetchone()
        assert row is not None, "each of procrastinate's functions answers with a row"
        return row

    async def execute_query_all_async(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        async with self._begin() as tx, tx.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), arguments)
            return await cursor.fetchall()

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        async for _ in self._notices(channels):
            await on_notification(channel="", payload=json.dumps({"type": "job_inserted", "job_id": 0}))


def _told(error: Exception) -> str:
    """What may be kept of an error: messages of ours, save those that quote what was given."""
    if isinstance(error, RicordoError) and not isinstance(error, InvalidInput):
        return f"{type(error).__name__}: {error}"
    return type(error).__name__
