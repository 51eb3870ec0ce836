"""Stores for tests: one embedded server for each test process, and a schema of its own for each test that asks."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

import psycopg

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
