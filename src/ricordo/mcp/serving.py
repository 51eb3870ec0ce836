"""The server over HTTP, as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ricordo.mcp.caller import Caller
from ricordo.mcp.server import make

#: Where a request's caller is kept in its ASGI scope.
_KEY = "ricordo.mcp.caller"


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
            body = {"error": "invalid_token", "error_description": "Send a valid key: Authorization: Bearer rk_…"}
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
