"""The SQL of operations and of files that came for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Upload, UploadedFile

#: An operation whose job is gone, or dead, without having ended it, has failed; `dead` are such jobs.
_COLUMNS = """
    o.id, o.kind, o.agent_id, o.upload, o.request, o.done, o.total, o.stored, o.result, o.problem, o.cancelled,
    o.created_at, o.began_at, o.ended_at,
    CASE WHEN o.state IN ('waiting', 'running') AND o.job = ANY(%(dead)s) THEN 'failed' ELSE o.state END AS state
"""


async def _dead(tx: Transaction) -> list[int]:
    """The jobs of unfinished operations that neither wait nor run. On a distributed store they lie elsewhere than
    operations, so they are asked for by themselves; an operation that ended meanwhile is finished when it is read."""
    cursor = await tx.execute("SELECT job FROM operations WHERE state IN ('waiting', 'running')")
    jobs = {job async for (job,) in cursor}
    if not jobs:
        return []
    cursor = await tx.execute(
        "SELECT id FROM procrastinate_jobs WHERE id = ANY(%s) AND status IN ('todo', 'doing')", [sorted(jobs)]
    )
    return sorted(jobs - {id async for (id,) in cursor})


async def insert(
    tx: Transaction, user_id: UUID, kind: str, request: Mapping[str, Any], upload: UUID | None, agent: UUID | None
) -> UUID:
    cursor = await tx.execute(
        """
        INSERT INTO operations (user_id, id, kind, agent_id, upload, request)
        VALUES (%s, new_id(), %s, %s, %s, %s) RETURNING id
        """,
        [user_id, kind, agent, upload, Jsonb(dict(request))],
    )
    row = await cursor.fetchone()
    assert row is not None
    return UUID(str(row[0]))


async def set_job(tx: Transaction, id: UUID, job: int) -> None:
    await tx.execute("UPDATE operations SET job = %s WHERE id = %s", [job, id])


async def find(tx: Transaction, id: UUID, *, lock: bool = False) -> dict[str, Any] | None:
    if lock:
        await tx.execute("SELECT FROM operations WHERE id = %s FOR UPDATE", [id])
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            f"SELECT {_COLUMNS} FROM operations o WHERE o.id = %(id)s", {"id": id, "dead": await _dead(tx)}
        )
        return await cursor.fetchone()


async def listed(tx: Transaction, state: str | None, limit: int) -> list[dict[str, Any]]:
    """The newest operations, newest first."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            f"""
            SELECT * FROM (SELECT {_COLUMNS} FROM operations o) told
            WHERE %(state)s::text IS NULL OR state = %(state)s ORDER BY created_at DESC, id DESC LIMIT %(limit)s
            """,
            {"state": state, "limit": limit, "dead": await _dead(tx)},
        )
        return await cursor.fetchall()


async def lock_kind(tx: Transaction, user_id: UUID, kind: str) -> None:
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('operation:' || %s::text || %s::text, 0))", [user_id, kind]
    )


async def under_way(tx: Transaction, kind: str) -> UUID | None:
    """The newest operation of a kind that waits or runs."""
    cursor = await tx.execute(
        f"SELECT id FROM (SELECT {_COLUMNS} FROM operations o WHERE kind = %(kind)s) told "
        "WHERE state IN ('waiting', 'running') AND NOT cancelled ORDER BY created_at DESC LIMIT 1",
        {"kind": kind, "dead": await _dead(tx)},
    )
    row = await cursor.fetchone()
    return row[0] if row else None


async def begin(tx: Transaction, id: UUID) -> None:
    await tx.execute(
        "UPDATE operations SET state = 'running', began_at = coalesce(began_at, %s) WHERE id = %s",
        [datetime.now(UTC), id],
    )


async def go_on(tx: Transaction, id: UUID, done: int, total: int | None) -> bool:
    """Tell how far it is; whether it goes on, and was not cancelled or removed."""
    cursor = await tx.execute(
        "UPDATE operations SET done = %s, total = %s WHERE id = %s AND NOT cancelled", [done, total, id]
    )
    return cursor.rowcount == 1


async def note_stored(tx: Transaction, id: UUID, count: int) -> None:
    await tx.execute("UPDATE operations SET stored = stored + %s WHERE id = %s", [count, id])


async def stored(tx: Transaction, id: UUID) -> int:
    found = await (await tx.execute("SELECT stored FROM operations WHERE id = %s", [id])).fetchone()
    return found[0] if found else 0


async def end(tx: Transaction, id: UUID, state: str, result: Mapping[str, Any] | None, problem: str | None) -> None:
    await tx.execute(
        """
        UPDATE operations SET state = %s, result = %s, problem = %s, ended_at = now() WHERE id = %s AND ended_at IS NULL
        """,
        [state, None if result is None else Jsonb(dict(result)), problem, id],
    )


async def cancel(tx: Transaction, id: UUID) -> None:
    """What waits is over at once; what runs is asked to end."""
    await tx.execute(
        """
        UPDATE operations SET cancelled = true,
            state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END,
            ended_at = CASE WHEN state = 'waiting' THEN %s ELSE ended_at END
        WHERE id = %s AND ended_at IS NULL
        """,
        [datetime.now(UTC), id],
    )


async def tidy(tx: Transaction, kept: timedelta, uploads_kept: timedelta) -> None:
    """Remove operations that ended so long ago, and files that nobody imported."""
    await tx.execute("DELETE FROM operations WHERE ended_at < now() - %s", [kept])
    await tx.execute(
        """
        DELETE FROM uploads u WHERE created_at < now() - %s AND NOT EXISTS (
            SELECT FROM operations o WHERE o.user_id = u.user_id AND o.upload = u.id AND o.ended_at IS NULL)
        """,
        [uploads_kept],
    )


async def add_upload(tx: Transaction, user_id: UUID) -> UUID:
    cursor = await tx.execute("INSERT INTO uploads (user_id, id) VALUES (%s, new_id()) RETURNING id", [user_id])
    row = await cursor.fetchone()
    assert row is not None
    return UUID(str(row[0]))


async def count_uploads(tx: Transaction) -> int:
    cursor = await tx.execute("SELECT count(*) FROM uploads")
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def find_upload(tx: Transaction, id: UUID, *, lock: bool = False) -> Upload | None:
    cursor = await tx.execute(f"SELECT created_at FROM uploads WHERE id = %s {'FOR UPDATE' if lock else ''}", [id])
    row = await cursor.fetchone()
    if row is None:
        return None
    async with tx.cursor(row_factory=class_row(UploadedFile)) as files:
        await files.execute("SELECT name, bytes FROM upload_files WHERE upload = %s ORDER BY name", [id])
        return Upload(id=id, files=tuple(await files.fetchall()), created_at=row[0])


async def is_at_work(tx: Transaction, upload: UUID) -> bool:
    """Whether an operation on these files has not ended."""
    cursor = await tx.execute(
        f"SELECT count(*) FROM (SELECT {_COLUMNS} FROM operations o WHERE o.upload = %(upload)s) told "
        "WHERE state IN ('waiting', 'running')",
        {"upload": upload, "dead": await _dead(tx)},
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def remove_upload(tx: Transaction, id: UUID) -> bool:
    return (await tx.execute("DELETE FROM uploads WHERE id = %s", [id])).rowcount == 1


async def add_chunk(tx: Transaction, user_id: UUID, upload: UUID, content: UUID, number: int, body: bytes) -> None:
    await tx.execute("INSERT INTO upload_chunks VALUES (%s, %s, %s, %s, %s)", [user_id, upload, content, number, body])


async def put_file(tx: Transaction, user_id: UUID, upload: UUID, name: str, content: UUID, size: int) -> None:
    """Let a file consist of these chunks; those that it consisted of before go."""
    await tx.execute(
        """
        DELETE FROM upload_chunks c USING upload_files f
        WHERE f.upload = %s AND f.name = %s AND c.user_id = f.user_id AND c.upload = f.upload AND c.content = f.content
        """,
        [upload, name],
    )
    await tx.execute(
        """
        INSERT INTO upload_files (user_id, upload, name, content, bytes) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (user_id, upload, name) DO UPDATE SET content = excluded.content, bytes = excluded.bytes
        """,
        [user_id, upload, name, content, size],
    )


async def drop_chunks(tx: Transaction, upload: UUID, content: UUID) -> None:
    await tx.execute("DELETE FROM upload_chunks WHERE upload = %s AND content = %s", [upload, content])


async def contents(tx: Transaction, upload: UUID) -> list[tuple[str, UUID, int]]:
    """(name, content, bytes) of each file."""
    cursor = await tx.execute("SELECT name, content, bytes FROM upload_files WHERE upload = %s ORDER BY name", [upload])
    return await cursor.fetchall()


async def chunk(tx: Transaction, upload: UUID, content: UUID, number: int) -> bytes | None:
    cursor = await tx.execute(
        "SELECT body FROM upload_chunks WHERE upload = %s AND content = %s AND number = %s", [upload, content, number]
    )
    row = await cursor.fetchone()
    return None if row is None else bytes(row[0])
