"""Rows A of the contract: memory per agent. So far: isolation by the database itself."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest

from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY, LISBON

_TABLES_WITHOUT_USERS = {
    "schema_migrations",
    "models",
    "procrastinate_workers",
    "procrastinate_periodic_defers",
}
#: Tables of another package: jobs have a key of their own, and events belong to jobs, as test_c_jobs.py tests.
_QUEUE = {"procrastinate_jobs", "procrastinate_events"}


@pytest.fixture
def two_users(settings: Settings) -> Settings:
    """A store in which `ada` and `ben` have both mined."""
    for user, talk in (("ada", BATTERY), ("ben", LISBON)):
        with Memory(settings=replace(settings, user=user)) as memory:
            memory.mine(talk, conversation="talk", title="Plans")
    return settings


def _tables(settings: Settings) -> list[str]:
    with connect(settings) as owner:
        rows = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [settings.schema]).fetchall()
    return sorted({name for (name,) in rows} - _TABLES_WITHOUT_USERS)


def test_a9_every_table_of_users_data_forces_row_level_security(two_users: Settings) -> None:
    with connect(two_users) as owner:
        unforced = owner.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'p') "
            "AND NOT (relrowsecurity AND relforcerowsecurity) AND relname <> ALL(%s)",
            [two_users.schema, list(_TABLES_WITHOUT_USERS)],
        ).fetchall()
        keys = owner.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid "
            "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
            "WHERE i.indisprimary AND c.relnamespace = %s::regnamespace AND a.attname = 'user_id'",
            [two_users.schema],
        ).fetchall()
    assert unforced == []
    assert sorted(name for (name,) in keys) == sorted({*_tables(two_users)} - _QUEUE)


def test_a9_a_connection_without_a_user_sees_nothing(two_users: Settings) -> None:
    with connect(two_users, "ricordo_app") as app:
        for table in _tables(two_users):
            assert app.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_a9_the_applications_role_reads_and_changes_no_row_of_another_user(two_users: Settings) -> None:
    ada, ben = user_id_of("ada"), user_id_of("ben")
    with connect(two_users, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{ada}'")
        for table in {*_tables(two_users)} - {"procrastinate_events"}:
            own = app.execute(f"SELECT count(*) FROM {table} WHERE user_id = %s", [ada]).fetchone()
            seen = app.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert own == seen, table
            assert app.execute(f"SELECT count(*) FROM {table} WHERE user_id = %s", [ben]).fetchone() == (0,), table
        assert app.execute("UPDATE rooms SET name = 'mine now' WHERE user_id = %s", [ben]).rowcount == 0
        assert app.execute("DELETE FROM postings WHERE user_id = %s", [ben]).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            app.execute("INSERT INTO users (user_id, name) VALUES (%s, 'intruder')", [uuid4()])
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            app.execute("UPDATE users SET user_id = %s", [ben])


def test_a9_the_applications_role_cannot_lift_its_bonds(two_users: Settings) -> None:
    with connect(two_users, "ricordo_app") as app:
        for attempt in (
            "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
            "DROP POLICY tenant ON memories",
            "SET ROLE ricordo",
            "ALTER ROLE ricordo_app BYPASSRLS",
            "UPDATE access_log SET actor = 'nobody'",
            "DELETE FROM access_log",
            "TRUNCATE access_log",
            "TRUNCATE memories",
        ):
            with pytest.raises(psycopg.Error):
                app.execute(attempt)
        app.execute("SET row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            app.execute("SELECT * FROM memories")


def test_a9_nothing_of_one_user_reaches_another_through_the_library(two_users: Settings) -> None:
    with Memory(settings=replace(two_users, user="ben")) as ben:
        assert not len(ben.recall("e-foil cells 12V20Ah Lindner"))
        assert [hit.speaker for hit in ben.recall("Lisbon flights", top_k=1000)]
        assert all("Lindner" not in drawer.text for drawer in ben.palace.show("W-1/R-1"))
