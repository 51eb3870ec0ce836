"""Row E10 of the contract: adapters that recall ahead of a turn and mine behind it, each in its own framework."""

from __future__ import annotations

import asyncio
import math
from typing import Any
from uuid import uuid4

import pytest
from agent_framework import Agent as FrameworkAgent
from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai import types
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from llama_index.core.llms import ChatMessage
from pydantic_ai import Agent
from pydantic_ai.exceptions import UnexpectedModelBehavior

import scripted
from ricordo.adapters.agent_framework import RicordoProvider
from ricordo.adapters.google_adk import RicordoMemoryService
from ricordo.adapters.langchain import RicordoMiddleware, RicordoRetriever
from ricordo.adapters.llama_index import RicordoBlock
from ricordo.adapters.pydantic_ai import RicordoMemory
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound
from ricordo.settings import Settings

FACT = "My boat is called Dido."
ASKED = "How is my boat called?"


def drawers(memory: Memory) -> list[tuple[str, str]]:
    """(conversation, text) of all that is in the palace, in order."""
    return sorted(
        (drawer.conversation, drawer.text)
        for wing in memory.palace.tree()
        for room in wing.rooms
        for drawer in memory.palace.show(room.pointer)
    )


def test_e10_pydantic_ai_recalls_ahead_and_mines_behind(memory: Memory) -> None:
    model, instructions = scripted.pydantic_ai_model(["A fine name.", "Dido.", "Dido."])
    pilot = Agent(model, instructions="Be brief.", capabilities=[RicordoMemory(memory, project="Sailing", agent="p")])
    first = asyncio.run(pilot.run(FACT, conversation_id="one"))
    asyncio.run(pilot.run(["Look.", ASKED], conversation_id="two", message_history=first.all_messages()))
    assert instructions[0] == "Be brief."
    assert FACT in instructions[1]
    assert "<memory_context>" in instructions[1]
    assert "Be brief." in instructions[1]
    said = [("one", "A fine name."), ("one", FACT), ("two", "Dido."), ("two", f"Look.\n{ASKED}")]
    assert drawers(memory) == said
    assert [each.name for each in memory.palace.tree()] == ["Sailing"]
    assert [each.name for each in memory.agents.list()] == ["p"]
    memory.agents.change("p", memory_disabled=True)
    memory.settings.update(auto_mine=False)
    asyncio.run(pilot.run(ASKED, conversation_id="three"))
    assert FACT not in instructions[2]
    assert drawers(memory) == said


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The turns before the questions that are recalled for."""
    seen: list[str | None] = []
    recall = AsyncMemory.recall

    async def watched(memory: AsyncMemory, question: str, **given: Any) -> Any:
        seen.append(given.get("context"))
        return await recall(memory, question, **given)

    monkeypatch.setattr(AsyncMemory, "recall", watched)
    return seen


def test_e10_pydantic_ai_recalls_with_the_agent_s_last_answer(memory: Memory, contexts: list[str | None]) -> None:
    model, _ = scripted.pydantic_ai_model(["A fine name.", "Dido."])
    pilot = Agent(model, capabilities=[RicordoMemory(memory)])
    first = asyncio.run(pilot.run(FACT, conversation_id="one"))
    asyncio.run(pilot.run(ASKED, conversation_id="one", message_history=first.all_messages()))
    assert contexts == [None, "A fine name."]


def test_e10_langchain_recalls_with_the_agent_s_last_answer(memory: Memory, contexts: list[str | None]) -> None:
    model = scripted.langchain_model(["A fine name.", "Dido."])
    pilot = create_agent(model, middleware=[RicordoMiddleware(memory)], checkpointer=InMemorySaver())
    for said in (FACT, ASKED):
        pilot.invoke({"messages": [("user", said)]}, {"configurable": {"thread_id": "one"}})
    assert contexts == [None, "A fine name."]


def test_e10_llama_index_recalls_with_the_agent_s_last_answer(memory: Memory, contexts: list[str | None]) -> None:
    block = RicordoBlock(memory)
    said = [("user", FACT), ("assistant", "A fine name."), ("user", ASKED), ("assistant", "Dido.")]
    messages = [ChatMessage(role=role, content=text) for role, text in said]
    for count in (1, 3, 4):
        asyncio.run(block.aget(messages[:count], session_id="one"))
    assert contexts == [None, "A fine name.", "A fine name."]


def test_e10_last_time_is_not_the_conversation_in_progress(memory: Memory) -> None:
    model, instructions = scripted.pydantic_ai_model(["A fine name.", "Dido.", "The name."])
    pilot = Agent(model, capabilities=[RicordoMemory(memory)])
    asyncio.run(pilot.run(FACT, conversation_id="one"))
    asyncio.run(pilot.run("The mast is of spruce.", conversation_id="two"))
    asyncio.run(pilot.run("What did we talk about last time?", conversation_id="two"))
    assert FACT in instructions[2]
    assert "spruce" not in instructions[2]


def test_e10_an_agent_that_keeps_to_one_wing_starts_without_it(memory: Memory) -> None:
    model, instructions = scripted.pydantic_ai_model(["A fine name.", "Dido."])
    pilot = Agent(model, capabilities=[RicordoMemory(memory, project="Sailing", wing="Sailing")])
    asyncio.run(pilot.run(FACT))
    asyncio.run(pilot.run(ASKED))
    assert FACT in instructions[1]
    assert RicordoRetriever(memory, wing="Nowhere").invoke(ASKED) == []
    with pytest.raises(NotFound):  # an agent is another matter
        RicordoRetriever(memory, agent=uuid4(), wing="Sailing").invoke(ASKED)


def test_e10_a_conversation_that_cannot_be_kept_is_refused_before_a_model_answers(memory: Memory) -> None:
    for id in ("", " ", "a\0", "x" * 501):
        model, asked = scripted.pydantic_ai_model(["Dido."])
        with pytest.raises(InvalidInput, match="conversation"):
            asyncio.run(Agent(model, capabilities=[RicordoMemory(memory)]).run(ASKED, conversation_id=id))
        assert asked == []
        chat = scripted.langchain_model(["Dido."])
        pilot = create_agent(chat, middleware=[RicordoMiddleware(memory)], checkpointer=InMemorySaver())
        with pytest.raises(InvalidInput, match="conversation"):
            pilot.invoke({"messages": [("user", ASKED)]}, {"configurable": {"thread_id": id}})
        assert chat.prompts == []
    client = scripted.agent_framework_client(["Dido."])
    framework_pilot: Any = FrameworkAgent(client, context_providers=[RicordoProvider(memory)])
    with pytest.raises(InvalidInput, match="conversation"):
        asyncio.run(framework_pilot.run(ASKED, session=framework_pilot.create_session(session_id=" ")))


def test_e10_what_an_adapter_does_not_know_is_refused(memory: Memory) -> None:
    for make in (
        lambda: RicordoRetriever(memory, filter={"speaker": "Ada"}),
        lambda: RicordoRetriever(memory, search_kwargs={"k": 1}),
        lambda: RicordoRetriever(memory).invoke(ASKED, filter={"speaker": "Ada"}),
        lambda: asyncio.run(RicordoRetriever(memory).ainvoke(ASKED, k=1)),
        lambda: RicordoBlock(memory, filters={"speaker": "Ada"}),
    ):
        with pytest.raises(InvalidInput, match="unknown argument: remove it"):
            make()
    assert RicordoRetriever(memory, tags=["a"]).invoke(ASKED) == []


def test_e10_a_turn_that_cannot_be_kept_is_logged(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    model, _ = scripted.pydantic_ai_model(["x" * 1_000_001])
    asyncio.run(Agent(model, capabilities=[RicordoMemory(memory)]).run(FACT, conversation_id="one"))
    assert drawers(memory) == [("one", FACT)]
    assert [each for each in caplog.messages if "'one' was not stored" in each and "1,000,000" in each]


def test_e10_google_adk_no_name_leads_to_the_memory_of_another_user(memory: Memory) -> None:
    async def scenario() -> None:
        service = RicordoMemoryService(memory)
        users = [("x", "y/z"), ("x/y", "z"), ("x%2Fy", "z"), ("x/y%2Fz", "z"), ("x", "y")]
        for number, (app, user) in enumerate(users):
            said = Event(
                author="user", content=types.Content(role="user", parts=[types.Part(text=f"My boat {number}.")])
            )
            await service.add_session_to_memory(Session(id="s", app_name=app, user_id=user, events=[said]))
        for number, (app, user) in enumerate(users):
            found = await service.search_memory(app_name=app, user_id=user, query="boat\0")
            assert [each.content.parts[0].text for each in found.memories if each.content.parts] == [
                f"My boat {number}."
            ]
        names: list[Any] = [("", "u"), ("a", ""), ("a", "u "), (None, "u"), ("a", 5)]
        for app, user in names:
            with pytest.raises(InvalidInput, match=r"app_name|user_id"):
                await service.search_memory(app_name=app, user_id=user, query="boat")
        for moment in (1e15, math.nan):
            late = Event(author="user", content=types.Content(parts=[types.Part(text="x")]), timestamp=moment)
            with pytest.raises(InvalidInput, match="invalid timestamp"):
                await service.add_session_to_memory(Session(id="s", app_name="x", user_id="y", events=[late]))
        notes = [MemoryEntry(content=types.Content(parts=[types.Part(text=text)])) for text in ("good", " ")]
        with pytest.raises(InvalidInput, match=r"memories\[1\]: has no text"):
            await service.add_memory(app_name="n", user_id="n", memories=notes)
        assert (await service.search_memory(app_name="n", user_id="n", query="good")).memories == []

    asyncio.run(scenario())


def test_e10_pydantic_ai_a_run_that_fails_is_not_mined(memory: Memory) -> None:
    model, _ = scripted.pydantic_ai_model(["no number", "no number"])
    with pytest.raises(UnexpectedModelBehavior):
        asyncio.run(Agent(model, output_type=int, capabilities=[RicordoMemory(memory)]).run(FACT))
    assert drawers(memory) == []


def test_e10_langchain_the_middleware_recalls_ahead_and_mines_behind(memory: Memory) -> None:
    model = scripted.langchain_model(["A fine name.", "Dido.", "Indeed."])
    middleware = RicordoMiddleware(memory, project="Sailing")
    pilot = create_agent(model, system_prompt="Be brief.", middleware=[middleware], checkpointer=InMemorySaver())
    for thread, said in (("one", FACT), ("two", ASKED), ("one", "Yes.")):
        pilot.invoke({"messages": [("user", said)]}, {"configurable": {"thread_id": thread}})
    assert model.prompts[0][0].text == "Be brief."
    assert FACT in model.prompts[1][0].text
    assert model.prompts[1][0].text.endswith("Be brief.")
    said_in_all = [
        ("one", "A fine name."),
        ("one", "Indeed."),
        ("one", FACT),
        ("one", "Yes."),
        ("two", "Dido."),
        ("two", ASKED),
    ]
    assert drawers(memory) == sorted(said_in_all)


def test_e10_langchain_an_agent_without_a_thread_needs_a_conversation(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            model = scripted.langchain_model(["A fine name.", "Dido."])
            with pytest.raises(InvalidInput, match="conversation"):
                await create_agent(model, middleware=[RicordoMiddleware(memory)]).ainvoke(
                    {"messages": [("user", FACT)]}
                )
            pilot = create_agent(model, middleware=[RicordoMiddleware(memory, conversation="talk")])
            first = await pilot.ainvoke({"messages": [("user", FACT)]})
            again = [("user", FACT), ("assistant", first["messages"][-1].text), ("user", ASKED)]
            await pilot.ainvoke({"messages": again})
            assert (await memory.palace.tree())[0].drawers == 4
            with pytest.raises(InvalidInput, match="AsyncMemory"):
                pilot.invoke({"messages": [HumanMessage(FACT)]})
            documents = await RicordoRetriever(memory, top_k=2).ainvoke(ASKED)
            assert FACT in [each.page_content for each in documents]
            assert {each.metadata["conversation"] for each in documents} == {"talk"}
            assert await RicordoRetriever(memory).ainvoke(" ") == []

    asyncio.run(scenario())


def test_e10_llama_index_the_block_brings_back_what_left_the_short_term_memory(memory: Memory) -> None:
    async def scenario() -> None:
        block = RicordoBlock(memory, project="Sailing")
        assert await block.aget([ChatMessage(role="user", content=ASKED)]) == ""
        turns = [ChatMessage(role="user", content=FACT), ChatMessage(role="assistant", content="A fine name.")]
        await block.aput([*turns, ChatMessage(role="system", content="Be brief.")], True, "one")
        assert FACT in await block.aget([ChatMessage(role="user", content=ASKED)], session_id="two")
        assert await block.aget([]) == ""
        with pytest.raises(InvalidInput, match="conversation"):
            await block.aput([ChatMessage(role="user", content="Whose session?")])
        await RicordoBlock(memory, accept_short_term_memory=False).aput(turns, True, "two")

    asyncio.run(scenario())
    assert drawers(memory) == [("one", "A fine name."), ("one", FACT)]


def _event(id: str, author: str, text: str, **fields: Any) -> Event:
    content = types.Content(role="user" if author == "user" else "model", parts=[types.Part(text=text)])
    return Event(id=id, author=author, content=content, timestamp=1_760_000_000.0, **fields)


def test_e10_google_adk_sessions_and_memories_are_found_by_their_own_user_alone(memory: Memory) -> None:
    async def scenario() -> None:
        service = RicordoMemoryService(memory)
        ada = {"app_name": "harbour", "user_id": "ada"}
        events = [
            _event("e1", "user", FACT),
            _event("e2", "pilot", "A fi", partial=True),
            _event("e3", "pilot", "A fine name."),
        ]
        session = Session(id="one", events=events, **ada)
        await service.add_session_to_memory(session)
        await service.add_session_to_memory(session)
        await service.add_events_to_memory(
            **ada, events=[_event("e4", "user", "The boat lies in Lisbon.")], session_id="one"
        )
        entry = MemoryEntry(
            content=types.Content(parts=[types.Part(text="Boat paint: blue.")]), custom_metadata={"a": 1}
        )
        await service.add_memory(**ada, memories=[entry], custom_metadata={"b": 2})
        found = (await service.search_memory(**ada, query="boat called Dido paint")).memories
        assert [each.content.parts[0].text for each in found[:2]] == ["Boat paint: blue.", FACT]
        assert found[0].custom_metadata == {"a": 1, "b": 2}
        assert (found[1].author, found[1].custom_metadata["session_id"]) == ("user", "one")
        assert found[1].timestamp.startswith("2025-10-09")
        for other in ({"app_name": "harbour", "user_id": "bo"}, {"app_name": "yard", "user_id": "ada"}):
            assert (await service.search_memory(**other, query="boat called Dido paint")).memories == []
            with pytest.raises(NotFound):
                await service.delete_memory(**other, memory_id=found[1].id)
        for each in found[:2]:
            await service.delete_memory(**ada, memory_id=each.id)
        await service.add_session_to_memory(session)
        left = (await service.search_memory(**ada, query="boat called Dido paint")).memories
        assert FACT not in [each.content.parts[0].text for each in left]
        assert "Boat paint: blue." not in [each.content.parts[0].text for each in left]
        assert (await service.search_memory(**ada, query=" ")).memories == []
        with pytest.raises(InvalidInput, match="ttl"):
            await service.add_events_to_memory(**ada, events=[], custom_metadata={"ttl": 1})
        with pytest.raises(InvalidInput, match="memory_id"):
            await service.delete_memory(**ada, memory_id="e1")

    asyncio.run(scenario())
    assert len(drawers(memory.of("harbour/ada"))) == 3
    assert drawers(memory) == []


def test_e10_agent_framework_recalls_ahead_and_mines_behind(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            client = scripted.agent_framework_client(["A fine name.", "Dido."])
            pilot = FrameworkAgent(client, instructions="Be brief.", context_providers=[RicordoProvider(memory)])
            session = pilot.create_session()
            await pilot.run(FACT, session=session)
            await pilot.run(ASKED, session=pilot.create_session())
            assert "<memory_context>" not in client.instructions[0]
            assert FACT in client.instructions[1]
            assert "Be brief." in client.instructions[1]
            wings = await memory.palace.tree()
            assert sum(each.drawers for each in wings) == 4
            found = await memory.recall("What is called Dido?")
            assert (found.results[0].text, found.results[0].conversation) == (FACT, session.session_id)

    asyncio.run(scenario())
