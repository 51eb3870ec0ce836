"""Gives what an open memory writes its vectors, in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

from ricordo import entries
from ricordo.database import Database
from ricordo.encoders import Encoder
from ricordo.errors import RicordoError

#: Seconds until it tries again after a failure: the first time, and at most.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
#: Seconds that a recall waits for the vectors of what was just written.
_VECTORS_WAIT = 1.0

log = logging.getLogger("ricordo")


class Embedder:
    """The background of one open memory. `run` is its task; `wake` says that there is something to do."""

    def __init__(self, database: Database, user_id: UUID, encoder: Callable[[], Awaitable[Encoder | None]]) -> None:
        self._database = database
        self._user_id = user_id
        self._encoder = encoder
        self._work = asyncio.Event()
        self._due = False
        self._closing = False
        self._pause = _FIRST_PAUSE
        #: Whether all that was written here has its vector, and whether a recall may wait for that.
        self._caught_up = asyncio.Event()
        self._worth_waiting = False

    def wake(self) -> None:
        """Something was written that waits for its vector."""
        self._caught_up.clear()
        self._worth_waiting = True
        self._look_again()

    def close(self) -> None:
        """Let `run` end behind the batch at hand; what is left waits in the store."""
        self._closing = True
        self._work.set()

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

    async def run(self) -> None:
        """Embed what waits, whenever something was written, until the memory is closed.

        After a failure, or while another process has claimed what is left, it looks again by itself.
        """
        while True:
            await self._work.wait()
            self._work.clear()
            if not self._due:
                return
            self._due = False
            try:
                encoder = await self._encoder()  # each time: it may have come, or have been changed
                waiting = await self._embed(encoder) if encoder else False
            except RicordoError as error:
                log.warning("memories wait for their vectors: %s", error)
                waiting = True
            except Exception:  # the edge of a worker: what it cannot do now must not end it
                log.exception("memories wait for their vectors, after a fault of Ricordo's")
                waiting = True
            if self._closing:
                return
            if waiting:
                asyncio.get_running_loop().call_later(self._pause, self._look_again)
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            elif not self._due:
                self._caught_up.set()

    async def _embed(self, encoder: Encoder) -> bool:
        """Embed batch after batch; returns whether something is left that others have at hand."""
        from ricordo import mining  # 10 ms, which a recall should not pay

        while await mining.embed_batch(self._database, self._user_id, encoder) and not self._closing:
            self._pause = _FIRST_PAUSE
        async with self._database.tenant(self._user_id) as tx:
            return await entries.pending(tx) > 0

    def _look_again(self) -> None:
        self._due = True
        self._work.set()
