"""Backups by the clock, made by whichever long-lived process finds one due: one at a time for each folder."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ricordo.archive.backup import backup
from ricordo.errors import RicordoError
from ricordo.models import ArchiveFile, Progress
from ricordo.settings import Settings

#: Seconds between two looks whether one is due.
_LOOK = 60.0
#: Seconds without a change after which a file that a backup is being written to was left by one that was killed.
_LEFT = 3600.0
_NAMED = re.compile(r"ricordo-(\d{8}T\d{6})Z\.zip")

log = logging.getLogger("ricordo")


def backups(folder: Path) -> list[tuple[datetime, Path]]:
    """The backups in a folder that were named by Ricordo, oldest first, with the moments when they were begun."""
    named = ((_NAMED.fullmatch(each.name), each) for each in folder.glob("ricordo-*.zip"))
    return sorted(
        (datetime.strptime(found[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC), each) for found, each in named if found
    )


def earlier(settings: Settings) -> str:
    """What the backups that are there by now mean for what is forgotten: whether some hold it, and until when."""
    made = backups(settings.backups)
    copies = "Copies elsewhere and backups with other names contain it until they are deleted."
    look = "Check one with `ricordo verify FILE --absent TEXT`. Restoring a backup brings forgotten text back."
    if not made:
        return f"Existing backups: none in RICORDO_BACKUP_DIR. {copies} {look}"
    count, (newest, _) = len(made), made[-1]
    told = f"Existing backups in RICORDO_BACKUP_DIR: {count:,}, the latest from {_minute(newest)}"
    if settings.backup_every is None:
        until = "They are not deleted automatically, because scheduled backups are off (RICORDO_BACKUP_EVERY)"
    else:
        # The newest goes once so many newer ones were made, the first of which may be overdue.
        every = timedelta(hours=settings.backup_every)
        gone = max(newest + every, datetime.now(UTC)) + (settings.backup_keep - 1) * every
        until = (
            f"With a backup every {settings.backup_every:g} hours and {settings.backup_keep:,} backups stored "
            f"(RICORDO_BACKUP_KEEP), the last of them is deleted about {_minute(gone)}"
        )
    return f"{told}. They contain the store as it was then. {until}. {copies} {look}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%MZ}"


async def backup_into(settings: Settings, keep: int | None = None, progress: Progress | None = None) -> ArchiveFile:
    """A new backup in the settings' folder of backups, named by the moment. Then, where `keep` says how many are kept,
    the oldest others go. Raises what `backup` raises."""
    folder = settings.backups
    folder.mkdir(parents=True, exist_ok=True)
    made = await backup(settings, folder / f"ricordo-{datetime.now(UTC):%Y%m%dT%H%M%S}Z.zip", progress)
    if keep is not None:
        for _, oldest in backups(folder)[:-keep]:
            oldest.unlink(missing_ok=True)
    return made


async def keep_backed_up(settings: Settings) -> None:
    """Back up the store whenever `settings.backup_every` hours have passed since the last time, until cancelled; at
    once where that has not been done yet. What fails is logged and tried again. Ends at once where none are wanted."""
    while settings.backup_every is not None:
        try:
            await _backup_if_due(settings, timedelta(hours=settings.backup_every))
        except (RicordoError, OSError) as error:
            log.warning("backup failed: %s", error)
        await asyncio.sleep(_LOOK)


async def _backup_if_due(settings: Settings, every: timedelta) -> None:
    settings.backups.mkdir(parents=True, exist_ok=True)
    with _alone(settings.backups) as alone:
        made = backups(settings.backups)
        if alone:
            _clear_away(settings.backups)
        # A clock that was put back must not keep backups away until it has caught up.
        if alone and not (made and timedelta() <= datetime.now(UTC) - made[-1][0] < every):
            await backup_into(settings, settings.backup_keep)


def _clear_away(folder: Path) -> None:
    """Remove what backups left that were killed while they were written."""
    for each in folder.glob(".ricordo-*.partial"):
        if time.time() - each.stat().st_mtime > _LEFT:
            each.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no other process is at it; while the block runs none begins."""
    if sys.platform == "win32":  # which locks otherwise; two backups at a time do no harm
        yield True
        return
    import fcntl

    lock = os.open(folder / ".lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(lock)
