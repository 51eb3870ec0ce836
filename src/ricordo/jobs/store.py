"""The SQL of the queue, beside procrastinate's own: queueing, looking, and what became of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Job, JobState

#: procrastinate's statuses by ours. What ends well is removed.
_STATUSES: dict[JobState, list[str]] = {"waiting": ["todo"], "running": ["doing"], "dead": ["failed", "aborted"]}
#: What procrastinate wants to know of a job that it fetched.
_FETCHED = (
    "id", "status", "task_name", "priority", "lock", "queueing_lock", "args", "scheduled_at", "queue_name", "attempts",
    "worker_id",
)  # fmt: skip
_LISTED = sql.SQL(
    """
    SELECT j.id, j.task_name AS kind,
           CASE j.status WHEN 'todo' THEN 'waiting' WHEN 'doing' THEN 'running' ELSE 'dead' END AS state,
           j.args, (SELECT min(at) FROM procrastinate_events WHERE job_id = j.id AND type = 'deferred') AS queued_at,
           j.scheduled_at AS due_at, j.attempts, coalesce(o.failures, 0) AS failures, o.error, o.failed_at
    FROM procrastinate_jobs j LEFT JOIN job_outcomes o ON o.user_id = j.user_id AND o.job_id = j.id
    """
)


async def enqueue(
    tx: Transaction,
    task: str,
    args: Mapping[str, int | UUID] | None = None,
    *,
    lock: str | None = None,
    at: datetime | None = None,
    after: timedelta | None = None,
) -> int:
    """Queue a job of the transaction's user, to be run when this commits, or `at` a moment, or `after` so long
    by the server's clock, which says when it is due; returns its id.

    `args` are ids, never content. A job like it that waits already and comes no later is taken instead. Of jobs with
    the same `lock` one runs at a time, in the order in which they were queued; so one like it that waits for a later
    moment, and has not failed, is taken too, and brought forward.
    """
    ids = {name: value if isinstance(value, int) else str(UUID(str(value))) for name, value in (args or {}).items()}
    cursor = await tx.execute(
        "SELECT enqueue_job(%s, %s, %s, coalesce(%s::timestamptz, now() + %s::interval))",
        [task, Jsonb(ids), lock, at, after],
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def enqueue_each(tx: Transaction, task: str, name: str, ids: Sequence[UUID]) -> None:
    """Queue a job for each of these ids, which is its argument `name` and its lock; one that is there is taken, also
    one that failed, which is tried again at once."""
    await tx.execute(
        """
        WITH revived AS (
            UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL
            WHERE task_name = %(task)s AND args->>%(name)s = ANY(%(ids)s::text[])
              AND (status IN ('failed', 'aborted') OR status = 'todo' AND scheduled_at > now())
            RETURNING user_id, id
        )
        UPDATE job_outcomes o SET failures = 0 FROM revived r WHERE o.user_id = r.user_id AND o.job_id = r.id
        """,
        {"task": task, "name": name, "ids": list(map(str, ids))},
    )
    await tx.execute(
        "SELECT enqueue_job(%(task)s, jsonb_build_object(%(name)s::text, id), %(task)s || ' ' || id, NULL) "
        "FROM unnest(%(ids)s::uuid[]) AS id",
        {"task": task, "name": name, "ids": list(ids)},
    )
    await tx.execute("""SELECT pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}')""")


async def counts(tx: Transaction) -> dict[JobState, int]:
    """How many jobs of the transaction's user are in each state, without those that are planned for later."""
    cursor = await tx.execute(
        """
        SELECT CASE status WHEN 'todo' THEN 'waiting' WHEN 'doing' THEN 'running' ELSE 'dead' END, count(*)
        FROM procrastinate_jobs WHERE status IN ('doing', 'failed', 'aborted')
           OR status = 'todo' AND (attempts > 0 OR scheduled_at IS NULL OR scheduled_at <= now())
        GROUP BY 1
        """
    )
    return {state: count async for state, count in cursor}


async def hasten(tx: Transaction, task: str, within: timedelta | None = None, save: datetime | None = None) -> int:
    """Let jobs of a task that wait for a later moment be run when this commits, save those that failed and wait for
    their next try; of those that are due `within` a time, if that is given, and not at the moment `save`. Returns how
    many."""
    cursor = await tx.execute(
        """
        WITH hastened AS (
            UPDATE procrastinate_jobs SET scheduled_at = NULL
            WHERE task_name = %s AND status = 'todo' AND attempts = 0 AND scheduled_at > now()
              AND (%s::interval IS NULL OR scheduled_at <= now() + %s::interval)
              AND scheduled_at IS DISTINCT FROM %s::timestamptz RETURNING id
        )
        SELECT pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}') FROM hastened
        """,
        [task, within, within, save],
    )
    return len(await cursor.fetchall())


async def listed(tx: Transaction, state: JobState | None, limit: int) -> list[Job]:
    """The user's jobs, those that are due first before the others."""
    async with tx.cursor(row_factory=class_row(Job)) as cursor:
        await cursor.execute(
            _LISTED
            + sql.SQL(
                "WHERE j.status::text = ANY(coalesce(%s::text[], '{todo,doing,failed,aborted}')) "
                "ORDER BY j.scheduled_at NULLS FIRST, j.id LIMIT %s"
            ),
            [None if state is None else _STATUSES[state], limit],
        )
        return await cursor.fetchall()


async def of_task(tx: Transaction, task: str) -> list[Job]:
    """All of the user's jobs of a task, those that are due first before the others."""
    async with tx.cursor(row_factory=class_row(Job)) as cursor:
        await cursor.execute(
            _LISTED + sql.SQL("WHERE j.task_name = %s AND j.status <> 'succeeded' ORDER BY j.scheduled_at NULLS FIRST"),
            [task],
        )
        return await cursor.fetchall()


async def find(tx: Transaction, id: int) -> Job | None:
    async with tx.cursor(row_factory=class_row(Job)) as cursor:
        await cursor.execute(_LISTED + sql.SQL("WHERE j.id = %s"), [id])
        return await cursor.fetchone()


async def retry(tx: Transaction, id: int | None = None) -> int:
    """Let dead jobs be tried again at once, as if they had never failed: one, or all. Returns how many."""
    cursor = await tx.execute(
        """
        WITH revived AS (
            UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL
            WHERE status IN ('failed', 'aborted') AND (%(id)s::bigint IS NULL OR id = %(id)s)
            RETURNING user_id, id
        ), forgiven AS (
            UPDATE job_outcomes o SET failures = 0 FROM revived r WHERE o.user_id = r.user_id AND o.job_id = r.id
        )
        SELECT pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}') FROM revived
        """,
        {"id": id},
    )
    return len(await cursor.fetchall())


async def unfinished(tx: Transaction, lacking: Sequence[str], models: Sequence[str]) -> int:
    """How many of the user's jobs run, or are due to where these tasks cannot be done and these embedding models are to
    be had."""
    cursor = await tx.execute(
        "SELECT count(*) FROM procrastinate_jobs j WHERE status = 'doing' OR status = 'todo' "
        "AND (scheduled_at IS NULL OR scheduled_at <= now()) AND can_do(j, %s::text[], %s::text[])",
        [list(lacking), list(models)],
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def fetch(
    tx: Transaction, queues: Sequence[str] | None, worker_id: int, lacking: Sequence[str], models: Sequence[str]
) -> dict[str, Any]:
    """Take the next job that is due for a worker where these tasks cannot be done and these embedding models are to be
    had. Its fields are None where there is none."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            "SELECT * FROM fetch_job(%s::varchar[], %s, %s::text[], %s::text[])",
            [queues, worker_id, list(lacking), list(models)],
        )
        row = await cursor.fetchone()
    assert row is not None
    return {name: row[name] for name in _FETCHED}


async def claim_effect(tx: Transaction, user_id: UUID, id: int) -> bool:
    """Take it upon this transaction to do a job's effect; False where one did it, or the job is there no more."""
    cursor = await tx.execute(
        """
        INSERT INTO job_outcomes AS o (user_id, job_id, done_at)
        SELECT user_id, id, now() FROM procrastinate_jobs WHERE user_id = %s AND id = %s
        ON CONFLICT (user_id, job_id) DO UPDATE SET done_at = now() WHERE o.done_at IS NULL
        """,
        [user_id, id],
    )
    return cursor.rowcount == 1


async def record_failure(tx: Transaction, user_id: UUID, id: int, error: str) -> int:
    """Note why a try failed; returns how many have."""
    cursor = await tx.execute(
        """
        INSERT INTO job_outcomes AS o (user_id, job_id, failures, error, failed_at)
        SELECT user_id, id, 1, %s, now() FROM procrastinate_jobs WHERE user_id = %s AND id = %s
        ON CONFLICT (user_id, job_id) DO UPDATE
            SET failures = o.failures + 1, error = excluded.error, failed_at = excluded.failed_at
        RETURNING failures
        """,
        [error, user_id, id],
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 1


async def rescue(tx: Transaction, silent: float, attempts: int) -> int:
    """Let jobs be run again whose worker has said nothing for `silent` seconds; those that were tried so often die,
    since it may be they that kill. Returns how many jobs that were."""
    cursor = await tx.execute(
        """
        UPDATE procrastinate_jobs j
        SET status = CASE WHEN attempts + 1 >= %s THEN 'failed' ELSE 'todo' END::procrastinate_job_status,
            attempts = attempts + 1, scheduled_at = NULL
        WHERE status = 'doing' AND NOT EXISTS (
            SELECT FROM procrastinate_workers w
            WHERE w.id = j.worker_id AND w.last_heartbeat > now() - %s * interval '1 second')
        """,
        [attempts, silent],
    )
    return cursor.rowcount
