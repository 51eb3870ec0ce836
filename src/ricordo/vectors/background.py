"""Gives what an open memory writes its vectors, in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from uuid import UUID

from ricordo.database import Database
from ricordo.embedding import EmbeddingModel
from ricordo.errors import CapReached, RicordoError
from ricordo.vectors import vector_store

#: Seconds until it tries again after a failure: the first time, and at most.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
#: Seconds that a recall waits for the vectors of what was just written.
_VECTORS_WAIT = 1.0
#: Seconds that closing waits for the current batch before it cancels it.
_PATIENCE = 1.0

log = logging.getLogger("ricordo")


class BackgroundEmbedding:
    """The background of one open memory. `wake` says that there is something to do; a task runs while there is.

    `turns` is shared by the memories of one process: each batch takes one, so that connections and processor are left
    for those who read, however many users write.
    """

    def __init__(
        self,
        database: Database,
        user_id: UUID,
        embedding_model: Callable[[], Awaitable[EmbeddingModel | None]],
        turns: asyncio.Semaphore,
    ) -> None:
        self._database = database
        self._user_id = user_id
        self._embedding_model = embedding_model
        self._turns = turns
        self._task: asyncio.Task[None] | None = None
        self._work = asyncio.Event()
        self._closed = True
        self._pause = _FIRST_PAUSE
        #: Whether all that was written here has its vector, and whether a recall may wait for that.
        self._caught_up = asyncio.Event()
        self._worth_waiting = False

    def open(self) -> None:
        """Let `wake` begin."""
        self._closed = False

    def wake(self) -> None:
        """Something was written that waits for its vector."""
        if self._closed:
            return
        self._caught_up.clear()
        self._worth_waiting = True
        self._work.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End behind the batch at hand, but wait for it not for long: what is left waits in the store."""
        self._closed = True
        self._work.set()
        if self._task is not None and (await asyncio.wait([self._task], timeout=_PATIENCE))[1]:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def wait(self) -> None:
        """Let the vectors of what was just written here come, but not for long: a recall that follows a mine should
        go by meaning, and a recall beside a long backlog should not wait each time."""
        if not self._worth_waiting:
            return
        try:
            async with asyncio.timeout(_VECTORS_WAIT):
                await self._caught_up.wait()
        except TimeoutError:
            self._worth_waiting = False

    async def _run(self) -> None:
        """Embed until nothing waits. After a failure, or while another process has claimed what is left, it looks again
        by itself."""
        self._pause = _FIRST_PAUSE
        while self._work.is_set():
            self._work.clear()
            try:
                embedding_model = await self._embedding_model()  # each time: it may have come, or have been changed
                waiting = await self._embed(embedding_model) if embedding_model else False
            except CapReached as error:  # the next write asks again, and upkeep does
                log.info("vectors postponed: %s", error)
                waiting = False
            except RicordoError as error:
                log.warning("vectors postponed: %s", error)
                waiting = True
            except Exception:  # the edge of a worker: what it cannot do now must not end it
                log.exception("vectors postponed after an internal error")
                waiting = True
            if waiting:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause):
                        await self._work.wait()
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
                self._work.set()
            if self._closed:
                break
        self._caught_up.set()

    async def _embed(self, embedding_model: EmbeddingModel) -> bool:
        """Embed batch after batch; returns whether something is left that others have at hand."""
        from ricordo.vectors import embedding  # 10 ms, which a recall should not pay

        while True:
            async with self._turns:
                batch = await embedding.embed_batch(self._database, self._user_id, embedding_model)
            if not batch or self._closed:
                break
            self._pause = _FIRST_PAUSE
        async with self._database.tenant(self._user_id) as tx:
            return await vector_store.pending(tx, 1) > 0
