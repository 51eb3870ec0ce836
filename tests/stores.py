"""Stores for tests: one embedded server for each test process, and a schema of its own for each test that asks."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg

from ricordo.accounts import user_id_of
from ricordo.database.embedded import ensure_running
from ricordo.settings import Settings


def settings_for(home: Path, **changes: object) -> Settings:
    """Settings of an embedded store under `home`, in a schema that no other test uses, without an encoder."""
    schema = f"test_{secrets.token_hex(6)}"
    return replace(Settings(home=home, schema=schema, model_dir=home / "no-models"), **changes)  # type: ignore[arg-type]


def connect(settings: Settings, user: str | None = None) -> psycopg.Connection:
    """A plain connection to the embedded store with the settings' schema on its path; as its owner, or `user`."""
    connection = psycopg.connect(ensure_running(settings).conninfo(user), autocommit=True)
    connection.execute(f"SET search_path = {settings.schema}, public")
    return connection


@contextmanager
def sql_client(settings: Settings, user: str) -> Iterator[psycopg.Connection]:
    """A connection of a role that is a member of ricordo_sql and of nothing else, for a user."""
    role = f"caller_{secrets.token_hex(4)}"
    with connect(settings) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN IN ROLE ricordo_sql")
        try:
            with connect(settings, role) as connection:
                connection.execute(f"SET ricordo.user_id = '{user_id_of(user)}'")
                yield connection
        finally:
            owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
