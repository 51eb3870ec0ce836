"""The server on its two transports: a pair of pipes, and HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ricordo.mcp.caller import Caller
from ricordo.mcp.opening import Opening
from ricordo.mcp.server import make
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory

#: Where a request's caller is kept in its ASGI scope.
_KEY = "ricordo.mcp.caller"


async def serve_stdio(settings: Settings, agent: str) -> None:
    """Serve one client on standard input and output, as `agent`, until it closes them or sends SIGTERM.

    The memory is opened once the first request is answered. On SIGTERM the process ends here, since a thread of the
    SDK's waits for input and cannot be stopped otherwise.
    """
    opening = Opening(lambda: _memory(settings))
    caller = Caller(opening.memory, agent)
    server = make(lambda _: caller)

    async def opened_behind(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            return await call_next(ctx)
        finally:
            opening.begin()

    server.middleware.append(opened_behind)
    terminated = anyio.CancelScope()
    async with stdio_server() as (read, write):
        async with opening:
            loop = asyncio.get_running_loop()
            if hasattr(signal, "SIGTERM") and os.name == "posix":
                loop.add_signal_handler(signal.SIGTERM, terminated.cancel)
            with terminated:
                await server.run(read, write, server.create_initialization_options())
        if terminated.cancelled_caught:
            os._exit(128 + signal.SIGTERM)


class App:
    """The server as an ASGI application. It serves while its `run` is entered, which a mounting application does in
    its own lifespan: `async with mcp_app.run(): …`.

    Each request stands by itself (no sessions are kept), so that any process may answer any request.
    """

    def __init__(self, caller_of: Callable[[Scope], Awaitable[Caller | None]]) -> None:
        self._caller_of = caller_of
        server = make(_caller)
        self._manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve within this block. It can be entered once."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = await self._caller_of(scope)
        if caller is None:
            body = {"error": "invalid_token", "error_description": "A valid key is needed: Authorization: Bearer rk_…"}
            await JSONResponse(body, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
        else:
            await self._manager.handle_request({**scope, _KEY: caller}, receive, send)


def app(caller_of: Callable[[Scope], Awaitable[Caller | None]]) -> App:
    """An ASGI application for a route of its own, such as `/mcp`.

    `caller_of` tells by a request's ASGI scope (its headers) who calls; None is answered with 401, and what it raises
    is the mounting application's, which also checks keys, rates and the Host header.
    """
    return App(caller_of)


def _caller(ctx: ServerRequestContext[Any, Any]) -> Caller:
    assert ctx.request is not None
    caller = ctx.request.scope[_KEY]
    assert isinstance(caller, Caller)
    return caller


def _memory(settings: Settings) -> AsyncMemory:
    from ricordo.client import AsyncMemory

    return AsyncMemory(settings=settings)
