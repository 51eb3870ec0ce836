"""Homes for tests that start an embedded server: reachable for the account it runs as, and left without a trace."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ricordo.database.embedded import stop
from ricordo.resident import retire
from ricordo.settings import Settings

#: What the homes of a test run may need at once, in bytes.
_ROOM = 4 << 30


@contextmanager
def temporary_home() -> Iterator[Path]:
    """A new empty `RICORDO_HOME`; its server, if one was started, is stopped at the end.

    Not under pytest's `tmp_path`: for root that lies in a folder which the server's account cannot enter.
    """
    home = Path(tempfile.mkdtemp(prefix="ricordo-home-", dir=_place()))
    try:
        if os.geteuid() == 0:
            home.chmod(0o755)
        yield home
    finally:
        retire(f"{home}/resident")
        try:
            stop(Settings(home=home))
        finally:
            _remove(home)


def _place() -> str:
    """Where homes are made: in memory where there is room and programs may run. A store has 600 files, and each test
    makes a store."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK) or os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return "/tmp"
    return str(memory) if shutil.disk_usage(memory).free >= _ROOM else "/tmp"


def _remove(home: Path) -> None:
    """Remove a home, whose server may still be clearing up itself where the machine was too busy to stop it in time."""
    for pause in (0.1, 0.5, 2.0):
        try:
            shutil.rmtree(home)
        except OSError:
            time.sleep(pause)
        else:
            return
    shutil.rmtree(home)
