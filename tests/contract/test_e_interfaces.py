"""E2, E4, E5 and E6 through each interface: the library, the command line, HTTP and MCP tell the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from commands import Command, in_process
from http_server import Server, running
from ricordo import mcp
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.mcp import calls
from ricordo.models import Change
from ricordo.settings import Settings
from ricordo.text.tokens import tokens_in

SPRING, AUTUMN = datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 9, 1, 12, tzinfo=UTC)
SUMMER = datetime(2026, 6, 1, 12, tzinfo=UTC)
QUESTION = "When do we deploy?"


@dataclass
class World:
    """One memory, by each of its resources."""

    memory: Memory
    run: Command
    server: Server

    def tool(self, tool: str, /, **given: Any) -> str:
        async def resource() -> Any:
            return self.memory._inner

        return self.memory._call(calls.call, mcp.Caller(resource, "coder"), tool, given)


@pytest.fixture
def world(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[World]:
    own = replace(settings, user="ada")
    run = in_process(own, monkeypatch, capsys)
    with Memory(settings=own, background=False) as memory, running(settings) as server:
        memory.agents.create("coder")
        turns = [
            {"role": "user", "name": "Ada", "content": f"We deploy on {day}.", "at": at}
            for day, at in (("Mondays", SPRING), ("Thursdays", AUTUMN - timedelta(days=30)))
        ]
        memory.mine(turns, conversation="talk")
        yield World(memory, run, server)


def test_e4_recall_as_of_a_moment_is_the_same_by_every_interface(world: World) -> None:
    library = [each.text for each in world.memory.recall(QUESTION, as_of=SUMMER)]
    assert library == ["We deploy on Mondays."] != [each.text for each in world.memory.recall(QUESTION)]
    told = world.run("recall", QUESTION, "--as-of", SUMMER.isoformat(), "--json").json
    assert [each["text"] for each in told["results"]] == library
    told = world.server.post("/v1/recall", {"question": QUESTION, "as_of": SUMMER.isoformat()})
    assert [each["text"] for each in told["results"]] == library
    block = world.tool("recall", query=QUESTION, until=SUMMER.date().isoformat())
    assert "Mondays" in block and "Thursdays" not in block


def test_e4_relations_as_of_a_moment_are_the_same_by_every_interface(world: World) -> None:
    for place, since in (("Lisbon", SPRING), ("Porto", AUTUMN)):
        world.memory.entities.add_relation("Tom", "lives_in", place, object_kind="place", since=since)
    for moment, place, other in ((SUMMER, "Lisbon", "Porto"), (AUTUMN + timedelta(days=1), "Porto", "Lisbon")):
        when = moment.isoformat()
        assert [each.object for each in world.memory.entities.relations("Tom", as_of=moment)] == [place]
        assert [each.name for each in world.memory.entities.neighbors("Tom", as_of=moment)] == [place]
        told = world.server.get("/v1/relations", params={"entity": "Tom", "as_of": when})["items"]
        assert [each["object"] for each in told] == [place]
        told = world.run("entity", "show", "Tom", "--as-of", when, "--json").json
        assert [each["object"] for each in told["relations"]] == [place]
        shown = world.tool("entities", name="Tom", as_of=moment.date().isoformat())
        assert place in shown and other not in shown


def test_e4_a_memory_as_of_a_moment_is_the_same_by_every_interface(world: World) -> None:
    [profile] = world.memory.profiles.list("coder")
    entry = world.memory.entries.write(profile.id, "Deploys happen on Mondays.").id
    time.sleep(0.02)
    before = datetime.now(UTC)
    time.sleep(0.02)
    world.memory.entries.edit(entry, "Deploys happen on Thursdays.")
    assert world.memory.entries.as_of(entry, before).content == "Deploys happen on Mondays."
    told = world.server.get(f"/v1/memories/{entry}/as-of", params={"moment": before.isoformat()})
    assert told["content"] == "Deploys happen on Mondays."
    told = world.run("memory", "history", str(entry), "--as-of", before.isoformat(), "--json").json
    assert [each["content"] for each in told] == ["Deploys happen on Mondays."]
    assert len(world.run("memory", "history", str(entry), "--json").json) == 2


def test_e6_every_context_keeps_to_its_budget_by_every_interface(world: World) -> None:
    memory = world.memory
    talk = [{"role": "user", "content": f"We deploy {each} services every Thursday at noon."} for each in range(40)]
    memory.mine(talk, conversation="more")
    [profile] = memory.profiles.list("coder")
    memory.profiles.change(profile.id, injection_limit=50)
    for each in range(40):
        memory.journal.save("coder", f"Entry {each}: deploys happen on Thursdays.\nÜber alles, 説明 {each}.")
        memory.core.save("coder", f"Core {each}: I never deploy on a Friday.")
        memory.entries.write(profile.id, f"Fact {each}: the deploy takes ten minutes.", confidence=each / 40)
    blocks: dict[str, Callable[[int], str | None]] = {
        "recall": lambda most: memory.recall(QUESTION, top_k=50, max_tokens=most).context,
        "recall by command": lambda most: world.run(
            "recall", QUESTION, "--top-k", "50", "--max-tokens", str(most), "--json"
        ).json["context"],
        "recall over HTTP": lambda most: world.server.post(
            "/v1/recall", {"question": QUESTION, "top_k": 50, "max_tokens": most}
        )["context"],
        "recall by MCP": lambda most: world.tool("recall", query=QUESTION, limit=50, max_tokens=most),
        "search by MCP": lambda most: world.tool("search_memories", query="deploy", limit=50, max_tokens=most),
        "journal": lambda most: memory.journal.context("coder", max_tokens=most),
        "journal by command": lambda most: world.run("journal", "context", "coder", "--max-tokens", str(most)).out[:-1],
        "journal over HTTP": lambda most: world.server.get(f"/v1/agents/coder/context?max_tokens={most}")["context"],
        "system message": lambda most: memory.journal.system_message("coder", max_tokens=most)["content"].partition(
            "You are coder."
        )[2],
        "system message over HTTP": lambda most: world.server.post(
            "/v1/agents/coder/system-message", {"max_tokens": most}
        )["content"].partition("You are coder.")[2],
        "run": lambda most: memory.runs.start("coder", "Go.", max_tokens=most).prompt,
        "run over HTTP": lambda most: world.server.post(
            "/v1/agents/coder/runs", {"template": "Go.", "max_tokens": most}
        )["prompt"],
    }  # fmt: skip
    for name, block in blocks.items():
        budgets = (200, 300, 1000) if "MCP" in name else (1, 60, 300, 1000)
        sizes = [tokens_in((block(most) or "").removesuffix("Go.").strip()) for most in budgets]
        assert "MCP" in name or sizes.pop(0) == 0, (name, sizes)
        assert all(size <= most for size, most in zip(sizes, budgets[-3:], strict=True)), (name, sizes)
        assert 150 < sizes[1] < sizes[2], (name, sizes)
    for wrong in (0, True, "many"):
        with pytest.raises(InvalidInput, match="max_tokens"):
            memory.journal.context("coder", max_tokens=wrong)  # type: ignore[arg-type]


def test_e6_what_has_no_room_is_left_out_whole_the_oldest_first(world: World) -> None:
    for each in range(5):
        world.memory.journal.save("coder", f"Entry {each}.")
    world.memory.core.save("coder", "I am careful.")
    block = world.memory.journal.context("coder", max_tokens=45) or ""
    assert "I am careful." in block and "Entry 4." in block and "Entry 0." not in block
    lines = [each for each in block.splitlines() if each.startswith("- [")]
    assert [line.rpartition("Entry ")[2] for line in lines] == sorted(line.rpartition("Entry ")[2] for line in lines)
    [first, *_] = [each for each in world.memory.journal.list("coder") if each.content == "Entry 0."]
    assert [each.action for each in world.memory.audit.of_memory(first.id)] == ["write", "read"]  # by this listing


def test_e5_a_run_is_replayed_the_same_by_every_interface(world: World) -> None:
    """What a run that goes on over HTTP was told, looked up and read, as it was then."""
    memory, server = world.memory, world.server
    [profile] = memory.profiles.list("coder")
    entry = memory.entries.write(profile.id, "Deploys happen on Mondays.", confidence=0.9).id
    note = memory.notes.create("The deploy needs a key.", retention="long_term").memory
    memory.core.save("coder", "I am careful.")
    run = server.post("/v1/agents/coder/runs", {"template": "Plan it."})
    of = {"run": run["id"]}
    recalled = server.post("/v1/recall", {"question": QUESTION, "agent": "coder", **of})["results"]
    server.get("/v1/agents/coder/context", params=of)
    server.post("/v1/search", {"query": "deploy", **of})
    pointer = recalled[0]["pointer"].removeprefix("§ ")
    server.get(f"/v1/palace/pointers/{pointer}", params=of)
    server.get(f"/v1/palace/around/{pointer}", params={**of, "before": 0, "after": 0})
    server.get(f"/v1/notes/{note.id}", params=of)
    time.sleep(0.02)
    before = datetime.now(UTC)
    time.sleep(0.02)
    server.good("PATCH", f"/v1/memories/{entry}", {"content": "Deploys happen on Fridays."})
    server.get(f"/v1/memories/{entry}", params=of)
    server.get(f"/v1/memories/{entry}/as-of", params={**of, "moment": before.isoformat()})
    server.get(f"/v1/memories/{entry}/history", params=of)
    server.good("PATCH", f"/v1/memories/{entry}", {"content": "Deploys happen never."})
    mondays, fridays = "Deploys happen on Mondays.", "Deploys happen on Fridays."
    wanted = [
        (mondays, "injection", "top_confidence"),
        *((each["text"], "recall", True) for each in recalled),
        ("I am careful.", "context", True),
        ("The deploy needs a key.", "search", True),
        (recalled[0]["text"], "rank", 1),
        (recalled[0]["text"], "rank", 1),
        ("The deploy needs a key.", "rank", 1),
        (fridays, "rank", 1),
        (mondays, "rank", 1),
        (mondays, "history", True),
        (fridays, "history", True),
    ]
    told = server.get(f"/v1/runs/{run['id']}/replay")
    assert [(each["text"], each["why"].get(name)) for each, (_, name, _) in zip(told["seen"], wanted, strict=True)] == [
        (text, value) for text, _, value in wanted
    ]
    assert told["run"]["prompt"] == "## Context Memory\n- [0.9] Deploys happen on Mondays.\n\nPlan it."
    assert told["seen"][0]["why"]["signals"]["confidence"] == 0.9
    assert told["seen"][1]["why"]["signals"] == recalled[0]["signals"]
    assert [each["kind"] for each in told["seen"][:3]] == ["entry", "drawer", "drawer"]
    assert memory.runs.replay(UUID(run["id"])).model_dump(mode="json") == told
    assert world.run("run", "replay", run["id"], "--json").json == told
    assert server.of("ada", agent="coder").get(f"/v1/runs/{run['id']}/replay") == told
    # Who looks at a replay reads, and is told of; a run of another agent's is none that an agent could name.
    looks = [each for each in memory.audit.of_memory(entry) if "replay" in each.context]
    assert [each.actor for each in looks] == ["user", "user", "user", "agent:coder"]
    memory.agents.create("other")
    refused = server.of("ada", agent="other", palace=True).ask("POST", "/v1/recall", {"question": QUESTION, **of})
    assert refused.status_code == 404


def test_e5_documents_are_replayed_by_their_values(world: World) -> None:
    memory = world.memory
    with memory.run("coder", "Go.") as run:
        memory.documents.write("files", [Change(("a",), "key", {"n": 1}), Change(("b",), "key", {"n": 2}, "a boat")])
        memory.documents.get("files", [(("a",), "key")], run=run.id)
        found = memory.documents.search("files", ("b",), query="boat", limit=1, run=run.id)
    memory.documents.write("files", [Change(("a",), "key", {"n": 3})])
    assert [each.text for each in memory.runs.replay(run.id).seen] == ['{"n": 1}', '{"n": 2}']
    memory.entries.redact(found[0].id)
    assert [each.text for each in memory.runs.replay(run.id).seen] == ['{"n": 1}', "[redacted]"]


@pytest.mark.parametrize("strategy", ["top_confidence", "recent", "relevant"])
def test_e6_what_had_no_room_in_a_run_is_no_read_of_it(world: World, strategy: Any) -> None:
    memory = world.memory
    [profile] = memory.profiles.list("coder")
    memory.profiles.change(profile.id, injection_strategy=strategy, injection_limit=50)
    ids = [
        memory.entries.write(profile.id, f"Deploy step {each}: wait.", confidence=each / 20).id for each in range(20)
    ]
    run = memory.runs.start("coder", "Which deploy step?", max_tokens=60)
    [read] = [each for each in memory.audit.of_run(run.id) if each.action == "read"]
    seen = memory.runs.replay(run.id).seen
    assert 2 < len(seen) < 10 and [each.memory_id for each in seen] == list(read.memory_ids)
    lines = [each.partition("] ")[2] for each in (run.prompt or "").splitlines() if each.startswith("- [")]
    assert [each.text for each in seen] == lines
    assert all(each.why["injection"] == strategy and each.why["signals"] for each in seen)
    left_out = [each for each in ids if each not in read.memory_ids]
    assert all([each.action for each in memory.audit.of_memory(id)] == ["write"] for id in left_out)


def test_a7_only_what_is_shown_is_read(world: World) -> None:
    """Where more is found than is shown, of notes in two tiers and of documents."""
    memory = world.memory
    for each in range(4):
        memory.notes.create(f"short boat {each}", retention="short_term", importance=9)
        memory.notes.create(f"stored boat {each}", importance=1)
        memory.documents.write("files", [Change((), str(each), {"n": each}, f"boat {each}")])
    with memory.run("coder", "Go.") as run:
        shown = [
            {each.id for each in memory.notes.search(limit=4, run=run.id)},
            {each.id for each in memory.notes.search("boat", limit=5, run=run.id)},
            {each.id for each in memory.documents.search("files", query="boat", limit=1, offset=2, run=run.id)},
            {
                each.id
                for each in memory.documents.search("files", query="boat", where=lambda v: v["n"] == 3, run=run.id)
            },
        ]
    reads = [each for each in memory.audit.of_run(run.id) if each.action == "read"]
    for read, ids in zip(reads[-4:], shown, strict=True):
        assert set(read.memory_ids) <= ids
    assert not reads[-4].memory_ids and len(reads[-2].memory_ids) == len(reads[-1].memory_ids) == 1


def test_e2_what_is_forgotten_by_any_interface_is_gone_for_all(world: World) -> None:
    memory = world.memory
    secret = "the fridge code is 4711"
    ways: dict[str, Callable[[str], object]] = {
        "library": lambda id: memory.entries.forget(id),  # type: ignore[arg-type]
        "command": lambda id: world.run("memory", "forget", id, "--json").json,
        "HTTP": lambda id: world.server.good("DELETE", f"/v1/memories/{id}"),
        "MCP": lambda id: world.tool("forget", id=id),
    }
    for number, (way, forget) in enumerate(ways.items()):
        said = f"{secret} {number}"
        receipt = memory.mine([{"role": "user", "content": said}], conversation=way)
        [drawer] = memory.palace.show(receipt.pointer or "")
        note = memory.notes.create(said).memory
        for id in (drawer.id, note.id):
            told = forget(str(id))
            assert way == "MCP" or not any(
                (told["checked"] if isinstance(told, dict) else told.checked).values()  # type: ignore[attr-defined]
            )
        assert memory.audit.absent(said).absent
        assert world.run("verify", "--absent", said).code == 0
