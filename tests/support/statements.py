"""Every statement that Ricordo sends about users' rows: those that stand in its source, and those that tests send.

Each is completed for a distributed store and checked by `citus_rules`. What tests send is checked in the test that
sends it first (conftest.py).
"""

from __future__ import annotations

import ast
import importlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

import ricordo
from citus_rules import problems, users_tables
from ricordo.database import Database
from ricordo.database.scoping import numbered, scoped

#: What is wrong with statements that were sent in users' transactions and that a cluster would not take.
refused: dict[str, list[str]] = {}
_seen: set[str] = set()
_USER = UUID(int=0)
_SOURCE = Path(ricordo.__file__).parent


def checked(query: Any, params: Any) -> list[str]:
    """What a cluster would refuse in a statement of psycopg's, once it is completed."""
    text = query.as_string(None) if isinstance(query, sql.Composable) else query
    text = text.decode() if isinstance(text, bytes) else text
    if params is not None:
        text, _ = numbered(text, params)
    return problems(scoped(text, _USER, users_tables()), users_tables())


def constant_statements() -> Iterator[tuple[str, str | None]]:
    """Where Ricordo's source executes a statement, and its text; None where it is composed when it is sent."""
    for path in sorted(_SOURCE.rglob("*.py")):
        source = path.read_text("utf-8")
        if "Transaction" not in source:  # such as what reads other programs' SQLite files
            continue
        module = importlib.import_module(".".join(["ricordo", *path.relative_to(_SOURCE).with_suffix("").parts]))
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("execute", "executemany", "execute_each"):
                argument = node.args[1 if name == "execute_each" else 0]
                yield f"{path.relative_to(_SOURCE)}:{node.lineno}", _constant(argument, vars(module))


def _constant(argument: ast.expr, names: dict[str, Any]) -> str | None:
    """What an expression of the source is, where it consists of literals and of the module's own constants."""
    try:
        value = eval(compile(ast.Expression(argument), "<statement>", "eval"), names, {})
    except (NameError, TypeError):  # a name of the function that sends it
        return None
    if isinstance(value, sql.Composable):
        return value.as_string(None)
    return value if isinstance(value, str) else None


#: Any name and any place has a value.
PARAMETERS: Any = defaultdict(int)


def record(patch: pytest.MonkeyPatch) -> None:
    """Have each statement of each user's transaction checked from now on."""
    begin, glance = Database._begun, Database.glance

    @asynccontextmanager
    async def recorded(
        self: Database, pool: Any, preamble: str, user_id: UUID | None, *more: Any
    ) -> AsyncIterator[Any]:
        async with begin(self, pool, preamble, user_id, *more) as begun:
            connection = begun.connection
            if user_id is not None and connection.cursor_factory is psycopg.AsyncCursor:
                connection.cursor_factory = _RecordingCursor
                connection.server_cursor_factory = _RecordingServerCursor
            try:
                yield begun
            finally:  # what begins a transaction is several statements, and none is about users' rows
                if connection.cursor_factory is _RecordingCursor:
                    connection.cursor_factory = psycopg.AsyncCursor

    async def glanced(self: Database, user_id: UUID, query: sql.Composable) -> Any:
        _note(query, None)
        return await glance(self, user_id, query)

    patch.setattr(Database, "_begun", recorded)
    patch.setattr(Database, "glance", glanced)


def _note(query: Any, params: Any) -> None:
    key = query.as_string(None) if isinstance(query, sql.Composable) else query
    if key not in _seen:
        _seen.add(key)
        if found := checked(query, params):
            refused[key] = found


class _RecordingCursor(psycopg.AsyncCursor[Any]):
    async def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
        _note(query, params)
        return await super().execute(query, params, **how)

    async def executemany(self, query: Any, params_seq: Any, **how: Any) -> None:
        each = list(params_seq)
        if each:
            _note(query, each[0])
        await super().executemany(query, each, **how)


class _RecordingServerCursor(psycopg.AsyncServerCursor[Any]):
    async def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
        _note(query, params)
        return await super().execute(query, params, **how)
