"""Statements for many rows, where the connection breaks in the middle."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ricordo.database.store import execute_each


class Cursor:
    """A cursor whose pipeline does not end, as psycopg's where its connection broke in the middle."""

    def __init__(self, failure: BaseException | None) -> None:
        self.failure = failure

    async def __aenter__(self) -> Cursor:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def executemany(self, *_: object) -> None:
        try:
            if self.failure is not None:
                raise self.failure
        finally:
            raise AssertionError


class Connection:
    def __init__(self, failure: BaseException | None) -> None:
        self.failure = failure

    def cursor(self) -> Cursor:
        return Cursor(self.failure)


@pytest.mark.parametrize("failure", [asyncio.CancelledError(), None])
def test_what_happened_is_raised_and_no_assertion(failure: BaseException | None) -> None:
    broken: Any = Connection(failure)
    with pytest.raises(BaseException) as raised:
        asyncio.run(execute_each(broken, "SELECT 1", []))
    assert type(raised.value).__name__ == ("OperationalError" if failure is None else "CancelledError")
