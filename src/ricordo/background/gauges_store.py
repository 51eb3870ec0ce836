"""The SQL of the gauges: counts over all users, and nothing that belongs to one of them."""

from __future__ import annotations

from ricordo.database import Transaction


async def jobs(tx: Transaction) -> dict[str, int]:
    """How many jobs are due, scheduled for later, running and dead. The owner of the store sees all users' jobs."""
    cursor = await tx.execute(
        """
        SELECT count(*) FILTER (WHERE status = 'todo' AND coalesce(scheduled_at <= now(), true)),
               count(*) FILTER (WHERE status = 'todo' AND scheduled_at > now()),
               count(*) FILTER (WHERE status = 'doing'),
               count(*) FILTER (WHERE status IN ('failed', 'aborted'))
        FROM procrastinate_jobs
        """
    )
    row = await cursor.fetchone()
    return dict(zip(("due", "scheduled", "running", "dead"), row or (), strict=True))


async def waiting(tx: Transaction) -> tuple[int, int] | None:
    """How many memories have no vector yet, and how many writes are held; None for a role that row-level security
    binds, which would count none."""
    cursor = await tx.execute("SELECT row_security_active('unembedded') OR row_security_active('held_writes')")
    row = await cursor.fetchone()
    if row is None or row[0]:
        return None
    cursor = await tx.execute(
        "SELECT (SELECT count(*) FROM unembedded WHERE NOT renewal), (SELECT count(*) FROM held_writes)"
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row[0]), int(row[1])
