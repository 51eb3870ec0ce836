"""Recall's statements are few, and are planned once for each connection instead of for each question."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from ricordo.client import AsyncMemory
from ricordo.settings import Settings

_TURNS = [
    {"role": "user", "content": "I live in Bristol, and my bike is a green Dawes."},
    {"role": "assistant", "content": "Noted. What is next on the list for the kitchen?"},
    {"role": "user", "content": "Am Samstag haben wir den Kachelofen mit Lehm verputzt und die Bank gestrichen."},
    {"role": "user", "content": "I moved to Leeds in March. The new kitchen tap drips into the cupboard."},
]


#: Statements of a recall: the beginning of its transaction, the user's settings, postings, candidates, the texts of the
#: best, hits, current facts, and the access log. For a word that nobody wrote, one more, and one for what the first
#: hits name, where the question asks how things are now.
_STATEMENTS = 10


@pytest.mark.anyio
async def test_plans_are_kept(with_vectors: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    connections: list[Any] = []
    made = psycopg.AsyncConnection.connect.__func__  # type: ignore[attr-defined]

    async def connected(cls: type[Any], *args: Any, **kwargs: Any) -> Any:
        connections.append(await made(cls, *args, **kwargs))
        return connections[-1]

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", classmethod(connected))
    async with AsyncMemory(settings=with_vectors, background=False) as memory:
        await memory.mine(_TURNS, conversation="home")
        await memory.embed_pending()
    connections.clear()
    async with AsyncMemory(settings=with_vectors, background=False) as memory:
        asked = _executed(monkeypatch)
        for number in range(24):
            asked.clear()
            await memory.recall(f"Where do I live now, and what about the tap {'x' * number}?")
            # Which embedding model the vectors are of is looked up now and then.
            assert len([each for each in asked if not each.startswith("SET LOCAL ROLE")]) <= _STATEMENTS, asked
        kept = {row for each in connections for row in await _kept(each)}
    assert any("bit_send" in text for text, _ in kept), "turns in another language are looked for as well"
    assert any("here AS MATERIALIZED" in text for text, _ in kept), "facts are looked up"
    assert [text for text, planned in kept if planned] == []


@pytest.mark.anyio
async def test_facts_are_read_only_where_a_turn_states_one_or_a_slot_is_asked_for(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncMemory(settings=with_vectors, background=False) as memory:
        await memory.mine([{"role": "user", "content": "The cellar pump hums at night."}], conversation="pump")
        await memory.mine([{"role": "user", "content": "I moved to Leeds."}], conversation="home")
        asked = _executed(monkeypatch)
        for question, reads in [
            ("What hums in the cellar?", False),
            ("What did I write on Leeds?", True),
            ("Where do I live?", True),
        ]:
            asked.clear()
            assert (await memory.recall(question, top_k=1)).results
            assert any("here AS MATERIALIZED" in each for each in asked) == reads, question


def _executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are executed from now on."""
    asked: list[str] = []
    execute = psycopg.AsyncCursor.execute

    async def executed(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        text = psycopg.sql.as_string(query) if isinstance(query, psycopg.sql.Composable) else query
        asked.append(text if isinstance(text, str) else text.decode())
        return await execute(self, query, *args, **kwargs)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", executed)
    return asked


async def _kept(connection: Any) -> list[tuple[str, int]]:
    """The statements that a connection keeps, and how often each was planned anew."""
    if connection.closed:
        return []
    cursor = await connection.execute("SELECT statement, custom_plans::int FROM pg_prepared_statements", prepare=False)
    return list(await cursor.fetchall())
