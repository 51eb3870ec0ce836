"""An agent's memory as tools for a language model, in the forms of OpenAI, Anthropic and MCP.

    tools = for_openai(memory, "Navigator")
    answer = client.chat.completions.create(model=…, messages=…, tools=tools.schemas)
    for each in answer.choices[0].message.tool_calls or []:
        result = tools.call(each.function.name, each.function.arguments)

With a Memory, `call` and the handlers answer at once; with an AsyncMemory they are awaited. They answer with data and
never raise into the model: what is wrong comes back as `{"error": …}`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload
from uuid import UUID

from ricordo.errors import RicordoError
from ricordo.toolkit.tool import Tool

if TYPE_CHECKING:
    from ricordo.blocking import Memory
    from ricordo.client import AsyncMemory

__all__ = ["Payload", "Tool", "Toolbox", "for_anthropic", "for_mcp", "for_openai"]

Payload = dict[str, Any]
#: Payload with a Memory, an awaitable of it with an AsyncMemory.
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Toolbox(Generic[Answer]):
    """The tools of one agent's memory."""

    #: What the model is told, in its vendor's form.
    schemas: list[dict[str, Any]]
    #: The tools as plain functions by name, which take their arguments by keyword.
    handlers: dict[str, Callable[..., Answer]]
    #: Calls a tool by name with its arguments, as an object or as JSON text.
    call: Callable[[str, Mapping[str, Any] | str | None], Answer]


@overload
def for_openai(memory: Memory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Payload]: ...
@overload
def for_openai(
    memory: AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None
) -> Toolbox[Awaitable[Payload]]: ...
def for_openai(memory: Memory | AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Any]:
    """The agent's tools in the format of chat completions. If `agent` is None, each tool answers that it works only in
    group conversations. Inside `memory.run(…) as run`, pass `run=run.id`, so that the run records what the tools read
    and wrote."""
    return _toolbox(memory, agent, run, lambda tool: {"type": "function", "function": _described(tool, "parameters")})


@overload
def for_anthropic(memory: Memory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Payload]: ...
@overload
def for_anthropic(
    memory: AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None
) -> Toolbox[Awaitable[Payload]]: ...
def for_anthropic(memory: Memory | AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Any]:
    """The agent's tools as Anthropic's messages take them. See `for_openai`."""
    return _toolbox(memory, agent, run, lambda tool: _described(tool, "input_schema"))


@overload
def for_mcp(memory: Memory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Payload]: ...
@overload
def for_mcp(
    memory: AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None
) -> Toolbox[Awaitable[Payload]]: ...
def for_mcp(memory: Memory | AsyncMemory, agent: UUID | str | None, *, run: UUID | None = None) -> Toolbox[Any]:
    """The agent's tools as an MCP server lists them. See `for_openai`."""
    return _toolbox(memory, agent, run, lambda tool: _described(tool, "inputSchema"))


def _described(tool: Tool, schema: str) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, schema: deepcopy(dict(tool.parameters))}


def _toolbox(
    memory: Memory | AsyncMemory,
    agent: UUID | str | None,
    run: UUID | None,
    form: Callable[[Tool], dict[str, Any]],
) -> Toolbox[Any]:
    def call(name: str, arguments: Mapping[str, Any] | str | None = None) -> Any:
        try:
            return memory.tools.call(agent, name, arguments, run=run)
        except RicordoError as error:  # a Memory that is closed
            return {"error": str(error)}

    def handler(name: str) -> Callable[..., Any]:
        def named(**arguments: Any) -> Any:
            return call(name, arguments)

        named.__name__ = named.__qualname__ = name
        return named

    every = memory.tools.every()
    return Toolbox([form(each) for each in every], {each.name: handler(each.name) for each in every}, call)
