"""Stores for tests: one embedded server for each test process, and a store of its own for each test that asks.

A home that `prepare` was called for has the tables in `template1`, which PostgreSQL copies for every new database:
there a store is a database. They are made ahead and removed several at a time. In another home a store is a schema,
which is migrated when it is first opened.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from ricordo import database
from ricordo.accounts import user_id_of
from ricordo.database import migrations
from ricordo.database.embedded import Server, ensure_running, stop
from ricordo.settings import Settings

#: The prepared homes, and the databases of each that nobody has asked for yet.
_ready: dict[Path, list[str]] = {}
#: Their servers.
_servers: dict[Path, Server] = {}
#: The stores that were asked for in prepared homes, in their order.
copies: list[Settings] = []
#: Those that nobody needs any more.
_gone: list[Settings] = []
#: Databases that are made and removed at a time. Each takes 10 MB.
_AT_A_TIME = 8


def prepare(home: Path) -> None:
    """Let the embedded server of a home have the tables in every new database, and not wait for its disk.

    It holds less of them in memory: removing a database looks through all of that.
    """
    ensure_running(Settings(home=home))  # so that the default database is made first, and is empty
    template = Settings(home=home, database="template1")
    asyncio.run(database.migrate(template))
    with connect(template) as owner:
        owner.execute("ALTER SYSTEM SET fsync = off")
        owner.execute("ALTER SYSTEM SET shared_buffers = '64MB'")
    stop(template)
    _servers[home] = ensure_running(template)
    _ready[home] = []


def settings_for(home: Path, **changes: object) -> Settings:
    """Settings of an embedded store under `home` that no other test uses, without an embedding model."""
    if home not in _ready:
        return empty_settings_for(home, **changes)
    if not _ready[home]:
        _make_databases(home)
    name = _ready[home].pop()
    settings = replace(Settings(home=home, database=name, model_dir=home / "no-models"), **changes)  # type: ignore[arg-type]
    copies.append(settings)
    return settings


def _make_databases(home: Path) -> None:
    """Prepare new databases. Copying the files takes a third of the default's processor time."""
    with connect(Settings(home=home)) as owner:
        for _ in range(_AT_A_TIME):
            name = f"test_{secrets.token_hex(6)}"
            owner.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
            _ready[home].append(name)


def copy_of(settings: Settings) -> Settings:
    """A store with the same rows. The original must not be open."""
    copied = replace(settings, database=f"test_{secrets.token_hex(6)}")
    with connect(replace(settings, database=Settings.database)) as owner:
        owner.execute(f"CREATE DATABASE {copied.database} TEMPLATE {settings.database} STRATEGY file_copy")
    copies.append(copied)
    return copied


def empty_settings_for(home: Path, **changes: object) -> Settings:
    """The same, but nobody has migrated the store yet."""
    schema = f"test_{secrets.token_hex(6)}"
    return replace(Settings(home=home, schema=schema, model_dir=home / "no-models"), **changes)  # type: ignore[arg-type]


def drop_copies(first: int) -> None:
    """Remove the databases of `copies` from this number on, once there are enough of them."""
    _gone.extend(copies[first:])
    del copies[first:]
    if len(_gone) < _AT_A_TIME:
        return
    for home in {each.home for each in _gone}:
        with connect(Settings(home=home)) as owner:
            for each in _gone:
                if each.home == home:
                    owner.execute(f"DROP DATABASE IF EXISTS {each.database} WITH (FORCE)")
    _gone.clear()


def connect(settings: Settings, user: str | None = None) -> psycopg.Connection:
    """A plain connection to the embedded store with the settings' schema on its path; as its owner, or `user`."""
    connection = _connected(settings, user)
    connection.execute(f"SET search_path = {settings.schema}, public")
    return connection


def _connected(settings: Settings, user: str | None) -> psycopg.Connection:
    """The server of a prepared home is asked without a look whether it runs, which is a connection too."""
    if settings.home in _servers:
        server = replace(_servers[settings.home], database=settings.database)
        with suppress(psycopg.OperationalError):  # a test ended it
            return psycopg.connect(server.conninfo(user), autocommit=True)
    return psycopg.connect(ensure_running(settings).conninfo(user), autocommit=True)


@contextmanager
def followed_by(script: str) -> Iterator[int]:
    """As if this Ricordo had one more migration, which is called `later`; yields its version."""
    known = migrations.migrations()
    later = migrations.Migration(known[-1].version + 1, "later", script)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrations", lambda: (*known, later))
        yield later.version


@contextmanager
def sql_client(settings: Settings, user: str) -> Iterator[psycopg.Connection]:
    """A connection of a role that is bound to a user, as `ricordo db role create` makes it."""
    with connect(settings) as owner:
        owner.execute(f"SET ricordo.user_id = '{user_id_of(user)}'")
        owner.execute(
            "INSERT INTO users (user_id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING", [user_id_of(user), user]
        )
    role = f"caller_{secrets.token_hex(4)}"
    asyncio.run(database.create_role(settings, role, user_id_of(user), user))
    try:
        with connect(settings, role) as connection:
            yield connection
    finally:
        asyncio.run(database.drop_role(settings, role))
