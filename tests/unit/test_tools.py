"""ricordo.toolkit.vendors: the forms of the vendors, and that what a tool is told is what it takes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.settings import Settings
from ricordo.toolkit import Toolbox, for_anthropic, for_mcp, for_openai

#: Each vendor's way to what it is told of a tool, and its name for the schema of the arguments.
FORMS: list[tuple[Callable[..., Toolbox[Any]], str]] = [
    (for_openai, "parameters"),
    (for_anthropic, "input_schema"),
    (for_mcp, "inputSchema"),
]


def _told(box: Toolbox[Any]) -> list[dict[str, Any]]:
    return [each.get("function", each) for each in box.schemas]


@pytest.fixture
def unopened(settings: Settings) -> Memory:
    return Memory(settings=settings)


@pytest.mark.parametrize(("form", "schema"), FORMS)
def test_each_vendor_is_told_name_description_and_schema(
    unopened: Memory, form: Callable[..., Toolbox[Any]], schema: str
) -> None:
    box = form(unopened, "Sol")
    assert json.loads(json.dumps(box.schemas)) == box.schemas
    for told in _told(box):
        assert set(told) == {"name", "description", schema}
        assert len(told["description"]) > 60 and told["name"].isidentifier()
        assert told[schema]["type"] == "object" and told[schema]["additionalProperties"] is False
        assert set(told[schema]["required"]) <= set(told[schema]["properties"])
    assert [told["name"] for told in _told(box)] == list(box.handlers)
    assert {"save_to_journal", "save_to_core"} <= set(box.handlers)


def test_openai_wraps_each_as_a_function(unopened: Memory) -> None:
    assert [set(each) for each in for_openai(unopened, "Sol").schemas] == [{"type", "function"}] * len(
        unopened.tools.every()
    )
    assert {each["type"] for each in for_openai(unopened, "Sol").schemas} == {"function"}


@pytest.mark.parametrize("name", ["save_to_journal", "save_to_core"])
def test_the_savers_take_one_text(unopened: Memory, name: str) -> None:
    [told] = [each for each in _told(for_mcp(unopened, "Sol")) if each["name"] == name]
    assert list(told["inputSchema"]["properties"]) == told["inputSchema"]["required"] == ["content"]
    assert told["inputSchema"]["properties"]["content"]["type"] == "string"


def test_what_a_caller_changes_in_a_schema_does_not_reach_another(unopened: Memory) -> None:
    _told(for_mcp(unopened, "Sol"))[0]["inputSchema"]["properties"].clear()
    assert _told(for_mcp(unopened, "Sol"))[0]["inputSchema"]["properties"]


def test_a_handler_is_named_after_its_tool(unopened: Memory) -> None:
    for name, handler in for_openai(unopened, "Sol").handlers.items():
        assert handler.__name__ == name


@pytest.mark.parametrize(("given", "kept"), [(5, "5"), (0.5, "0.5"), (True, "true"), (" ünï \n", "ünï")])
def test_what_looks_like_text_is_kept_as_text(memory: Memory, given: Any, kept: str) -> None:
    memory.agents.create("Sol")
    assert for_openai(memory, "Sol").call("save_to_core", {"content": given})["content"] == kept


def test_an_unknown_tool_or_argument_is_named(memory: Memory) -> None:
    box = for_openai(memory, "Sol")
    assert "save_to_journal" in box.call("save", {})["error"]
    assert "'save'" in box.call("save", {})["error"]
    assert "colour" in box.handlers["save_to_core"](content="x", colour="red")["error"]


def test_a_closed_async_memory_answers_with_an_error(settings: Settings) -> None:
    async def run() -> None:
        memory = AsyncMemory(settings=settings)
        pending = for_openai(memory, "Sol").call("save_to_core", {"content": "x"})
        assert inspect.isawaitable(pending)
        assert list(await pending) == ["error"]
        async with memory:
            pass
        assert list(await for_openai(memory, "Sol").call("save_to_core", {"content": "x"})) == ["error"]

    anyio.run(run)
