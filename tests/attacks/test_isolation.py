"""C11 attacked: no user gets at anything of another's, through no interface, with whatever arguments.

`script/leaks` runs the same for as long as one likes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest

import interfaces
from commands import environment
from estates import MARK, Estate
from http_server import running
from interfaces import Operation, Refused
from leak_hunt import Hunt, secrets_in, without_what_varies
from llm_server import MODEL, serving
from models import model_folder
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import RicordoError
from ricordo.settings import Settings
from stores import connect, settings_for, sql_client

#: How many calls of a thousand go to each interface.
SHARES = {"library": 560, "http": 200, "mcp": 60, "sql": 150, "command": 30}


@dataclass
class World:
    """A store in which bob has everything, and anna attacks."""

    settings: Settings
    hunt: Hunt
    operations: dict[str, list[Operation]]
    #: What the LLM was sent in anna's name.
    sent: Callable[[], str]


def _world(home: Path, seed: int, stack: ExitStack) -> World:
    settings = replace(settings_for(home), model_dir=model_folder(), pool_size=2)
    bob, anna = (
        stack.enter_context(Memory(settings=replace(settings, user=name), background=False)) for name in ("bob", "anna")
    )
    victim = Estate(bob, settings)
    victim.one_of_each()
    named, questions = dict(victim.made), list(victim.questions)
    victim.one_of_each()  # what no call ever names
    victim.made, victim.questions = named, questions
    bob.jobs.finish()  # so that the server, which works for all, changes nothing of it later
    bob.embed_pending()
    hunt = Hunt(Estate(anna, settings), victim, seed)
    hunt.attacker.one_of_each()
    endpoint = stack.enter_context(serving(lambda _: "Thursday [§ W-001/R-01/D-001]."))
    reading = replace(settings, user="anna", llm_url=endpoint.address, llm_model=MODEL)
    library = stack.enter_context(Memory(settings=reading, background=False))
    server = stack.enter_context(running(replace(reading, user=settings.user))).of("anna")
    stack.enter_context(hunt.log.attached())
    operations = {
        "library": list(interfaces.library(library)),
        "http": list(interfaces.http(server)),
        "mcp": list(interfaces.mcp_tools(library)),
        "sql": list(interfaces.functions(stack.enter_context(sql_client(settings, "anna")))),
        "command": list(interfaces.commands("anna")),
    }
    return World(reading, hunt, operations, lambda: "\n".join(map(str, endpoint.requests)))


@pytest.fixture(scope="module")
def world(server_home: Path, pytestconfig: pytest.Config) -> Iterator[World]:
    with ExitStack() as stack:
        yield _world(server_home, pytestconfig.getoption("--leak-seed"), stack)


#: Tables that the server's own work for bob goes on writing.
_AT_WORK = {
    "access_log", "access_memories", "access_seals", "activity", "embeddings", "job_outcomes", "memories", "postings",
    "procrastinate_jobs", "proposals", "unembedded", "unindexed", "users",
}  # fmt: skip


def _still(victim: Estate) -> list[tuple[str, str]]:
    """The victim's rows that nobody but the victim has a reason to change."""
    rows = [each for each in victim.rows() if each[0] not in _AT_WORK]
    memories = (
        "SELECT id::text, content || is_redacted || coalesce(expires_at::text, '') FROM memories WHERE user_id = %s"
    )
    with connect(victim.settings) as owner:
        return rows + owner.execute(f"{memories} ORDER BY 1", [victim.user_id]).fetchall()


@pytest.mark.parametrize("interface", SHARES)
def test_c11_what_is_anothers_comes_back_from_no_call(
    world: World, interface: str, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(world.settings).items():
        monkeypatch.setenv(name, value)
    hunt, operations = world.hunt, world.operations[interface]
    before = _still(hunt.victim)
    refused = hunt.prove(operations)
    assert not refused, "calls with one's own things must succeed:\n" + "\n".join(refused)
    hunt.run(operations, pytestconfig.getoption("--leak-calls") * SHARES[interface] // 1000)
    found = hunt.found
    print(f"\n{interface}: {found.calls[interface]:,} calls of {len(operations)} operations, {len(found.leaks)} leaks")
    assert not found.leaks, "\n".join(found.leaks[:20])
    assert not found.faults, "\n".join(found.faults[:20])
    hunt.search("what the LLM was sent", world.sent())
    assert _still(hunt.victim) == before, "calls of anna's changed what is bob's"


def test_c11_what_a_user_sees_does_not_depend_on_others(server_home: Path) -> None:
    """Counts tell as much as texts: somebody who has nothing gets the same answers beside a full store as alone."""
    answers = []
    for crowded in (True, False):
        settings = settings_for(server_home)
        if crowded:
            with Memory(settings=replace(settings, user="bob"), background=False) as bob:
                Estate(bob, settings).one_of_each()
        with Memory(settings=replace(settings, user="eve"), background=False) as eve:
            told = {}
            for each in interfaces.library(eve):
                if not each.needs and each.name not in ("serving.keys_exist", "tools.every", "archive.save"):
                    told[each.name] = _answer(each)
            answers.append(told)
    assert answers[0] == answers[1]
    assert len(answers[0]) > 20


def _answer(operation: Operation) -> str:
    try:
        return without_what_varies(operation.call({}))
    except Refused as error:
        return without_what_varies(str(error))


def test_c11_connections_carry_nothing_from_one_user_to_the_next(settings: Settings) -> None:
    """Two connections serve two users whose calls fail and are cancelled at any moment."""

    async def main() -> None:
        async with AsyncMemory(settings=replace(settings, user="anna", pool_size=2), background=False) as anna:
            bob = anna.of("bob")
            for name, memory in (("anna", anna), ("bob", bob)):
                await memory.agents.create(f"agent of {name}")
                for number in range(20):
                    await memory.notes.create(f"The fridge code {number} is of {name}.")
            await asyncio.gather(*(_hurried(anna if each % 2 else bob, each) for each in range(120)))

    async def _hurried(memory: AsyncMemory, number: int) -> None:
        other = "bob" if memory.user == "anna" else "anna"
        chance = random.Random(number)
        calls = (
            lambda: memory.notes.search("fridge code"),
            lambda: memory.agents.list(),
            lambda: memory.entries.page(["note"]),
            lambda: memory.agents.get("nobody"),
            lambda: memory.notes.create(f"The fridge code is again of {memory.user}."),
            lambda: memory.recall("fridge code", wing="nowhere"),
        )
        for _ in range(4):
            call = asyncio.ensure_future(chance.choice(calls)())
            if chance.random() < 0.5:
                await asyncio.sleep(chance.random() * 0.02)
                call.cancel()
            try:
                assert other not in repr(await call)
            except (asyncio.CancelledError, RicordoError):
                continue

    asyncio.run(main())


@pytest.mark.parametrize("user", ["anna", ""])
def test_a9_the_applications_role_reads_and_writes_no_row_of_another(server_home: Path, user: str) -> None:
    settings = settings_for(server_home)
    with Memory(settings=replace(settings, user="bob"), background=False) as bob:
        victim = Estate(bob, settings)
        victim.one_of_each()
    with Memory(settings=replace(settings, user="anna"), background=False) as anna:
        attacker = Estate(anna, settings)
        attacker.one_of_each()
    before = victim.rows()
    with connect(settings, "ricordo_app") as app:
        app.execute(f"SET ricordo.user_id = '{attacker.user_id if user else ''}'")
        for table in sorted({table for table, _ in before}):
            seen = app.execute(f"SELECT count(*) FILTER (WHERE user_id = %s), count(*) FROM {table}", [victim.user_id])
            of_bob, every = seen.fetchone() or (1, 1)
            assert of_bob == 0 and (bool(user) or not every), table
            for statement in (
                f"DELETE FROM {table} WHERE user_id = '{victim.user_id}'",
                f"UPDATE {table} SET user_id = user_id WHERE user_id = '{victim.user_id}'",
                f"UPDATE {table} SET user_id = '{victim.user_id}'",
                f"INSERT INTO {table} SELECT (jsonb_populate_record(t, jsonb_build_object('user_id', "
                f"'{victim.user_id}'))).* FROM {table} t",
            ):
                assert not _changed(app, statement), statement
        for escape in (
            "SET ROLE postgres", "SET SESSION AUTHORIZATION postgres", "SET row_security = off; SELECT * FROM memories",
            "ALTER TABLE memories DISABLE ROW LEVEL SECURITY", "DROP POLICY tenant ON memories",
            "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "COPY memories TO PROGRAM 'cat'",
            "SELECT pg_read_file('PG_VERSION')", "SELECT lo_import('/etc/passwd')",
        ):  # fmt: skip
            with pytest.raises(psycopg.Error):
                app.execute(escape)
    assert victim.rows() == before


def _changed(app: psycopg.Connection, statement: str) -> int:
    """How many rows a statement changed."""
    try:
        return app.execute(statement).rowcount
    except psycopg.Error:
        return 0


def test_a7_the_applications_role_cannot_alter_the_access_log(server_home: Path) -> None:
    settings = settings_for(server_home)
    with Memory(settings=replace(settings, user="anna"), background=False) as anna:
        Estate(anna, settings).one_of_each()
        anna.audit.seal()
        with connect(settings, "ricordo_app") as app:
            app.execute(f"SET ricordo.user_id = '{Estate(anna, settings).user_id}'")
            for table in ("access_log", "access_memories", "access_seals"):
                for statement in (
                    f"DELETE FROM {table}", f"UPDATE {table} SET user_id = user_id", f"TRUNCATE {table}",
                    f"ALTER TABLE {table} DISABLE TRIGGER ALL", f"DROP TABLE {table}",
                    f"SELECT * FROM {table} FOR UPDATE",
                ):  # fmt: skip
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        app.execute(statement)
        assert anna.audit.verify().intact


#: Rows that would break the chain of seals for good, or tell of what nobody did.
FORGED = {
    "an access": "INSERT INTO access_log (user_id, id, action, actor, memory_ids) "
                 "VALUES ({me}, {id}, 'read', 'agent:boss', '{{}}')",
    "an access of long ago": "INSERT INTO access_log (user_id, id, action, actor, memory_ids, accessed_at, xid) "
                             "VALUES ({me}, {id}, 'read', 'agent:boss', '{{}}', '2020-01-01', 3)",
    "an access of a memory": "INSERT INTO access_memories VALUES ({me}, {id}, {id})",
    "a seal": "INSERT INTO access_seals (user_id, seal, first_xid, end_xid, accesses, hash) "
              "VALUES ({me}, 99, 0, 9, 1, '')",
    "an access that came with an archive, once the log is sealed":
        """SELECT import_accesses('[{{"id": "6a1f2f0e-6d0b-5c3e-9d55-7249434f5244", "xid": -1}}]')""",
}  # fmt: skip


def test_a7_the_applications_role_cannot_forge_the_access_log(server_home: Path) -> None:
    settings = settings_for(server_home)
    with Memory(settings=replace(settings, user="anna"), background=False) as anna:
        Estate(anna, settings).one_of_each()
        anna.audit.seal()
        me = Estate(anna, settings).user_id
        with connect(settings, "ricordo_app") as app, connect(settings) as owner:
            app.execute(f"SET ricordo.user_id = '{me}'")
            for what, statement in FORGED.items():
                with pytest.raises(psycopg.errors.Error) as refused:
                    app.execute(statement.format(me=f"'{me}'", id="gen_random_uuid()").encode())
                assert refused.value.sqlstate in ("42501", "22023"), what
            # Seals that do not hold are not taken, and what is not below 0 is no archive's.
            seal = '[{"seal": 2, "first_xid": -9, "end_xid": -1, "accesses": 1, "hash": "x", "sealed_at": "now"}]'
            assert app.execute("SELECT import_seals(%s)", [seal]).fetchone() == (0,)
            # The function takes what was done, and the rest from the session.
            app.execute("SELECT record_access('read', 'user', NULL, '{}', '{}')")
            row = owner.execute(
                "SELECT user_id, accessed_at > now() - interval '1 minute', xid < pg_current_xact_id()::text::bigint "
                "FROM access_log ORDER BY xid DESC LIMIT 1"
            ).fetchone()
            assert row == (me, True, True)
            app.execute("RESET ricordo.user_id")
            with pytest.raises(psycopg.errors.NotNullViolation):
                app.execute("SELECT record_access('read', 'user', NULL, '{}', '{}')")
            # No trigger of ours, which runs as the owner, can be put on a table of the application's.
            app.execute("CREATE TEMP TABLE gone (user_id uuid, room integer, drawer integer)")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(
                    "CREATE TRIGGER t AFTER DELETE ON gone REFERENCING OLD TABLE AS gone "
                    "FOR EACH STATEMENT EXECUTE FUNCTION remove_derived()"
                )
            # Nor does a table of its own stand in for one that they write.
            app.execute(f"SET ricordo.user_id = '{me}'")
            app.execute("CREATE TEMP TABLE access_log (LIKE access_log); CREATE TEMP TABLE activity (LIKE activity)")
            app.execute("SELECT record_access('expire', 'user', NULL, '{}', '{}')")
            assert app.execute("SELECT count(*) FROM pg_temp.access_log").fetchone() == (0,)
            assert app.execute("SELECT count(*) FROM pg_temp.activity").fetchone() == (0,)
        anna.audit.seal()
        assert anna.audit.verify().intact


def test_the_hunt_finds_a_leak_where_there_is_one(server_home: Path, request: pytest.FixtureRequest) -> None:
    """Without the policy on one table, a hunt of a few hundred calls must find what comes through. On a distributed
    store nothing does: each statement names the user by itself."""
    settings = settings_for(server_home)
    with ExitStack() as stack:
        bob, anna = (
            stack.enter_context(Memory(settings=replace(settings, user=each), background=False))
            for each in ("bob", "anna")
        )
        victim, attacker = Estate(bob, settings), Estate(anna, settings)
        victim.one_of_each()
        attacker.one_of_each()
        with connect(settings) as owner:
            owner.execute("CREATE POLICY hole ON memories USING (true)")
        hunt = Hunt(attacker, victim, 1)
        hunt.run(list(interfaces.library(anna)), 300)
    if request.config.getoption("--distributed"):
        assert not hunt.found.leaks
        return
    assert hunt.found.leaks
    assert any(secrets_in(each) for each in hunt.found.leaks)
    assert any(MARK.search(each) for each in hunt.found.leaks)


def _names(operations: Sequence[Operation]) -> set[str]:
    return {each.name for each in operations}


def test_every_operation_is_hunted(world: World) -> None:
    assert len(_names(world.operations["library"])) > 130
    assert len(_names(world.operations["http"])) > 130
    assert len(_names(world.operations["mcp"])) == 10
    assert len(_names(world.operations["command"])) > 45
