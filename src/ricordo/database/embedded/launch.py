"""Makes the data directory of the embedded server and launches the server, detached; does not wait for it.

To be called only by who holds both locks (see `cluster`): nothing here guards against a second launch. POSIX only.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from ricordo.database.embedded.account import Account, give_to_owner_of, make_private_folder
from ricordo.database.embedded.binaries import Binaries, prepare
from ricordo.database.embedded.layout import OWNER, PORT, Layout
from ricordo.errors import StoreIncompatible, StoreUnavailable
from ricordo.settings import Settings

#: Bytes of a socket's path: sun_path holds 104 on macOS and 108 on Linux, with the closing zero.
_LONGEST_ADDRESS = 103
#: Log files are named after the seven days of the week; one that old would be written to again.
_LOG_SECONDS = 6 * 24 * 3600
_FEWEST_BUFFERS, _MOST_BUFFERS = 128 << 20, 1 << 30
#: initdb hands the path of `postgres` to a shell within plain double quotes.
_SHELL_CHARACTERS = frozenset('"$`\\\n')

#: For a laptop that does other things. What is not named here has PostgreSQL's own default, plans included.
_PARAMETERS = {
    "listen_addresses": "",
    "max_connections": "100",  # many processes share one server, and each has a pool
    "huge_pages": "off",
    "jit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "512MB",
    "checkpoint_timeout": "15min",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "on",
    "log_filename": "postgres-%a.log",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_truncate_on_rotation": "on",
    "log_checkpoints": "off",
    # What users remember stays out of the log: statements, and the rows that errors quote as their detail.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


class Launch:
    """A server that was launched and is not ready yet."""

    def __init__(self, layout: Layout, output: int, logged: dict[Path, int]) -> None:
        self._layout = layout
        self._logged = logged  # bytes that the logs of earlier servers had by then
        self._output = output  # what it says before it writes to its log; no file, since disks run full

    def failure(self) -> StoreUnavailable:
        """Why the server has ended, in its own words; to be called once it has."""
        said = b""
        with suppress(BlockingIOError):
            while part := os.read(self._output, 65536):
                said += part
        log = self._layout.log()
        if log is not None:
            said += log.read_bytes()[self._logged.get(log, 0) :][-4000:]
        return StoreUnavailable(
            f"The embedded server under {self._layout.home} did not start: {_in_one_line(said)} "
            f"(its log is in {self._layout.log_directory})"
        )

    def close(self) -> None:
        """Listen no longer."""
        os.close(self._output)


def launch(
    settings: Settings, layout: Layout, account: Account, start_lock: int, alive_lock: int, timeout: float
) -> Launch:
    """Start a server that outlives us and holds `alive_lock`, a locked descriptor, while it lives.

    Makes the data directory if there is none, within `timeout` seconds. Raises StoreUnavailable, StoreIncompatible,
    OSError, subprocess.TimeoutExpired.
    """
    programs = prepare(settings, layout.binaries, account)
    if not layout.data.exists():
        _make_data(layout, programs, account, start_lock, timeout)
    version = layout.data_version()
    if version != str(programs.major):
        raise _other_version(layout, version, programs)
    socket_directory = _socket_directory(layout)
    make_private_folder(socket_directory, account)
    _forget_the_dead(layout, socket_directory)
    _write_configuration(layout, programs, socket_directory)
    _remove_old_logs(layout)
    command = [
        programs.program("postgres"),
        "-D",
        str(layout.data),
        "-c",
        f"config_file={layout.config_file}",
    ]
    logged = {log: log.stat().st_size for log in layout.server_logs()}
    output, servers_output = os.pipe()
    os.set_blocking(output, False)
    try:
        # The shell leaves at once, so that the server is nobody's child: it can become no zombie of ours.
        account.run(
            ["/bin/sh", "-c", '"$@" &', "sh", *command],
            stdout=servers_output,
            stderr=servers_output,
            pass_fds=(alive_lock,),
            start_new_session=True,
            umask=0o077,
            timeout=timeout,
        ).check_returncode()
    except BaseException:
        os.close(output)
        raise
    finally:
        os.close(servers_output)
    return Launch(layout, output, logged)


def _make_data(layout: Layout, programs: Binaries, account: Account, start_lock: int, timeout: float) -> None:
    if account.name is None and not programs.serves_unknown_accounts:
        raise StoreUnavailable(
            f"The account {account} has no entry in /etc/passwd, which {programs.program('initdb')} needs to create a "
            "database. Add one, or set RICORDO_DATABASE_URL"
        )
    unsafe = set(str(layout.home)) & _SHELL_CHARACTERS
    if unsafe:
        raise StoreUnavailable(
            f"PostgreSQL's initdb cannot use {layout.home} because the path contains {' '.join(sorted(unsafe))!r}. Set "
            "RICORDO_HOME to a path without such characters"
        )
    if layout.unfinished_data.exists():
        shutil.rmtree(layout.unfinished_data)
    command = [programs.program("initdb"), "-D", str(layout.unfinished_data), "-U", OWNER, "-A", "trust"]
    command += ["--encoding=UTF8", "--data-checksums", "--no-instructions"]
    if programs.major >= 17:
        command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    else:
        command += ["--locale=C.UTF-8"]
    if programs.major >= 17 and sys.platform == "linux":
        command += ["--sync-method=syncfs"]  # one call in place of a thousand: .3 s in place of 2
    ran = account.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=(start_lock,), timeout=timeout
    )
    if ran.returncode:
        raise StoreUnavailable(f"Cannot create a database in {layout.cluster}: {_in_one_line(ran.stdout)}")
    for unused in ("postgresql.conf", "pg_hba.conf"):  # ours lie outside; nobody shall edit these in vain
        (layout.unfinished_data / unused).unlink()
    layout.unfinished_data.rename(layout.data)
    folder = os.open(layout.cluster, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _other_version(layout: Layout, version: str | None, programs: Binaries) -> StoreIncompatible:
    if version is None:
        return StoreIncompatible(
            f"{layout.data} is not a PostgreSQL data directory: PG_VERSION is missing. Move it away and restore "
            "a backup (ricordo restore)"
        )
    return StoreIncompatible(
        f"{layout.data} was created by PostgreSQL {version}, but the programs here are PostgreSQL {programs.version}. "
        f"With PostgreSQL {version} (RICORDO_POSTGRES_BIN, or the Ricordo version that created it), run ricordo "
        f"backup. Then move {layout.cluster} away and run ricordo restore"
    )


def _socket_directory(layout: Layout) -> Path:
    inside = layout.socket_directory
    # libpq reads a comma in a host as the end of its name.
    if len(os.fsencode(inside / f".s.PGSQL.{PORT}")) <= _LONGEST_ADDRESS and "," not in str(inside):
        return inside
    # Not $TMPDIR or $XDG_RUNTIME_DIR: they may be long, and end with the session that the server outlives.
    return Path("/tmp") / f"ricordo-{hashlib.sha256(os.fsencode(layout.home)).hexdigest()[:16]}"


def _forget_the_dead(layout: Layout, socket_directory: Path) -> None:
    """Remove what a killed server left, where PostgreSQL would take another process of its number for it."""
    pid_file = layout.data / "postmaster.pid"
    left = layout.postmaster()
    if left is not None and _works_in(left.pid, layout.data):
        raise StoreUnavailable(
            f"Process {left.pid} uses {layout.data} but was not started by Ricordo. Stop it and try again"
        )
    if left is None or _exists(left.pid):
        pid_file.unlink(missing_ok=True)
    for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
        (socket_directory / name).unlink(missing_ok=True)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _works_in(pid: int, folder: Path) -> bool:
    """Whether the process's working folder is `folder`, as a postmaster's is its data directory; False where this
    system does not tell."""
    try:
        return Path(f"/proc/{pid}/cwd").samefile(folder)
    except OSError:
        return False


def _write_configuration(layout: Layout, programs: Binaries, socket_directory: Path) -> None:
    escaped_directory = str(socket_directory).replace('"', '""')
    parameters = _PARAMETERS | {
        "unix_socket_directories": f'"{escaped_directory}"',
        "port": str(PORT),
        "hba_file": str(layout.hba_file),
        "log_directory": str(layout.log_directory),
        "shared_buffers": f"{buffers(_memory()) >> 20}MB",
    }
    if sys.platform == "linux":
        # Recovery syncs the data directory first: in one call, not file by file (70 ms in place of 4 s).
        parameters["recovery_init_sync_method"] = "syncfs"
    if programs.major >= 18:
        parameters["io_method"] = "sync"  # spares three worker processes
    lines = ["# Written by Ricordo at each start. Change settings with ALTER SYSTEM, which wins over this file."]
    lines += [f"{name} = {_quoted(value)}" for name, value in parameters.items()]
    _write(layout.config_file, "\n".join([*lines, ""]))
    _write(
        layout.hba_file,
        "# Written by Ricordo at each start. The gate is the socket's folder.\nlocal all all trust\n",
    )


def buffers(memory: int) -> int:
    """Bytes of the store that a server holds at most, of a machine with so many bytes of memory.

    It takes them as it comes to need them. Of 500,000 memories the nearest are found in a third of the time where their
    index is among what it holds.
    """
    return min(max(memory // 16, _FEWEST_BUFFERS), _MOST_BUFFERS)


def _memory() -> int:
    """Bytes of memory that this machine, or this container, has."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # no control groups, or "max"
        memory = min(memory, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return memory


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def _write(path: Path, text: str) -> None:
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with unfinished.open("x", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    unfinished.chmod(0o644)  # the server's account reads it; it holds no secret
    give_to_owner_of(path.parent, unfinished)
    unfinished.rename(path)


def _remove_old_logs(layout: Layout) -> None:
    """PostgreSQL empties a log file that it turns to at midnight, but adds to the one that it starts with."""
    for log in layout.server_logs():
        if log.stat().st_mtime < time.time() - _LOG_SECONDS:
            log.unlink()


def _in_one_line(said: bytes) -> str:
    """The last words that matter of a program's output."""
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()]
    grave = [line for line in lines if any(mark in line for mark in ("FATAL", "PANIC", "error:", "could not"))]
    return " | ".join((grave or lines)[-3:])[-600:] or "no output"
