"""kill -9 of workers in the middle of an LLM's calls: every turn is there, each window's result counts once, and
costs are the provider's own count."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

import jobbers
from consistency import inconsistencies
from homes import temporary_home
from llm_server import INPUT, MODEL, OUTPUT, Endpoint, Served, naming, serving
from miners import lost, talk
from ricordo.blocking import Memory
from stores import connect, settings_for

ROUNDS = int(os.environ.get("RICORDO_TEST_ROUNDS", "4"))
SEED = 20261128
#: Talks of 40 turns each, as each of them has a job of its own.
_TALKS = [number for number in range(200) if len(talk(number)) == 40][: ROUNDS // 2 + 2]
#: Seconds that an answer takes.
_PAUSE = 0.1


def _slow(request: dict[str, Any]) -> Served:
    return Served(naming(request), wait=_PAUSE)


def _in_mid_call(endpoint: Endpoint, asked: int) -> None:
    """Return while the endpoint has a request, the first that is new."""
    deadline = time.monotonic() + 60
    while len(endpoint.requests) <= asked or not endpoint.open:
        assert time.monotonic() < deadline, "no window is read any more"
        time.sleep(0.005)


@pytest.mark.slow
def test_c2_c13_whenever_a_worker_is_killed_while_an_llm_reads_all_is_counted_once() -> None:
    chance = random.Random(SEED)
    with temporary_home() as home, serving(_slow) as endpoint, ExitStack() as ended:
        settings = replace(settings_for(home), llm_url=endpoint.address, llm_model=MODEL)
        with Memory(settings=settings, background=False) as memory:
            memory.usage.set_price(MODEL, input=INPUT, output=OUTPUT)
            for number in _TALKS:
                memory.mine(talk(number), conversation=f"talk-{number}")
            whole = memory.usage.estimate_extraction()
            owner = ended.enter_context(connect(settings))
            for _ in range(ROUNDS):
                asked = len(endpoint.requests)
                with jobbers.start(settings) as process:
                    _in_mid_call(endpoint, asked)
                    # Before the answer, while it comes, while it is written down, and in the next call.
                    time.sleep(chance.uniform(0, 2 * _PAUSE))
                    process.kill()
                assert not inconsistencies(owner)
            with jobbers.start(settings) as process:
                deadline = time.monotonic() + 120
                while owner.execute("SELECT 1 FROM procrastinate_jobs WHERE task_name = 'extract'").fetchone():
                    assert time.monotonic() < deadline, "reading does not come to its end"
                    time.sleep(0.05)
                process.kill()
            calls = memory.usage.calls(1000)
            events = memory.activity.list(["memory_extracted"], limit=1000).items
        turns = sum(len(talk(number)) for number in _TALKS)
        assert not lost(owner, _TALKS)
        assert not inconsistencies(owner)
        assert owner.execute("SELECT count(*) FROM model_reads").fetchone() == (turns,)
        assert sum(each.payload["turns"] for each in events) == turns
        assert len(events) == whole.calls

        # Each answer is recorded as the provider counts it, or is one of the calls that stand open: those were cut off
        # with their process, before that could write what came.
        recorded = Counter((each.tokens_in, each.tokens_out) for each in calls if each.outcome == "answered")
        unrecorded = Counter(endpoint.served) - recorded
        cut_off = [each for each in calls if each.outcome == "open"]
        assert {each.outcome for each in calls} == {"answered", "open"}
        assert not recorded - Counter(endpoint.served)
        assert unrecorded.total() <= len(cut_off) <= 2 * ROUNDS, "a worker does two jobs at a time"
        assert len(calls) >= len(endpoint.requests)
        missing = sum(((INPUT * sent + OUTPUT * got) / 1_000_000 for sent, got in unrecorded.elements()), Decimal(0))
        assert sum((each.cost or Decimal(0) for each in calls), Decimal(0)) == endpoint.cost - missing
        # What counts against caps is never less than the bill.
        counted = owner.execute("SELECT sum(coalesce(cost, held)) FROM model_calls").fetchone()
        assert counted is not None and counted[0] >= endpoint.cost
        # Killed between the answer and what it brought: that call is on record, and its window is paid for again.
        assert whole.calls <= recorded.total() <= whole.calls + 2 * ROUNDS
