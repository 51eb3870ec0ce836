"""Vectors of word pieces in the store: written with the sentence's, renewed with them, and gone when they go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from models import OTHER
from ricordo import Memory
from ricordo.settings import Settings
from stores import connect

AT = datetime(2026, 1, 5, 10, tzinfo=UTC)
TALK = [
    {"role": "user", "name": "Ivo", "content": "My sloop is called Merle and lies in Vlissingen.", "at": AT},
    {"role": "assistant", "content": "Noted.", "at": AT},
    {"role": "user", "name": "Ivo", "content": "What is it?", "at": AT},
]


def tokens(settings: Settings) -> dict[int, int | None]:
    """How many bytes of such vectors each turn has, by drawer; the room is drawer 0."""
    with connect(settings) as owner:
        return dict(owner.execute("SELECT drawer, length(tokens) FROM embeddings WHERE room > 0").fetchall())


@contextmanager
def filled(settings: Settings) -> Iterator[Memory]:
    with Memory(settings=settings, background=False) as memory:
        memory.mine(TALK, conversation="boat")
        memory.embed_pending()
        yield memory


def test_every_turn_that_tells_something_has_them_in_a_row_with_its_vector(with_vectors: Settings) -> None:
    with filled(with_vectors) as memory:
        found = tokens(with_vectors)
        assert set(found) == {0, 1, 2, 3} and found[0] is None
        # ivo, sloop, called, merle (2 pieces or so), lies, vlissingen (4 or so)
        assert found[1] is not None and found[1] % 32 == 0 and 7 <= found[1] // 32 <= 14
        assert found[2] == 32
        [best, *_] = memory.recall("Where is the yacht moored?").results
        assert best.text == TALK[0]["content"]
        assert best.signals["wording"] > 0.5 and best.signals["telling"] > 0
        assert best.score == pytest.approx(sum(best.signals.values()), abs=0.01)


def test_other_kinds_of_memories_have_none(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        memory.notes.create("Ivo sails from Vlissingen every Sunday.")
        memory.embed_pending()
    with connect(with_vectors) as owner:
        assert owner.execute("SELECT room, tokens FROM embeddings").fetchall() == [(0, None)]


def test_redaction_takes_them_away_and_makes_those_of_the_turn_behind_anew(with_vectors: Settings) -> None:
    with filled(with_vectors) as memory:
        before = _content(with_vectors, 2)
        [fact, *_] = memory.recall("Merle").results
        memory.entries.redact(fact.id, "private")
        assert 1 not in tokens(with_vectors)
        memory.embed_pending()
        assert 1 not in tokens(with_vectors) and _content(with_vectors, 2) is not None
        assert before is not None


def _content(settings: Settings, drawer: int) -> bytes | None:
    with connect(settings) as owner:
        row = owner.execute("SELECT tokens FROM embeddings WHERE room > 0 AND drawer = %s", [drawer]).fetchone()
    return row[0] if row else None


def test_forgetting_a_conversation_takes_them_away(with_vectors: Settings) -> None:
    with filled(with_vectors) as memory:
        memory.delete_user()
    assert tokens(with_vectors) == {}


def test_changing_the_model_removes_them_and_changing_back_makes_them_again(with_vectors: Settings) -> None:
    with filled(with_vectors) as memory:
        before = {drawer: _content(with_vectors, drawer) for drawer in (1, 2, 3)}
        memory.reembed(OTHER)
        assert set(tokens(with_vectors).values()) == {None}
        found = memory.recall("Where is the yacht moored?").results
        assert {hit.signals["wording"] for hit in found} <= {0}
        memory.reembed("all-MiniLM-L6-v2")
        assert {drawer: _content(with_vectors, drawer) for drawer in (1, 2, 3)} == before


def test_without_a_model_recall_goes_by_words_and_by_what_a_turn_tells(with_vectors: Settings, tmp_path: Path) -> None:
    with Memory(settings=replace(with_vectors, model_dir=tmp_path), background=False) as memory:
        memory.mine(TALK, conversation="boat")
        [best, *_] = memory.recall("Where does my sloop lie?").results
        assert best.text == TALK[0]["content"]
        assert best.signals["wording"] == 0 and best.signals["telling"] > 0


@pytest.mark.parametrize("answer", ["I do not know, you have not told me.", "It lies in Vlissingen."])
def test_earlier_askings_do_not_outrank_what_tells(with_vectors: Settings, answer: str) -> None:
    asked = [
        "Where does my sloop lie?", "Where is my sloop?", "Remind me, where does my sloop lie?",
        "In which harbour does my sloop lie?", "Where did I say my sloop lies?", "Hey, where does my sloop lie again?",
    ]  # fmt: skip
    with filled(with_vectors) as memory:
        for number, question in enumerate(asked):
            at = AT.replace(month=2, day=1 + number)
            turns = [
                {"role": "user", "name": "Ivo", "content": question, "at": at},
                {"role": "assistant", "content": answer, "at": at},
            ]
            memory.mine(turns, conversation=f"s{number}")
        memory.embed_pending()
        lines = [hit.text for hit in memory.recall("Where does my sloop lie?", top_k=5)]
        assert lines[0] == TALK[0]["content"]
        assert ("It lies in Vlissingen." in lines[:2]) == (answer == "It lies in Vlissingen.")
