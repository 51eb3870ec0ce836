"""E14: what `ricordo db distribute` asks of Citus, and that it refuses where there is none.

No Citus is here to run it on; what its documentation demands of tables is checked of ours instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import psycopg
import pytest

from commands import in_process
from ricordo import database
from ricordo.blocking import Memory
from ricordo.database.distribution import LOCAL, REFERENCE
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings
from stores import connect


@pytest.fixture
def owner(settings: Settings) -> Iterator[psycopg.Connection]:
    with Memory(settings=settings), connect(settings) as owner:
        yield owner


def test_e14_every_table_goes_to_the_workers_stays_or_is_copied(settings: Settings, owner: psycopg.Connection) -> None:
    statements = asyncio.run(database.distribute(settings, dry_run=True))
    assert statements[:3] == [
        "SET LOCAL citus.enable_unsafe_triggers = on",
        f"ALTER DATABASE \"{settings.database}\" SET citus.propagate_set_commands = 'local'",
        'ALTER ROLE "ricordo_app" LOGIN',
    ]
    spread = [each.split("'")[1] for each in statements if "create_distributed_table" in each]
    copied = [each.split("'")[1] for each in statements if "create_reference_table" in each]
    assert spread[0] == "users" and copied == ["models", "sql_roles"]
    assert statements.index("SELECT create_reference_table('models')") < statements.index(
        "SELECT create_distributed_table('users', 'user_id', colocate_with => 'none')"
    )
    assert all(
        each.endswith("'user_id', colocate_with => 'users')")
        for each in statements
        if "create_distributed_table" in each and "'users', 'user_id'" not in each
    )
    every = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
    tables = {name for (name,) in owner.execute(every)}
    assert {*spread} | {*copied} | LOCAL | {"schema_migrations"} == tables
    assert len(spread) == len({*spread}) and not {*spread} & (LOCAL | REFERENCE)
    # A table is spread behind those that it refers to.
    keys = owner.execute(
        "SELECT c.relname, r.relname FROM pg_constraint JOIN pg_class c ON c.oid = conrelid "
        "JOIN pg_class r ON r.oid = confrelid WHERE contype = 'f' AND conrelid <> confrelid "
        "AND c.relnamespace = current_schema()::regnamespace"
    ).fetchall()
    order = {name: number for number, name in enumerate([*copied, *spread])}
    assert [key for key in keys if key[0] in order and order[key[1]] > order[key[0]]] == []
    # What stays refers to nothing that goes, once these keys are dropped; and the other way round.
    dropped = [each for each in statements if "DROP CONSTRAINT" in each]
    crossing = [key for key in keys if (key[0] in LOCAL) != (key[1] in LOCAL)]
    assert len(dropped) == len(crossing) > 0 and all(key[0] in LOCAL for key in crossing)


def test_e14_what_citus_demands_of_tables_that_are_spread_is_so(owner: psycopg.Connection) -> None:
    """Each unique index holds the column by which rows are spread, each foreign key holds it on both sides or refers to
    a copied table, and each table has row-level security by it."""
    of_users = (
        "c.relnamespace = current_schema()::regnamespace AND c.relname <> ALL(%s) "
        "AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'user_id')"
    )
    left_out = [[*LOCAL, *REFERENCE]]
    assert (
        owner.execute(
            f"""
            SELECT i.indexrelid::regclass FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            WHERE i.indisunique AND {of_users} AND NOT EXISTS (
                SELECT FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND a.attnum = ANY(i.indkey))
            """,
            left_out,
        ).fetchall()
        == []
    )
    assert (
        owner.execute(
            f"""
            SELECT k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            JOIN pg_class r ON r.oid = k.confrelid
            WHERE k.contype = 'f' AND {of_users} AND r.relname <> 'models' AND NOT EXISTS (
                SELECT FROM unnest(k.conkey, k.confkey) AS pair (here, there)
                JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = here AND a.attname = 'user_id'
                JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = there AND b.attname = 'user_id')
            """,
            left_out,
        ).fetchall()
        == []
    )
    unprotected = f"SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND {of_users} AND NOT c.relforcerowsecurity"
    assert owner.execute(unprotected, left_out).fetchall() == []


def test_e14_without_citus_it_is_refused_and_nothing_is_changed(
    settings: Settings,
    owner: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(
        StoreIncompatible, match=r"does not have the extension citus: .* coordinator of a Citus cluster"
    ):
        asyncio.run(database.distribute(settings))
    run = in_process(settings, monkeypatch, capsys)
    for options, reason in (([], "not supported yet"), (["--experimental"], "does not have the extension citus")):
        refused = run("db", "distribute", *options)
        assert (refused.code, refused.err.count("\n")) == (5, 1) and reason in refused.err
    assert "SELECT create_distributed_table('users', 'user_id'" in run("db", "distribute", "--dry-run").out
    assert owner.execute("SELECT count(*) FROM pg_constraint WHERE conrelid = 'job_outcomes'::regclass").fetchone() != (
        0,
    )


def test_e14_a_schema_of_another_version_is_refused(empty_settings: Settings) -> None:
    with pytest.raises(StoreIncompatible, match="run `ricordo db migrate`"):
        asyncio.run(database.distribute(empty_settings))
