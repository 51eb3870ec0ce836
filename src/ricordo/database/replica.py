"""Reading from a streaming replica, without ever seeing less than what was acknowledged before.

Each read asks the store how far its log had been written at that moment, and the replica whether it has replayed that.
So what any process wrote before is read, and a replica that lags, or is not there, costs a moment and no answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

if TYPE_CHECKING:
    from ricordo.database.store import Transaction

#: Seconds that a read waits for the replica to replay what was written before it, and between two looks.
_PATIENCE, _PAUSE = 0.1, 0.002
#: Seconds that a connection to the replica may take.
_CONNECTING = 1.0
#: Seconds that a replica which could not be used is left alone.
_REST = 10.0
#: How far the store's log is safe on disk: all that was acknowledged lies before.
_WRITTEN = "SELECT pg_current_wal_flush_lsn()"
_REPLAYED = "SELECT pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() >= %s::pg_lsn, false)"

log = logging.getLogger("ricordo.database")


class Replica:
    """A streaming replica of the store behind `pool`, which opens without being reached."""

    def __init__(self, pool: AsyncConnectionPool[Transaction]) -> None:
        self.pool = pool
        self._rests_until = 0.0

    async def has_caught_up(self, store: AsyncConnectionPool[Transaction]) -> bool:
        """Whether all that the store has acknowledged by now can be read here, after a short wait at most."""
        if time.monotonic() < self._rests_until:
            return False
        async with store.connection() as connection:
            cursor = await connection.execute(_WRITTEN)
            row = await cursor.fetchone()
        try:
            async with self.pool.connection(_CONNECTING) as connection:
                return await _replays(connection, row[0] if row else None)
        except (psycopg.Error, PoolTimeout) as error:
            self.leave_alone(error)
            return False

    def leave_alone(self, error: Exception) -> None:
        """Read elsewhere for a while, since this happened here."""
        self._rests_until = time.monotonic() + _REST
        log.warning("cannot read from the replica; reading from the primary for the next %g s: %s", _REST, error)


async def _replays(connection: Transaction, written: str | None) -> bool:
    """Whether a replica has replayed the log up to there, or does so while we wait; at once False for a server that is
    no replica, or no longer."""
    until = time.monotonic() + _PATIENCE
    while True:
        cursor = await connection.execute(_REPLAYED, [written])
        is_replica, has_replayed = await cursor.fetchone() or (False, False)
        if not is_replica or has_replayed:
            return bool(is_replica)
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(_PAUSE)
