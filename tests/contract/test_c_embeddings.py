"""Contract rows C5 and E1 on vectors: one embedding model at a time, changing it beside the work, and what waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from consistency import inconsistencies
from miners import talk
from models import OTHER
from ricordo import embedding
from ricordo.blocking import Memory
from ricordo.database.transport import adapt_numpy
from ricordo.embedding import EmbeddingModel, load
from ricordo.embedding import model as loading
from ricordo.errors import InvalidInput, ModelUnavailable
from ricordo.models import MOST_PENDING
from ricordo.settings import Settings
from stores import connect

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

DEFAULT = "all-MiniLM-L6-v2"
TALK = [
    {"role": "user", "content": "I adopted a kitten yesterday and called her Miso."},
    {"role": "assistant", "content": "Congratulations! Cats like warm places."},
    {"role": "user", "content": "The tax office wants its form by Friday."},
]


@pytest.fixture
def with_other(with_vectors: Settings) -> Settings:
    """An empty store whose memories get the other embedding model's vectors."""
    return replace(with_vectors, embedding_model=OTHER)


class Stopped(Exception):
    """Ends a re-embedding in its midst."""


def stop(made: int, total: int) -> None:
    if made:
        raise Stopped


def models(settings: Settings) -> dict[str, int]:
    """How many memories have a vector of each embedding model."""
    with connect(settings) as owner:
        found = owner.execute(
            "SELECT name, count(*) FROM embeddings JOIN models USING (model) WHERE drawer > 0 GROUP BY name"
        )
        return dict(found.fetchall())


def vectors(settings: Settings) -> dict[int, str]:
    """The vectors of the turns, by drawer."""
    with connect(settings) as owner:
        return dict(
            owner.execute("SELECT drawer, vector::text FROM embeddings WHERE room > 0 AND drawer > 0").fetchall()
        )


def sound(settings: Settings) -> None:
    with connect(settings) as owner:
        assert inconsistencies(owner) == []


def fill(settings: Settings, talks: int = 1) -> int:
    """Store memories with their vectors; returns how many."""
    with Memory(settings=settings, background=False) as memory:
        memory.mine(TALK, conversation="miso")
        for number in range(1, talks):
            memory.mine(talk(number), conversation=f"talk-{number}")
        return memory.embed_pending()


def semantic(settings: Settings, question: str = "a cat in a warm spot") -> float:
    """What meaning gave the best line about a question."""
    with Memory(settings=settings, background=False) as memory:
        found = memory.recall(question)
        assert found.notes == ()
        return max((hit.signals["semantic"] for hit in found), default=0.0)


def test_c5_a_user_s_vectors_stay_with_their_embedding_model_whatever_the_settings_prefer(
    with_vectors: Settings, with_other: Settings
) -> None:
    fill(with_vectors)
    with Memory(settings=with_other, background=False) as memory:
        memory.mine([{"role": "user", "content": "Miso sleeps on the radiator."}], conversation="more")
        assert memory.embed_pending() == 1
        assert memory.recall("a cat in a warm spot").notes == ()
        assert memory.vectors().model == DEFAULT
    assert models(with_vectors) == {DEFAULT: 4}
    # Another user of the same store begins with what the settings prefer.
    fill(replace(with_other, user="bob"))
    assert models(with_vectors) == {DEFAULT: 4, OTHER: 3}
    sound(with_vectors)


def test_c5_where_the_embedding_model_is_missing_recall_goes_by_words_and_writing_waits(
    with_vectors: Settings, tmp_path: Path
) -> None:
    fill(with_vectors)
    for name in ("l2_supercat_256.safetensors", "l2_supercat_tokenizer_config.json"):
        assert with_vectors.model_dir
        (tmp_path / name).symlink_to(with_vectors.model_dir / name)
    without = replace(with_vectors, model_dir=tmp_path)
    with Memory(settings=without) as memory:
        memory.mine([{"role": "user", "content": "Miso sleeps on the radiator."}], conversation="more")
        found = memory.recall("Where is the radiator?")
        assert "radiator" in found.results[0].text
        assert found.pending == 1
        [note] = found.notes
        assert f"{DEFAULT} (384 dimensions)" in note
        assert f"ricordo reembed --model {OTHER}" in note
        with pytest.raises(ModelUnavailable, match="ricordo reembed"):
            memory.embed_pending()
        time.sleep(0.2)  # the background must not fill in vectors of what is there
        assert memory.pending() == 1
    assert models(with_vectors) == {DEFAULT: 3}
    assert not np.isnan(semantic(with_vectors))
    sound(with_vectors)


def test_c5_reembed_changes_the_embedding_model(with_vectors: Settings) -> None:
    count = fill(with_vectors, 4)
    assert semantic(with_vectors) > 0
    seen: list[tuple[int, int]] = []
    with Memory(settings=with_vectors, background=False) as memory:
        done = memory.reembed(OTHER, progress=lambda made, total: seen.append((made, total)))
        assert (done.model, done.dimension, done.previous, done.made) == (OTHER, 256, DEFAULT, count)
        assert memory.vectors().model_dump(exclude_defaults=True) == {
            "model": OTHER, "dimension": 256, "embedded": count, "pending": 0,
        }  # fmt: skip
        assert (
            memory.recall("a cat in a warm spot").notes == ()
        )  # the same process goes on with the new embedding model
        again = memory.reembed(OTHER)
        assert (again.previous, again.made) == (None, 0)
    assert seen[0] == (0, count)
    assert seen[-1] == (count, count)
    assert seen == sorted(seen)
    assert models(with_vectors) == {OTHER: count}
    assert semantic(with_vectors) > 0
    sound(with_vectors)


def test_c5_reembed_goes_on_where_it_was_and_can_be_given_up(with_vectors: Settings) -> None:
    count = fill(with_vectors, 12)
    with Memory(settings=with_vectors, background=False) as memory:
        with pytest.raises(Stopped):
            memory.reembed(OTHER, progress=stop)
        half = memory.vectors()
        assert half.model == DEFAULT
        assert half.next_model == OTHER
        assert 0 < half.renewing < count
        assert models(with_vectors) == {DEFAULT: count, OTHER: count - half.renewing}
        sound(with_vectors)
        # Searches go by the old vectors meanwhile, and what is written and edited gets both.
        assert memory.recall("a cat in a warm spot").results
        memory.mine([{"role": "user", "content": "Miso sleeps on the radiator."}], conversation="more")
        memory.embed_pending()
        assert memory.vectors().renewing == half.renewing + 1
        sound(with_vectors)
        given_up = memory.reembed(DEFAULT)
        assert (given_up.previous, given_up.made) == (None, 0)
        assert models(with_vectors) == {DEFAULT: count + 1}
        with pytest.raises(Stopped):
            memory.reembed(OTHER, progress=stop)
        left = memory.vectors().renewing
        assert memory.reembed(OTHER).made == left
    assert models(with_vectors) == {OTHER: count + 1}
    sound(with_vectors)


def test_c5_two_ways_at_once_are_refused(with_vectors: Settings) -> None:
    fill(with_vectors)
    with connect(with_vectors) as owner:
        owner.execute("INSERT INTO models (name, dimension) VALUES ('third', 3)")
        owner.execute("UPDATE user_models SET next_model = (SELECT model FROM models WHERE name = 'third')")
    with (
        Memory(settings=with_vectors, background=False) as memory,
        pytest.raises(InvalidInput, match=rf"a switch from {DEFAULT}.* to third .*--model {DEFAULT}"),
    ):
        memory.reembed(OTHER)


def test_c5_memories_that_wait_get_the_new_embedding_model_s_vectors(with_vectors: Settings) -> None:
    count = fill(with_vectors)
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(talk(4), conversation="talk-4")
        done = memory.reembed(OTHER)
        assert (done.made, done.pending) == (count, len(talk(4)))
        assert memory.embed_pending() == len(talk(4))
    assert models(with_vectors) == {OTHER: count + len(talk(4))}
    sound(with_vectors)


def test_c5_an_empty_memory_is_changed_at_once(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        assert memory.reembed(OTHER).previous is None
    assert fill(with_vectors) == 3
    assert models(with_vectors) == {OTHER: 3}


def test_c5_redaction_and_forgetting_remove_the_vectors_of_both(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        note = memory.notes.create("the plumber comes on Monday").memory
        memory.mine(TALK, conversation="miso")
        for number in range(1, 12):
            memory.mine(talk(number), conversation=f"talk-{number}")
        memory.embed_pending()

        with pytest.raises(Stopped):
            memory.reembed(OTHER, progress=stop)
        drawer = memory.palace.show("W-001/R-01")[0]
        before = models(with_vectors)
        memory.entries.redact(drawer.id)
        memory.notes.delete(note.id)
        after = models(with_vectors)
        # Those of the drawer, of the note, and of the turn behind the drawer, which was read with its end.
        assert {name: before[name] - after[name] for name in before} == {DEFAULT: 3, OTHER: 3}
        assert memory.audit.absent("plumber").absent
        memory.reembed(OTHER)
        assert memory.audit.absent(drawer.text).absent
        assert memory.embed_pending() == 1
    assert models(with_vectors) == {OTHER: after[DEFAULT] + 1}


def test_c5_processes_share_a_reembedding(with_vectors: Settings) -> None:
    count = fill(with_vectors, 16)
    made: list[int] = []

    def change() -> None:
        with Memory(settings=with_vectors, background=False) as memory:
            made.append(memory.reembed(OTHER).made)

    workers = [threading.Thread(target=change) for _ in range(2)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(60)
    assert sum(made) == count
    assert models(with_vectors) == {OTHER: count}
    sound(with_vectors)


def test_c5_an_unknown_embedding_model_is_refused(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        with pytest.raises(InvalidInput, match=r"embedding model 'gpt-9'.* all-MiniLM-L6-v2-int8, wordllama-l2-256"):
            memory.reembed("gpt-9")
        with pytest.raises(InvalidInput):
            memory.reembed_estimate("gpt-9")
    with pytest.raises(InvalidInput, match="embedding_model: embedding model 'gpt-9' is not available"):
        Memory(settings=replace(with_vectors, embedding_model="gpt-9")).__enter__()


def test_c5_an_estimate_says_how_many_and_how_long(with_vectors: Settings) -> None:
    count = fill(with_vectors, 4)
    with Memory(settings=with_vectors, background=False) as memory:
        estimate = memory.reembed_estimate(OTHER)
        assert estimate.memories == count
        assert estimate.seconds is not None
        assert 0 < estimate.seconds < 5
        assert memory.vectors().next_model is None
    assert models(with_vectors) == {DEFAULT: count}


class Fastidious:
    """The other embedding model, but it fails at texts with a word in them."""

    hosted = False

    def __init__(self, real: EmbeddingModel, word: str) -> None:
        self.name, self.dimension = real.name, real.dimension
        self._real, self._word = real, word

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if any(self._word in text for text in texts):
            raise ValueError(f"what is a {self._word}?")
        return self._real.encode(texts)

    def question(self, text: str) -> npt.NDArray[np.float32]:
        return self._real.question(text)

    def remembered(self, text: str) -> None:
        pass


def test_an_open_memory_has_its_embedding_model(with_vectors: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    real = embedding.load
    monkeypatch.setattr(embedding, "load", lambda *given: loaded.append(real(*given)) or loaded[-1])
    with Memory(settings=with_vectors) as memory:
        assert len(loaded) == 1  # the first recall does not wait for it
        memory.recall("a cat")
        assert len(loaded) == 1


def make_fastidious(settings: Settings, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Let the other embedding model fail at this word."""
    real = load(settings, OTHER)
    take_place(monkeypatch, real, Fastidious(real, word))


def take_place(monkeypatch: pytest.MonkeyPatch, real: EmbeddingModel, other: EmbeddingModel) -> None:
    """Let another embedding model be loaded in place of a real one."""
    key = next(key for key, value in loading._loaded.items() if value is real)
    monkeypatch.setitem(loading._loaded, key, other)


def test_e1_a_memory_that_an_embedding_model_fails_at_blocks_no_other(
    with_other: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_fastidious(with_other, monkeypatch, "plumbus")
    with Memory(settings=with_other, background=False) as memory:
        memory.mine(talk(19), conversation="talk-19")
        memory.mine([{"role": "user", "content": "I bought a plumbus."}], conversation="plumbus")
        memory.mine(talk(4), conversation="talk-4")
        count = len(talk(19)) + len(talk(4))
        begin = time.monotonic()
        assert memory.embed_pending() == count
        assert time.monotonic() - begin < 20  # it is not waited for
        state = memory.vectors()
        assert (state.embedded, state.pending) == (count, 1)
        assert state.problems == {f"{OTHER} failed (ValueError: what is a plumbus?)": 1}
        found = memory.recall("plumbus")
        assert "plumbus" in found.results[0].text
        assert found.pending == 1
    monkeypatch.undo()
    with Memory(settings=with_other, background=False) as memory:
        assert memory.embed_pending() == 0  # it waits for its time
        with connect(with_other) as owner:
            owner.execute("UPDATE unembedded SET retry_at = now()")
        assert memory.embed_pending() == 1
        assert memory.vectors().problems == {}
    sound(with_other)


def test_c5_a_memory_that_the_new_embedding_model_fails_at_does_not_hold_up_the_change(
    with_vectors: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = fill(with_vectors)
    make_fastidious(with_vectors, monkeypatch, "Miso")
    with Memory(settings=with_vectors, background=False) as memory:
        done = memory.reembed(OTHER)
        assert (done.made, done.pending) == (count - 2, 2)  # the next turn is read with the end of it
        assert list(memory.vectors().problems.values()) == [2]
        with connect(with_vectors) as owner:
            owner.execute("UPDATE unembedded SET retry_at = now()")
        assert memory.embed_pending() == 1  # by itself it is no trouble
    assert models(with_vectors) == {OTHER: count - 1}
    sound(with_vectors)


class Reader(Fastidious):
    """The other embedding model, which keeps what it read."""

    def __init__(self, real: EmbeddingModel) -> None:
        super().__init__(real, "\0")
        self.read: list[str] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.read += texts
        return super().encode(texts)


@pytest.fixture
def reader(with_other: Settings, monkeypatch: pytest.MonkeyPatch) -> Reader:
    real = load(with_other, OTHER)
    reader = Reader(real)
    take_place(monkeypatch, real, reader)
    return reader


def test_c5_a_turn_is_read_with_who_said_it_and_the_end_of_the_one_before(with_other: Settings, reader: Reader) -> None:
    with Memory(settings=with_other, background=False) as memory:
        memory.mine(
            [
                {"role": "user", "name": "Ada", "content": "x" * 500 + " Did you climb it?"},
                {"role": "user", "name": "Ben", "content": "Yes, twice."},
                {"role": "assistant", "content": "Noted."},
                {"role": "assistant", "content": "It is the second highest of the Alps."},
            ],
            conversation="c",
        )
        memory.notes.create("the plumber comes")
        memory.embed_pending()
    assert {text for text in reader.read if len(text) < 500} == {
        "Ben: Yes, twice. " + "x" * 132 + " Did you climb it?",
        "Noted.",
        "It is the second highest of the Alps. Noted.",
        "the plumber comes",
    }


def test_a5_the_next_turn_is_read_anew_without_what_is_redacted(with_other: Settings, reader: Reader) -> None:
    with Memory(settings=with_other, background=False) as memory:
        memory.mine(TALK, conversation="miso")
        memory.embed_pending()
        before = vectors(with_other)
        drawer = memory.palace.show("W-001/R-01")[0]
        reader.read.clear()
        memory.entries.redact(drawer.id)
        assert vectors(with_other).keys() == {3} and memory.pending() == 1
        assert memory.embed_pending() == 1
        assert reader.read == [TALK[1]["content"]]
        assert vectors(with_other)[3] == before[3] and vectors(with_other)[2] != before[2]
        memory.entries.redact(memory.palace.show("W-001/R-01")[1].id)
        memory.entries.redact(memory.palace.show("W-001/R-01")[2].id)  # the last one has none behind it
        assert not vectors(with_other) and memory.pending() == 0
    sound(with_other)


def test_c5_a_vector_reaches_the_store_in_its_own_form(with_vectors: Settings) -> None:
    vector = np.array([0.5, -1, 6e-8, 0.333], np.float16)
    with Memory(settings=with_vectors), connect(with_vectors) as owner:
        adapt_numpy(owner)
        found = owner.execute("SELECT (%s::halfvec)::real[]", [vector]).fetchone()
    assert found is not None and np.array(found[0], np.float16).tolist() == vector.tolist()


def test_a5_what_is_redacted_while_the_next_turn_is_read_is_in_no_vector(with_other: Settings, reader: Reader) -> None:
    begun, go = threading.Event(), threading.Event()

    def waits(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        begun.set()
        assert go.wait(30)
        return Fastidious.encode(reader, texts)

    with Memory(settings=with_other, background=False) as memory, ThreadPoolExecutor(2) as threads:
        memory.mine(TALK[:1], conversation="miso")
        memory.embed_pending()
        memory.mine(TALK, conversation="miso")
        reader.encode = waits  # type: ignore[method-assign]
        embedding = threads.submit(memory.embed_pending)
        assert begun.wait(30)
        redacting = threads.submit(memory.entries.redact, memory.palace.show("W-001/R-01")[0].id)
        time.sleep(0.3)
        assert not redacting.done()
        go.set()
        embedding.result()
        redacting.result()
        memory.embed_pending()
    alone = reader.question(TALK[1]["content"])
    stored = np.array(vectors(with_other)[2].strip("[]").split(","), np.float32)
    assert stored @ alone > 0.999 and vectors(with_other).keys() == {2, 3}
    sound(with_other)


def test_c5_a_redacted_turn_is_no_hit(with_vectors: Settings) -> None:
    """It came back by its neighbors, by the day that a question names, and by its conversation."""
    with Memory(settings=with_vectors) as memory:
        said = ("My blood type is AB negative.", "Noted: AB negative.", "My dentist is Dr. Aune.")
        memory.mine(
            [{"role": "user", "content": each, "at": "2026-02-01T10:00:00Z"} for each in said], conversation="d"
        )
        memory.embed_pending()
        gone = next(each for each in memory.recall("blood type") if each.text == said[0])
        memory.entries.forget(gone.id)
        memory.embed_pending()
        for question in ("blood type AB negative", "what did I say on 1 February 2026?"):
            found = memory.recall(question)
            assert found and gone.id not in [each.id for each in found], question


def test_e1_receipts_and_recalls_count_up_to_a_thousand_memories_without_a_vector(
    with_vectors: Settings,
) -> None:
    """Counting all of a long queue would cost each of them more than the rest of its work."""
    with Memory(settings=with_vectors, background=False) as memory:
        talk = [{"role": "user", "content": f"box {number}"} for number in range(MOST_PENDING)]
        assert memory.mine(talk, conversation="one").pending == MOST_PENDING
        assert memory.mine(talk[:1], conversation="two").pending == MOST_PENDING
        assert memory.recall("box 7").pending == MOST_PENDING
        assert memory.pending() == MOST_PENDING + 1
