"""Durable background work: the job queue and its worker. Each feature defines its own tasks in `tasks.py`.

A job is queued in the transaction that makes it necessary, so that it is there if and only if that commits. It may be
run more than once, when a worker dies or a try fails; what must not happen twice is done within `Work.once`. A worker
is given only what its process can do (`Abilities`).
"""

from ricordo.jobs.store import counts, enqueue, enqueue_each, find, hasten, listed, of_task, retry, unfinished
from ricordo.jobs.work import Abilities, Task, Work

__all__ = [
    "Abilities",
    "Task",
    "Work",
    "counts",
    "enqueue",
    "enqueue_each",
    "find",
    "hasten",
    "listed",
    "of_task",
    "retry",
    "unfinished",
]
