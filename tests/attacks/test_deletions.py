"""An agent or a profile that is deleted while others write to it takes all with it that is derived from its memories.

Writers and the deletion begin at a barrier. Whatever order their locks give, no row is left of a memory that is gone,
and each write that was acknowledged is still there or on record as forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID

import psycopg
import pytest

from consistency import inconsistencies
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.errors import RicordoError
from ricordo.settings import Settings
from stores import connect

WRITERS, ROUNDS, WRITES = 4, 6, 8
#: What is derived from a memory, by its place.
_BY_PLACE = (
    "postings", "embeddings", "unembedded", "unindexed", "mentions", "facts", "model_reads", "unread_turns",
)  # fmt: skip


def leftovers(owner: psycopg.Connection) -> dict[str, int]:
    """Rows that are derived from a memory or room that is gone."""
    gone = "NOT EXISTS (SELECT FROM memories m WHERE (m.user_id, m.room, m.drawer) = (t.user_id, t.room, t.drawer))"
    found = {table: f"SELECT count(*) FROM {table} t WHERE drawer <> 0 AND {gone}" for table in _BY_PLACE}
    found["memory_history"] = (
        "SELECT count(*) FROM memory_history t "
        "WHERE NOT EXISTS (SELECT FROM memories m WHERE (m.user_id, m.id) = (t.user_id, t.memory_id))"
    )
    for table in ("said_on", "embeddings"):
        found[f"rooms of {table}"] = (
            f"SELECT count(*) FROM {table} t WHERE room > 0 AND NOT EXISTS "
            "(SELECT FROM rooms r WHERE (r.user_id, r.room) = (t.user_id, t.room))"
        )
    counted = {name: owner.execute(query).fetchone() for name, query in found.items()}  # type: ignore[arg-type]
    return {name: row[0] for name, row in counted.items() if row and row[0]}


@pytest.mark.parametrize("what", ["agent", "profile"])
def test_nothing_is_left_of_what_is_deleted_while_it_is_written_to(with_vectors: Settings, what: str) -> None:
    settings = replace(with_vectors, user="ada", pool_size=WRITERS + 2)
    acknowledged: list[UUID] = []
    with Memory(settings=settings, background=False) as memory, ThreadPoolExecutor(WRITERS + 2) as pool:
        for number in range(ROUNDS):
            agent = memory.agents.create(f"agent {number}")
            profile = memory.profiles.create(agent.name, "extra")
            began = threading.Barrier(WRITERS + 2)
            writers = [pool.submit(_write, memory, profile.id, number, each, began) for each in range(WRITERS)]
            background_embedding = pool.submit(_embed, memory, began)
            deletion = pool.submit(_after, began, _deletion(memory, what, agent.name, profile.id))
            deletion.result()
            background_embedding.result()
            acknowledged += [id for each in writers for id in each.result()]
        memory.embed_pending()
    with connect(settings) as owner:
        assert leftovers(owner) == {} and inconsistencies(owner) == []
        ids = {id for (id,) in owner.execute("SELECT id FROM memories").fetchall()}
        forgotten = {
            id
            for (id,) in owner.execute("SELECT unnest(memory_ids) FROM access_log WHERE action = 'forget'").fetchall()
        }
    assert acknowledged and set(acknowledged) <= ids | forgotten


def _deletion(memory: Memory, what: str, agent: str, profile: UUID) -> Callable[[], object]:
    if what == "agent":
        return lambda: memory.agents.delete(agent)
    return lambda: memory.profiles.delete(profile)


def _after(began: threading.Barrier, act: Callable[[], object]) -> None:
    began.wait()
    act()


def _embed(memory: Memory, began: threading.Barrier) -> None:
    began.wait()
    for _ in range(3):
        memory.embed_pending()


def _write(memory: Memory, profile: UUID, number: int, writer: int, began: threading.Barrier) -> list[UUID]:
    """Write entries until the profile is gone, one before all begin; returns the ids of those acknowledged."""
    written = []
    for turn in range(WRITES):
        if turn == 1:
            began.wait()
        try:
            id = memory.entries.write(
                profile, f"Figure {number}-{writer}-{turn} of the quarterly report", source="agent"
            ).id
        except RicordoError:
            break
        assert id is not None
        written.append(id)
    return written


def test_whoever_deletes_a_memory_takes_what_is_derived_from_it(with_vectors: Settings) -> None:
    """Also a statement of the owner's, and one that deletes many, and a room's own vector goes with the room."""
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        memory.mine([{"role": "user", "name": "Ada", "content": "Paul lives in Kyiv."}] * 2, conversation="c")
        memory.embed_pending()
        agent = memory.agents.create("coder")
        [profile] = memory.profiles.list(agent.name)
        for text in ("The charger needs 14.6 volts.", "The pack has four cells."):
            memory.entries.write(profile.id, text, source="agent")
    with connect(with_vectors) as owner:
        owner.execute(f"SET ricordo.user_id = '{user_id_of('ada')}'")
        owner.execute("DELETE FROM memories WHERE room = 0")
        assert leftovers(owner) == {}
        assert owner.execute("SELECT count(*) FROM embeddings WHERE room > 0 AND drawer = 0").fetchone() == (1,)
        owner.execute("DELETE FROM memories; DELETE FROM closets; DELETE FROM rooms")
        assert leftovers(owner) == {}
        assert owner.execute("SELECT count(*) FROM embeddings").fetchone() == (0,)
        assert owner.execute("SELECT count(*) FROM postings").fetchone() == (0,)


def test_a_job_that_comes_too_late_cannot_derive_from_a_memory_that_is_gone(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada"), background=False):
        pass
    ada = user_id_of("ada")
    with connect(settings) as owner:
        owner.execute("INSERT INTO users (user_id, name) VALUES (%s, 'ada') ON CONFLICT DO NOTHING", [ada])
        rows = {
            "unembedded": "(%s, 0, 7)",
            "unindexed": "(%s, 0, 7)",
            "model_reads": "(%s, 1, 7)",
            "unread_turns": "(%s, 1, 7)",
            "mentions": "(%s, 1, 7, 'paul', 'Paul', 'person', 'rules')",
            "said_on (user_id, room, day, role, speaker, drawers)": "(%s, 1, '2026-01-01', 'user', 'Ada', 1)",
            "memory_history": "(%s, gen_random_uuid(), 1, 'x', '{}', now(), now(), 'user')",
        }
        for table, values in rows.items():
            with pytest.raises(psycopg.errors.ForeignKeyViolation):
                owner.execute(f"INSERT INTO {table} VALUES {values}".encode(), [ada])
