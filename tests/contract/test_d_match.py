"""Row D8 of the contract: `match_memories` in SQL, with the columns of its source document."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest

from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect

_COLUMNS = (
    "id", "content", "created_at", "updated_at", "user_id", "project_id", "tags", "metadata", "embedding", "similarity",
)  # fmt: skip
_NOTE = """
    INSERT INTO memories (user_id, room, drawer, id, kind, role, speaker, content, said_at, importance, retention,
                          source, project_id, tags, metadata, expires_at)
    VALUES (%s, 0, nextval('loose_numbers'), new_id(), 'note', 'agent', 'agent', %s, now(), 7, %s, 'agent', 'foil',
            '{cells}', '{"room": "workshop"}', %s) RETURNING id, drawer
"""


@pytest.fixture
def app(settings: Settings) -> psycopg.Connection:
    """The application's role for the user ada, with three notes that have vectors of two dimensions."""
    with Memory(settings=replace(settings, user="ada")) as memory:
        memory.agents.create("Scout")
    connection = connect(settings, "ricordo_app")
    ada = user_id_of("ada")
    connection.execute(f"SET ricordo.user_id = '{ada}'")
    connection.execute("SELECT register_model('flat', 2)")
    for content, retention, until, vector in (
        ("east", "long_term", None, "[1,0]"),
        ("north-east", "medium_term", "2999-01-01", "[1,1]"),
        ("north", "long_term", None, "[0,1]"),
        ("past", "medium_term", "2020-01-01", "[1,0]"),
    ):
        row = connection.execute(_NOTE, [ada, content, retention, until]).fetchone()
        assert row is not None
        connection.execute(
            "INSERT INTO embeddings SELECT %s, model, 0, %s, %s FROM models WHERE name = 'flat'", [ada, row[1], vector]
        )
    return connection


def test_d8_match_memories_gives_the_nearest_above_the_threshold(app: psycopg.Connection) -> None:
    with app:
        cursor = app.execute(
            "SELECT * FROM match_memories(query_embedding => '[1,0]', match_threshold => 0.5, match_count => 5)"
        )
        assert cursor.description is not None and tuple(each.name for each in cursor.description) == _COLUMNS
        rows = [dict(zip(_COLUMNS, row, strict=True)) for row in cursor]
        assert [row["content"] for row in rows] == ["east", "north-east"]
        assert [row["similarity"] for row in rows] == pytest.approx([1, 0.7071], abs=0.001)
        assert (rows[0]["user_id"], rows[0]["project_id"], rows[0]["tags"]) == (
            str(user_id_of("ada")),
            "foil",
            ["cells"],
        )
        assert rows[0]["metadata"] == {
            "retentionType": "long_term", "importance": 7, "source": "agent", "context": {"room": "workshop"}
        }  # fmt: skip
        assert rows[1]["metadata"]["expiresAt"].startswith("2999-01-01")
        assert rows[0]["updated_at"] == rows[0]["created_at"]
        one = app.execute("SELECT content FROM match_memories('[0,1]', -1, 1)").fetchall()
        assert one == [("north",)]
        reads = app.execute(
            "SELECT cardinality(memory_ids) FROM access_log WHERE action = 'read' ORDER BY id"
        ).fetchall()
        assert reads == [(2,), (1,)]


def test_d8_match_memories_is_under_row_level_security(app: psycopg.Connection) -> None:
    with app:
        app.execute(f"SET ricordo.user_id = '{user_id_of('ben')}'")
        with pytest.raises(psycopg.Error):  # ben has no row in users yet, to which the log of his read could belong
            app.execute("SELECT * FROM match_memories('[1,0]', 0, 5)")
        app.execute("INSERT INTO users (user_id, name) VALUES (%s, 'ben')", [user_id_of("ben")])
        assert app.execute("SELECT * FROM match_memories('[1,0]', 0, 5)").fetchall() == []


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ("'[1,0,0]', 0.5, 5", "query_embedding"),
        ("NULL, 0.5, 5", "query_embedding"),
        ("'[1,0]', 'NaN', 5", "match_threshold"),
        ("'[1,0]', 0.5, 0", "match_count"),
    ],
)
def test_d8_bad_arguments_are_named(app: psycopg.Connection, arguments: str, field: str) -> None:
    with app, pytest.raises(psycopg.errors.InvalidParameterValue, match=f"^{field}: "):
        app.execute(f"SELECT * FROM match_memories({arguments})")
