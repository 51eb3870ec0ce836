"""Homes for tests that start an embedded server: reachable for the account it runs as, and left without a trace."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ricordo.database.embedded import stop
from ricordo.settings import Settings


@contextmanager
def temporary_home() -> Iterator[Path]:
    """A new empty `RICORDO_HOME`; its server, if one was started, is stopped at the end.

    Not under pytest's `tmp_path`: for root that lies in a folder which the server's account cannot enter.
    """
    home = Path(tempfile.mkdtemp(prefix="ricordo-home-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            home.chmod(0o755)
        yield home
    finally:
        try:
            stop(Settings(home=home))
        finally:
            shutil.rmtree(home)
