"""Rows D1 to D10 of the contract, but D8: notes of three retentions, how they are found, and how they move."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound, StoreError, StoreUnavailable
from ricordo.models import Entry
from ricordo.settings import Settings
from ricordo.toolkit import for_openai
from stores import connect

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

_SAID = "The harbour lamp is called Quillfeather"


def _in(**span: float) -> datetime:
    return datetime.now(UTC) + timedelta(**span)


def _texts(found: list[Entry]) -> list[str]:
    return [each.content for each in found]


def _let_expire(settings: Settings, id: UUID) -> None:
    """Let a medium-term note's moment be a second ago."""
    with connect(settings) as owner:
        changed = owner.execute("UPDATE memories SET expires_at = now() - interval '1 second' WHERE id = %s", [id])
        assert changed.rowcount == 1


def _rows_that_hold(settings: Settings, marker: str) -> list[str]:
    """The tables of which a row, written out as text, holds the marker."""
    with connect(settings) as owner:
        tables = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [settings.schema]).fetchall()
        return sorted(
            table
            for (table,) in tables
            if owner.execute(
                f"SELECT 1 FROM {table} t WHERE strpos(lower(t::text), %s) > 0 LIMIT 1", [marker]
            ).fetchone()
        )


def _files_that_hold(home: Path, marker: str) -> list[Path]:
    """The files of Ricordo's home, the server's data and logs among them, that hold the marker."""
    found = []
    for path in home.rglob("*"):
        try:
            if path.is_file() and marker.encode() in path.read_bytes().lower():
                found.append(path)
        except FileNotFoundError:  # the server has removed it meanwhile
            continue
    return found


@contextmanager
def _failing(settings: Settings, event: str, when: str) -> Iterator[None]:
    """Let every INSERT or DELETE of memories fail, at once (BEFORE) or when its transaction commits (AFTER)."""
    kind = "TRIGGER" if when == "BEFORE" else "CONSTRAINT TRIGGER"
    deferred = "" if when == "BEFORE" else "DEFERRABLE INITIALLY DEFERRED"
    with connect(settings) as owner:
        owner.execute(
            "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the disk is gone'; END $$"
        )
        owner.execute(
            f"CREATE {kind} failing {when} {event} ON memories {deferred} FOR EACH ROW EXECUTE FUNCTION fail()"
        )
        try:
            yield
        finally:
            owner.execute("DROP TRIGGER failing ON memories")


# D1


def test_d1_short_term_is_found_by_text_without_regard_to_case_and_accents(memory: Memory) -> None:
    note = memory.notes.create("Zoë prefers the CAFÉ at the pier", retention="short_term").memory
    assert note.retention == "short_term" and note.kind == "note" and note.expires_at is None
    assert memory.notes.get(note.id) == note
    for query in ("cafe", "ZOE pier", "Prefers the café", "caf"):
        assert _texts(memory.notes.search(query)) == [note.content], query
    assert memory.notes.search("harbour") == []


def test_d1_short_term_never_reaches_the_disk(memory: Memory, settings: Settings) -> None:
    marker, stored = (f"{each}{uuid4().hex}" for each in ("quill", "sea"))  # the server has other tests' stores too
    said = f"The harbour lamp is called {marker}"
    note = memory.notes.create(said, retention="short_term", tags=[marker], context={"lamp": marker}).memory
    memory.notes.update(note.id, content=f"{said}, all winter", context={"again": marker})
    assert memory.notes.get(note.id).content.endswith("winter")
    assert len(memory.notes.search(marker)) == 1 and len(memory.notes.search()) == 1
    with connect(settings) as owner:
        owner.execute("CHECKPOINT")
    assert _rows_that_hold(settings, marker) == []
    assert _files_that_hold(settings.home, marker) == []
    memory.notes.create(said.replace(marker, stored))  # what is stored is seen by these two searches
    with connect(settings) as owner:
        owner.execute("CHECKPOINT")
    assert _rows_that_hold(settings, stored) == ["memories"]
    assert _files_that_hold(settings.home, stored)


def test_d1_sessions_of_one_memory_are_apart_and_end_when_cleared(memory: Memory) -> None:
    mine = memory.notes.create("The code word is heron", retention="short_term", session="one").memory
    memory.notes.create("The code word is plover", retention="short_term", session="two")
    memory.notes.create("The code word is curlew", retention="short_term")
    assert _texts(memory.notes.search("code word", session="one")) == ["The code word is heron"]
    assert _texts(memory.notes.search("code word")) == ["The code word is curlew"]
    assert memory.notes.get(mine.id) == mine
    assert memory.notes.clear("one") == 1 and memory.notes.clear("one") == 0
    with pytest.raises(NotFound, match=str(mine.id)):
        memory.notes.get(mine.id)
    assert len(memory.notes.search(session="two")) == 1
    assert memory.notes.clear() == 1


def test_d1_short_term_ends_with_the_open_memory_and_is_shared_with_no_other(settings: Settings) -> None:
    opened = Memory(settings=settings)
    with opened, Memory(settings=settings) as other:
        note = opened.notes.create("Gone by tonight", retention="short_term").memory
        assert other.notes.search("tonight") == [] == other.notes.search()
        with pytest.raises(NotFound):
            other.notes.get(note.id)
    with pytest.raises(StoreUnavailable, match="closed"):
        opened.notes.get(note.id)
    with Memory(settings=settings) as later:
        assert later.notes.search() == []


# D2 and D3


def test_d2_medium_term_needs_a_moment_that_is_still_to_come(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="expires_at: missing expiry time, which the retention medium_term requires"):
        memory.notes.create("The sprint ends soon", retention="medium_term")
    with pytest.raises(InvalidInput, match=r"expires_at: .* is in the past"):
        memory.notes.create("The sprint ends soon", retention="medium_term", expires_at=_in(seconds=-1))
    with pytest.raises(InvalidInput, match="expires_at: requires the retention medium_term, not long_term"):
        memory.notes.create("The sprint ends soon", expires_at=_in(days=1))
    assert memory.notes.search() == []
    moment = _in(days=3).replace(microsecond=0)
    note = memory.notes.create("The sprint ends soon", retention="medium_term", expires_at=moment.isoformat()).memory
    assert note.expires_at == moment and memory.notes.get(note.id) == note


def test_d2_medium_term_is_invisible_from_its_moment_on_before_any_sweep(settings: Settings) -> None:
    with Memory(settings=settings, background=False) as memory:
        note = memory.notes.create("Badge code 4471", retention="medium_term", expires_at=_in(seconds=2)).memory
        assert _texts(memory.notes.search("badge code")) == ["Badge code 4471"] == _texts(memory.notes.search())
        time.sleep(2.1)
        assert memory.notes.search("badge code") == [] == memory.notes.search()
        for call in (memory.notes.get, memory.notes.update):
            with pytest.raises(NotFound, match=str(note.id)):
                call(note.id)
        assert _texts(memory.notes.search("badge code", include_expired=True)) == ["Badge code 4471"]
        assert _texts(memory.notes.search(include_expired=True)) == ["Badge code 4471"]


def test_d2_the_sweep_removes_expired_notes_with_all_that_is_derived_and_logs_it(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        note = memory.notes.create("Badge code mooncalf", retention="medium_term", expires_at=_in(days=1)).memory
        memory.notes.update(note.id, content="Badge code mooncalf, new")
        stays = memory.notes.create("Gate code", retention="medium_term", expires_at=_in(days=1)).memory
        lasts = memory.notes.create("Door code").memory
        memory.embed_pending()
        assert memory.notes.sweep() == 0
        _let_expire(with_vectors, note.id)
        assert memory.notes.sweep() == 1 and memory.notes.sweep() == 0
        assert memory.notes.search(include_expired=True) == [lasts, stays]
        assert [each.action for each in memory.audit.of_memory(note.id)][-1] == "expire"
        assert [each.actor for each in memory.audit.of_memory(note.id)][-1] == "job:sweep"
    assert _rows_that_hold(with_vectors, "mooncalf") == []
    with connect(with_vectors) as owner:
        for table in ("embeddings", "postings"):
            rows = owner.execute(f"SELECT count(DISTINCT drawer) FROM {table}").fetchone()
            assert rows == (2,), table


def test_d2_an_open_memory_sweeps_by_itself(settings: Settings) -> None:
    with Memory(settings=settings, background=False) as memory:
        note = memory.notes.create("Badge code", retention="medium_term", expires_at=_in(days=1)).memory
    _let_expire(settings, note.id)
    with Memory(settings=settings) as memory:
        patience = time.monotonic() + 10
        while memory.notes.search(include_expired=True):
            assert time.monotonic() < patience, "the background has not swept"
            time.sleep(0.02)


def test_d2_d3_stored_notes_are_found_by_meaning(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        dog = memory.notes.create("My puppy is called Rex").memory
        car = memory.notes.create(
            "The automobile needs new tyres", retention="medium_term", expires_at=_in(days=9)
        ).memory
        memory.embed_pending()
        assert memory.notes.search("What is my dog's name?", limit=1) == [dog]
        assert memory.notes.search("car wheels", limit=1) == [car]


def test_d3_long_term_stays_until_it_is_deleted(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        note = memory.notes.create("The user's name is Ada").memory
        assert note.retention == "long_term" and note.expires_at is None
    with Memory(settings=settings) as memory:
        assert memory.notes.sweep() == 0
        assert memory.notes.get(note.id) == note
        assert memory.notes.delete(str(note.id)).removed["memories"] == 1
        with pytest.raises(NotFound):
            memory.notes.get(note.id)
        with pytest.raises(NotFound):
            memory.notes.delete(note.id)


# D4


@pytest.mark.parametrize("retention", ["short_term", "medium_term", "long_term"])
def test_d4_the_seeds_parameters_and_defaults(memory: Memory, retention: Any) -> None:
    moment = _in(days=30) if retention == "medium_term" else None
    plain = memory.notes.create("Plain", retention=retention, expires_at=moment).memory
    assert (plain.importance, plain.source, plain.tags, plain.project_id) == (5, "agent", (), None)
    assert plain.metadata == {} and plain.retention == retention and plain.expires_at == moment
    full = memory.notes.create(
        "  Full  ", retention=retention, expires_at=moment, project="X", tags=["a", "b", "a"], importance=9,
        source="user", context={"page": 3, "nested": {"deep": [1]}},
    ).memory  # fmt: skip
    assert (full.content, full.importance, full.source) == ("Full", 9, "user")
    assert (full.tags, full.project_id, full.metadata) == (("a", "b"), "X", {"page": 3, "nested": {"deep": [1]}})
    assert memory.notes.get(str(full.id)) == full


@pytest.mark.parametrize("retention", ["short_term", "long_term"])
def test_d4_an_update_changes_what_is_given_and_merges_the_context(memory: Memory, retention: Any) -> None:
    note = memory.notes.create("Tea", retention=retention, tags=["drink"], context={"hot": True, "cups": 2}).memory
    assert memory.notes.update(note.id) == note
    more = memory.notes.update(note.id, content="Green tea", importance=8, context={"cups": 3, "milk": None})
    assert (more.content, more.importance, more.tags) == ("Green tea", 8, ("drink",))
    assert more.metadata == {"hot": True, "cups": 3, "milk": None}
    assert more.created_at == note.created_at and more.updated_at is not None
    assert memory.notes.search("tea")[0] == more and memory.notes.search("green")[0] == more
    bare = memory.notes.update(note.id, tags=["leaf"], context={"cold": True}, clear=["context"])
    assert bare.tags == ("leaf",) and bare.metadata == {"cold": True}
    assert memory.notes.update(note.id, clear=["tags", "context"]).metadata == {}
    assert memory.notes.get(note.id).tags == ()


def test_d4_changed_content_is_embedded_anew_and_keeps_its_history(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        note = memory.notes.create("My puppy is called Rex").memory
        other = memory.notes.create("The sky over the bay was grey").memory
        memory.embed_pending()
        memory.notes.update(note.id, content="The automobile needs new tyres")
        assert memory.pending() == 1
        memory.embed_pending()
        assert memory.notes.search("car wheels", limit=1)[0].id == note.id
        memory.notes.update(note.id, importance=7)
        assert memory.pending() == 0
        assert memory.entries.history(note.id)[0].content == "My puppy is called Rex"
        assert len(memory.entries.history(note.id)) == 3 and len(memory.entries.history(other.id)) == 1


def test_d4_every_access_to_a_stored_note_is_logged_with_its_actor(memory: Memory) -> None:
    memory.agents.create("planner")
    run = uuid4()
    note = memory.notes.create("Tea", agent="planner", run=run).memory
    memory.notes.get(note.id, agent="planner")
    memory.notes.update(note.id, importance=6)
    memory.notes.search("tea", agent="planner", run=run)
    memory.notes.search()
    memory.notes.delete(note.id, agent="planner")
    logged = [(each.action, each.actor) for each in memory.audit.of_memory(note.id)]
    assert logged == [
        ("write", "agent:planner"), ("read", "agent:planner"), ("edit", "user"), ("read", "agent:planner"),
        ("read", "user"), ("forget", "agent:planner"),
    ]  # fmt: skip
    assert [each.action for each in memory.audit.of_run(run)] == ["write", "read"]


_DEEP: dict[str, Any] = {}
for _ in range(40):
    _DEEP = {"in": _DEEP}
_BAD: list[tuple[dict[str, Any], str]] = [
    ({"content": " \n "}, "content: must not be blank"),
    ({"content": "x" * 10_001}, "content: has 10,001 characters; the maximum is 10,000"),
    ({"content": "a\0b"}, "content: contains a NUL character"),
    ({"content": 5}, "content: must be text, not int"),
    ({"importance": 0}, "importance: must be a whole number from 1 to 10, not 0"),
    ({"importance": 11}, "importance: must be a whole number from 1 to 10, not 11"),
    ({"importance": 2.5}, "importance: must be a whole number, not '2.5'"),
    ({"importance": True}, "importance: must be a whole number, not 'True'"),
    ({"retention": "for_ever"}, "retention: must be one of short_term, medium_term, long_term, not 'for_ever'"),
    ({"retention": "medium_term"}, "expires_at: missing expiry time"),
    ({"retention": "medium_term", "expires_at": "2020-01-01"}, "expires_at: 2020-01-01T00:00:00.00:00 is in the past"),
    ({"retention": "medium_term", "expires_at": "soon"}, "expires_at: invalid time 'soon': expected ISO 8601, such as"),
    ({"retention": "medium_term", "expires_at": 7}, "expires_at: must be a datetime, not '7'"),
    ({"tags": ["t"] * 10_000}, "tags: has 10,000 tags; the maximum is 100"),
    ({"tags": "work"}, "tags: must be a list, such as .*, not str"),
    ({"tags": [3]}, "tags: must be text, not int"),
    ({"context": _DEEP}, "context: is nested more than 32 levels deep"),
    ({"context": {"when": datetime(2026, 1, 1)}}, "context: cannot be written as JSON"),
    ({"context": [1]}, "context: must be an object with named values, not list"),
    ({"context": {"a": "\0"}}, "context: contains a NUL character"),
]
_BAD_NEW: list[tuple[dict[str, Any], str]] = [
    ({"source": 5}, "source: must be text, not int"),
    ({"source": ""}, "source: invalid value ''"),
    ({"project": "a\nb"}, "project: invalid value"),
]


@pytest.mark.parametrize(("fields", "problem"), _BAD + _BAD_NEW)
def test_d4_bad_input_names_the_field_and_the_rule_and_writes_nothing(
    memory: Memory, fields: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^{problem}"):
        memory.notes.create(**{"content": "fine", **fields})
    if fields.get("retention") != "medium_term":
        with pytest.raises(InvalidInput, match=f"^{problem}"):
            memory.notes.create(**{"content": "fine", "retention": "short_term", **fields})
    assert memory.notes.search() == []


@pytest.mark.parametrize(("fields", "problem"), _BAD)
def test_d4_bad_input_of_an_update_changes_nothing_in_either_tier(
    memory: Memory, fields: dict[str, Any], problem: str
) -> None:
    for note in (memory.notes.create("fine").memory, memory.notes.create("fine", retention="short_term").memory):
        with pytest.raises(InvalidInput, match=f"^{problem}"):
            memory.notes.update(note.id, **fields)
        assert memory.notes.get(note.id) == note


def test_d4_what_is_no_id_or_nothing_to_clear_is_refused(memory: Memory) -> None:
    for bad in ("", "17", None, 5):
        with pytest.raises(InvalidInput, match=r"^id: must be an id, not "):
            memory.notes.get(bad)  # type: ignore[arg-type]
    note = memory.notes.create("fine").memory
    with pytest.raises(InvalidInput, match=r"^clear: must be one of tags, context, not 'content'"):
        memory.notes.update(note.id, clear=["content"])
    with pytest.raises(TypeError):
        memory.notes.search(user_id="ben")  # type: ignore[call-arg]


# D5


def test_d5_without_a_query_the_most_important_come_first_then_the_newest_of_both_tiers(memory: Memory) -> None:
    for content, importance, retention in (
        ("stored 5", 5, "long_term"), ("held 9", 9, "short_term"), ("stored 9", 9, "long_term"),
        ("held 5", 5, "short_term"), ("held 1", 1, "short_term"), ("stored 10", 10, "long_term"),
    ):  # fmt: skip
        memory.notes.create(content, importance=importance, retention=retention)
        time.sleep(0.002)
    order = ["stored 10", "stored 9", "held 9", "held 5", "stored 5", "held 1"]
    assert _texts(memory.notes.search()) == order == _texts(memory.notes.search("  "))
    assert _texts(memory.notes.search(limit=2)) == order[:2]


def test_d5_by_words_alone_equal_texts_of_both_tiers_have_equal_scores(memory: Memory) -> None:
    for retention in ("long_term", "short_term"):
        memory.notes.create("The lighthouse keeper paints gulls", retention=retention)
        time.sleep(0.002)
    memory.notes.create("A gull flew by", retention="short_term")
    memory.notes.create("Keeper of bees")
    found = memory.notes.search("lighthouse keeper gulls")
    assert _texts(found[:2]) == ["The lighthouse keeper paints gulls"] * 2
    assert [each.retention for each in found[:2]] == ["short_term", "long_term"]  # the newer one
    assert {each.content for each in found[2:]} == {"A gull flew by", "Keeper of bees"}
    assert [memory.notes.search("lighthouse keeper gulls") for _ in range(3)] == [found] * 3
    assert memory.notes.search("lighthouse keeper gulls", limit=2) == found[:2]


def test_d5_by_meaning_the_better_answer_comes_first_whichever_tier_holds_it(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        stored = memory.notes.create("The user prefers the dark mode of the editor").memory
        memory.notes.create("Lunch was soup with bread")
        held = memory.notes.create("The user wants French translations", retention="short_term").memory
        memory.notes.create("The meeting is in the blue room", retention="short_term")
        memory.embed_pending()
        assert memory.notes.search("does the user like dark mode?")[0] == stored
        assert memory.notes.search("French translations")[0] == held
        assert memory.notes.search("which theme does she like, bright or black?")[0] == stored
        assert set(_texts(memory.notes.search("user"))) >= {stored.content, held.content}


# D6


def test_d6_a_memory_moves_up_and_down_and_keeps_id_age_history_context(memory: Memory, settings: Settings) -> None:
    note = memory.notes.create("Draft", retention="short_term", tags=["x"], project="P", context={"a": 1}).memory
    memory.notes.update(note.id, content="Second draft")
    with pytest.raises(InvalidInput, match=r"^expires_at: missing expiry time"):
        memory.notes.update(note.id, retention="medium_term")
    moment = _in(days=2)
    stored = memory.notes.update(note.id, retention="medium_term", expires_at=moment, context={"b": 2})
    assert (stored.id, stored.created_at, stored.expires_at) == (note.id, note.created_at, moment)
    assert (stored.metadata, stored.tags, stored.project_id) == ({"a": 1, "b": 2}, ("x",), "P")
    assert _rows_that_hold(settings, "second draft") and memory.notes.clear() == 0
    told = memory.entries.history(note.id)
    assert [each.content for each in told] == ["Draft", "Second draft", "Second draft"]
    assert [each.fields["retention"] for each in told] == ["short_term", "short_term", "medium_term"]
    assert told[0].valid_from == note.created_at and told[0].valid_to == told[1].valid_from

    lasting = memory.notes.update(note.id, retention="long_term")
    assert lasting.expires_at is None and lasting.retention == "long_term"
    with pytest.raises(InvalidInput, match=r"^expires_at: missing expiry time"):
        memory.notes.update(note.id, retention="medium_term")

    held = memory.notes.update(note.id, retention="short_term", content="Third draft")
    assert (held.id, held.created_at, held.metadata) == (note.id, note.created_at, {"a": 1, "b": 2})
    assert memory.notes.search("third draft") == [held] == memory.notes.search()
    assert _rows_that_hold(settings, "draft") == [] and memory.pending() == 0

    again = memory.notes.update(note.id, retention="long_term")
    assert again.created_at == note.created_at
    texts = [each.content for each in memory.entries.history(note.id)]
    assert texts == ["Draft", "Second draft", "Second draft", "Second draft", "Third draft", "Third draft"]
    assert [each.version for each in memory.entries.history(note.id)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("when", ["BEFORE", "AFTER"])
def test_d6_a_move_that_fails_leaves_the_memory_where_it_was(memory: Memory, settings: Settings, when: str) -> None:
    held = memory.notes.create("Held", retention="short_term").memory
    stored = memory.notes.create("Stored").memory
    with _failing(settings, "INSERT", when), pytest.raises(StoreError, match="the disk is gone"):
        memory.notes.update(held.id, retention="long_term", content="Changed")
    assert memory.notes.get(held.id) == held and _rows_that_hold(settings, "changed") == []
    with _failing(settings, "DELETE", when), pytest.raises(StoreError, match="the disk is gone"):
        memory.notes.update(stored.id, retention="short_term", content="Changed")
    assert memory.notes.get(stored.id) == stored and memory.notes.clear() == 1  # the held one alone
    assert memory.notes.search() == [stored]


def test_d6_a_full_session_refuses_a_move_and_the_store_keeps_the_memory(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ricordo.memories.session.LARGEST", 2)
    stored = memory.notes.create("Stored").memory
    memory.notes.create("Held", retention="short_term")
    with pytest.raises(InvalidInput, match=r"^session: 'default' has 2"):
        memory.notes.update(stored.id, retention="short_term")
    assert memory.notes.get(stored.id) == stored
    assert memory.notes.update(stored.id, retention="short_term", session="roomy").retention == "short_term"


def test_d6_no_look_misses_a_memory_that_moves_and_moves_at_once_leave_one(settings: Settings) -> None:
    async def both() -> None:
        async with AsyncMemory(settings=settings) as memory:
            note = (await memory.notes.create("Wanderer", retention="short_term")).memory
            stop = asyncio.Event()

            async def look() -> int:
                looks = 0
                while not stop.is_set():
                    assert (await memory.notes.get(note.id)).content == "Wanderer"
                    assert [each.id for each in await memory.notes.search()] == [note.id]
                    assert [each.id for each in await memory.notes.search("wanderer")] == [note.id]
                    looks += 1
                return looks

            looking = asyncio.create_task(look())
            for _ in range(6):
                for retention in ("long_term", "short_term"):
                    moves = [memory.notes.update(note.id, retention=retention) for _ in range(3)]
                    assert {each.retention for each in await asyncio.gather(*moves)} == {retention}
            stop.set()
            assert await looking > 0
            assert len(await memory.notes.search()) == 1

    asyncio.run(both())


# D7


def test_d7_each_filter_narrows_both_tiers_alike(memory: Memory) -> None:
    for retention in ("short_term", "long_term"):
        for name, fields in {
            "plain": {}, "tagged": {"tags": ["a", "b"]}, "half": {"tags": ["a"]}, "project": {"project": "X"},
            "weighty": {"importance": 8}, "told": {"source": "user"},
        }.items():  # fmt: skip
            memory.notes.create(f"{name} lantern", retention=retention, **fields)
    medium = memory.notes.create("brief lantern", retention="medium_term", expires_at=_in(days=1)).memory
    for query in (None, "lantern"):

        def found(query: str | None = query, **filters: Any) -> list[str]:
            return sorted(each.content.split()[0] for each in memory.notes.search(query, limit=100, **filters))

        assert len(found()) == 13
        assert found(tags=["a", "b"]) == ["tagged"] * 2 and found(tags=["a"]) == ["half"] * 2 + ["tagged"] * 2
        assert found(project="X") == ["project"] * 2 and found(project="Y") == []
        assert found(minimum_importance=8) == ["weighty"] * 2 and found(source="user") == ["told"] * 2
        assert found(retentions=["medium_term"]) == ["brief"]
        assert len(found(retentions=["short_term"])) == 6 and len(found(retentions=["short_term", "long_term"])) == 12
        assert len(memory.notes.search(query, limit=3)) == 3
    _let_expire(memory.process_settings, medium.id)
    assert memory.notes.search("brief") == [] and len(memory.notes.search("brief", include_expired=True)) == 1


def test_d7_nobody_finds_the_notes_of_another_user(settings: Settings) -> None:
    with Memory(settings=replace(settings, user="ada")) as ada, Memory(settings=replace(settings, user="ben")) as ben:
        notes = [ada.notes.create("Secret pear", retention=each).memory for each in ("short_term", "long_term")]  # type: ignore[arg-type]
        assert ben.notes.search("secret pear") == [] == ben.notes.search()
        for note in notes:
            for call in (ben.notes.get, ben.notes.delete, ben.notes.update):
                with pytest.raises(NotFound):
                    call(note.id)
        assert len(ada.notes.search("pear")) == 2
        assert user_id_of("ada") != user_id_of("ben")


@pytest.mark.parametrize(
    ("filters", "problem"),
    [
        ({"limit": 0}, "limit: must be a whole number from 1 to 1,000, not 0"),
        ({"limit": 2.5}, "limit: must be a whole number"),
        ({"retentions": ["eternal"]}, "retentions: must be one of short_term, medium_term, long_term, not 'eternal'"),
        ({"retentions": "long_term"}, "retentions: must be a list, such as .*, not str"),
        ({"minimum_importance": 11}, "minimum_importance: must be a whole number from 1 to 10, not 11"),
        ({"tags": ["t"] * 10_000}, "tags: has 10,000"),
        ({"source": 5}, "source: must be text, not int"),
        ({"project": ""}, "project: invalid value ''"),
        ({"include_expired": "no"}, "include_expired: must be true or false, not 'no'"),
        ({"query": 5}, "query: must be text, not int"),
        ({"query": "a\0b"}, "query: contains a NUL character"),
        ({"session": ""}, "session: invalid value ''"),
    ],
)
def test_d7_bad_filters_name_the_field_and_the_rule(memory: Memory, filters: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{problem}"):
        memory.notes.search(**filters)


def test_d7_redacted_notes_are_not_found(memory: Memory) -> None:
    note = memory.notes.create("Secret pear").memory
    memory.entries.redact(note.id)
    assert memory.notes.search("pear", include_expired=True) == [] == memory.notes.search(include_expired=True)


# D9


def test_d9_one_tool_creates_gets_updates_deletes_and_searches(memory: Memory) -> None:
    memory.agents.create("planner")
    tools = for_openai(memory, "planner")
    [told] = [each["function"] for each in tools.schemas if each["function"]["name"] == "memory"]
    assert told["parameters"]["properties"]["action"]["enum"] == ["create", "get", "update", "delete", "search"]
    made = tools.call(
        "memory",
        json.dumps(
            {
                "action": "create", "content": "Ships on Friday", "retention": "short_term", "project": "X",
                "tags": ["release"], "importance": 7, "source": "user", "context": {"team": "core"}, "query": None,
            }
        ),
    )["memory"]  # fmt: skip
    assert json.loads(json.dumps(made)) == made
    assert (made["retention"], made["project"], made["context"]) == ("short_term", "X", {"team": "core"})
    assert tools.call("memory", {"action": "get", "id": made["id"]}) == {"memory": made}
    moment = _in(days=30).isoformat()
    moved = tools.handlers["memory"](
        action="update", id=made["id"], retention="medium_term", expires_at=moment, context={"by": "Ada"}
    )["memory"]
    assert (moved["id"], moved["retention"]) == (made["id"], "medium_term")
    assert moved["context"] == {"team": "core", "by": "Ada"}
    search = {"action": "search", "query": "ships friday", "tags": ["release"], "retentions": ["medium_term"]}
    assert tools.call("memory", search) == {"memories": [moved]}
    assert tools.call("memory", {"action": "search", "minimum_importance": 8}) == {"memories": []}
    assert tools.call("memory", {"action": "delete", "id": made["id"]}) == {"deleted": made["id"]}
    assert "not found" in tools.call("memory", {"action": "get", "id": made["id"]})["error"]
    assert {each.actor for each in memory.audit.of_memory(UUID(made["id"]))} == {"agent:planner"}


def test_d9_what_tools_do_inside_a_run_is_recorded_with_it(memory: Memory) -> None:
    memory.agents.create("planner")
    with memory.run("planner", "Plan") as run:
        tools = for_openai(memory, "planner", run=run.id)
        made = UUID(tools.call("memory", {"action": "create", "content": "Ships on Friday"})["memory"]["id"])
        tools.handlers["memory"](action="get", id=str(made))
        tools.handlers["save_to_journal"](content="Fridays are busy")
        tools.handlers["save_to_core"](content="Plan ahead")
        tools.call("memory", {"action": "delete", "id": str(made)})
    accesses = memory.audit.of_run(run.id)
    assert [(each.action, each.actor) for each in accesses] == [
        ("read", "agent:planner"), ("write", "agent:planner"), ("read", "agent:planner"), ("write", "agent:planner"),
        ("write", "agent:planner"), ("forget", "agent:planner"),
    ]  # fmt: skip
    assert accesses[1].memory_ids == accesses[2].memory_ids == accesses[5].memory_ids == (made,)
    [journal], [core] = memory.journal.list("planner"), memory.core.list("planner")
    assert (journal.run_id, core.run_id) == (run.id, run.id)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "action: must be one of create, get, update, delete, search, not 'None'"),
        ({"action": "forget"}, "action: must be one of"),
        ({"action": ["get"]}, "action: must be one of"),
        ({"action": "create"}, "content: missing argument of create"),
        ({"action": "create", "content": " "}, "content: must not be blank"),
        ({"action": "create", "content": "x", "query": "x"}, "query: unknown argument of create"),
        ({"action": "create", "content": "x", "retention": "medium_term"}, "expires_at: missing expiry time"),
        ({"action": "create", "content": "x", "user_id": "ben"}, "arguments: unknown arguments"),
        ({"action": "get"}, "id: missing argument of get"),
        ({"action": "get", "id": {"a": 1}}, "id: must be an id"),
        ({"action": "update", "id": str(uuid4()), "importance": 12}, "memory .* not found"),
        ({"action": "search", "limit": "ten"}, "limit: must be a whole number"),
        ({"action": "search", "tags": {"a": 1}}, "tags: must be a list"),
        ("{not json", "arguments: are not valid JSON"),
    ],
)
def test_d9_what_is_wrong_with_a_call_comes_back_as_data(memory: Memory, arguments: Any, error: str) -> None:
    memory.agents.create("planner")
    answer = for_openai(memory, "planner").call("memory", arguments)
    assert set(answer) == {"error"} and re.match(error, answer["error"]), answer
    assert memory.notes.search() == []


def test_d9_a_closed_memory_is_an_error_too(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        call = for_openai(memory, None).call
    assert "closed" in call("memory", {"action": "create", "content": "x", "retention": "short_term"})["error"]


# D10


def test_d10_a_preference_is_confirmed_and_persists_across_sessions(settings: Settings) -> None:
    with Memory(settings=settings) as session:
        note = session.notes.create("The user prefers dark mode", retention="short_term", tags=["preference"]).memory
        assert _rows_that_hold(settings, "dark mode") == []
        session.notes.update(note.id, retention="long_term")
    with Memory(settings=settings) as next_session:
        found = next_session.notes.search("dark mode", tags=["preference"])
        assert [(each.id, each.retention) for each in found] == [(note.id, "long_term")]
    with Memory(settings=settings) as unconfirmed:
        unconfirmed.notes.create("The user prefers large type", retention="short_term")
    with Memory(settings=settings) as next_session:
        assert next_session.notes.search("large type") == []


def test_d10_a_projects_context_is_there_for_thirty_days_and_then_gone(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        note = memory.notes.create(
            "Project X: the API is written in Go", retention="medium_term", expires_at=_in(days=30), project="X"
        ).memory
    with Memory(settings=settings) as within:
        assert _texts(within.notes.search("which language is the API written in?", project="X")) == [note.content]
    _let_expire(settings, note.id)
    with Memory(settings=settings, background=False) as after:
        assert after.notes.search("which language is the API written in?", project="X") == []
        assert after.notes.search(project="X") == []
        assert after.notes.sweep() == 1
        assert after.notes.search(project="X", include_expired=True) == []


def test_d10_a_users_name_is_recalled_changed_and_updated(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        note = memory.notes.create(
            "The user's name is Alex Chen", importance=10, source="user", tags=["identity"]
        ).memory
    with Memory(settings=settings) as later:
        [known] = later.notes.search("What is the user's name?")
        assert known.content.endswith("Alex Chen")
        later.notes.update(known.id, content="The user's name is Alex Rivera")
    with Memory(settings=settings) as last:
        assert _texts(last.notes.search("What is the user's name?")) == ["The user's name is Alex Rivera"]
        assert last.notes.search("Chen") == []
        assert [each.content[-4:] for each in last.entries.history(note.id)] == ["Chen", "vera"]
