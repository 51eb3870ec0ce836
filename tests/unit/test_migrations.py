"""Migrations, each from the one before with data in it, as it was written at that time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import UUID, uuid4

import psycopg
import pytest

from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.database import migrations
from ricordo.database.store import owner
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings
from ricordo.text import memory_terms
from ricordo.text.terms import term_hash
from stores import connect
from talks import BATTERY

ADA = user_id_of("ada")


@contextmanager
def only(version: int) -> Iterator[None]:
    """As if this Ricordo had the migrations up to a version and none after it."""
    every = migrations.migrations()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrations", lambda: every[:version])
        yield


def migrate(settings: Settings, version: int) -> list[str]:
    async def run() -> list[str]:
        async with owner(settings) as connection:
            return await migrations.migrate(connection, settings.schema, login=True)

    with only(version):
        return asyncio.run(run())


def mine_as_version_1(app: psycopg.Connection) -> None:
    """The rows that the first release wrote for BATTERY, by the application's role."""
    app.execute(f"SET ricordo.user_id = '{ADA}'")
    app.execute(
        "INSERT INTO users (user_id, name, last_conversation, last_wing, last_room, memories, terms, languages) "
        "VALUES (%s, 'ada', 1, 1, 1, 4, 40, '{en}')",
        [ADA],
    )
    app.execute(
        "INSERT INTO conversations (user_id, conversation, id, external_id, title, source, language) "
        "VALUES (%s, 1, %s, 'c', 'Battery talk', 'api', 'en')",
        [ADA, uuid4()],
    )
    app.execute(
        "INSERT INTO wings (user_id, wing, kind, name, slug) VALUES (%s, 1, 'topic', 'Battery', 'batteri')", [ADA]
    )
    app.execute(
        "INSERT INTO rooms (user_id, room, wing, conversation, name, started_at, ended_at, drawers, terms) "
        "VALUES (%s, 1, 1, 1, '2026-03-01 evening: Battery talk', %s, %s, 4, 40)",
        [ADA, BATTERY[0]["at"], BATTERY[3]["at"]],
    )
    app.execute("INSERT INTO closets (user_id, room, closet, name, slug) VALUES (%s, 1, 1, 'Pack', 'pack')", [ADA])
    for position, turn in enumerate(BATTERY):
        speaker = turn.get("name", turn["role"])
        [[said_at]] = app.execute(
            "INSERT INTO memories (user_id, room, drawer, id, kind, closet, conversation, position, turn_key, role, "
            "speaker, content, said_at) VALUES (%s, 1, %s, %s, 'drawer', 1, 1, %s, %s, %s, %s, %s, %s) "
            "RETURNING said_at",
            [ADA, position + 1, uuid4(), position, position, turn["role"], speaker, turn["content"], turn["at"]],
        ).fetchall()
        terms = memory_terms(turn["content"], speaker, said_at, "en")
        for term in set(map(term_hash, terms)):
            app.execute("INSERT INTO postings VALUES (%s, %s, 1, %s, 1, %s)", [ADA, term, position + 1, len(terms)])
        app.execute("INSERT INTO unembedded VALUES (%s, 1, %s)", [ADA, position + 1])


def write_as_version_2(app: psycopg.Connection) -> UUID:
    """An agent with its default profile and one entry, as the second version wrote them; returns the entry's id."""
    agent, profile, entry = uuid4(), uuid4(), uuid4()
    with app.transaction():
        app.execute("INSERT INTO agents (user_id, id, name) VALUES (%s, %s, 'Scout')", [ADA, agent])
        app.execute(
            "INSERT INTO profiles (user_id, id, agent_id, name, is_default) VALUES (%s, %s, %s, 'default', true)",
            [ADA, profile, agent],
        )
        app.execute(
            "INSERT INTO memories (user_id, room, drawer, id, kind, role, speaker, content, said_at, agent_id, "
            "profile_id, scope, source, confidence) VALUES (%s, 0, nextval('loose_numbers'), %s, 'entry', 'agent', "
            "'Scout', 'The charger needs 14.6 volts.', now(), %s, %s, 'project', 'agent', 0.8)",
            [ADA, entry, agent, profile],
        )
    return entry


def counts(settings: Settings) -> dict[str, int]:
    """How many rows each table of user data has."""
    with connect(settings) as superuser:
        tables = superuser.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relrowsecurity", [settings.schema]
        ).fetchall()
        return {
            table: (superuser.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,))[0] for (table,) in tables
        }


def test_every_migration_keeps_what_was_there(settings: Settings) -> None:
    assert migrate(settings, 1) == ["0001_store"]
    with connect(settings, "ricordo_app") as app:
        mine_as_version_1(app)
        before = counts(settings)
        assert before["memories"] == len(BATTERY)
        assert migrate(settings, 2) == ["0002_agents"]
        assert {table: rows for table, rows in counts(settings).items() if rows} == {
            table: rows for table, rows in before.items() if rows
        }
        entry = write_as_version_2(app)
    for version in range(3, migrations.latest() + 1):
        before = counts(settings)
        assert len(migrate(settings, version)) == 1
        after = counts(settings)
        assert {table: after[table] for table in before} == before
    with Memory(settings=replace(settings, user="ada")) as memory:
        [hit, *_] = memory.recall("Which pack did we take from Lindner?")
        assert hit.text in {each["content"] for each in BATTERY} and "Lindner" in hit.text
        assert [drawer.text for drawer in memory.palace.show("W-1/R-1")] == [each["content"] for each in BATTERY]
        days = memory.palace.histogram("day")
        assert sum(each.drawers for each in days.bars) == len(BATTERY)
        assert sum(each.drawers for each in memory.palace.speakers()) == len(BATTERY)
        [profile] = memory.profiles.list("Scout")
        assert [each.id for each in memory.entries.read(profile.id)] == [entry]
        assert memory.mine([*BATTERY, {"role": "user", "content": "And a charger."}], conversation="d").stored == 5


def test_a_store_of_an_earlier_version_is_brought_up_to_date_when_it_is_opened(settings: Settings) -> None:
    migrate(settings, 1)
    with Memory(settings=settings) as memory:
        assert memory.agents.create("Scout").name == "Scout"
    assert migrate(settings, migrations.latest()) == []


def test_a_store_of_a_later_version_is_refused(settings: Settings) -> None:
    migrate(settings, migrations.latest())
    with only(1), pytest.raises(StoreIncompatible, match="newer Ricordo"), Memory(settings=settings):
        pass


def test_a_migration_that_ran_in_another_form_is_refused(settings: Settings) -> None:
    migrate(settings, migrations.latest())
    with connect(settings) as superuser:
        superuser.execute("UPDATE schema_migrations SET checksum = 'other' WHERE version = 2")
    with pytest.raises(StoreIncompatible, match="another form"):
        migrate(settings, migrations.latest())
