"""Contract row C15 on embedding models: a hosted one through any endpoint that speaks OpenAI's protocol, well or
badly."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from consistency import inconsistencies
from endpoints import DIMENSION, Endpoint, Request, good, serving
from miners import talk
from models import OTHER
from ricordo.blocking import Memory
from ricordo.embedding import DEFAULT
from ricordo.errors import ModelUnavailable
from ricordo.settings import Settings
from ricordo.vectors import reembedding
from stores import connect

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

TALK = [
    {"role": "user", "content": "The red kite needs a new tail."},
    {"role": "assistant", "content": "Ripstop nylon is light and strong."},
]
BUSY = (503, {"Retry-After": "0"}, {"error": {"message": "busy"}})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


@pytest.fixture
def hosted(with_vectors: Settings, endpoint: Endpoint) -> Settings:
    """An empty store whose memories get the endpoint's vectors; local embedding models are installed too."""
    return replace(with_vectors, embedding_url=endpoint.url, embedding_model="toy")


def sound(settings: Settings) -> None:
    with connect(settings) as owner:
        assert inconsistencies(owner) == []


def test_c15_memories_are_embedded_and_found_through_an_endpoint(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        assert endpoint.requests == []  # writing waits for no server
        assert memory.embed_pending() == 2
        assert (memory.vectors().model, memory.vectors().dimension) == ("toy", DIMENSION)
        found = memory.recall("red kite")
        assert found.notes == ()
        assert found.results[0].signals["semantic"] > 0
    sound(hosted)


def test_c15_a_question_whose_vector_does_not_come_goes_by_words(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()

        def slow(request: Request) -> tuple[int, dict[str, str], Any]:
            time.sleep(2.5)
            return good(request)

        for behaviour in (slow, lambda request: BUSY, lambda request: (200, {}, "no vectors")):
            endpoint.behaviour = behaviour
            begin = time.monotonic()
            found = memory.recall("Which tail for the red kite?")
            assert time.monotonic() - begin < 2.4
            assert "red kite" in found.results[0].text
            assert found.results[0].signals["semantic"] == 0
            [note] = found.notes
            assert note.startswith(f"Compared by words only: toy at {endpoint.url}")


def test_a_question_to_nothing_is_sent_to_no_server(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        assert memory.recall("red kite").results == ()
        memory.mine(TALK, conversation="kite")
        memory.settings.update(enabled=False)
        assert memory.recall("red kite").results == ()
        assert endpoint.requests == []
        memory.settings.update(enabled=True)
        assert memory.recall("red kite").results
        assert endpoint.requests


def test_one_connection_is_enough_while_a_server_makes_vectors(hosted: Settings, endpoint: Endpoint) -> None:
    answered = threading.Event()

    def slow(request: Request) -> tuple[int, dict[str, str], Any]:
        if len(request.body["input"]) > 1:
            answered.wait(20)
        return good(request)

    endpoint.behaviour = slow
    with Memory(settings=replace(hosted, pool_size=1, connect_timeout=1.5)) as memory:
        memory.mine(TALK, conversation="kite")
        deadline = time.monotonic() + 20
        while not endpoint.requests:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        # The server has the batch meanwhile.
        note = memory.notes.create("The kite hangs in the hall.").memory
        memory.agents.create("coder")
        memory.profiles.create(
            "coder", "work", injection_strategy="relevant", seed_entries=["A red kite."], is_default=True
        )
        assert memory.pending() >= len(TALK)
        answered.set()
        while memory.pending():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert memory.recall("a tail for the red kite").results[0].signals["semantic"] > 0
        assert memory.notes.search("Which kite?")[0].id == note.id
        memory.journal.save("coder", "The kite is red.")
        assert memory.journal.search("coder", "kite")
        with memory.run("coder", "Mend the kite.") as run:
            assert "A red kite." in run.prompt
        assert memory.reembed(OTHER).previous == "toy"
        assert memory.reembed("toy").pending == 0
    sound(hosted)


def test_what_a_killed_worker_had_at_a_server_is_taken_up_later(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        with connect(hosted) as owner:  # as a worker leaves it that is killed while the server makes the vectors
            owner.execute("UPDATE unembedded SET held_until = now() + interval '2 seconds' WHERE drawer = 1")
        begin = time.monotonic()
        assert memory.embed_pending() == 2, "it is waited for"
        assert time.monotonic() - begin > 1
        assert len(endpoint.texts) == 2, "nobody else pays for it meanwhile"
    sound(hosted)


def test_what_changes_while_a_server_makes_its_vector_does_not_get_it(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        note = memory.notes.create("The kite hangs in the hall.").memory

        def meddling(request: Request) -> tuple[int, dict[str, str], Any]:
            endpoint.behaviour = good
            with Memory(settings=hosted, background=False) as other:
                other.notes.update(note.id, content="The kite is lost.")
                [drawer, _] = other.palace.show("W-001/R-01")
                other.entries.redact(drawer.id)
            return good(request)

        endpoint.behaviour = meddling
        memory.embed_pending()
        assert memory.pending() == 0
        assert endpoint.texts.count("The kite is lost.") == 1
        assert memory.vectors().embedded == 2, "the other turn and the note"
    sound(hosted)


def test_e1_a_failed_embedding_leaves_the_memory_written_and_is_mended_later(
    hosted: Settings, endpoint: Endpoint
) -> None:
    endpoint.behaviour = lambda request: (401, {}, {"error": {"message": "bad key"}})
    with Memory(settings=hosted) as memory:
        assert memory.mine(TALK, conversation="kite").stored == 2
        found = memory.recall("Which tail for the red kite?")
        assert "red kite" in found.results[0].text
        assert found.pending == 2
        deadline = time.monotonic() + 10
        while not endpoint.requests:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        endpoint.behaviour = good
        while memory.pending():  # the background tries again by itself
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert memory.vectors().problems == {}
    sound(hosted)


def test_e1_it_is_told_how_many_wait_and_why(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
        memory.mine(talk(4), conversation="talk-4")
        endpoint.behaviour = lambda request: (401, {}, {"error": {"message": "bad key"}})
        with pytest.raises(ModelUnavailable, match="bad key"):
            memory.embed_pending()
        state = memory.vectors()
        assert (state.embedded, state.pending) == (2, len(talk(4)))
        [(problem, count)] = state.problems.items()
        assert "bad key" in problem and count == len(talk(4))
        endpoint.behaviour = good
        assert memory.embed_pending() == len(talk(4))  # at once: it was not their fault
    sound(hosted)


@pytest.mark.parametrize("status", [400, 500])
def test_e1_a_memory_that_the_endpoint_refuses_blocks_no_other(
    hosted: Settings, endpoint: Endpoint, status: int
) -> None:
    def picky(request: Request) -> tuple[int, dict[str, str], Any]:
        if any("plumbus" in text for text in request.body["input"]):
            return status, {"Retry-After": "0"}, {"error": {"message": "what?"}}
        return good(request)

    endpoint.behaviour = picky
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(talk(19)[:100], conversation="talk-19")
        memory.mine([{"role": "user", "content": "I bought a plumbus."}], conversation="plumbus")
        memory.mine(talk(4), conversation="talk-4")
        assert memory.embed_pending() == 100 + len(talk(4))
        state = memory.vectors()
        assert (state.pending, list(state.problems.values())) == (1, [1])
    sound(hosted)


def test_c5_a_server_that_changes_its_dimension_is_not_mixed_in(hosted: Settings, endpoint: Endpoint) -> None:
    with Memory(settings=hosted, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()

    def shorter(request: Request) -> tuple[int, dict[str, str], Any]:
        rows = [{"index": index, "embedding": [1.0, 2.0, 3.0]} for index in range(len(request.body["input"]))]
        return 200, {}, {"data": rows}

    with (
        serving(shorter) as other,
        Memory(settings=replace(hosted, embedding_url=other.url), background=False) as memory,
    ):
        memory.mine(talk(4), conversation="talk-4")
        with pytest.raises(ModelUnavailable, match="with 3 dimensions, but its stored vectors have 8"):
            memory.embed_pending()
        assert memory.recall("red kite").results[0].signals["semantic"] == 0
    sound(hosted)


def test_c15_from_a_local_embedding_model_to_a_hosted_one_and_back(
    hosted: Settings, with_vectors: Settings, endpoint: Endpoint
) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
    with Memory(settings=hosted, background=False) as memory:
        assert memory.recall("red kite").notes == ()
        assert endpoint.requests == []  # the local embedding model serves, since the vectors are of it
        estimate = memory.reembed_estimate("toy")
        assert (estimate.memories, estimate.seconds) == (2, None)
        assert estimate.tokens > 10
        assert endpoint.requests == []  # an estimate costs nothing
        assert memory.reembed("toy").made == 2
        assert memory.recall("red kite").notes == ()
    with Memory(settings=with_vectors, background=False) as memory:
        [note] = memory.recall("red kite").notes
        assert "toy (8 dimensions)" in note and "ricordo reembed --model all-MiniLM-L6-v2" in note
        assert memory.reembed(OTHER).previous == "toy"
        assert memory.recall("red kite").notes == ()
    sound(hosted)


def test_c5_a_reembedding_waits_for_an_endpoint_that_is_down_for_a_moment(
    hosted: Settings, with_vectors: Settings, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "_PAUSES", (0.01,) * len(reembedding._PAUSES))
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
    endpoint.behaviour = lambda request: good(request) if len(endpoint.requests) not in (2, 3) else (403, {}, {})
    with Memory(settings=hosted, background=False) as memory:
        assert memory.reembed("toy").made == 2
    sound(hosted)


def test_a_process_without_the_setting_chooses_no_other_model_for_new_users(
    hosted: Settings, with_vectors: Settings, endpoint: Endpoint
) -> None:
    with Memory(settings=replace(hosted, user="ada"), background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
    without = replace(hosted, embedding_url=None, embedding_model=None, user="bob")
    with Memory(settings=without, background=False) as memory:
        memory.mine(TALK, conversation="kite")
        with pytest.raises(ModelUnavailable, match="new memories of this store use toy"):
            memory.embed_pending()
        memory.jobs.finish()
        assert memory.vectors().model is None and memory.pending() == 2
        [note] = memory.recall("red kite").notes
        assert "use toy" in note
        assert "embed" in [each.kind for each in memory.jobs.list("waiting")], "it waits for a process that has it"
    with Memory(settings=replace(hosted, user="bob"), background=False) as memory:
        memory.jobs.finish()
        assert (memory.vectors().model, memory.pending()) == ("toy", 0)
    with Memory(settings=replace(without, embedding_model=DEFAULT, user="cleo"), background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
        assert memory.vectors().model != "toy", "who names another one gets it"
    with Memory(settings=replace(without, user="dan"), background=False) as memory:
        memory.mine(TALK, conversation="kite")
        memory.embed_pending()
        assert memory.vectors().model != "toy", "the setting that was named last is the store's"
    sound(hosted)
