"""What is forgotten while something that holds its text is under way is nowhere once both are through.

Each test holds work up at its worst moment, when it has read the text and not yet written what came of it, begins the
forgetting there, and lets both end in whatever order their locks give.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from secrets import token_hex
from typing import Any
from uuid import UUID

import pytest

from gates import served
from http_server import running
from mcp_clients import on_http
from ricordo import archive
from ricordo.accounts import user_id_of
from ricordo.blocking import Memory
from ricordo.idempotency import KeptAnswer
from ricordo.memories import proposal_store
from ricordo.runs import store as run_store
from ricordo.settings import Settings
from ricordo.vectors import embedding
from stores import connect

#: How long the work is held up for a forgetting that nothing keeps from ending; one that waits for the work ends later.
_PAUSE = 1.0


@pytest.fixture
def ada(with_vectors: Settings) -> Iterator[Memory]:
    with Memory(settings=replace(with_vectors, user="ada"), background=False) as memory:
        memory.agents.create("coder")
        yield memory


@pytest.fixture
def secret() -> str:
    return f"the fridge code in the attic is 4711-quux {token_hex(8)}"


@contextmanager
def _meanwhile(settings: Settings, act: Callable[[Memory], object]) -> Iterator[Callable[[], None]]:
    """A function that begins to act in another session and waits a moment for its end; the block ends after it."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with Memory(settings=replace(settings, user="ada"), background=False) as other:
                act(other)
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            failed.append(error)

    thread = threading.Thread(target=run)

    def begin() -> None:
        if thread.ident is None:
            thread.start()
            thread.join(_PAUSE)

    yield begin
    assert thread.ident is not None, "the moment never came"
    thread.join()
    assert not failed, failed


def _before(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, begin: Callable[[], None]) -> None:
    """Let what is to happen meanwhile begin when a function is called, before what it does."""
    real = getattr(module, name)

    def held_up(*given: Any, **named: Any) -> Any:
        begin()
        return real(*given, **named)

    monkeypatch.setattr(module, name, held_up)


def _gone(ada: Memory, secret: str) -> None:
    found = ada.audit.absent(secret)
    assert found.absent, (found.found, found.left_over)
    assert ada.audit.sound().sound


def test_e2_no_proposal_is_made_of_what_is_forgotten_meanwhile(
    ada: Memory, with_vectors: Settings, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [ada.journal.save("coder", text).id for text in (secret, f"{secret}.", f"{secret}!")]
    with _meanwhile(with_vectors, lambda other: [other.entries.forget(id) for id in ids]) as begin:
        _before(monkeypatch, proposal_store, "insert", begin)
        ada.proposals.propose("coder")
    _gone(ada, secret)


def test_e2_no_prompt_keeps_what_is_forgotten_meanwhile(
    ada: Memory, with_vectors: Settings, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [profile] = ada.profiles.list("coder")
    id = ada.entries.write(profile.id, secret).id
    with _meanwhile(with_vectors, lambda other: other.entries.forget(id)) as begin:
        _before(monkeypatch, run_store, "set_prompt", begin)
        ada.runs.start("coder", "What is the code?")
    _gone(ada, secret)


def test_e2_no_vector_is_left_of_what_is_forgotten_while_it_is_made(
    ada: Memory, with_vectors: Settings, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = {"role": "user", "name": "Ada", "content": secret, "at": "2026-03-01T18:00:00Z"}
    [drawer] = ada.palace.show(ada.mine([turn], conversation="talk").pointer or "")
    note = ada.notes.create(secret).id
    with _meanwhile(with_vectors, lambda other: [other.entries.forget(id) for id in (note, drawer.id)]) as begin:
        _before(monkeypatch, embedding, "_encoded", begin)
        ada.embed_pending()
    _gone(ada, secret)


def test_e2_no_export_lies_there_with_what_is_redacted_while_it_is_made(
    ada: Memory, with_vectors: Settings, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ada.notes.create(secret).id
    with _meanwhile(with_vectors, lambda other: other.entries.redact(id)) as begin:
        real = archive.save

        async def slow(*given: Any) -> Any:
            made = await real(*given)
            begin()
            return made

        monkeypatch.setattr(archive, "save", slow)
        begun = ada.operations.export()
        ada.jobs.finish()
    with connect(with_vectors) as owner:
        assert owner.execute("SELECT count(*) FROM upload_chunks").fetchone() == (0,)
    ended = ada.operations.get(begun.id)
    assert ended.state == "failed" and "forgotten or redacted during the export" in (ended.problem or ""), ended
    _gone(ada, secret)


def test_e2_no_answer_is_kept_of_what_is_forgotten_before_it_is(ada: Memory, secret: str) -> None:
    served(ada).claim_request("one", b"a request")
    id = ada.notes.create(secret).id
    ada.entries.forget(id)
    served(ada).keep_answer("one", KeptAnswer(201, {}, secret.encode()))
    assert served(ada).claim_request("one", b"a request").answer is None
    _gone(ada, secret)


def test_e2_an_answer_waits_for_a_redaction_that_is_under_way(ada: Memory, with_vectors: Settings, secret: str) -> None:
    id = ada.notes.create(secret).id
    with connect(with_vectors) as owner, owner.transaction():
        owner.execute(f"SET LOCAL ricordo.user_id = '{user_id_of('ada')}'")
        owner.execute("SELECT fn_redact_memory_entry(%s)", [id])
        served(ada).claim_request("two", b"a request")  # and reads what is not redacted yet
        keeping = threading.Thread(target=served(ada).keep_answer, args=("two", KeptAnswer(200, {}, secret.encode())))
        keeping.start()
        keeping.join(_PAUSE)
    keeping.join()
    _gone(ada, secret)


def test_e2_a_forgetting_that_is_sent_twice_is_answered_twice(ada: Memory, with_vectors: Settings, secret: str) -> None:
    """Its own forgetting does not keep its answer from being kept; a later one does."""
    ids = [ada.notes.create(f"{secret} {number}").id for number in range(2)]
    with running(with_vectors) as server:
        near = server.of("ada")

        def forget(id: UUID) -> Any:
            return near.ask("DELETE", f"/v1/memories/{id}", headers={"Idempotency-Key": str(id)})

        first, again = forget(ids[0]), forget(ids[0])
        assert first.status_code == again.status_code == 200 and first.json() == again.json()
        assert again.headers["Idempotency-Replayed"] == "true"
        forget(ids[1])
        assert forget(ids[0]).status_code == 409
    _gone(ada, secret)


def test_c16_a_user_who_is_deleted_while_vectors_are_made_leaves_nothing(
    ada: Memory, with_vectors: Settings, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.mine([{"role": "user", "name": "Ada", "content": secret}], conversation="talk")
    with _meanwhile(with_vectors, lambda other: other.delete_user()) as begin:
        _before(monkeypatch, embedding, "_encoded", begin)
        ada.embed_pending()
    with connect(with_vectors) as owner:
        for table in ("users", "memories", "embeddings", "unembedded", "user_models", "procrastinate_jobs"):
            assert owner.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_c11_a_key_that_is_revoked_ends_the_session_that_it_opened(ada: Memory, with_vectors: Settings) -> None:
    """Over MCP, where one session asks again and again: each call shows its key anew."""
    made = ada.keys.create("far")
    ada.notes.create("The ferry to Naxos leaves at seven.")

    async def scenario(url: str) -> None:
        async with on_http(f"{url}/mcp", made.token) as far:
            assert "Naxos" in await far("search_memories", query="ferry to Naxos")
            await asyncio.to_thread(ada.keys.revoke, made.key.id)
            with pytest.raises(Exception) as raised:
                await asyncio.wait_for(far("search_memories", query="ferry to Naxos"), 20)
            assert "Naxos" not in str(raised.value)

    with running(with_vectors) as server:
        try:
            asyncio.run(scenario(server.url))
        except* Exception as ended:  # noqa: BLE001 - closing a session that may not be closed any more
            assert ended.subgroup(AssertionError) is None, ended.exceptions
