"""The server that the SDK drives: what a client may list and call, and the one table from errors to MCP's.

Until a call needs the memory nothing of the client is imported, so that the first answer comes at once.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from ricordo import __version__
from ricordo.errors import InvalidInput, NotFound, RicordoError
from ricordo.mcp.tools import ABOUT, BY_NAME, INSTRUCTIONS, PALACE, PROMPT, RESOURCES, TEMPLATES, TOOLS

if TYPE_CHECKING:
    from ricordo.mcp.caller import Caller

#: Tokens of a resource, which a person attaches and which therefore may be longer than a tool's answer.
_RESOURCE_TOKENS = 10_000
#: JSON-RPC's code of each error, most special class first.
_CODES: tuple[tuple[type[RicordoError], int], ...] = (
    (InvalidInput, types.INVALID_PARAMS),
    (NotFound, types.INVALID_PARAMS),
    (RicordoError, types.INTERNAL_ERROR),
)
Context = ServerRequestContext[Any, Any]

log = logging.getLogger("ricordo")


def make(caller_of: Callable[[Context], Caller]) -> Server[Any]:
    """A server for those whom `caller_of` tells by a request."""
    handlers = _Handlers(caller_of)
    return Server(
        "ricordo",
        version=__version__,
        title="Ricordo",
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


class _Handlers:
    """The answers to a client's requests."""

    def __init__(self, caller_of: Callable[[Context], Caller]) -> None:
        self._caller_of = caller_of

    async def list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        caller = self._caller_of(ctx)
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(each.listed) for each in TOOLS if caller.may(each)]
        )

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = self._caller_of(ctx)
        if params.name not in BY_NAME:
            there = ", ".join(BY_NAME)
            raise MCPError(types.INVALID_PARAMS, f"unknown tool {params.name[:60]!r}: expected one of {there}")
        try:
            return _text(await _called(caller, params.name, params.arguments))
        except RicordoError as error:
            return _text(caller.told(error), is_error=True)
        except Exception:  # the outermost edge: a fault of ours must not end the server, nor show its inside
            log.exception("the MCP tool %s failed", params.name)
            return _text(f"{params.name} failed with an internal error; see Ricordo's log", is_error=True)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        if not self._caller_of(ctx).palace:
            return types.ListResourcesResult(resources=[])
        return types.ListResourcesResult(resources=[types.Resource.model_validate(each) for each in RESOURCES])

    async def list_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        if not self._caller_of(ctx).palace:
            return types.ListResourceTemplatesResult(resource_templates=[])
        templates = [types.ResourceTemplate.model_validate(each) for each in TEMPLATES]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        caller = self._caller_of(ctx)
        if (name := _within(params.uri, ABOUT)) is not None:
            text = await _answered(caller, _about(caller, name or None))
            return _resource(params.uri, text, "text/markdown")
        pointer = _within(params.uri, PALACE)
        if pointer is None:
            raise MCPError(
                types.INVALID_PARAMS,
                f"resource {params.uri[:80]!r} not found: expected a URI such as {ABOUT} or {PALACE}/W-001/R-01/D-001",
            )
        tool = "palace_tree" if "/" not in pointer else "show"
        arguments: dict[str, Any] = {"max_tokens": _RESOURCE_TOKENS}
        if pointer:
            arguments["pointer" if tool == "show" else "wing"] = pointer
        return _resource(params.uri, await _answered(caller, _called(caller, tool, arguments)), "text/plain")

    async def list_prompts(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt.model_validate(PROMPT)])

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT["name"]:
            raise MCPError(types.INVALID_PARAMS, f"unknown prompt {params.name[:60]!r}: expected {PROMPT['name']}")
        given, named = params.arguments or {}, [each["name"] for each in PROMPT["arguments"]]
        if unknown := [each for each in given if each not in named]:
            told = f"{params.name} has no argument {unknown[0][:60]}: expected {' or '.join(named)}"
            raise MCPError(types.INVALID_PARAMS, told)
        caller = self._caller_of(ctx)
        text = await _answered(caller, _context(caller, given.get("topic"), given.get("project")))
        content = types.TextContent(type="text", text=text or "No memories about this yet.")
        return types.GetPromptResult(
            description="Memories from Ricordo", messages=[types.PromptMessage(role="user", content=content)]
        )


async def _called(caller: Caller, tool: str, arguments: Mapping[str, Any] | None) -> str:
    await caller.memory()  # with which what follows is imported
    from ricordo.mcp import calls

    return await calls.call(caller, tool, arguments)


async def _about(caller: Caller, name: str | None) -> str:
    await caller.memory()
    from ricordo.mcp.context import about

    return await about(caller, name, _RESOURCE_TOKENS)


async def _context(caller: Caller, topic: str | None, project: str | None) -> str:
    await caller.memory()
    from ricordo.mcp.context import opening_context

    return await opening_context(caller, topic=topic or None, project=project or None)


async def _answered(caller: Caller, text: Awaitable[str]) -> str:
    """The text, or the protocol's error for what keeps it from coming."""
    try:
        return await text
    except RicordoError as error:
        code = next(code for kind, code in _CODES if isinstance(error, kind))
        raise MCPError(code, caller.told(error)) from error


def _within(uri: str, scheme: str) -> str | None:
    """What follows in the URI of a resource, such as a pointer; empty for the scheme alone, None for another one."""
    text = unquote(uri)
    if text.rstrip("/") != scheme and not text.startswith(f"{scheme}/"):
        return None
    return text.removeprefix(scheme).strip("/")


def _resource(uri: str, text: str, mime_type: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text, mime_type=mime_type)])


def _text(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)
