"""LLMs against a real server: every way in which one can answer, and what each leaves in the record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from time import monotonic
from typing import Any

import pytest

from llm_server import INPUT, MODEL, OUTPUT, Behaviour, Endpoint, Served, serving
from ricordo.client import AsyncMemory
from ricordo.errors import CapReached, InvalidInput, ModelUnavailable, ReplyUnusable
from ricordo.llm import Budget, Form, LLMs
from ricordo.llm.endpoint import Endpoint as Address
from ricordo.llm.wire import Wire
from ricordo.models import ModelCall
from ricordo.settings import Settings

_BUDGET = Budget(seconds=5.0, tokens=100)
_TWICE = replace(_BUDGET, once_more=True)
_KEY = "sk-very-secret-4711"
_ASKED = [{"role": "system", "content": "Count."}, {"role": "user", "content": "How many?"}]


class _Count(Form):
    count: int


@asynccontextmanager
async def _opened(
    settings: Settings, behave: Behaviour, **caps: str
) -> AsyncIterator[tuple[AsyncMemory, LLMs, Endpoint]]:
    with serving(behave) as endpoint:
        chosen = replace(settings, llm_url=endpoint.address, llm_key=_KEY, llm_model=MODEL)
        async with AsyncMemory(settings=chosen, background=False) as memory:
            await memory.usage.set_price(MODEL, input=INPUT, output=OUTPUT)
            await memory.settings.update(**caps)
            yield memory, memory._llms, endpoint


async def _count(llms: LLMs, budget: Budget = _BUDGET) -> tuple[int, Decimal | None]:
    llm = await llms.get()
    reply = await llm.complete("memory_qa", _ASKED, _Count, budget, "talk-1")
    return reply.said.count, reply.cost


def _ask(settings: Settings, behave: Behaviour, budget: Budget = _BUDGET) -> tuple[Any, list[ModelCall], Endpoint]:
    """What one question comes to (a value or an error), with the calls on record."""

    async def run() -> tuple[Any, list[ModelCall], Endpoint]:
        async with _opened(settings, behave) as (memory, llms, endpoint):
            result: Any
            try:
                result = await _count(llms, budget)
            except ModelUnavailable as error:
                result = error
            return result, await memory.usage.calls(), endpoint

    return asyncio.run(run())


def test_a_good_reply_is_read_and_paid(settings: Settings) -> None:
    (count, cost), calls, endpoint = _ask(settings, lambda _: '{"count": 3}')
    assert count == 3
    assert cost == endpoint.cost > 0
    [call] = calls
    assert (call.source, call.model, call.conversation_id, call.outcome) == ("memory_qa", MODEL, "talk-1", "answered")
    assert (call.tokens_in, call.tokens_out) == endpoint.served[0]
    assert call.cost == endpoint.cost
    assert endpoint.keys == [f"Bearer {_KEY}"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"count": 3}\n```',
        'Of course! {"count": 3} Anything else?',
        '<think>{"no": 1}</think>{"count": 3, "x": 1}',
        'I should count {the things}.\n</think>\n{"count": 3, "x": 1}',
        '{"count": 3, "x": "they wrote </think> there"}',
        'In {braces}: {"x": {}} and {"count": 3} {so it is}.',
        'Here it is: {"count": 3}\n<think>Was it {"count": 4}?</think>',
        '```json\n{"count": 3}\n```\n<think>Or {"count": 4}',
        '<think>a <think>{"count": 4}</think> b</think>{"count": 3}',
        '<thinking>{"count": 4}</thinking>{"count": 3}',
        '```json\n{"count": 3, "x": "they wrote <think> there"}\n```',
        '{"reply": {"count": 3}}',
        '{"count": 3, "x": ["}", {"a": "\\"]"},],}',
        'So: {"count": 3, "x": [{"a": 1}, {"a": "cut o',
    ],
)
def test_a_reply_in_wrappings_is_read(settings: Settings, text: str) -> None:
    (count, _), _, _ = _ask(settings, lambda _: text)
    assert count == 3


@pytest.mark.parametrize(
    "text", ["", "{", "I cannot", '{"count": "many"}', '{"other": 3}', "[" * 100_000, '{"count": NaN}']
)
def test_a_reply_of_no_use_is_asked_for_once_more(settings: Settings, text: str) -> None:
    replies = iter([text, '{"count": 5}'])
    (count, cost), calls, endpoint = _ask(settings, lambda _: next(replies), _TWICE)
    assert count == 5
    assert sorted(call.outcome for call in calls) == ["answered", "unusable"]
    assert cost == endpoint.cost == sum(call.cost or 0 for call in calls)
    assert len(endpoint.requests[1]["messages"]) == 4

    error, calls, endpoint = _ask(settings, lambda _: text, _TWICE)
    assert isinstance(error, ReplyUnusable)
    assert len(endpoint.requests) == 2, "twice, and no third time"
    assert endpoint.cost > 0


def test_what_an_endpoint_refuses_is_asked_for_in_another_way(settings: Settings) -> None:
    def behave(request: dict[str, Any]) -> Served | str:
        if "max_tokens" in request:
            return Served("Unsupported parameter: max_tokens", 400)
        if "temperature" in request:
            return Served("temperature must be 1", 400)
        if "response_format" in request:
            return Served("response_format is unknown here", 422)
        return '{"count": 1}'

    async def run() -> None:
        async with _opened(settings, behave) as (memory, llms, endpoint):
            assert (await _count(llms))[0] == 1
            asked = len(endpoint.requests)
            assert [each.get("response_format", {}).get("type") for each in endpoint.requests] == [
                *["json_schema"] * 3,
                "json_object",
                None,
            ]
            assert (await _count(llms))[0] == 1
            assert len(endpoint.requests) == asked + 1, "what was found out is remembered"
            calls = await memory.usage.calls()
            assert [call.outcome for call in calls].count("refused") == 4
            assert sum(call.cost or 0 for call in calls) == endpoint.cost

    asyncio.run(run())


def test_an_endpoint_that_refuses_everything_is_asked_a_few_times(settings: Settings) -> None:
    error, _, endpoint = _ask(settings, lambda _: Served(f"bad key {_KEY}", 400))
    assert isinstance(error, ModelUnavailable)
    assert len(endpoint.requests) < 8
    assert _KEY not in str(error)


@pytest.mark.parametrize(("status", "retried"), [(429, True), (500, True), (503, True), (401, False), (404, False)])
def test_an_error_status_costs_nothing(settings: Settings, status: int, retried: bool) -> None:
    behave = lambda _: Served(f"sorry {_KEY}", status, {"Retry-After": "0"})  # noqa: E731
    error, calls, endpoint = _ask(settings, behave, replace(_BUDGET, tries=3))
    assert f"HTTP {status}" in str(error)
    assert _KEY not in str(error)
    assert len(endpoint.requests) == len(calls) == (3 if retried else 1)
    assert {(call.outcome, call.cost) for call in calls} == {("refused", Decimal(0))}


def test_retry_after_is_obeyed(settings: Settings) -> None:
    replies: list[Served | str] = [Served("slow down", 429, {"Retry-After": "1"}), '{"count": 2}']
    begin = monotonic()
    (count, _), _, _ = _ask(settings, lambda _: replies.pop(0), replace(_BUDGET, tries=2))
    assert count == 2
    assert monotonic() - begin > 1.0

    begin = monotonic()
    for later in ("86400", "Fri, 31 Dec 9999 23:59:59 GMT", "inf"):
        served = Served("tomorrow", 429, {"Retry-After": later})
        error, _, endpoint = _ask(settings, lambda _, served=served: served, replace(_BUDGET, tries=3))
        assert isinstance(error, ModelUnavailable)
        assert len(endpoint.requests) == 1, "what asks for more time than there is gets none"
    assert monotonic() - begin < 4.0

    before = Served("now", 429, {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"})
    replies = [before, '{"count": 2}']
    assert _ask(settings, lambda _: replies.pop(0), replace(_BUDGET, tries=2))[0][0] == 2


@pytest.mark.parametrize(
    "served",
    [
        Served("{}", wait=30),
        Served('{"count": 1}', drip=0.05),
        Served(closes=True),
        Served('{"count": 1}', breaks=True),
        Served(body=b"<html>bad gateway</html>"),
        Served(body=b"[" * 50_000),
        Served(body=b"x" * 3_000_000),
    ],
    ids=["hangs", "drips", "closes", "breaks off", "no JSON", "too deep", "too long"],
)
def test_a_call_that_is_lost_is_of_unknown_cost(settings: Settings, served: Served) -> None:
    begin = monotonic()
    error, calls, _ = _ask(settings, lambda _: served, replace(_BUDGET, seconds=1.0))
    assert isinstance(error, ModelUnavailable)
    assert monotonic() - begin < 6.0
    [call] = calls
    assert (call.outcome, call.cost, call.tokens_in) == ("lost", None, None)


def test_a_server_that_is_not_there_costs_nothing(settings: Settings) -> None:
    async def run() -> None:
        async with _opened(settings, lambda _: "") as (memory, _, _):
            pass
        away = replace(settings, llm_url="http://127.0.0.1:9/v1", llm_model=MODEL)
        async with AsyncMemory(settings=away, background=False) as memory:
            with pytest.raises(ModelUnavailable, match="is unreachable"):
                await _count(memory._llms)
            [call] = await memory.usage.calls()
            assert (call.outcome, call.cost) == ("unreached", Decimal(0))

    asyncio.run(run())


@pytest.mark.parametrize(
    "body",
    [b"{}", b"[]", b"null", b'{"choices": []}', b'{"choices": {}}', b'{"choices": [{"message": {"content": 5}}]}',
     b'{"choices": [null], "usage": {"prompt_tokens": -5, "completion_tokens": true}}', b'{"error": {}}'],
)  # fmt: skip
def test_an_answer_of_another_form_is_of_no_use(settings: Settings, body: bytes) -> None:
    error, [call], _ = _ask(settings, lambda _: Served(body=body))
    assert isinstance(error, ReplyUnusable)
    assert (call.outcome, call.cost) == ("unusable", None)


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices": [{"message": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "9"}]}, '
        b'{"type": "text", "text": "{\\"count\\""}, {"type": "text", "text": ": 3}"}]}}], '
        b'"usage": {"prompt_tokens": 7, "completion_tokens": 5}}',
        b': keep-alive\n\ndata: {"choices": [{"delta": {"role": "assistant", "content": ""}}]}\n\n'
        b'data: {"choices": [{"delta": {"content": "{\\"count\\""}}], "usage": null}\r\n\r\n'
        b'data:{"choices": [{"delta": {"content": ": 3}"}, "finish_reason": "stop"}]}\n\n'
        b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 5}}\n\ndata: [DONE]\n\n',
    ],
    ids=["in parts", "as a stream"],
)
def test_a_reply_that_comes_in_parts_is_read_and_paid(settings: Settings, body: bytes) -> None:
    (count, _), [call], _ = _ask(settings, lambda _: Served(body=body))
    assert count == 3
    assert (call.outcome, call.tokens_in, call.tokens_out) == ("answered", 7, 5)


def test_what_is_not_counted_has_no_cost_that_anyone_knows(settings: Settings) -> None:
    (count, cost), [call], _ = _ask(settings, lambda _: Served('{"count": 1}', uncounted=True))
    assert (count, cost, call.cost, call.outcome) == (1, None, None, "answered")


def test_without_a_price_the_cost_is_not_known(settings: Settings) -> None:
    async def run() -> None:
        async with _opened(settings, lambda _: '{"count": 1}') as (memory, llms, _):
            assert await memory.usage.remove_price(MODEL)
            assert (await _count(llms)) == (1, None)
            report = await memory.usage.report()
            assert (report.total.unknown, report.total.cost) == (1, 0)
            await memory.settings.update(cap_month="5")
            with pytest.raises(CapReached, match="ricordo usage price"):
                await _count(llms)
            await memory.usage.set_price(MODEL, input=0, output=0)
            assert (await _count(llms)) == (1, Decimal(0))
            assert [call.outcome for call in await memory.usage.calls()] == ["answered", "unpriced", "answered"]

    asyncio.run(run())


def test_a_cap_stops_the_call_and_says_so(settings: Settings) -> None:
    async def run() -> None:
        async with _opened(settings, lambda _: '{"count": 1}', cap_conversation="0.004") as (memory, llms, endpoint):
            done = 0
            with pytest.raises(CapReached, match="cap_conversation"):
                while True:
                    await _count(llms)
                    done += 1
            assert done == len(endpoint.requests) > 0
            assert endpoint.cost <= Decimal("0.004")
            report = await memory.usage.report()
            assert report.total.cost == endpoint.cost == report.month.cost
            assert (report.total.stopped, report.total.calls) == (1, done)
            other = await llms.get()
            await other.complete("memory_qa", _ASKED, _Count, _BUDGET, "talk-2")
            await memory.settings.update(cap_month=str(report.total.cost))
            with pytest.raises(CapReached, match="cap_month"):
                await other.complete("memory_qa", _ASKED, _Count, _BUDGET, "talk-2")

    asyncio.run(run())


def test_many_at_once_do_not_go_beyond_a_cap_together(settings: Settings) -> None:
    async def run() -> None:
        cap = Decimal("0.01")
        async with _opened(settings, lambda _: Served('{"count": 1}', wait=0.1), cap_month=str(cap)) as opened:
            memory, llms, endpoint = opened
            results = await asyncio.gather(*(_count(llms) for _ in range(24)), return_exceptions=True)
            stopped = [each for each in results if isinstance(each, CapReached)]
            assert len(stopped) + len(endpoint.requests) == 24
            assert 1 < len(endpoint.requests) < 24
            assert endpoint.cost <= cap
            report = await memory.usage.report()
            assert report.total.cost == endpoint.cost
            assert report.counted == endpoint.cost, "what was set aside is given back"
            assert report.total.stopped == len(stopped)

    asyncio.run(run())


def test_a_call_that_is_cancelled_is_on_record(settings: Settings) -> None:
    async def run() -> None:
        async with _opened(settings, lambda _: Served("{}", wait=20)) as (memory, llms, _):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1.0):
                    await _count(llms)
            [call] = await memory.usage.calls()
            assert (call.outcome, call.cost) == ("lost", None)

    asyncio.run(run())


def test_the_key_is_told_nowhere(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        error, _, _ = _ask(settings, lambda _: Served(f"who is {_KEY}?", 401))
    told = replace(settings, llm_key=_KEY)
    assert _KEY not in f"{error} {error!r} {told!r} {caplog.text}"


def test_no_limit_of_the_librarys_ends_a_call_sooner_than_it_may_take() -> None:
    wire = Wire(Address("http://localhost:1/v1", None))
    assert wire._client.timeout is None


def test_without_an_llm_what_is_missing_is_named(settings: Settings) -> None:
    async def run() -> None:
        async with AsyncMemory(settings=settings, background=False) as memory:
            with pytest.raises(ModelUnavailable, match="RICORDO_LLM_URL"):
                await memory.ask("Who?")
        named = replace(settings, llm_url="http://localhost:1/v1")
        async with AsyncMemory(settings=named, background=False) as memory:
            with pytest.raises(ModelUnavailable, match="RICORDO_LLM_MODEL"):
                await memory.ask("Who?")

    asyncio.run(run())


@pytest.mark.parametrize(
    "url", ["ftp://x", "localhost:11434", "http://", "http:///v1", f"http://user:{_KEY}@host.test/v1"]
)
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="llm_url") as refused:
        Settings(llm_url=url)
    assert _KEY not in str(refused.value)


def test_published_prices_are_those_of_the_provider(settings: Settings) -> None:
    from ricordo.llm.prices import Price

    assert Price("gpt-4o-mini", "https://api.openai.com/v1").cost(1_000_000, 0) == Decimal("0.15")
    assert Price("anthropic/claude-haiku-4.5", "https://openrouter.ai/api/v1").cost(0, 1_000_000) == Decimal(5)
    assert Price("gpt-4o-mini", "http://localhost:11434/v1").cost(1000, 1000) is None
    assert Price("no-such-model", "https://api.openai.com/v1").cost(1000, 1000) is None
