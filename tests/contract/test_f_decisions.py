"""Facts that a person confirmed, corrected or rejected: in every interface, and whatever is read again later."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from commands import in_process
from consistency import inconsistencies
from http_server import running
from llm_server import MODEL, serving
from mcp_clients import on_stdio
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound
from ricordo.facts import extract_conversation
from ricordo.models import Relation
from ricordo.settings import Settings
from stores import connect

SAID = [
    "I live in Leeds, right by the canal.",
    "My sister Ines lives in Porto.",
    "I'm allergic to peanuts.",
    "I own a red canoe.",
]
#: What an LLM finds in these turns, named a little differently; and what it finds in them if it finds nothing.
ALIKE = [
    {"turn": 0, "subject": "I", "predicate": "lives_in", "object": "Leeds", "object_kind": "place"},
    {"turn": 1, "subject": "Ines", "predicate": "lives_in", "object": "Porto", "object_kind": "place"},
    {"turn": 2, "subject": "I", "predicate": "allergic_to", "object": "peanuts"},
    {"turn": 3, "subject": "I", "predicate": "owns", "object": "red canoe"},
]


def turns(*said: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text, "at": f"2026-02-0{n + 1}T12:00:00Z"} for n, text in enumerate(said)]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.mine(turns(*SAID), conversation="talk")
    return memory


def fact(memory: Memory, predicate: str, entity: str | None = None) -> Relation:
    [found] = [each for each in memory.entities.relations(entity, predicate=predicate) if each.valid_to is None][:1]
    return found


def objects(memory: Memory, predicate: str, entity: str | None = None) -> list[str]:
    return [each.object for each in memory.entities.relations(entity, predicate=predicate)]


def test_a_rejected_fact_is_nowhere_until_that_is_undone(filled: Memory) -> None:
    canoe = fact(filled, "owns")
    assert filled.facts.reject(canoe.id).object == canoe.object
    assert objects(filled, "owns") == [] and "canoe" not in filled.about().text
    assert [each.object for each in filled.facts.list(decision="rejected")] == [canoe.object]
    with pytest.raises(NotFound, match="was rejected or corrected: run `ricordo fact undo"):
        filled.facts.confirm(canoe.id)
    assert filled.facts.undo(canoe.id).object == canoe.object
    assert objects(filled, "owns") == [canoe.object] and filled.facts.list(decision="rejected") == []
    with pytest.raises(InvalidInput, match="neither confirmed"):
        filled.facts.undo(canoe.id)


def test_a_corrected_fact_cites_the_same_turn_and_keeps_its_time(filled: Memory) -> None:
    before = fact(filled, "lives_in", "Ines")
    after = filled.facts.correct(before.id, object="Braga", object_kind="place")
    assert (after.object, after.object_kind, after.confirmed, after.found_by) == ("Braga", "place", True, "manual")
    assert (after.sources, after.valid_from) == (before.sources, before.valid_from)
    assert objects(filled, "lives_in", "Ines") == ["Braga"]
    assert "Braga" in filled.about("Ines").text and "Porto" not in filled.about("Ines").text
    since = filled.facts.correct(after.id, since=datetime(2020, 5, 1, tzinfo=UTC))
    assert (since.object, since.valid_from) == ("Braga", datetime(2020, 5, 1, tzinfo=UTC))
    assert filled.facts.undo(since.id).valid_from == before.valid_from
    assert objects(filled, "lives_in", "Ines") == ["Braga"]
    assert filled.facts.undo(after.id).object == "Porto"
    assert not fact(filled, "lives_in", "Ines").confirmed
    with pytest.raises(InvalidInput, match="give object, since or both"):
        filled.facts.correct(before.id)


def test_a_confirmed_fact_ends_a_contradiction(memory: Memory) -> None:
    for conversation, place in (("a", "Hamburg"), ("b", "Berlin")):
        memory.mine(turns(f"Tom lives in {place}."), conversation=conversation)
    one, other = memory.entities.relations("Tom", predicate="lives_in")
    assert one.contradicts == (other.id,)
    confirmed = memory.facts.confirm(one.id)
    assert confirmed.confirmed and confirmed.contradicts == ()
    assert objects(memory, "lives_in", "Tom") == [one.object]
    memory.facts.undo(one.id)
    assert set(objects(memory, "lives_in", "Tom")) == {"Hamburg", "Berlin"}


def test_a_rejected_fact_may_be_stated_anew_later_but_not_by_an_older_turn(filled: Memory) -> None:
    filled.facts.reject(fact(filled, "allergic_to").id)
    filled.mine(turns("I'm allergic to peanuts."), conversation="older")
    assert objects(filled, "allergic_to") == []
    filled.mine([{"role": "user", "content": "I'm allergic to peanuts."}], conversation="now")
    assert objects(filled, "allergic_to") == ["peanuts"]


def test_recall_and_history_follow_a_decision(memory: Memory) -> None:
    memory.mine(turns("I live in Leeds, right by the canal.", "I live in Bristol now."), conversation="talk")
    question, now = "Where do I live?", datetime(2026, 3, 1, tzinfo=UTC)
    old = next(hit for hit in memory.recall(question, now=now) if "Leeds" in hit.text)
    assert old.superseded_by is not None
    [bristol] = [each for each in memory.entities.relations(predicate="lives_in") if each.object == "Bristol"]
    memory.facts.reject(bristol.id)
    old = next(hit for hit in memory.recall(question, now=now) if "Leeds" in hit.text)
    assert old.superseded_by is None and old.current


Decide = Callable[[Memory], tuple[str, str | None, list[str]]]


def _reject(memory: Memory) -> tuple[str, str | None, list[str]]:
    memory.facts.reject(fact(memory, "owns").id)
    return "owns", None, []


def _reject_in_other_words(memory: Memory) -> tuple[str, str | None, list[str]]:
    memory.facts.reject(fact(memory, "lives_in", "user").id)
    return "lives_in", "user", []


def _correct(memory: Memory) -> tuple[str, str | None, list[str]]:
    memory.facts.correct(fact(memory, "lives_in", "Ines").id, object="Braga")
    return "lives_in", "Ines", ["Braga"]


def _confirm(memory: Memory) -> tuple[str, str | None, list[str]]:
    memory.facts.confirm(fact(memory, "allergic_to").id)
    return "allergic_to", None, ["peanuts"]


@pytest.mark.parametrize("decide", [_reject, _reject_in_other_words, _correct, _confirm])
@pytest.mark.parametrize("found", [[], ALIKE], ids=["finds nothing", "finds the same"])
@pytest.mark.parametrize("mined_first", [True, False])
def test_a_decision_outlives_every_way_of_reading_again(
    settings: Settings, decide: Decide, found: list[dict[str, Any]], mined_first: bool
) -> None:
    def mine_again(memory: Memory) -> None:
        memory.mine(turns(*SAID, "Anyway, Ines sends her love from Porto."), conversation="talk")
        memory.mine(turns("Ines called Zora yesterday."), conversation="other")  # a new name has old blocks read again

    reply = json.dumps({"entities": [{"name": "Ines", "kind": "person"}], "facts": found})
    with serving(lambda _: reply) as endpoint:
        chosen = replace(settings, user="ada", llm_url=endpoint.address, llm_model=MODEL, llm_timeout=3.0)
        with Memory(settings=chosen, background=False) as memory:
            memory.mine(turns(*SAID), conversation="talk")
            predicate, entity, wanted = decide(memory)
            for step in (mine_again, _read) if mined_first else (_read, mine_again):
                step(memory)
                assert objects(memory, predicate, entity) == wanted
            with connect(chosen) as owner:
                assert inconsistencies(owner) == []


def _read(memory: Memory) -> None:
    async def read(inner: AsyncMemory) -> None:
        await extract_conversation(inner._database, inner.user_id, "talk", await inner._llms.get())

    memory._call(read, memory._inner)


def test_a_decision_goes_with_its_turn(filled: Memory) -> None:
    for predicate, entity in (("lives_in", "Ines"), ("owns", None)):
        found = fact(filled, predicate, entity)
        if entity:
            filled.facts.correct(found.id, object="Braga", object_kind="place")
        else:
            filled.facts.reject(found.id)
        receipt = filled.entries.forget_all([found.sources[0]])
        assert receipt.removed["facts"] >= 1 and not any(receipt.checked.values())
    assert filled.facts.list(decision="rejected") == []
    with pytest.raises(NotFound):
        filled.entities.get("Braga")
    with connect(filled.process_settings) as owner:
        assert owner.execute("SELECT count(*) FROM facts WHERE decision IS NOT NULL").fetchone() == (0,)


def test_decisions_are_of_one_user_alone_and_in_the_activity(filled: Memory) -> None:
    canoe = fact(filled, "owns")
    other = filled.of("eve")
    for decide in (other.facts.confirm, other.facts.reject, other.facts.undo, other.facts.get):
        with pytest.raises(NotFound):
            decide(canoe.id)
    filled.agents.create("coder")
    filled.facts.confirm(canoe.id)
    filled.facts.reject(canoe.id, agent="coder")
    filled.facts.undo(canoe.id)
    told = [(each.event, each.category) for each in filled.activity.list().items if each.event.startswith("fact_")]
    assert told == [
        ("fact_decision_undone", "user_action"), ("fact_rejected", "agent_action"), ("fact_confirmed", "user_action"),
    ]  # fmt: skip


def test_events_of_decisions_and_relations_state_the_fact(filled: Memory) -> None:
    canoe = fact(filled, "owns")
    before = canoe.text
    assert filled.facts.correct(canoe.id, object="kayak").object == "kayak"
    filled.facts.undo(canoe.id)
    filled.facts.reject(canoe.id)
    filled.entities.add_relation("Ines", "sister", "Marta")
    filled.entities.end_relation("Ines", "sister", "Marta")
    events = [each for each in filled.activity.list(["user_action"]).items if "fact" in each.payload]
    assert [each.text for each in events] == [
        "Relation ended: Ines's sister: Marta", "Relation added: Ines's sister: Marta", f"Fact rejected: {before}",
        f"Decision about a fact undone: {before}", f"Fact corrected: {before}",
    ]  # fmt: skip
    assert not any("canoe" in str(each.payload) or "Marta" in str(each.payload) for each in events)


def test_decisions_at_the_command_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = replace(settings, user="ada")
    with Memory(settings=ada, background=False) as memory:
        memory.mine(turns(*SAID), conversation="talk")
    ricordo = in_process(ada, monkeypatch, capsys)
    by_object = {each["object"]: each["id"] for each in ricordo("fact", "list", "--json").json}
    assert "Porto" in ricordo("fact", "list", "Ines").out
    assert "Braga  (confirmed)" in ricordo("fact", "correct", by_object["Porto"], "--object", "Braga").out
    assert ricordo("fact", "confirm", by_object["peanuts"], "--json").json["confirmed"]
    assert ricordo("fact", "reject", by_object["Leeds"]).code == 0
    assert "Leeds" in ricordo("fact", "list", "--decision", "rejected").out
    assert "Leeds" not in ricordo("about").out
    assert ricordo("fact", "undo", by_object["Leeds"]).code == 0
    assert "Leeds" in ricordo("about").out
    assert ricordo("fact", "confirm", str(UUID(int=1))).code == 3
    assert ricordo("fact", "correct", by_object["peanuts"]).code == 2


def test_decisions_over_http(settings: Settings) -> None:
    with running(settings) as server:
        with Memory(settings=replace(settings, user="ada"), background=False) as memory:
            memory.mine(turns(*SAID), conversation="talk")
        ids = {each["object"]: each["id"] for each in server.get("/v1/facts")["items"]}
        assert server.post(f"/v1/facts/{ids['peanuts']}/confirm")["confirmed"]
        corrected = server.good("PATCH", f"/v1/facts/{ids['Porto']}", {"object": "Braga"})
        assert server.get(f"/v1/facts/{corrected['id']}")["object"] == "Braga"
        server.post(f"/v1/facts/{ids['Leeds']}/reject")
        assert [each["object"] for each in server.get("/v1/facts?decision=rejected")["items"]] == ["Leeds", "Porto"]
        assert server.post(f"/v1/facts/{ids['Leeds']}/undo")["object"] == "Leeds"
        assert server.ask("PATCH", f"/v1/facts/{ids['peanuts']}", {"color": "red"}).status_code == 422
        assert server.ask("POST", f"/v1/facts/{ids['Leeds']}/reject", {}, token=server.key("eve")).status_code == 404


def test_decisions_by_mcp(settings: Settings) -> None:
    with Memory(settings=settings, background=False) as memory:
        memory.mine(turns(*SAID), conversation="talk")
        porto, canoe = fact(memory, "lives_in", "Ines"), fact(memory, "owns")

    async def scenario() -> None:
        async with on_stdio(settings) as call:
            assert str(porto.id) in await call("entities", name="Ines")
            assert "Confirmed: Ines lives in Porto" in (
                await call("update_memory", id=str(porto.id), content="Porto")
            ).replace("_", " ")
            assert "Corrected: Ines lives in Braga" in (
                await call("update_memory", id=str(porto.id), content="Braga")
            ).replace("_", " ")
            assert "Would reject" in await call("forget", id=str(canoe.id), dry_run=True)
            assert "Rejected" in await call("forget", id=str(canoe.id))
            assert "canoe" not in await call("entities", name="user")

    asyncio.run(scenario())
