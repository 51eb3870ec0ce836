"""Row E9 of the contract: the MCP server, with the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx2
import pytest
import uvicorn
from mcp.shared.exceptions import MCPError
from starlette.types import Scope

from commands import program
from http_server import Server, running
from mcp_clients import Caller, on_http, on_stdio, until
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.mcp import Caller as Way
from ricordo.mcp import app
from ricordo.settings import Settings
from ricordo.text.tokens import tokens_in
from stores import connect
from talks import BATTERY, LISBON


def test_e9_at_most_ten_tools_whose_list_costs_under_2000_tokens(settings: Settings) -> None:
    async def listed() -> list[dict[str, object]]:
        async with on_stdio(settings) as call:
            tools = (await call.client.list_tools()).tools
            return [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools]

    tools = asyncio.run(listed())
    assert 1 <= len(tools) <= 10
    assert {"recall", "search_memories", "add_memory", "mine_conversation", "show", "forget"} <= {
        each["name"] for each in tools
    }
    assert tokens_in(json.dumps(tools)) < 2000


def test_e9_a_client_on_stdio_does_all_that_a_memory_is_for(with_vectors: Settings) -> None:
    async def scenario() -> None:
        async with on_stdio(with_vectors, "--agent", "navigator") as call:
            await _does_all(call)

    asyncio.run(scenario())


def test_e9_a_client_on_http_does_so_with_its_key_and_nobody_without(with_vectors: Settings) -> None:
    async def scenario() -> None:
        async with _served(with_vectors) as url:
            async with httpx2.AsyncClient(timeout=300) as nobody:
                refused = await nobody.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
                assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
            async with on_http(url, "rk_ada") as call:
                await _does_all(call)
            async with on_http(url, "rk_reader") as call:
                names = {each.name for each in (await call.client.list_tools()).tools}
                assert names == {"search_memories", "status"}
                for tool, arguments in (("recall", {"query": "cells"}), ("add_memory", {"content": "tea"})):
                    assert (await call.answer(tool, **arguments)).failed

    asyncio.run(scenario())


def test_e9_ricordo_serve_has_it_at_mcp_for_its_keys(settings: Settings) -> None:
    async def scenario(server: Server, readers: str, agents: str) -> None:
        url = f"{server.url}/mcp"
        async with on_http(url, server.token) as call:
            await _does_all(call)
            others = [each.name for each in (await call.client.list_tools()).tools]
        async with on_http(url, readers) as call:
            assert "LiFePO4" in await call("recall", query="Which cells are safer?")
            assert (await call.answer("add_memory", content="tea")).failed
        async with on_http(url, agents) as call:
            names = {each.name for each in (await call.client.list_tools()).tools}
            assert names == {"search_memories", "add_memory", "update_memory", "forget", "status"} < set(others)
            assert (await call.answer("recall", query="cells")).failed
            assert (await call.answer("add_memory", content="a note of the user's")).failed
            own = (await call("add_memory", content="I steer by the stars.", kind="core")).split()[-1]
            assert "stars" in await call("search_memories", query="stars")
            assert "units" not in await call("search_memories")  # that is another agent's
            await call("forget", id=own)

    with running(settings) as server:
        refused = server.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, token="rk_none")
        assert (refused.status_code, refused.json()["status"]) == (401, 401)
        with Memory(settings=replace(settings, user="ada"), background=False) as memory:
            memory.agents.create("pilot")
        asyncio.run(scenario(server, server.key(read_only=True), server.key(agent="pilot")))


def test_e9_an_open_session_over_http_ends_with_its_key(settings: Settings) -> None:
    async def scenario(server: Server, memory: Memory) -> None:
        made = await asyncio.to_thread(memory.keys.create, "short", expires_at=datetime.now(UTC) + timedelta(hours=1))
        async with on_http(f"{server.url}/mcp", made.token) as call:
            assert "Palace" in await call("status")
            with connect(server.settings) as owner:
                owner.execute("UPDATE api_keys SET expires_at = now() + interval '0.5 s' WHERE id = %s", [made.key.id])
            until_then = time.monotonic() + 20
            with pytest.raises(MCPError, match="error response"):  # as the SDK calls a 401
                while time.monotonic() < until_then:
                    await call("status")
                    await asyncio.sleep(0.05)
        assert server.ask("GET", "/v1/settings", token=made.token).status_code == 401

    with running(settings) as server, Memory(settings=replace(settings, user="ada"), background=False) as memory:
        asyncio.run(scenario(server, memory))


def test_e9_two_clients_and_a_command_share_one_store(settings: Settings) -> None:
    async def scenario() -> None:
        async with on_stdio(settings) as one, on_stdio(settings) as two:
            mined = [one("mine_conversation", conversation_id="cells", messages=BATTERY)]
            mined += [two("mine_conversation", conversation_id="trip", messages=LISBON)]
            mined += [call("mine_conversation", conversation_id="both", messages=BATTERY) for call in (one, two)]
            receipts = await asyncio.gather(*mined, asyncio.to_thread(program, settings, "palace", "tree"))
            assert [each.split(":")[0] for each in receipts[:2]] == ["stored", "stored"]
            assert sorted(str(each).split(":")[0] for each in receipts[2:4]) == ["duplicate", "stored"]
            ran = await asyncio.to_thread(program, settings, "recall", "Lisbon", "--json")
            assert "Lisbon" in ran.json["results"][0]["text"]
            for call in (one, two):
                assert "Lisbon in May" in await call("recall", query="When do Ines and I fly to Lisbon?")
                assert "Lindner" in await call("recall", query="Which pack do we take?")

    asyncio.run(scenario())


def test_only_what_an_answer_shows_is_on_record_as_read(settings: Settings) -> None:
    """Of each answer that is cut to its tokens: what was left out nobody has read."""
    talk = [{"role": "user", "content": f"Cells, number {number}: " + "lithium and iron " * 30} for number in range(9)]

    def read(memory: Memory, ids: list[UUID]) -> int:
        return sum(each.action == "read" for id in ids for each in memory.audit.of_memory(id))

    async def scenario(server: Server, memory: Memory) -> None:
        async with on_http(f"{server.url}/mcp", server.token) as call:
            await call("mine_conversation", conversation_id="cells", messages=talk)
            for number in range(5):
                await call("add_memory", content=f"Cells, note {number}: " + "lithium and iron " * 30)
                await call("add_memory", content=f"Cells, core {number}: " + "lithium and iron " * 30, kind="core")

            ids = [each.id for each in await asyncio.to_thread(memory.palace.show, "W-001/R-01")]
            kept = await asyncio.to_thread(memory.entries.page, ["note", "core"])
            ids += [each.id for each in kept.items]

            async def asked(shown: Callable[[], Awaitable[str]]) -> None:
                before = await asyncio.to_thread(read, memory, ids)
                text = await shown()
                looked = await asyncio.to_thread(read, memory, ids) - before
                assert looked == text.count("\n<memory pointer=") + text.count("\n- "), text

            async def prompted(topic: str | None) -> str:
                given = {"topic": topic} if topic else {}
                [message] = (await call.client.get_prompt("memory_context", given)).messages
                return message.content.text  # type: ignore[union-attr]

            for tokens in (200, 700, 20_000):
                await asked(lambda most=tokens: call("recall", query="Which cells?", limit=9, max_tokens=most))
                await asked(lambda most=tokens: call("search_memories", max_tokens=most))
                await asked(lambda most=tokens: call("search_memories", query="cells", max_tokens=most))
                await asked(lambda most=tokens: call("show", pointer="W-001/R-01", max_tokens=most))
            await asked(lambda: prompted(None))
            await asked(lambda: prompted("cells"))
            await asked(lambda: call("forget", id="W-001/R-01", dry_run=True))
            await asked(lambda: call("status"))

    with running(settings) as server, Memory(settings=replace(settings, user="ada"), background=False) as memory:
        asyncio.run(scenario(server, memory))


async def _does_all(call: Caller) -> None:
    assert "4 stored" in await call(
        "mine_conversation", conversation_id="cells", title="Cells", project="e-foil", messages=BATTERY
    )
    assert (await call("mine_conversation", conversation_id="cells", messages=BATTERY)).startswith("duplicate")
    found = await call("recall", query="Which pack did we choose?", limit=2)
    assert 'pointer="§ W-001/R-01/D-003"' in found
    assert "12V20Ah pack from Lindner" in found
    room = await call("show", pointer="W-001/R-01")
    assert room.count("<memory pointer=") == 4
    assert "e-foil" in await call("palace_tree")
    await call("mine_conversation", conversation_id="trip", messages=LISBON)
    assert "Lisbon (place" in await call("entities")
    assert "Ines (person" in await call("entities", name="Ines")
    saved = await call("add_memory", content="Ada takes her tea without milk.", tags=["likes"])
    note = saved.split()[-1]
    assert (await call("add_memory", content="Double-check units.", kind="core")).startswith("Stored as core")
    assert note in await call("search_memories", query="How does Ada take her tea?", kind="note")
    assert "Double-check units." in await call("search_memories", kind="core")
    await call("update_memory", id=note, content="Ada takes her tea with milk.")
    assert "with milk" in await call("search_memories", query="tea")
    await call("forget", id=note)
    assert "with milk" not in await call("search_memories", query="tea")
    await call("forget", id="W-001/R-01/D-003", reason="asked to")
    assert "12V20Ah" not in await call("recall", query="Which pack did we choose?")
    assert "7 turns" in await call("status")
    palace, turn = [
        (await call.client.read_resource(uri)).contents[0]
        for uri in ("ricordo://palace", "ricordo://palace/W-001/R-01/D-001")
    ]
    assert "e-foil" in palace.text  # type: ignore[union-attr]
    assert "Which cells" in turn.text  # type: ignore[union-attr]
    prompt = (await call.client.get_prompt("memory_context", {"topic": "cells"})).messages[0].content
    assert "Double-check units." in prompt.text  # type: ignore[union-attr]
    assert "LiFePO4 cells" in prompt.text  # type: ignore[union-attr]


@asynccontextmanager
async def _served(settings: Settings) -> AsyncIterator[str]:
    """A real HTTP server on loopback with the application; it knows a user's key, and an agent's that only reads."""
    async with AsyncMemory(settings=replace(settings, user="ada")) as memory:

        async def opened() -> AsyncMemory:
            return memory

        ways = {
            "Bearer rk_ada": Way(opened, "navigator"),
            "Bearer rk_reader": Way(opened, "navigator", agent_only=True, palace=False, writes=False),
        }

        async def caller_of(scope: Scope) -> Way | None:
            return ways.get(dict(scope["headers"]).get(b"authorization", b"").decode())

        application = app(caller_of)
        async with application.run():
            server = uvicorn.Server(uvicorn.Config(application, port=0, lifespan="off", log_level="error"))
            serving = asyncio.create_task(server.serve())
            await until(lambda: server.started)
            try:
                [listening] = server.servers
                yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp"
            finally:
                server.should_exit = True
                await serving
