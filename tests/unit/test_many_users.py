"""One open memory serves many users: connections and embedding model are shared, and nothing of what they remember."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from uuid import uuid4

import pytest
from psycopg.errors import Diagnostic

from ricordo.background.shared import Guests
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound, StoreUnavailable
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY


def test_users_of_one_store_see_their_own_and_share_its_connections(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada", pool_size=2)) as ada:
        bob = ada.of("bob")
        assert (bob.user, ada.of("bob")._inner) == ("bob", bob._inner)
        assert ada.of("ada")._inner is ada._inner
        bob.mine(BATTERY, conversation="c")
        assert [each.drawers for each in bob.palace.tree()] == [len(BATTERY)]
        assert not ada.palace.tree()
        note = bob.notes.create("kept by bob").memory
        with pytest.raises(NotFound):
            ada.notes.get(note.id)
        for number in range(30):
            ada.of(f"user {number}").recall("anything")
        with connect(settings) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ricordo' AND usename = 'ricordo_app'"
            ).fetchone()
        assert row is not None and row[0] <= 2
        with pytest.raises(InvalidInput, match="user"):
            ada.of("\n")
    with pytest.raises(StoreUnavailable):
        ada.of("bob")
    with pytest.raises(StoreUnavailable):
        bob.recall("anything")


@pytest.mark.slow
def test_what_another_user_writes_gets_its_vectors_in_the_background(with_vectors: Settings) -> None:
    async def main() -> None:
        async with AsyncMemory(settings=with_vectors) as memory:
            users = [memory.of(f"user {number}") for number in range(5)]
            await asyncio.gather(*(each.mine(BATTERY, conversation="c") for each in users))
            async with asyncio.timeout(30):
                await asyncio.gather(*(each._background_embedding._caught_up.wait() for each in users))
            assert not any([await each.pending() for each in users])
            assert (
                "semantic" in (await users[3].recall("Which battery did we choose for the efoil?")).results[0].signals
            )

    asyncio.run(main())


def test_a_memory_with_short_term_notes_outlives_those_that_nobody_uses(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ricordo.background.shared._KEPT", 3)

    async def main() -> None:
        async with AsyncMemory(settings=settings) as memory:
            note = await memory.of("bob").notes.create("until the session ends", retention="short_term")
            for number in range(10):
                memory.of(f"user {number}")
            gc.collect()
            assert len(memory._shared.guests.every()) <= 4
            assert (await memory.of("bob").notes.get(note.id)).content == "until the session ends"

    asyncio.run(main())


def test_a_user_has_one_memory_as_long_as_somebody_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ricordo.background.shared._KEPT", 1)
    guests: Guests[Settings] = Guests()
    ids = [Settings(user="a"), Settings(user="b")]
    first, second = uuid4(), uuid4()
    used = guests.of(first, lambda: ids[0], lambda each: True)
    guests.of(second, lambda: ids[1], lambda each: True)
    assert guests.of(first, lambda: Settings(user="c"), lambda each: True) is used


def test_of_a_user_that_is_not_counted_yet_as_many_rows_are_expected_as_of_others(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada")) as ada:
        ada.mine(BATTERY * 50, conversation="c")
    with connect(settings) as owner:
        owner.execute("ANALYZE memories")  # of which each row is ada's
    with connect(settings, "ricordo_app") as connection, connection.transaction():
        connection.execute(f"SET LOCAL ricordo.user_id = '{uuid4()}'")
        row = connection.execute("EXPLAIN (FORMAT JSON) SELECT FROM memories").fetchone()
    assert row is not None and row[0][0]["Plan"]["Plan Rows"] == len(BATTERY) * 50


def test_no_policy_tells_the_planner_whose_rows_are_read(settings: Settings) -> None:
    with Memory(settings=settings), connect(settings) as connection:
        policies = connection.execute(
            "SELECT tablename, qual, with_check FROM pg_policies "
            "WHERE schemaname = current_schema() AND policyname = 'tenant'"
        ).fetchall()
    told = {
        name
        for name, *tests in policies
        for test in tests
        if test and "current_setting" in test and "SELECT" not in test
    }
    assert len(policies) > 30 and not told


@pytest.mark.anyio
async def test_a_transaction_of_a_users_begins_without_a_word_from_the_server(settings: Settings) -> None:
    said: list[Diagnostic] = []
    async with AsyncMemory(settings=replace(settings, pool_size=1), background=False) as memory:
        async with memory._database.tenant(memory.user_id) as tx:
            tx.add_notice_handler(said.append)
        await memory.mine(BATTERY, conversation="c")
        await memory.recall("battery?")
    assert not [each.message_primary for each in said]
