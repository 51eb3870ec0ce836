"""The SDK's own client in tests, on pipes to a server of its own, and what it gets as text."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from commands import environment
from forking import Program
from ricordo.settings import Settings


class Answered(NamedTuple):
    """What a tool answered."""

    text: str
    failed: bool


class Caller:
    """A connected client."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """The text that a tool answers; it must not be an error."""
        answered = await self.answer(tool, **arguments)
        assert not answered.failed, answered.text
        return answered.text

    async def answer(self, tool: str, **arguments: Any) -> Answered:
        """What a tool answers, be it an error."""
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, TextContent)
        return Answered(content.text, bool(result.is_error))


@asynccontextmanager
async def on_stdio(settings: Settings, *options: str, folder: str = "/") -> AsyncIterator[Caller]:
    """A client with a server of its own, as an editor has it, which starts it in a folder."""
    arguments = ["-W", "error", "-m", "ricordo", "mcp", *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(settings), cwd=folder)
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(subprocess, "Popen", Program)
            client = await stack.enter_async_context(Client(stdio_client(server)))
        yield Caller(client)


@asynccontextmanager
async def on_http(url: str, key: str) -> AsyncIterator[Caller]:
    """A client of a server over HTTP, with a key."""
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=300)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        yield Caller(client)


async def until(look: Callable[[], Awaitable[str] | bool], text: str = "", seconds: float = 20) -> None:
    """Wait for a look to be true, or for what it brings to hold a text."""
    async with asyncio.timeout(seconds):
        while True:
            found = look()
            if found is True or (not isinstance(found, bool) and text in await found):
                return
            await asyncio.sleep(0.02)
