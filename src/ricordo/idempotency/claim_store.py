"""The SQL of requests that are done once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction


@dataclass(frozen=True)
class Row:
    """A claim, and what came of it."""

    fingerprint: bytes
    done: bool
    status: int | None
    headers: dict[str, str] | None
    body: bytes | None


async def insert(tx: Transaction, user_id: UUID, id: bytes, fingerprint: bytes) -> bool:
    """Claim a key; False where it is claimed."""
    cursor = await tx.execute(
        "INSERT INTO answers (user_id, id, fingerprint, claimed_in) VALUES (%s, %s, %s, pg_current_snapshot()) "
        "ON CONFLICT DO NOTHING",
        [user_id, id, fingerprint],
    )
    return cursor.rowcount == 1


async def lock(tx: Transaction, id: bytes) -> Row | None:
    """The claim, which nobody else changes until the transaction ends."""
    async with tx.cursor(row_factory=class_row(Row)) as cursor:
        await cursor.execute(
            "SELECT fingerprint, done_at IS NOT NULL AS done, status, headers, body "
            "FROM answers WHERE id = %s FOR UPDATE",
            [id],
        )
        return await cursor.fetchone()


async def take_over(tx: Transaction, id: bytes, lease: timedelta) -> bool:
    """Claim a key anew whose claim is old and was not done; False where it is not old."""
    cursor = await tx.execute(
        "UPDATE answers SET claimed_at = now(), claimed_in = pg_current_snapshot() "
        "WHERE id = %s AND done_at IS NULL AND claimed_at < now() - %s",
        [id, lease],
    )
    return cursor.rowcount == 1


async def note_done(tx: Transaction, id: bytes) -> None:
    """Note that what a claim stands for is done by this transaction."""
    await tx.execute(
        "UPDATE answers SET done_at = now(), done_in = pg_current_xact_id() WHERE id = %s AND done_at IS NULL", [id]
    )


async def keeps_everything(tx: Transaction) -> bool:
    """Whether no policy of the user's redacts or refuses anything."""
    cursor = await tx.execute(
        """
        SELECT NOT EXISTS (SELECT FROM settings WHERE secrets <> 'store' OR personal_data <> 'store')
           AND NOT EXISTS (SELECT FROM profiles WHERE secrets <> 'store' OR personal_data <> 'store')
        """
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def keep(
    tx: Transaction, user_id: UUID, id: bytes, status: int, headers: dict[str, str], body: bytes | None
) -> None:
    """Keep an answer, without its body where something was redacted or forgotten since its key was claimed, but by the
    request itself. Whoever just redacts or forgets is waited for; who does later empties what is kept here."""
    await tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('answers:' || %s::text, 0))", [user_id])
    await tx.execute(
        """
        UPDATE answers a SET done_at = coalesce(done_at, %s), status = %s, headers = %s,
            body = CASE WHEN NOT EXISTS (
                SELECT FROM access_log l
                WHERE l.user_id = a.user_id AND l.xid >= pg_snapshot_xmin(a.claimed_in)::text::bigint
                  AND l.action IN ('redact', 'forget', 'expire')
                  AND NOT pg_visible_in_snapshot(greatest(l.xid, 0)::text::xid8, a.claimed_in)
                  AND l.xid IS DISTINCT FROM a.done_in::text::bigint
            ) THEN %s::bytea END
        WHERE id = %s
        """,
        [datetime.now(UTC), status, Jsonb(headers), body, id],
    )


async def release(tx: Transaction, id: bytes) -> None:
    """Remove a claim that was not done."""
    await tx.execute("DELETE FROM answers WHERE id = %s AND done_at IS NULL", [id])


async def forget_old(tx: Transaction, age: timedelta) -> None:
    """Remove the user's claims of that age."""
    await tx.execute("DELETE FROM answers WHERE claimed_at < now() - %s", [age])
