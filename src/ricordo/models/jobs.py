"""Background jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from ricordo.models.base import ApiModel

#: `dead` is a job that failed too often: it stays until it is asked to be tried again.
JobState = Literal["waiting", "running", "dead"]


class Job(ApiModel):
    """A background job in the queue. Finished jobs are not stored."""

    id: int
    kind: str
    state: JobState
    #: Ids of what it is about; never content.
    args: dict[str, int | str] = Field(default_factory=dict)
    queued_at: datetime | None = None
    #: When it is tried, or tried again; None is as soon as a worker is free.
    due_at: datetime | None = None
    #: How often it was tried before, how often that failed, and why the last time.
    attempts: int = 0
    failures: int = 0
    error: str | None = None
    failed_at: datetime | None = None
