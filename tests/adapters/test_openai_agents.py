"""Row E10 of the contract: a session of the OpenAI Agents SDK, used by the SDK's own runner."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, Runner, function_tool
from agents.memory import Session, SessionSettings

from ricordo.adapters.openai_agents import RicordoSession
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput
from ricordo.settings import Settings
from scripted import openai_model

USER: Any = {"role": "user", "content": "My boat is called Dido."}
CALL: Any = {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": "{}", "id": "f1"}
OUTPUT: Any = {"type": "function_call_output", "call_id": "c1", "output": "high \u2191 " + "x" * 200_000}
REPLY: Any = {
    "type": "message", "id": "m1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "A fine name.", "annotations": []}],
}  # fmt: skip


def test_e10_openai_agents_items_come_back_as_they_went_in(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            session = RicordoSession(memory, "chat-1")
            assert isinstance(session, Session)
            assert await session.get_items() == []
            assert await session.pop_item() is None
            await session.add_items([])
            await session.add_items([USER])
            await session.add_items([CALL, OUTPUT, REPLY])
            again = RicordoSession(memory, "chat-1")
            assert await again.get_items() == [USER, CALL, OUTPUT, REPLY]
            assert await again.get_items(2) == [OUTPUT, REPLY]
            assert await again.get_items(0) == []
            assert await RicordoSession(memory, "chat-1", session_settings=SessionSettings(limit=1)).get_items() == [
                REPLY
            ]
            assert await again.pop_item() == REPLY
            assert await session.get_items() == [USER, CALL, OUTPUT]
            await session.add_items([REPLY])
            assert (await session.get_items())[-1] == REPLY
            await RicordoSession(memory, "chat-2").add_items([USER])
            await session.clear_session()
            assert await session.get_items() == []
            assert await RicordoSession(memory, "chat-2").get_items() == [USER]

    asyncio.run(scenario())


def test_e10_openai_agents_what_a_tool_prints_comes_back_as_it_was(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            session = RicordoSession(memory, "chat-1")
            odd = {**OUTPUT, "output": "ELF\0\0 \ud800 \ufdd0 \ufdd00000 \\u0000 日本 🛶"}
            await session.add_items([odd, {**USER, "content": "My boat\0 is called Dido."}])
            assert await session.get_items(1) == [{**USER, "content": "My boat\0 is called Dido."}]
            await session.pop_item()
            assert await session.get_items() == [odd]
            assert await session.pop_item() == odd

    asyncio.run(scenario())


def test_e10_openai_agents_what_is_refused_leaves_nothing_in_the_history(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            session = RicordoSession(memory, "chat-1")
            odd: list[Any] = ["text", [5], [None], USER, [USER, "text"], [{**USER, "at": object()}]]
            for items in odd:
                with pytest.raises(InvalidInput):
                    await session.add_items(items)
            assert await session.get_items() == []
            ids: list[Any] = ["", " ", None, 5, "x" * 501]
            for id in ids:
                with pytest.raises(InvalidInput, match="session_id"):
                    RicordoSession(memory, id)

    asyncio.run(scenario())


def test_e10_openai_agents_what_was_said_is_recalled_and_nothing_is_said_twice(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            session = RicordoSession(memory, "chat-1", project="Sailing")
            await session.add_items([USER, CALL, OUTPUT, REPLY])
            await session.add_items([USER])
            found = await memory.recall("How is the boat called?")
            assert found.results[0].text == USER["content"]
            assert {each.text for each in found} <= {USER["content"], "A fine name."}
            [wing] = await memory.palace.tree()
            assert (wing.name, wing.drawers) == ("Sailing", 3)
            await memory.settings.update(auto_mine=False)
            await session.add_items([USER])
            await RicordoSession(memory, "chat-2", mine=False).add_items([USER])
            assert (await memory.palace.tree())[0].drawers == 3
            assert len(await session.get_items()) == 6

    asyncio.run(scenario())


def test_e10_openai_agents_sessions_are_apart_by_agent_and_user(memory: Memory) -> None:
    async def scenario() -> None:
        mine, others = (RicordoSession(memory, "chat", agent=name, mine=False) for name in ("coder", "tester"))
        theirs = RicordoSession(memory.of("bo"), "chat", mine=False)
        await mine.add_items([USER])
        assert await others.get_items() == await theirs.get_items() == []
        assert await mine.get_items() == [USER]

    asyncio.run(scenario())


def test_e10_openai_agents_items_added_and_taken_at_the_same_time_are_each_there_once(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            sessions = [RicordoSession(memory, "chat", mine=False) for _ in range(2)]
            items: list[Any] = [{"role": "user", "content": str(number)} for number in range(8)]
            await asyncio.gather(*(sessions[number % 2].add_items([item]) for number, item in enumerate(items)))
            assert sorted(each["content"] for each in await sessions[0].get_items()) == list("01234567")  # type: ignore[typeddict-item]
            taken = await asyncio.gather(*(sessions[number % 2].pop_item() for number in range(8)))
            assert sorted(str(each["content"]) for each in taken if each) == list("01234567")  # type: ignore[typeddict-item]
            assert await sessions[1].get_items() == []

    asyncio.run(scenario())


def test_e10_openai_agents_a_runner_goes_on_with_a_session(memory: Memory) -> None:
    @function_tool
    def tide() -> str:
        """The tide now."""
        return "high water at noon"

    async def scenario() -> None:
        model = openai_model([("tide", {}), "High water at noon.", "You asked about the tide."])
        agent = Agent(name="Pilot", model=model, tools=[tide])
        first = await Runner.run(agent, "When is high water?", session=RicordoSession(memory, "chat"))
        assert first.final_output == "High water at noon."
        second = await Runner.run(agent, "What did I ask?", session=RicordoSession(memory, "chat"))
        assert second.final_output == "You asked about the tide."
        texts = str(model.inputs[-1])
        assert "When is high water?" in texts
        assert "high water at noon" in texts
        assert len(await RicordoSession(memory, "chat").get_items()) == 6

    asyncio.run(scenario())
    assert memory.recall("high water").results
