"""C16: deleting a user removes every row that was theirs, in one call, and says what it removed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from commands import Command, in_process
from gates import served
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.errors import NotFound, StoreError
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY, LISBON

SECRET = "the fridge code is 4711"

#: Every table with a column `user_id`, and procrastinate's events, which belong to jobs.
_TABLES = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)
    ORDER BY 1
"""


def rows(owner: psycopg.Connection, user_id: UUID) -> dict[str, int]:
    """How many rows of a user each table has."""
    found = {}
    for (table,) in owner.execute(_TABLES).fetchall():
        row = owner.execute(f"SELECT count(*) FROM {table} WHERE user_id = %s", [user_id]).fetchone()
        assert row is not None
        found[table] = row[0]
    return found


def fill(memory: Memory, settings: Settings) -> None:
    """Write something into every table of users' data; into those that only a language model or a failing job fills, by
    hand."""
    memory.mine(BATTERY, conversation="talk")
    memory.embed_pending()
    memory.mine([*LISBON, {"role": "user", "content": "My sister Ines lives in Porto."}], conversation="other")
    memory.palace.move_room("W-1/R-1", "Somewhere", new=True)
    memory.agents.create("coder")
    memory.agents.create("other")
    memory.agents.grant("coder", "other")
    memory.keys.create("notebook", agent="coder")
    stepwise = memory.runs.start("coder", "step by step")
    memory.runs.output(stepwise.id, "node", {"__lf_memory_writes": [{"content": SECRET}]})
    served(memory).claim_request("a request", b"what it came with")
    profile = memory.profiles.list("coder")[0]
    entry = memory.entries.write(profile.id, SECRET).id
    memory.entries.edit(entry, content=f"{SECRET}, still")
    memory.entries.read(profile.id)
    with memory.run("coder", "template") as run:
        run.output("node", {"__lf_memory_writes": [{"content": SECRET}]})
    for said in (SECRET, f"{SECRET}, again", SECRET):
        memory.journal.save("coder", said)
    memory.proposals.propose("coder")
    memory.notes.create("a note", retention="medium_term", expires_at=datetime.now(UTC) + timedelta(days=1))
    memory.whiteboards.create("board", ["coder", "other"])
    memory.settings.update(top_k=7, review="tools")
    memory.entries.write(profile.id, SECRET, source="tool")
    memory.settings.update(review="nothing")
    memory.operations.mine([{"role": "user", "content": SECRET}], conversation="later")
    memory.audit.seal()
    with connect(settings) as owner:
        name = f"SET ricordo.user_id = '{user_id_of(memory.user)}'"
        owner.execute(name)
        owner.execute("SELECT fn_write_memory_entry(%s, 'project', 'user', %s)", [profile.id, SECRET])
        owner.execute("INSERT INTO imported_archives VALUES (%s, 'a digest')", [user_id_of(memory.user)])
        for table in ("model_reads", "unread_turns"):
            owner.execute(f"INSERT INTO {table} VALUES (%s, 1, 1)", [user_id_of(memory.user)])
        owner.execute("INSERT INTO imported_turns VALUES (%s, gen_random_uuid(), 1, 1, 2)", [user_id_of(memory.user)])
        owner.execute("INSERT INTO sql_roles VALUES (%s, 'a role')", [user_id_of(memory.user)])
        owner.execute("INSERT INTO watched_files VALUES (%s, 'a digest', 1, 1)", [user_id_of(memory.user)])
        for values in (
            "sync_memories (user_id, memory, device) VALUES (%s, gen_random_uuid(), gen_random_uuid())",
            "sync_devices (user_id, device, name, hash) VALUES (%s, gen_random_uuid(), 'laptop', 'a hash')",
            "sync_objects (user_id, kind, key, device) VALUES (%s, 'turn', '1:talk', gen_random_uuid())",
            "sync_segments VALUES (%s, 1, 'a segment')",
            "foreign_places (user_id, device, room, drawer, wing, memory) "
            "SELECT user_id, 'laptop', room, drawer, 1, id FROM memories WHERE user_id = %s AND room > 0",
        ):
            owner.execute(f"INSERT INTO {values}".encode(), [user_id_of(memory.user)])
        owner.execute("INSERT INTO model_prices VALUES (%s, 'LLM', 1, 2)", [user_id_of(memory.user)])
        owner.execute(
            "INSERT INTO model_calls (user_id, id, source, model, began_at, held, outcome) "
            "VALUES (%s, gen_random_uuid(), 'memory_qa', 'LLM', now(), 0, 'answered')",
            [user_id_of(memory.user)],
        )
        owner.execute(
            "INSERT INTO job_outcomes (user_id, job_id) SELECT user_id, min(id) FROM procrastinate_jobs "
            "WHERE user_id = %s GROUP BY user_id",
            [user_id_of(memory.user)],
        )


@pytest.fixture
def ada(with_vectors: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        yield memory


def test_c16_every_row_goes_in_one_call_that_says_how_many(ada: Memory, with_vectors: Settings) -> None:
    fill(ada, with_vectors)
    with Memory(settings=replace(with_vectors, user="bob"), background=False) as bob:
        fill(bob, with_vectors)
    with connect(with_vectors) as owner:
        before, other = rows(owner, user_id_of("ada")), rows(owner, user_id_of("bob"))
        empty = {table for table, count in before.items() if not count}
        assert not empty, f"fill() leaves these empty, so that their deletion is not tested: {empty}"
        deleted = ada.delete_user()
        assert deleted.removed == before
        assert (deleted.user, deleted.user_id, deleted.rows) == ("ada", user_id_of("ada"), sum(before.values()))
        assert set(rows(owner, user_id_of("ada")).values()) == {0}
        assert rows(owner, user_id_of("bob")) == other
        # Events of jobs have no user_id: none may be left without its job.
        assert owner.execute(
            "SELECT count(*) FROM procrastinate_events e WHERE NOT EXISTS "
            "(SELECT FROM procrastinate_jobs j WHERE j.id = e.job_id)"
        ).fetchone() == (0,)


def test_c16_afterwards_nothing_is_found_and_the_record_is_whole(ada: Memory, with_vectors: Settings) -> None:
    fill(ada, with_vectors)
    assert ada.audit.absent(SECRET).found
    ada.delete_user()
    absence = ada.audit.absent(SECRET)
    assert absence.absent and set(absence.left_over.values()) == {0}
    chain = ada.audit.verify()
    assert chain.intact and (chain.seals, chain.accesses, chain.unsealed) == (0, 0, 0)
    assert ada.palace.tree() == [] and ada.agents.list() == [] and ada.jobs.list() == []
    assert ada.delete_user().rows == 0


def test_c16_a_deleted_user_can_begin_anew(ada: Memory, with_vectors: Settings) -> None:
    fill(ada, with_vectors)
    ada.delete_user()
    assert ada.mine(LISBON, conversation="talk").pointer == "§ W-001/R-01"
    fill(ada, with_vectors)


def test_c16_what_the_session_held_goes_as_well(ada: Memory) -> None:
    ada.notes.create(SECRET, retention="short_term")
    ada.delete_user()
    assert ada.notes.search() == []


def test_c16_all_or_nothing_goes(ada: Memory, with_vectors: Settings) -> None:
    fill(ada, with_vectors)
    with connect(with_vectors) as owner:
        owner.execute("CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$")
        owner.execute("CREATE TRIGGER stop BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION stop()")
        before = rows(owner, user_id_of("ada"))
        with pytest.raises(StoreError, match="no"):
            ada.delete_user()
        assert rows(owner, user_id_of("ada")) == before


def test_c16_who_writes_meanwhile_leaves_nothing_behind_without_a_user(ada: Memory, with_vectors: Settings) -> None:
    fill(ada, with_vectors)
    stopping = threading.Event()

    def write() -> None:
        with Memory(settings=replace(with_vectors, user="ada")) as memory:
            number = 0
            while not stopping.is_set():
                number += 1
                try:
                    memory.mine([{"role": "user", "content": f"turn {number}"}], conversation=f"talk-{number}")
                    memory.entries.redact(memory.notes.create(f"note {number}").id)
                except (StoreError, NotFound):
                    continue

    writers = [threading.Thread(target=write) for _ in range(2)]
    for each in writers:
        each.start()
    try:
        for _ in range(10):
            ada.delete_user()
    finally:
        stopping.set()
        for each in writers:
            each.join()
    with connect(with_vectors) as owner:
        there = owner.execute("SELECT count(*) FROM users WHERE name = 'ada'").fetchone() == (1,)
        orphans = {} if there else {table: count for table, count in rows(owner, user_id_of("ada")).items() if count}
        assert orphans == {}
    ada.delete_user()
    with connect(with_vectors) as owner:
        assert set(rows(owner, user_id_of("ada")).values()) == {0}


def test_c16_the_command_line_asks_for_the_name(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: Command = in_process(with_vectors, monkeypatch, capsys)
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as ada:
        fill(ada, with_vectors)
    monkeypatch.setattr("click.prompt", lambda _: "adam")
    refused = run("user", "delete", "ada")
    assert (refused.code, "nothing was deleted" in refused.err) == (2, True)
    with connect(with_vectors) as owner:
        assert rows(owner, user_id_of("ada"))["memories"] > 0
    monkeypatch.setattr("click.prompt", lambda _: "ada")
    assert "rows of ada" in run("user", "delete", "ada").out
    assert run("user", "delete", "ada", "--yes", "--json").json["removed"]["memories"] == 0
