"""E14: the statements that Ricordo sends are such as a Citus cluster takes, as far as an SQL parser can tell.

Citus cannot be run here. Every statement of the source, and every one that a test sends (conftest.py), is completed as
on a distributed store and held against what a cluster demands. The suite runs with them on a plain PostgreSQL by
`pytest --distributed`; one scenario does so here.
"""

from __future__ import annotations

from uuid import UUID

import pytest

from citus_rules import functions, of_migration, problems, script_of, users_tables
from ricordo.database import migrations
from ricordo.database.scoping import numbered, scoped
from statements import PARAMETERS, checked, constant_statements

USER = UUID("00000000-0000-0000-0000-000000000007")
TABLES = frozenset(["memories", "profiles", "rooms", "wings"])


@pytest.mark.parametrize(
    ("statement", "complete"),
    [
        ("SELECT 1", "SELECT 1"),
        ("SELECT id FROM memories", "SELECT id FROM memories WHERE memories.user_id = U"),
        ("SELECT FROM memories m WHERE a OR b", "SELECT FROM memories m WHERE m.user_id = U AND (a OR b)"),
        (
            "SELECT FROM memories m JOIN rooms r USING (user_id, room), wings",
            "SELECT FROM memories m JOIN rooms r USING (user_id, room), wings "
            "WHERE wings.user_id = U AND (r.user_id = U AND m.user_id = U)",
        ),
        (  # in WHERE it would drop the memories without a profile
            "SELECT FROM memories m LEFT JOIN profiles p ON p.id = m.id",
            "SELECT FROM memories m LEFT JOIN profiles p ON p.user_id = U AND p.id = m.id WHERE m.user_id = U",
        ),
        (
            "SELECT FROM (SELECT) one LEFT JOIN profiles p ON true",
            "SELECT FROM (SELECT) one LEFT JOIN profiles p ON p.user_id = U AND true",
        ),
        (
            "SELECT FROM memories LEFT JOIN profiles USING (id)",
            "SELECT FROM memories LEFT JOIN (SELECT * FROM profiles WHERE profiles.user_id = U) profiles USING (id) "
            "WHERE memories.user_id = U",
        ),
        (
            "SELECT FROM rooms r FULL JOIN wings w ON r.wing = w.wing",
            "SELECT FROM (SELECT * FROM rooms WHERE rooms.user_id = U) r "
            "FULL JOIN (SELECT * FROM wings WHERE wings.user_id = U) w ON r.wing = w.wing",
        ),
        (
            "WITH new AS (SELECT FROM wings UNION ALL SELECT FROM rooms) SELECT FROM new, LATERAL (TABLE profiles) p",
            "WITH new AS (SELECT FROM wings WHERE wings.user_id = U UNION ALL SELECT FROM rooms WHERE rooms.user_id = "
            "U) SELECT FROM new, LATERAL (SELECT * FROM profiles WHERE profiles.user_id = U) p",
        ),
        (
            "UPDATE rooms r SET wing = $1 FROM wings w WHERE w.id = r.id",
            "UPDATE rooms r SET wing = $1 FROM wings w WHERE w.user_id = U AND (r.user_id = U AND w.id = r.id)",
        ),
        (
            "DELETE FROM rooms WHERE room = (SELECT max(room) FROM memories) RETURNING room",
            "DELETE FROM rooms WHERE rooms.user_id = U AND room = (SELECT max(room) FROM memories "
            "WHERE memories.user_id = U) RETURNING room",
        ),
        ("INSERT INTO rooms SELECT tenant_id(), $1", "INSERT INTO rooms SELECT U, $1"),
    ],
)
def test_e14_every_table_of_a_statement_is_bound_to_the_user(statement: str, complete: str) -> None:
    told = scoped(statement, USER, TABLES)
    assert told.replace(f"'{USER}'::uuid", "U") == complete
    assert problems(told, TABLES) == []


def test_e14_a_statement_keeps_its_values() -> None:
    assert numbered("SELECT %s, %s LIKE '100%%'", [7, "a"]) == ("SELECT $1, $2 LIKE '100%'", [7, "a"])
    assert numbered("%(b)s + %(a)s + %(b)s", {"a": 1, "b": 2}) == ("$1 + $2 + $1", [2, 1])


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("SELECT FROM memories", "names no user for memories"),
        ("SELECT FROM rooms r WHERE r.user_id = 'u' OR true", "names no user for rooms"),
        ("SELECT FROM rooms r JOIN wings w ON w.user_id = r.user_id WHERE r.user_id = 'u'", "names no user for wings"),
        ("SELECT FROM rooms r WHERE r.user_id = tenant_id()", "names no user for rooms"),
        ("WITH rooms AS (SELECT 1) SELECT FROM rooms", "a WITH query has the name of a table: rooms"),
        ("BEGIN; SELECT FROM rooms r WHERE r.user_id = $1", "several statements in one string"),
        ("INSERT INTO rooms (user_id, room) SELECT $1, $2 ON CONFLICT DO NOTHING", "INSERT … SELECT with ON CONFLICT"),
        ("INSERT INTO rooms (user_id, room) SELECT $1, $2 RETURNING room", "INSERT … SELECT with RETURNING"),
        ("INSERT INTO rooms (room) VALUES ($1)", "inserts into rooms without user_id"),
        (
            "INSERT INTO rooms (user_id) VALUES (tenant_id())",
            "inserts into rooms with a user_id that is no constant",
        ),
        ("UPDATE rooms r SET at = clock_timestamp() WHERE r.user_id = $1", "clock_timestamp() in UPDATE"),
        (
            "UPDATE rooms r SET at = coalesce(at, now()) WHERE r.user_id = $1",
            "now() in CASE or COALESCE of a change",
        ),
        ("SELECT CASE r.a WHEN 1 THEN 2 END FROM rooms r WHERE r.user_id = $1", "CASE x WHEN"),
        (
            "SELECT FROM rooms r, procrastinate_jobs j WHERE r.user_id = $1",
            "joins users' rows with the job tables, which are on the coordinator",
        ),
        (
            "SELECT erase_traces(r.id) FROM rooms r WHERE r.user_id = $1",
            "erase_traces() reads tables, and would be called on a worker",
        ),
        (
            "UPDATE rooms r SET a = s.a FROM jsonb_to_record($1) AS s (a int) WHERE r.user_id = $2",
            "UPDATE … FROM jsonb_to_record",
        ),
    ],
)
def test_e14_what_a_cluster_refuses_is_recognized(statement: str, problem: str) -> None:
    assert problems(statement, TABLES) == [problem]


def test_e14_a_cluster_would_take_every_statement_of_the_source() -> None:
    statements = list(constant_statements())
    constant = {place: text for place, text in statements if text is not None}
    # The others are composed when they are sent, and checked then.
    assert len(constant) > 0.8 * len(statements) > 400
    refused = {place: found for place, text in constant.items() if (found := checked(text, PARAMETERS))}
    assert refused == {}
    assert len([text for text in constant.values() if users_tables() & set(text.replace("(", " ").split())]) > 300


#: Statements of functions that a cluster would refuse or send to every worker, and why they stay. It may only shrink.
_ALLOWED = {
    "api_keys_exist": "asks about all users, once when a server starts",
    "remove_derived": "a trigger: the rows that it deletes lie beside those that its statement deleted",
    "remove_room_vectors": "a trigger, likewise",
}


def test_e14_functions_name_the_user_in_every_condition() -> None:
    statements = list(functions(script_of("functions")))
    assert len({name for name, _ in statements}) > 35 and len(statements) > 200
    refused = {name for name, statement in statements if problems(statement, users_tables())}
    assert refused == set(_ALLOWED)


#: The last migration of the baseline: a store is distributed after it.
_BASELINE = 3


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON rooms EXECUTE FUNCTION f()", "CREATE TRIGGER"),
        ("ALTER POLICY tenant ON rooms USING (user_id = (SELECT tenant_id()))", "a policy with a sub-select"),
        ("CREATE POLICY p ON rooms USING (EXISTS (SELECT FROM wings))", "a policy with a sub-select"),
        ("ALTER TABLE rooms ADD COLUMN a integer CHECK (a > 0)", "ADD COLUMN with CHECK"),
        (
            "ALTER TABLE rooms ADD COLUMN a integer, ADD CONSTRAINT c CHECK (a > 0)",
            "a constraint beside other changes in one ALTER TABLE",
        ),
    ],
)
def test_e14_a_migration_that_a_cluster_refuses_is_recognized(script: str, problem: str) -> None:
    assert of_migration(script) == [problem]
    assert of_migration("ALTER TABLE rooms ADD COLUMN a integer; ALTER TABLE rooms ADD CHECK (a > 0)") == []


def test_e14_no_migration_after_the_baseline_is_refused() -> None:
    refused = {each.version for each in migrations.migrations() if of_migration(each.script)}
    assert refused and max(refused) <= _BASELINE
