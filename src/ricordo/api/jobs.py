"""`memory.jobs`: the user's background work, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from ricordo import jobs, rules
from ricordo.api.checking import checked
from ricordo.background import Background
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Job, JobState
from ricordo.opened import Opened

#: Called with how many jobs are done and how many there are in all, as far as that is known.
Progress = Callable[[int, int], None]


@checked
class Jobs:
    """Work that is queued, running, or dead: it failed too often, and waits to be tried again by hand. An open memory
    works on its user's jobs, `ricordo worker` on those of all."""

    def __init__(self, opened: Opened, background: Background) -> None:
        self._opened = opened
        self._background = background

    async def list(self, state: JobState | None = None, limit: int = 100) -> list[Job]:
        """The jobs, those that are due first before the others; with `state` only those that are `waiting`, `running`
        or `dead`. Raises InvalidInput."""
        most = rules.limit(limit)
        if state is not None:
            rules.one_of("state", state, get_args(JobState))
        async with self._opened.transaction() as tx:
            return await jobs.listed(tx, state, most)

    async def get(self, job: int) -> Job:
        """The job of this id. Raises NotFound; that is also what becomes of a job that is done."""
        async with self._opened.transaction() as tx:
            found = await jobs.find(tx, job)
        if found is None:
            raise NotFound(f"job {job} not found: it is finished or never existed. List jobs with `ricordo jobs list`")
        return found

    async def retry(self, job: int) -> Job:
        """Let a dead job be tried again at once. Raises NotFound, and InvalidInput for one that is not dead."""
        async with self._opened.transaction() as tx:
            retried = await jobs.retry(tx, job)
        found = await self.get(job)
        if not retried:
            raise InvalidInput("job", f"job {job} is {found.state}: only dead jobs can be retried")
        self._background.wake()
        return found

    async def retry_all(self) -> int:
        """Let every dead job be tried again at once; returns how many there are."""
        async with self._opened.transaction() as tx:
            retried = await jobs.retry(tx)
        self._background.wake()
        return retried

    async def finish(self, progress: Progress | None = None) -> int:
        """Do what is due, here and now, and wait for what other processes have at hand, up to a minute without news.
        Returns how many jobs were done here. What failed is tried again later: `list` shows it."""
        return await self._background.drain(progress)
