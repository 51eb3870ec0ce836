"""The MCP server at /mcp, for the same keys as the API, where its extra is installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from starlette.routing import Route
from starlette.types import Scope

from ricordo.client import AsyncMemory
from ricordo.extras import missing
from ricordo.http.access import Caller, Gate
from ricordo.subagents import is_subagent

PATH = "/mcp"
#: Whose journal and core it is where neither the key nor the address names an agent.
_AGENT = "mcp"


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[None]:
    """Serve MCP at its path within this block, in which the gate of `app` stands."""
    if missing("mcp", "jsonschema"):
        yield
        return
    from ricordo import mcp

    async def caller_of(scope: Scope) -> mcp.Caller:
        request = Request(scope)
        gate: Gate = app.state.gate
        holder = await gate.identify(request)
        memory = gate.memory.of(holder.user)
        request.state.caller = Caller(holder, memory)  # for the line in the log

        async def opened() -> AsyncMemory:
            return memory

        given = request.query_params
        named = given.get("agent", _AGENT)[:200]
        if holder.agent is not None:
            named = (await memory.agents.get(holder.agent)).name
        return mcp.Caller(
            opened,
            holder.agent or named,
            agent_only=holder.agent is not None,
            palace=holder.palace,
            writes=not holder.read_only,
            is_afar=True,
            is_subagent=is_subagent(named),
            project=given.get("project") or None,
        )

    server = mcp.app(caller_of)
    route = Route(PATH, server, name="mcp", include_in_schema=False)
    app.router.routes.append(route)
    try:
        async with server.run():
            yield
    finally:
        app.router.routes.remove(route)
