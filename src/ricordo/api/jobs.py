"""`memory.jobs`: the user's background jobs."""

from __future__ import annotations

from typing import get_args

from ricordo import jobs, rules
from ricordo.api.checking import checked
from ricordo.background import Background
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Job, JobState, Progress
from ricordo.opened import Opened


@checked
class Jobs:
    """Background jobs that are waiting, running or dead. A dead job failed too often and can be retried by hand. An
    open memory runs its user's jobs; `ricordo worker` runs those of all users."""

    def __init__(self, opened: Opened, background: Background) -> None:
        self._opened = opened
        self._background = background

    async def list(self, state: JobState | None = None, limit: int = 100) -> list[Job]:
        """List jobs, the next due first. You can filter by `state`: `waiting`, `running` or `dead`. Raises
        InvalidInput."""
        most = rules.limit(limit)
        if state is not None:
            rules.one_of("state", state, get_args(JobState))
        async with self._opened.transaction() as tx:
            return await jobs.listed(tx, state, most)

    async def get(self, job: int) -> Job:
        """Get a job by id. Raises NotFound, also for a finished job."""
        async with self._opened.transaction() as tx:
            found = await jobs.find(tx, job)
        if found is None:
            raise NotFound(f"job {job} not found: it is finished or never existed. List jobs with `ricordo jobs list`")
        return found

    async def retry(self, job: int) -> Job:
        """Retry a dead job now. Raises NotFound, and InvalidInput if it is not dead."""
        async with self._opened.transaction() as tx:
            retried = await jobs.retry(tx, job)
        found = await self.get(job)
        if not retried:
            raise InvalidInput("job", f"job {job} is {found.state}: only dead jobs can be retried")
        self._background.wake()
        return found

    async def retry_all(self) -> int:
        """Retry all dead jobs now, and return their number."""
        async with self._opened.transaction() as tx:
            retried = await jobs.retry(tx)
        self._background.wake()
        return retried

    async def finish(self, progress: Progress | None = None) -> int:
        """Run the due jobs here, and wait until other processes have finished theirs. Returns how many jobs ran here.
        Failed jobs are retried later; see `list`."""
        return await self._background.drain(progress)
