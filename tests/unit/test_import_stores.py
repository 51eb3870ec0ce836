"""Stores of other memory systems: mem0's memories in JSON, and MemPalace's drawers in ChromaDB's SQLite database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chat_files import read_all, write_json, write_lines, write_zip
from ricordo.formats import detect


def memory(id: str, text: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": id,
        "memory": text,
        "hash": "0",
        "created_at": "2025-03-04T10:02:00.5-08:00",
        "updated_at": None,
        "user_id": "ada",
        **fields,
    }


MEMORIES = [
    memory("1", "Loves figs"),
    memory("2", "Lives in Turin", updated_at="2025-05-01T00:00:00Z"),
    memory("3", "Planned a trip", agent_id="travel", run_id="r1"),
]


def test_memories_of_mem0_are_turns_by_owner(tmp_path: Path) -> None:
    found = read_all(write_json(tmp_path / "mem0.json", {"results": MEMORIES, "relations": []}))
    assert [(each.id, each.title, each.source) for each in found.conversations] == [
        ("mem0:ada", "Memories of ada (mem0)", "mem0"),
        ("mem0:ada/travel/r1", "Memories of ada/travel/r1 (mem0)", "mem0"),
    ]
    assert found.turns == [("user", "Loves figs"), ("user", "Lives in Turin"), ("user", "Planned a trip")]
    first, second = found.conversations[0].messages
    assert (first.id, first.at) == ("1", datetime(2025, 3, 4, 18, 2, 0, 500000, tzinfo=UTC))
    assert (second.id, second.at) == ("2@2025-05-01T00:00:00Z", datetime(2025, 5, 1, tzinfo=UTC))
    assert found.problems == []


def test_memories_of_mem0_may_be_a_list_or_lines(tmp_path: Path) -> None:
    whole = read_all(write_json(tmp_path / "a.json", {"results": MEMORIES})).conversations
    assert read_all(write_json(tmp_path / "b.json", MEMORIES)).conversations == whole
    assert read_all(write_lines(tmp_path / "c.jsonl", *MEMORIES)).conversations == whole


def test_odd_memories_are_told(tmp_path: Path) -> None:
    odd = [*MEMORIES[:1], 7, memory("4", ["x"]), memory("5", "no time", created_at="soon"), memory("1", "other")]
    found = read_all(write_json(tmp_path / "a.json", {"results": odd}))
    assert [text for _, text in found.turns] == ["Loves figs", "no time", "other"]
    assert [(lost, what.partition(":")[0]) for _, lost, what in found.told] == [
        (True, "message 2"),
        (True, "message 3"),
        (False, "message 4"),
        (False, "message 5"),
    ]


# --- MemPalace

#: The tables of ChromaDB 1.5 that drawers stand in.
SCHEMA = """
CREATE TABLE "collections" (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER, database_id TEXT NOT NULL);
CREATE TABLE "segments" (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL);
CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL,
                         seq_id BLOB NOT NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE embedding_metadata (id INTEGER REFERENCES embeddings(id), key TEXT NOT NULL, string_value TEXT,
                                 int_value INTEGER, float_value REAL, bool_value INTEGER, PRIMARY KEY (id, key));
INSERT INTO collections VALUES ('c', 'mempalace_drawers', 384, 'd'), ('l', 'mempalace_closets', 384, 'd');
INSERT INTO segments VALUES ('m', 'metadata', 'METADATA', 'c'), ('v', 'vector', 'VECTOR', 'c'),
                            ('n', 'metadata', 'METADATA', 'l');
"""
Drawer = tuple[str, dict[str, Any]]


def drawer(id: str, wing: str, room: str, text: str | None, chunk: int = 0, **fields: Any) -> Drawer:
    kept = {"chroma:document": text, "wing": wing, "room": room, "chunk_index": chunk}
    kept |= {"filed_at": "2026-01-01T00:00:00", "source_file": "/home/ada/notes.md", **fields}
    return id, {key: value for key, value in kept.items() if value is not None}


def palace(folder: Path, *drawers: Drawer, segment: str = "m") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database, database:
        database.executescript(SCHEMA)
        for number, (id, fields) in enumerate(drawers, start=1):
            database.execute("INSERT INTO embeddings VALUES (?, ?, ?, ?, '2026-01-01')", (number, segment, id, number))
            for key, value in fields.items():
                column = "int_value" if isinstance(value, int) else "string_value"
                statement = f"INSERT INTO embedding_metadata (id, key, {column}) VALUES (?, ?, ?)"
                database.execute(statement, (number, key, value))
    (folder / "8901").mkdir()
    (folder / "8901" / "length.bin").write_bytes(bytes(400))
    return folder


DRAWERS = (
    drawer("b", "garden", "beds", "second piece", 1, content_date="2025-03-04"),
    drawer("a", "garden", "beds", "tomatoes\nin the south", 0, content_date="2025-03-04"),
    drawer(
        "c",
        "battery",
        "cells",
        "> which cells\n> do I need?\nYou need 18650 cells.",
        source_file="/home/ada/chats/battery.jsonl",
        ingest_mode="convos",
        authored_at="2025-03-04T18:02:00+01:00",
    ),
    drawer("r", "garden", "_registry", "[registry] /home/ada/notes.md"),
)


def test_a_palace_gives_its_drawers_with_wing_room_and_time(tmp_path: Path) -> None:
    found = read_all(palace(tmp_path / "palace", *DRAWERS))
    assert [(each.id, each.title, each.project, each.source) for each in found.conversations] == [
        ("mempalace:battery/cells//home/ada/chats/battery.jsonl", "cells: battery.jsonl", "battery", "mempalace"),
        ("mempalace:garden/beds//home/ada/notes.md", "beds: notes.md", "garden", "mempalace"),
    ]
    assert found.turns == [
        ("user", "which cells\ndo I need?"),
        ("assistant", "You need 18650 cells."),
        ("user", "tomatoes\nin the south"),
        ("user", "second piece"),
    ]
    talk, notes = found.conversations
    assert [turn.id for turn in (*talk.messages, *notes.messages)] == ["c?", "c", "a", "b"]
    assert talk.messages[0].at == datetime(2025, 3, 4, 17, 2, tzinfo=UTC)
    assert notes.messages[0].at == datetime(2025, 3, 4, tzinfo=UTC)
    assert found.told == [(None, False, "skipped what is not a message: MemPalace's own notes (1)")]


def test_the_store_may_be_named_itself_but_not_in_a_zip(tmp_path: Path) -> None:
    folder = palace(tmp_path / "palace", *DRAWERS)
    store = folder / "chroma.sqlite3"
    assert len(read_all(store).turns) == 4
    found = read_all(write_zip(tmp_path / "palace.zip", {"palace/chroma.sqlite3": store.read_bytes()}))
    assert found.told == [(None, True, "chroma.sqlite3 can only be read from a folder: unpack it first")]


def test_closets_and_other_databases_are_no_drawers(tmp_path: Path) -> None:
    found = read_all(palace(tmp_path / "closets", *DRAWERS, segment="n"))
    assert found.told == [(None, True, "a ChromaDB database without MemPalace drawers")]
    with closing(sqlite3.connect(tmp_path / "other.db")) as database:
        database.execute("CREATE TABLE embeddings (id)")
    assert detect(tmp_path / "other.db") is None


def test_a_damaged_palace_is_told_and_never_raises(tmp_path: Path) -> None:
    folder = palace(tmp_path / "palace", *DRAWERS, drawer("d", "garden", "beds", None))
    assert (None, True, "the drawer 'd' has no text") in read_all(folder).told
    store = folder / "chroma.sqlite3"
    raw = store.read_bytes()
    for start in range(0, len(raw), 4096):
        store.write_bytes(raw[:start] + b"\xa5" * 4096 + raw[start + 4096 :])
        found = read_all(folder)
        assert found.problems or len(found.turns) == 4
        store.write_bytes(raw[: start + 100])
        assert read_all(folder).problems


def test_a_view_in_a_tables_place_is_not_run(tmp_path: Path) -> None:
    folder = palace(tmp_path / "palace", *DRAWERS)
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database, database:
        database.execute("DROP TABLE embeddings")
        endless = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
        columns = "id, 'm' AS segment_id, id AS embedding_id"
        database.execute(f"CREATE VIEW embeddings AS {endless} SELECT {columns} FROM n")
    assert detect(folder / "chroma.sqlite3") is None
    assert read_all(folder).told == [(None, True, "cannot read this as a ChromaDB database")]
