"""Conversations mined and read with an LLM that is down, that fails half the time, and that lies."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from consistency import inconsistencies
from llm_server import INPUT, MODEL, OUTPUT, Endpoint, Served, naming, serving
from miners import lost, talk
from ricordo.client import AsyncMemory
from ricordo.errors import ModelUnavailable
from ricordo.facts import extract_conversation
from ricordo.llm import wire
from ricordo.models import ModelCall
from ricordo.settings import Settings
from stores import connect

_TALKS = range(18)  # six with the LLM in each state


def _down(chance: random.Random, request: dict[str, Any]) -> Served | str:
    return chance.choice([*[Served("no", 503, {"Retry-After": "0"})] * 9, Served(closes=True)])


def _half_down(chance: random.Random, request: dict[str, Any]) -> Served | str:
    failures = [
        Served("no", 500, {"Retry-After": "0"}),
        Served("{", breaks=True),
        Served(naming(request), uncounted=True),
    ]
    return chance.choice([*failures, "no JSON", *[naming(request)] * 4])


def _lying(chance: random.Random, request: dict[str, Any]) -> Served | str:
    ghosts = [{"name": f"Ghost {n}", "kind": "person"} for n in range(chance.choice([1, 50]))]
    facts = [
        {"turn": turn, "subject": "Ghost 1", "predicate": "owns", "object": "the palace"} for turn in range(-1, 30)
    ]
    return json.dumps({"entities": [*ghosts, *json.loads(naming(request))["entities"]], "facts": facts})


async def _mine_and_read(settings: Settings, endpoint: Endpoint) -> list[ModelCall]:
    chosen = replace(settings, user="ada", llm_url=endpoint.address, llm_model=MODEL, llm_timeout=5.0)
    async with AsyncMemory(settings=chosen, background=False) as memory:
        await memory.usage.set_price(MODEL, input=INPUT, output=OUTPUT)
        llm = await memory._llms.get()
        for endpoint.phase, number in enumerate(_TALKS):
            name = f"talk-{number}"
            assert (await memory.mine(talk(number), conversation=name)).stored == len(talk(number))
            for _ in range(2):  # a job would try again
                try:
                    await extract_conversation(memory._database, memory.user_id, name, llm)
                    break
                except ModelUnavailable:
                    continue
        calls = await memory.usage.calls(1000)
        report = await memory.usage.report()
        assert report.total.cost == sum((call.cost or Decimal(0) for call in calls), Decimal(0))
        assert report.total.calls == len(calls) == len(endpoint.requests)
        return calls


@pytest.mark.slow
def test_whatever_the_llm_does_turns_are_there_and_costs_are_true(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "_PAUSE", 0.01)
    chance = random.Random(7)

    def behave(request: dict[str, Any]) -> Served | str:
        # A talk has the LLM in one state from its first call to its last.
        return (_down, _half_down, _lying)[endpoint.phase % 3](chance, request)

    with serving(behave) as endpoint:
        calls = asyncio.run(_mine_and_read(settings, endpoint))
        assert sum((call.cost or Decimal(0) for call in calls), Decimal(0)) == endpoint.cost > 0
        assert {"answered", "unusable", "refused", "lost"} == {call.outcome for call in calls}
    with connect(settings) as owner:
        assert not lost(owner, _TALKS)
        assert not inconsistencies(owner)
        ghosts = owner.execute("SELECT count(*) FROM entities WHERE name LIKE 'Ghost%'").fetchone()
        assert ghosts == (0,)
        stray = owner.execute(
            "SELECT count(*) FROM mentions x JOIN memories m USING (user_id, room, drawer) "
            "WHERE found_by = 'model' AND strpos(lower(m.content), lower(x.name)) = 0"
        ).fetchone()
        assert stray == (0,)
