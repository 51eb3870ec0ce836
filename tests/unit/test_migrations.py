"""Migrations: a store with data in it under a newer program, and stores that this program cannot open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from commands import in_process
from ricordo import database
from ricordo.blocking import Memory
from ricordo.database import migrations
from ricordo.database.store import owner
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings
from stores import connect, followed_by
from talks import BATTERY

#: What a later version may do: a column that is filled from what is there, as an owner whom policies bind would do it.
_LATER = """
ALTER TABLE wings ADD COLUMN motto text NOT NULL DEFAULT '';
ALTER TABLE wings NO FORCE ROW LEVEL SECURITY;
UPDATE wings SET motto = upper(name);
ALTER TABLE wings FORCE ROW LEVEL SECURITY;
"""
#: Columns whose name says it all. Every other one has a comment.
_SELF_EVIDENT = [
    *("user_id", "id", "name", "title", "created_at", "updated_at", "expires_at"),
    *("agent_id", "run_id", "room", "drawer", "wing"),
]


@contextmanager
def only(version: int) -> Iterator[None]:
    """As if this Ricordo had the migrations up to a version and none after it."""
    every = migrations.migrations()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrations", lambda: every[:version])
        yield


def migrate(settings: Settings, version: int | None = None) -> list[str]:
    async def run() -> list[str]:
        async with owner(settings) as connection:
            return await migrations.migrate(connection, settings.schema, login=True, to=version)

    return asyncio.run(run())


def counts(settings: Settings) -> dict[str, int]:
    """How many rows each table of user data has."""
    with connect(settings) as superuser:
        tables = superuser.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relrowsecurity", [settings.schema]
        ).fetchall()
        return {
            table: (superuser.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,))[0] for (table,) in tables
        }


def test_the_migrations_are_numbered_from_one() -> None:
    assert [each.version for each in migrations.migrations()] == list(range(1, migrations.latest() + 1))


def test_a_later_migration_keeps_what_is_there(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        memory.mine(BATTERY, conversation="battery")
        agent = memory.agents.create("Scout")
        [profile] = memory.profiles.list(agent.name)
        written = memory.entries.write(profile.id, "The charger needs 14.6 volts.", source="agent")
    before = counts(settings)
    assert before["memories"] == len(BATTERY) + 1
    with followed_by(_LATER) as version:
        assert migrate(settings) == [f"{version:04}_later"]
        assert counts(settings) == before
        with connect(settings) as superuser:
            assert superuser.execute("SELECT bool_and(motto = upper(name)) FROM wings").fetchone() == (True,)
        with Memory(settings=replace(settings, user="ada"), background=False) as memory:
            [hit, *_] = memory.recall("Which pack did we take from Lindner?")
            assert "Lindner" in hit.text
            assert [drawer.text for drawer in memory.palace.show("W-1/R-1")] == [each["content"] for each in BATTERY]
            assert written.id in [each.id for each in memory.entries.read(profile.id)]
            assert memory.mine([*BATTERY, {"role": "user", "content": "And a charger."}], conversation="d").stored == 5


def test_a_store_of_an_earlier_version_is_upgraded_when_it_is_opened(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        assert memory.agents.create("Scout").name == "Scout"
    with followed_by(_LATER):
        with Memory(settings=settings) as memory:
            assert [each.name for each in memory.agents.list()] == ["Scout"]
        assert migrate(settings) == []


def test_a_migration_that_was_interrupted_is_taken_up_when_the_store_is_opened(empty_settings: Settings) -> None:
    for version in range(1, migrations.latest()):
        settings = replace(empty_settings, schema=f"{empty_settings.schema}_{version}")
        assert len(migrate(settings, version)) == version
        with Memory(settings=settings) as memory:
            assert memory.agents.create("Scout").name == "Scout"
        assert migrate(settings) == []


def test_a_store_of_a_later_version_is_refused(settings: Settings) -> None:
    with followed_by(_LATER):
        migrate(settings)
    with pytest.raises(StoreIncompatible, match="upgrade Ricordo"), Memory(settings=settings):
        pass


def test_a_store_that_a_migration_in_another_form_made_is_refused(settings: Settings) -> None:
    with connect(settings) as superuser:
        superuser.execute("UPDATE schema_migrations SET checksum = 'other' WHERE version = 2")
    with pytest.raises(StoreIncompatible, match=r"migration 0002 .* differs from"):
        migrate(settings)
    with pytest.raises(StoreIncompatible, match="ricordo export FILE"), Memory(settings=settings):
        pass


@pytest.mark.parametrize("versions", [1, 2, 3, 34])
def test_a_store_of_the_unreleased_chain_is_refused_and_told_how_to_move(
    empty_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    versions: int,
) -> None:
    settings = empty_settings
    with connect(settings) as superuser:
        superuser.execute(f"CREATE SCHEMA {settings.schema}")
        superuser.execute("CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text, checksum text)")
        names = ["store", "agents", "functions", *(f"step_{number}" for number in range(4, versions + 1))]
        superuser.cursor().executemany(
            "INSERT INTO schema_migrations VALUES (%s, %s, 'x')", list(enumerate(names[:versions], 1))
        )
    said = r"unreleased Ricordo version \(its migration 0001 'store'.* `ricordo export FILE .* `ricordo import FILE"
    with pytest.raises(StoreIncompatible, match=said), Memory(settings=settings):
        pass
    with pytest.raises(StoreIncompatible, match=said):
        migrate(settings)
    run = in_process(settings, monkeypatch, capsys)
    for command in (["db", "migrate"], ["recall", "battery"], ["backup", "x.zip"]):
        ran = run(*command)
        assert ran.code == 5 and "ricordo export FILE" in ran.err, command
    assert "ricordo export FILE" in "".join(map(str, run("doctor")))


def uncommented(settings: Settings) -> Sequence[str]:
    """Tables, and columns that their name does not explain, without a comment."""
    with connect(settings) as superuser:
        found = superuser.execute(
            """
            SELECT c.relname || coalesce('.' || a.attname, '')
            FROM pg_class c LEFT JOIN LATERAL (
                SELECT attname, attnum FROM pg_attribute
                WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attname <> ALL(%s)
                      AND NOT starts_with(c.relname, 'procrastinate')
                UNION ALL SELECT NULL, 0
            ) a ON true
            WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
              AND coalesce(length(trim(col_description(c.oid, nullif(a.attnum, 0)))),
                           length(trim(CASE WHEN a.attnum = 0 THEN obj_description(c.oid, 'pg_class') END)), 0) = 0
            ORDER BY 1
            """,
            [_SELF_EVIDENT, settings.schema],
        ).fetchall()
        return [name for (name,) in found]


def test_every_table_and_every_column_that_needs_it_has_a_comment(settings: Settings) -> None:
    assert uncommented(settings) == []
    with connect(settings) as superuser:
        superuser.execute("CREATE TABLE bare (id uuid, odd text)")
    assert uncommented(settings) == ["bare", "bare.odd"]


def test_every_table_with_users_rows_is_under_the_one_policy(settings: Settings) -> None:
    with connect(settings) as superuser:
        tables = superuser.execute(
            """
            SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, p.qual, p.with_check
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
            LEFT JOIN pg_policies p ON p.schemaname = %s AND p.tablename = c.relname AND p.policyname = 'tenant'
            WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND c.relname <> 'sql_roles'
            """,
            [settings.schema, settings.schema],
        ).fetchall()
    assert len(tables) > 40
    assert len({(forced, uses, checks) for _, forced, uses, checks in tables}) == 1
    assert tables[0][1] and "tenant_id()" in tables[0][2] and tables[0][2] == tables[0][3]


def test_every_function_of_ours_is_closed_to_strangers(settings: Settings) -> None:
    """Whoever may call nothing is not on the list of 0003, and triggers could be put on a table of the caller's."""
    with connect(settings) as superuser:
        functions = superuser.execute(
            """
            SELECT proname, prorettype = 'trigger'::regtype, has_function_privilege('public', oid, 'EXECUTE'),
                   has_function_privilege('ricordo_app', oid, 'EXECUTE'), prosecdef, proconfig::text
            FROM pg_proc WHERE pronamespace = %s::regnamespace AND NOT starts_with(proname, 'procrastinate')
            """,
            [settings.schema],
        ).fetchall()
    assert len(functions) > 30
    for name, is_trigger, anybody, application, as_other, settings_of_it in functions:
        assert not anybody, name
        assert application is not is_trigger, name
        if is_trigger or as_other:
            assert str(settings_of_it).endswith('pg_temp"}'), name


async def _versions(settings: Settings) -> int:
    async with database.owner(settings) as connection:
        return await migrations.version(connection, settings.schema)


def test_a_store_that_is_not_there_yet_is_at_version_0(empty_settings: Settings) -> None:
    assert asyncio.run(_versions(empty_settings)) == 0
