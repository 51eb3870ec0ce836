"""Vectors in the form that pgvector reads, and lists as PostgreSQL reads them. That arrays of numpy reach a server and
return is tested where there is one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import DataError

from ricordo.database import Database
from ricordo.database.transport import vector_literal
from ricordo.settings import Settings

_TEXTS = ["", "null", "NULL", 'a "b"', "c\\d\\", "{e,f}", " g ", "h,i", "j\nk\tl", "m'n", "12", "ö\u3000😀", "\u00a0"]
_LISTS: list[tuple[str, list[object]]] = [
    *((kind, []) for kind in ("integer", "text", "uuid", "timestamptz", "boolean", "real")),
    ("integer", [0, -1, 2**31 - 1, -(2**31)]),
    ("bigint", [2**63 - 1, -(2**63), 7]),
    ("numeric", [10**30, -1]),
    ("boolean", [True, False, True]),
    ("uuid", [uuid4(), UUID(int=0)]),
    ("text", _TEXTS),
    ("text", [*_TEXTS, None]),
    ("text", [None]),
    ("timestamptz", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)]),
    ("timestamptz", [datetime(2026, 3, 1, 18, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))]),
    ("timestamp", [datetime(2026, 3, 1, 18, 5, 6, 7)]),
    ("text", [["a", 'b"'], ["c", "d\\"]]),
    ("real", [0.5, -1.25]),
]


def test_a_vector_is_written_as_pgvector_reads_it() -> None:
    assert vector_literal(np.array([0.5, -1, 1e-7, 123456.789], np.float32)) == "[0.5,-1,1e-07,123457]"
    assert vector_literal(np.array([], np.float32)) == "[]"


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=20))
def test_more_is_kept_than_a_halfvec_does(numbers: list[float]) -> None:
    literal = vector_literal(np.array(numbers, np.float32))
    read = np.array([float(each) for each in literal[1:-1].split(",")])
    assert literal[0] + literal[-1] == "[]"
    assert np.allclose(read, numbers, rtol=1e-5, atol=0)


def test_lists_reach_the_store_as_they_are(settings: Settings) -> None:
    async def sent() -> None:
        async with Database(settings) as database, database.tenant(uuid4()) as tx:
            for kind, each in _LISTS:
                cursor = await tx.execute(f"SELECT %s::{kind}[]", [each])
                assert await cursor.fetchone() == (each,)
            for text in ("a\0b", "\ud800"):  # as psycopg refuses them
                with pytest.raises((DataError, UnicodeEncodeError)):
                    await tx.execute("SELECT %s::text[]", [["c", text]])

    asyncio.run(sent())
