"""E14: what `ricordo db distribute` asks of Citus, and that it refuses where there is none.

No Citus is here to run it on; what its documentation demands of tables is checked of ours instead.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from citus_like import citus_is_there
from commands import in_process
from ricordo import database
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.database.distribution import LOCAL, REFERENCE
from ricordo.doctor import examine
from ricordo.errors import NotFound, StoreIncompatible
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY


@pytest.fixture
def owner(settings: Settings) -> Iterator[psycopg.Connection]:
    with Memory(settings=settings), connect(settings) as owner:
        yield owner


def _said(text: str) -> dict[str, object]:
    return {"role": "user", "content": text}


def _shape(owner: psycopg.Connection) -> dict[str, set[tuple[object, ...]]]:
    """What a distribution takes away and must bring back."""
    queries = {
        "triggers": "SELECT pg_get_triggerdef(oid, true) FROM pg_trigger WHERE NOT tgisinternal",
        "keys": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE contype = 'f'",
        "policies": "SELECT tablename, policyname, roles::text, cmd FROM pg_policies",
        "forced": "SELECT relname FROM pg_class WHERE relforcerowsecurity",
        "rights": "SELECT has_schema_privilege('ricordo_app', current_schema(), 'CREATE')",
    }
    return {what: set(owner.execute(query.encode()).fetchall()) for what, query in queries.items()}


def test_e14_a_store_is_distributed_step_by_step_and_then_works(settings: Settings) -> None:
    """On a plain PostgreSQL that refuses what Citus refuses of tables (citus_like)."""
    settings = replace(settings, user="ada")
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="c")
        memory.of("bob").mine([_said("The harbor opens at ten.")], conversation="c")
        before = memory.recall("Which battery did we choose?")
    with citus_is_there(settings) as owner:
        shape = _shape(owner)
        planned = asyncio.run(database.distribute(settings, dry_run=True))
        assert _shape(owner) == shape and not owner.execute("SELECT FROM pg_dist_partition").rowcount
        owner.execute("INSERT INTO unplaceable VALUES ('memories')")
        with pytest.raises(psycopg.errors.RaiseException, match="memories a worker is away"):
            asyncio.run(database.distribute(settings))
        halfway = owner.execute("SELECT count(*) FROM pg_dist_partition").fetchone()
        assert halfway is not None and 10 < halfway[0] < 45
        lacking = next(each for each in asyncio.run(examine(settings)) if each.what == "distribution")
        assert lacking.verdict == "wrong" and "memories" in lacking.found and "db distribute" in lacking.advice
        owner.execute("DELETE FROM unplaceable")
        rest = asyncio.run(database.distribute(settings))
        assert 0 < len(rest) < len(planned) and not set(rest) - set(planned)
        assert asyncio.run(database.distribute(settings)) == []

        after = _shape(owner)
        gone = shape.pop("keys") - after.pop("keys")
        assert {(table, name) for table, name, _ in gone} == {
            ("job_outcomes", "job_outcomes_user_id_fkey"),
            ("procrastinate_jobs", "procrastinate_jobs_user_id_fkey"),
            ("sql_roles", "sql_roles_user_id_fkey"),
        }
        assert after == shape
        placed = dict(owner.execute("SELECT logicalrelid::text, partmethod::text FROM pg_dist_partition").fetchall())
        every = {name for (name,) in owner.execute("SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') "
                 "AND relnamespace = current_schema()::regnamespace")}  # fmt: skip
        assert every == placed.keys() | LOCAL | {"schema_migrations"}
        assert {name for name, method in placed.items() if method == "n"} == REFERENCE

        with Memory(settings=settings) as memory:
            assert memory.recall("Which battery did we choose?").results == before.results
            memory.mine([_said("The ferry leaves at noon.")], conversation="d")
            assert [each.text for each in memory.recall("harbor ferry").results] == ["The ferry leaves at noon."]
            [result] = memory.of("bob").recall("harbor ferry").results
            assert result.text == "The harbor opens at ten."
            [profile] = memory.profiles.list(memory.agents.create("Scout").id)
            entry = memory.entries.write(profile.id, "The ferry needs a ticket.")
            memory.entries.redact(entry.memory.id)
            memory.jobs.finish()
            assert memory.audit.sound().found == ()
            memory.archive.save(io.BytesIO())
        [found] = [each for each in asyncio.run(examine(settings)) if each.what == "distribution"]
        assert found.verdict == "warning" and "not supported yet" in found.found
        with Memory(settings=settings) as memory:
            assert memory.delete_user().removed["memories"] > len(BATTERY)
        assert owner.execute("SELECT FROM procrastinate_jobs WHERE user_id = %s", [user_id_of("ada")]).rowcount == 0
        # No foreign key keeps a job or a role of a deleted user out.
        owner.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        with pytest.raises(psycopg.errors.ForeignKeyViolation, match="user of a new job was deleted"):
            owner.execute("SELECT enqueue_job('upkeep', '{}', NULL, NULL)")
        with pytest.raises(NotFound, match="user 'ada' not found"):
            asyncio.run(database.create_role(settings, "reporter", user_id_of("ada"), "ada"))


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
