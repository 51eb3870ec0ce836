"""Gauges of the whole store for its operators, which the processes export that run the jobs of all users.

A task reads the counts as the owner of the store, once for each interval between two exports. An export itself never
waits for the store, and shows nothing while the store cannot be read.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ricordo import telemetry
from ricordo.background import gauges_store as store
from ricordo.database import Database
from ricordo.errors import RicordoError

#: Intervals after which a reading is too old to be shown.
_OLD = 3

log = logging.getLogger("ricordo")


@dataclass(frozen=True)
class _Counts:
    """One reading of the store."""

    jobs: dict[str, int]
    #: Memories without a vector and held writes, where the owner sees them.
    waiting: tuple[int, int] | None
    newest_backup: datetime | None
    taken: float = field(default_factory=time.monotonic)


class _Gauges:
    def __init__(self, database: Database, interval: float) -> None:
        self._database = database
        self._interval = interval
        self._latest: _Counts | None = None

    async def keep_read(self) -> None:
        """Read the store again and again, until cancelled."""
        while True:
            try:
                self._latest = await self._read()
            except (RicordoError, OSError) as error:
                log.info("could not read the gauges: %s", error)
            await asyncio.sleep(self._interval)

    async def _read(self) -> _Counts:
        from ricordo import archive

        made = await asyncio.to_thread(archive.backups, self._database.settings.backups)
        async with self._database.operator() as tx:
            return _Counts(await store.jobs(tx), await store.waiting(tx), made[-1][0] if made else None)

    def _current(self) -> _Counts | None:
        latest = self._latest
        is_old = latest is not None and time.monotonic() - latest.taken > _OLD * self._interval
        return None if is_old else latest

    def jobs(self) -> telemetry.Reading:
        found = self._current()
        return [] if found is None else [(count, {"state": state}) for state, count in found.jobs.items()]

    def vectors_pending(self) -> telemetry.Reading:
        found = self._current()
        return [] if found is None or found.waiting is None else [(found.waiting[0], {})]

    def reviews_held(self) -> telemetry.Reading:
        found = self._current()
        return [] if found is None or found.waiting is None else [(found.waiting[1], {})]

    def backup_age(self) -> telemetry.Reading:
        found = self._current()
        if found is None or found.newest_backup is None:
            return []
        return [((datetime.now(UTC) - found.newest_backup).total_seconds(), {})]


@asynccontextmanager
async def gauging(database: Database) -> AsyncIterator[None]:
    """Within the block, the gauges of this store are exported, where somebody listens."""
    if not telemetry.is_heard():
        yield
        return
    read = _Gauges(database, telemetry.export_interval())
    task = asyncio.create_task(read.keep_read())
    try:
        with telemetry.gauges(
            {
                "ricordo.jobs": read.jobs,
                "ricordo.vectors.pending": read.vectors_pending,
                "ricordo.reviews.held": read.reviews_held,
                "ricordo.backup.age": read.backup_age,
            }
        ):
            yield
    finally:
        task.cancel()
        await asyncio.wait([task])
