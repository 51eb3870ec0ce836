"""The embedded server when processes are killed, many start at once, and disks run full: nothing committed is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from forking import Program
from homes import temporary_home
from ricordo.database.embedded import Server, ensure_running, status, stop
from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

#: How often each loop kills something; `RICORDO_TEST_ROUNDS=50` for a long run.
ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "6"))
SEED = int(os.environ.get("RICORDO_TEST_SEED", "20"))
START = (
    "import sys; from pathlib import Path; from ricordo.settings import Settings\n"
    "from ricordo.database.embedded import ensure_running, status\n"
    "settings = Settings(home=Path(sys.argv[1])); print('loaded', flush=True); sys.stdin.read(1)\n"
    "ensure_running(settings); print(status(settings).pid)\n"
)


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with temporary_home() as home:
        yield Settings(home=home)


@pytest.fixture
def server(settings: Settings) -> Server:
    return ensure_running(settings)


def postmaster(settings: Settings) -> int:
    pid = status(settings).pid
    assert pid is not None
    return pid


class Ledger:
    """What was committed, against what the store still has."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._attempted = 0
        self._committed: set[int] = set()
        self._enough = threading.Event()
        with self.connect() as connection:
            connection.execute("drop table if exists ledger")
            connection.execute("create table ledger (n int primary key)")

    def connect(self) -> psycopg.Connection:
        for _ in range(100):
            server = ensure_running(self._settings)
            try:
                return psycopg.connect(server.conninfo(), autocommit=True)
            except psycopg.OperationalError:  # the server has noticed only now that one of its processes was killed
                time.sleep(0.05)
        raise AssertionError("no connection after 100 attempts")

    def commit(self, connection: psycopg.Connection) -> None:
        self._attempted += 1
        connection.execute("insert into ledger values (%s)", [self._attempted])
        self._committed.add(self._attempted)

    def commit_meanwhile(self) -> None:
        """Commit row after row until the connection breaks, or `check` is called."""
        with suppress(psycopg.OperationalError), self.connect() as connection:
            while not self._enough.is_set():
                self.commit(connection)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit in another thread for as long as that can."""
        self._enough.clear()
        thread = threading.Thread(target=self.commit_meanwhile)
        thread.start()
        try:
            yield
        finally:
            self._enough.set()
            thread.join(30)
            assert not thread.is_alive()

    def check(self) -> None:
        with self.connect() as connection:
            kept = {n for (n,) in connection.execute("select n from ledger")}
        assert kept >= self._committed
        assert len(kept - self._committed) <= ROUNDS  # one a round may be committed, and its answer cut off


def starter(home: Path) -> subprocess.Popen[str]:
    """A process that has loaded its modules, and starts the server as soon as its standard input ends."""
    process = Program([sys.executable, "-c", START, home], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "loaded\n"
    return process


def start_at_once(home: Path, processes: int) -> set[int]:
    """The postmasters that so many processes found, which all started the server in the same moment."""
    starters = [starter(home) for _ in range(processes)]
    for each in starters:
        assert each.stdin is not None
        each.stdin.close()
        each.stdin = None
    found = {int(each.communicate(timeout=300)[0] or 0) for each in starters}
    assert [each.returncode for each in starters] == [0] * processes
    return found


def servers_of(home: Path) -> list[int]:
    """The postmasters of `home` that run on this machine; not their children, which look the same for a moment."""
    found: dict[int, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if b"bin/postgres\0-D\0" + os.fsencode(home) in command:
            found[int(process.name)] = parent
    return [process for process, parent in found.items() if parent not in found]


def test_many_processes_start_one_server() -> None:
    with temporary_home() as home:
        for _ in range(2):
            assert start_at_once(home, 12) == {postmaster(Settings(home=home))}
            if sys.platform == "linux":
                assert servers_of(home) == [postmaster(Settings(home=home))]
            os.kill(postmaster(Settings(home=home)), signal.SIGKILL)  # and they recover it together, the second time


def test_many_threads_start_one_server(settings: Settings) -> None:
    stop(settings)
    found: list[Server] = []
    threads = [threading.Thread(target=lambda: found.append(ensure_running(settings))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1


def test_starting_and_stopping_at_once_ends_in_order(settings: Settings) -> None:
    chance = random.Random(SEED)
    failures: list[BaseException] = []

    def toggle(seed: int) -> None:
        own = random.Random(seed)
        try:
            for _ in range(5):
                if own.random() < 0.5:
                    ensure_running(settings)
                else:
                    stop(settings)
        except BaseException as failure:
            failures.append(failure)
            raise

    threads = [threading.Thread(target=toggle, args=[chance.random()]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    ledger = Ledger(settings)
    with ledger.connect() as connection:
        ledger.commit(connection)
    ledger.check()


def test_whatever_is_killed_what_was_committed_stays(settings: Settings) -> None:
    chance = random.Random(SEED)
    ledger = Ledger(settings)
    for turn in range(ROUNDS):
        victim = ("postmaster", "any process", "starter")[turn % 3]
        if victim == "starter":
            stop(settings)
            kill_while_starting(settings.home, chance.uniform(0, 0.1))
        else:
            with ledger.connect() as connection:
                pids = [pid for (pid,) in connection.execute("select pid from pg_stat_activity")]
            with ledger.writing():
                time.sleep(chance.uniform(0, 0.3))
                kill(postmaster(settings) if victim == "postmaster" else chance.choice(pids))
                time.sleep(chance.uniform(0, 0.1))
        ledger.check()


def test_whenever_the_first_starter_is_killed_the_next_one_repairs() -> None:
    chance = random.Random(SEED)
    for _ in range(max(3, ROUNDS // 3)):
        with temporary_home() as home:
            settings = Settings(home=home)
            for _ in range(3):
                kill_while_starting(home, chance.uniform(0, 0.7))
            Ledger(settings).check()
            layout = Layout.of(settings)
            assert not layout.unfinished_data.exists()
            assert len(list(layout.binaries.iterdir())) == 1


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it ended by itself


def kill_while_starting(home: Path, delay: float) -> None:
    """Start the server in another process, and kill that after so many seconds; what it launched goes on."""
    process = starter(home)
    assert process.stdin is not None and process.stdout is not None
    with process:
        process.stdin.close()
        time.sleep(delay)
        process.kill()


def test_a_statement_that_outlives_its_postmaster_is_waited_for(settings: Settings, server: Server) -> None:
    ledger = Ledger(settings)
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        ledger.commit(connection)
        thread = threading.Thread(target=work_on, args=[connection], daemon=True)
        thread.start()
        time.sleep(0.3)
        os.kill(postmaster(settings), signal.SIGKILL)
        with pytest.raises(StoreUnavailable, match="an earlier server is still finishing"):
            ensure_running(settings, timeout=0.5)
        ledger.check()  # within 60 s
        thread.join(10)
        assert not thread.is_alive()


def work_on(connection: psycopg.Connection) -> None:
    """Some seconds of work that waits for nothing, so that the server's process does not notice the postmaster's
    end before."""
    with suppress(psycopg.OperationalError):
        connection.execute("select count(n) from (select generate_series(1, 40000000)) series (n)")


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A home on a file system of its own; skips where none can be mounted."""
    with temporary_home() as parent:
        disk = parent / "disk"
        disk.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", disk],
            capture_output=True,
            check=False,
        )
        if mounted.returncode:
            pytest.skip("only a root that may mount can make a small disk")
        try:
            yield disk
            stop(Settings(home=disk))
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
@pytest.mark.parametrize("megabytes", [10, 40])
def test_a_disk_too_small_to_begin_with(megabytes: int) -> None:
    with small_disk(megabytes) as home:
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="No space left on device"):
                ensure_running(Settings(home=home))
        assert not status(Settings(home=home)).running
        subprocess.run(["mount", "-o", "remount,size=200m", home], check=True)
        assert ensure_running(Settings(home=home))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_disk_that_runs_full_and_is_freed() -> None:
    with small_disk(200) as home:
        settings = Settings(home=home)
        ledger = Ledger(settings)
        with ledger.connect() as connection:
            ledger.commit(connection)
        stop(settings)
        ballast = home / "ballast"
        with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
            while True:
                file.write(b"x" * 4096)
        with pytest.raises(StoreUnavailable, match="No space left on device") as raised:
            ensure_running(settings)
        assert "\n" not in str(raised.value)
        ballast.unlink()
        ledger.check()
