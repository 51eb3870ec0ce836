"""E2, E4 and E6 through each interface: the library, the command line, HTTP and MCP tell the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from commands import Command, in_process
from http_server import Server, running
from ricordo import InvalidInput, Memory, mcp
from ricordo.mcp import calls
from ricordo.settings import Settings
from ricordo.tokens import tokens_in

SPRING, AUTUMN = datetime(2026, 3, 1, 12, tzinfo=UTC), datetime(2026, 9, 1, 12, tzinfo=UTC)
SUMMER = datetime(2026, 6, 1, 12, tzinfo=UTC)
QUESTION = "When do we deploy?"


@dataclass
class World:
    """One memory, by each of its doors."""

    memory: Memory
    run: Command
    server: Server

    def tool(self, tool: str, /, **given: Any) -> str:
        async def door() -> Any:
            return self.memory._door

        return self.memory._call(calls.call, mcp.Caller(door, "coder"), tool, given)


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
        world.memory.entities.assert_relation("Tom", "lives_in", place, object_kind="place", since=since)
    for moment, place, other in ((SUMMER, "Lisbon", "Porto"), (AUTUMN + timedelta(days=1), "Porto", "Lisbon")):
        when = moment.isoformat()
        assert [each.object for each in world.memory.entities.relations("Tom", as_of=moment)] == [place]
        assert [each.name for each in world.memory.entities.neighbours("Tom", as_of=moment)] == [place]
        told = world.server.get("/v1/relations", params={"entity": "Tom", "as_of": when})["items"]
        assert [each["object"] for each in told] == [place]
        told = world.run("entity", "show", "Tom", "--as-of", when, "--json").json
        assert [each["object"] for each in told["relations"]] == [place]
        shown = world.tool("entities", name="Tom", as_of=moment.date().isoformat())
        assert place in shown and other not in shown


def test_e4_a_memory_as_of_a_moment_is_the_same_by_every_interface(world: World) -> None:
    [profile] = world.memory.profiles.list("coder")
    entry = world.memory.entries.write(profile.id, "Deploys happen on Mondays.")
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
    assert [each.action for each in world.memory.entries.accesses(first.id)] == ["write", "read"]  # by this listing


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
        note = memory.notes.create(said)
        for id in (drawer.id, note.id):
            told = forget(str(id))
            assert way == "MCP" or not any(
                (told["checked"] if isinstance(told, dict) else told.checked).values()  # type: ignore[attr-defined]
            )
        assert memory.audit.absent(said).absent
        assert world.run("verify", "--absent", said).code == 0
