"""What no LLM has read yet: counted, and read when somebody asks for it, from the command line and over HTTP too."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from commands import in_process
from http_server import running
from llm_server import INPUT, MODEL, OUTPUT, Endpoint, Served, lines, serving
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import ModelUnavailable, NotFound
from ricordo.models import UnreadTurns
from ricordo.settings import Settings
from stores import connect

pytestmark = pytest.mark.usefixtures("one_transaction_at_a_time")

_NOTHING = json.dumps({"entities": [], "facts": []})
#: Three conversations of 3, 30 and 1 turns.
_TALKS = {
    "short": ["Zora moved to Porto.", "She likes it.", "I stay in Leeds."],
    "long": [f"Turn {number} is about the canoe." for number in range(30)],
    "single": ["I own a kiln."],
}


def _turns(texts: list[str]) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text, "id": f"t{number}"} for number, text in enumerate(texts)]


@asynccontextmanager
async def _with_llm(settings: Settings, endpoint: Endpoint, user: str = "ada") -> AsyncIterator[AsyncMemory]:
    chosen = replace(settings, user=user, llm_url=endpoint.address, llm_model=MODEL, llm_timeout=10.0)
    async with AsyncMemory(settings=chosen, background=False) as memory:
        yield memory


async def _mine(settings: Settings, user: str = "ada") -> None:
    """Mine the talks where no LLM is set up."""
    async with AsyncMemory(settings=replace(settings, user=user), background=False) as memory:
        for conversation, texts in _TALKS.items():
            await memory.mine(_turns(texts), conversation=conversation)


def _said(endpoint: Endpoint) -> list[str]:
    return [line["text"] for request in endpoint.requests for line in lines(request)]


def test_what_was_mined_without_an_llm_is_read_once_by_whoever_has_one(settings: Settings) -> None:
    async def scenario(endpoint: Endpoint) -> None:
        await _mine(settings)
        await _mine(settings, user="bob")
        async with AsyncMemory(settings=replace(settings, user="ada"), background=False) as memory:
            unread = await memory.facts.unread()
            assert (unread.conversations, unread.turns, unread.queued) == (3, 34, 0)
            assert "no LLM is set up" in (unread.reason or "")
            with pytest.raises(ModelUnavailable):
                await memory.facts.extract(wait=True)
            assert not [each for each in await memory.jobs.list() if each.kind == "extract"]
        async with _with_llm(settings, endpoint) as memory:
            await memory.usage.set_price(MODEL, input=INPUT, output=OUTPUT)
            dry = await memory.facts.extract(dry_run=True)
            assert (dry.conversations, dry.turns, dry.queued, dry.left) == (3, 34, 0, 34)
            assert dry.estimate is not None and dry.estimate.calls == 5 and dry.estimate.cost
            assert not endpoint.requests and "ricordo fact extract" in (dry.reason or "")
            one = await memory.facts.extract("single")
            assert (one.turns, one.queued, one.left) == (1, 1, 1)
            assert (await memory.facts.unread()).queued == 1
            with pytest.raises(NotFound):
                await memory.facts.extract("unknown")
            seen: list[tuple[int, int]] = []
            whole = await memory.facts.extract(wait=True, progress=lambda done, total: seen.append((done, total)))
            assert (whole.turns, whole.read, whole.left, whole.reason) == (34, 34, 0, None)
            assert sorted(_said(endpoint)) == sorted(text for texts in _TALKS.values() for text in texts)
            assert all(done <= total == 34 for done, total in seen)
            spent = (await memory.usage.report()).total.cost
            assert spent == endpoint.cost <= dry.estimate.cost
            again = await memory.facts.extract(wait=True)
            assert (again.turns, again.queued, again.read) == (0, 0, 0)
            assert len(endpoint.requests) == 5 and await memory.facts.unread() == UnreadTurns(has_llm=True)
        async with _with_llm(settings, endpoint, "bob") as memory:
            assert (await memory.facts.unread()).turns == 34, "what is another user's is untouched"

    with serving(lambda _: _NOTHING) as endpoint:
        asyncio.run(scenario(endpoint))


def test_an_edited_turn_is_unread_again_and_a_redacted_one_is_not_counted(settings: Settings) -> None:
    async def scenario(endpoint: Endpoint) -> None:
        await _mine(settings)
        async with _with_llm(settings, endpoint) as memory:
            await memory.facts.extract(wait=True)
        edited = ["Zora moved to Faro.", *_TALKS["short"][1:]]
        async with AsyncMemory(settings=replace(settings, user="ada"), background=False) as memory:
            assert (await memory.mine(_turns(edited), conversation="short")).edited == 1
            await memory.mine(_turns(["The last one."]), conversation="fresh")
            unread = await memory.facts.unread()
            assert (unread.conversations, unread.turns) == (2, 2)
            hit = next(each for each in (await memory.recall("The last one.")).results if "last" in each.text)
            await memory.entries.redact(hit.id)
            assert (await memory.facts.unread()).turns == 1
        asked = len(endpoint.requests)
        async with _with_llm(settings, endpoint) as memory:
            assert (await memory.facts.extract(wait=True)).read == 1
            assert [line["text"] for line in lines(endpoint.requests[asked])] == ["Zora moved to Faro."]

    with serving(lambda _: _NOTHING) as endpoint:
        asyncio.run(scenario(endpoint))


def test_reading_can_be_stopped_and_resumed_and_pays_for_nothing_twice(settings: Settings) -> None:
    async def scenario(endpoint: Endpoint) -> None:
        await _mine(settings)
        async with _with_llm(settings, endpoint) as memory:
            reading = asyncio.create_task(memory.facts.extract(wait=True))
            await asyncio.to_thread(endpoint.asked.wait, 30)
            reading.cancel()
            await asyncio.wait([reading])
            assert reading.cancelled()
            assert not [each for each in await memory.jobs.list() if each.state == "running"], "it was put back"
        async with _with_llm(settings, endpoint) as memory:
            assert (await memory.facts.extract(wait=True)).left == 0
        assert len(endpoint.requests) <= 6, "of five windows one at most was asked about when it was stopped"

    with serving(lambda _: Served(_NOTHING, wait=0.3)) as endpoint:
        asyncio.run(scenario(endpoint))


def test_what_could_not_be_read_says_why_and_is_tried_again_when_asked(settings: Settings) -> None:
    async def scenario(endpoint: Endpoint) -> None:
        await _mine(settings)
        async with _with_llm(settings, endpoint) as memory:
            failed = await memory.facts.extract("single", wait=True)
            assert (failed.read, failed.left) == (0, 1) and "HTTP 503" in (failed.reason or "")
            with connect(settings) as owner:
                owner.execute("UPDATE procrastinate_jobs SET status = 'failed' WHERE task_name = 'extract'")
            endpoint.phase = 1
            assert (await memory.facts.extract("single", wait=True)).read == 1
            assert not [each for each in await memory.jobs.list() if each.kind == "extract"]
            await memory.settings.update(cap_month="0.000001")
            await memory.usage.set_price(MODEL, input=INPUT, output=OUTPUT)
            capped = await memory.facts.extract(wait=True)
            assert (capped.read, capped.left) == (0, 33) and "spending cap for this month" in (capped.reason or "")

    def behave(_: dict[str, Any]) -> Served:
        return Served(_NOTHING) if endpoint.phase else Served(_NOTHING, status=503, headers={"Retry-After": "0"})

    with serving(behave) as endpoint:
        asyncio.run(scenario(endpoint))


def test_turns_without_a_usable_reply_are_asked_about_again_on_request(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(_mine(settings))
    run = in_process(replace(settings, user="ada"), monkeypatch, capsys)
    with serving(lambda _: _NOTHING if endpoint.phase else "I cannot do that.") as endpoint:
        chosen = replace(settings, user="ada", llm_url=endpoint.address, llm_model=MODEL)
        for name, value in {"USER": "ada", "LLM_URL": endpoint.address, "LLM_MODEL": MODEL}.items():
            monkeypatch.setenv(f"RICORDO_{name}", value)
        with Memory(settings=chosen, background=False) as memory:
            given_up = memory.facts.extract(wait=True)
            assert (given_up.left, given_up.unusable, memory.facts.unread().unusable) == (0, 34, 34)
            asked = len(endpoint.requests)
            assert memory.facts.extract(wait=True).turns == 0 and len(endpoint.requests) == asked
            dry = memory.facts.extract("single", retry=True, dry_run=True)
            assert (dry.turns, dry.unusable, dry.estimate and dry.estimate.calls) == (1, 0, 1)
            assert memory.facts.unread().unusable == 34, "a dry run changes nothing"
        assert "no usable reply for 34 turns: use --retry" in run("fact", "extract").out
        assert "34 turns; to ask again: ricordo fact extract --retry" in run("status").out
        endpoint.phase = 1
        with running(chosen) as server:
            assert server.post("/v1/facts/extract?conversation=single&retry=true")["turns"] == 1
        assert run("fact", "extract", "single", "--wait").code == 0
        ran = run("fact", "extract", "--retry", "--wait")
        assert (ran.code, ran.out) == (0, "33 turns read\n")
        with Memory(settings=chosen, background=False) as memory:
            assert memory.facts.unread() == UnreadTurns(has_llm=True)


def test_every_interface_tells_what_waits_and_lets_it_be_read(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(_mine(settings))
    run = in_process(replace(settings, user="ada"), monkeypatch, capsys)
    monkeypatch.setenv("RICORDO_USER", "ada")
    assert "34 turns in 3 conversations" in run("status").out
    assert "✓ facts: 34 turns in 3 conversations" in run("doctor").out, "without an LLM it is no fault"
    with serving(lambda _: _NOTHING) as endpoint:
        chosen = replace(settings, user="ada", llm_url=endpoint.address, llm_model=MODEL)
        monkeypatch.setenv("RICORDO_LLM_URL", endpoint.address)
        monkeypatch.setenv("RICORDO_LLM_MODEL", MODEL)
        assert "! facts: 34 turns in 3 conversations of ada not yet read" in run("doctor").out
        assert "at most 5 calls" in run("fact", "extract", "--dry-run").out
        with running(chosen) as server:
            assert server.get("/v1/facts/unread")["turns"] == 34
            assert server.get("/v1/overview")["unread"]["conversations"] == 3
            assert server.post("/v1/facts/extract?conversation=single&dry_run=true")["estimate"]["calls"] == 1
            assert server.post("/v1/facts/extract?conversation=single")["turns"] == 1
        with Memory(settings=chosen, background=False) as memory:
            memory.facts.extract("single", wait=True)
        ran = run("fact", "extract", "--wait")
        assert (ran.code, ran.out) == (0, "33 turns read\n")
        assert run("fact", "extract").out == "The LLM has read every turn.\n"
        assert "facts" not in run("doctor").out
    monkeypatch.setenv("RICORDO_LLM_URL", "http://127.0.0.1:9/v1")
    assert run("fact", "extract", "--wait").code == 0, "nothing is unread, so that no LLM is needed"
