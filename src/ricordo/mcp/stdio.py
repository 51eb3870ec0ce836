"""The server for one client on standard input and output, as `ricordo mcp` runs it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ricordo.mcp.caller import Caller
from ricordo.mcp.early import Early
from ricordo.mcp.opening import Opening
from ricordo.mcp.pipes import Pipes, claimed
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory


async def serve_stdio(settings: Settings, agent: str) -> None:
    """Serve one client, as `agent`, until it closes its end or sends SIGTERM.

    What every client asks first is answered at once; behind that the SDK is loaded, and the memory opened. On SIGTERM
    the process ends here, since a thread may wait for a client that does not read.
    """
    serving = asyncio.create_task(_serve(settings, agent))
    if os.name == "posix":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    await asyncio.wait([serving])
    if serving.cancelled():
        os._exit(128 + signal.SIGTERM)
    serving.result()


async def _serve(settings: Settings, agent: str) -> None:
    with claimed() as pipes:
        client = _Client(pipes)
        answering = asyncio.create_task(client.answer())
        await client.spoke.wait()
        await asyncio.to_thread(import_module, "ricordo.mcp.server")
        answering.cancel()
        await asyncio.wait([answering])

        from mcp.server.stdio import stdio_server

        from ricordo.mcp.server import make

        async with Opening(lambda: _memory(settings)) as opening:
            opening.begin()
            caller = Caller(opening.memory, agent)
            server = make(lambda _: caller)
            files: Any = client
            async with stdio_server(files, files) as (read, write):
                await server.run(read, write, server.create_initialization_options())


class _Client:
    """The client as the SDK meets it: all that it said since it began, and whatever it was told before is not said
    twice."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._said: list[bytes] = []
        #: Ids of requests that the SDK will answer once more.
        self._answered: set[int | str] = set()
        #: Whether it said anything, or went away.
        self.spoke = asyncio.Event()

    async def answer(self) -> None:
        """Answer what can be answered without the SDK, up to the first line that cannot. May be cancelled."""
        early = Early()
        async for line in self._pipes:
            self._said.append(line)
            known = early.knows(line)
            if known is None:
                break
            id, text = known
            if id is not None:
                self._answered.add(id)
                await self._pipes.write(text)
            self.spoke.set()
        self.spoke.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._said:
            yield line.decode(errors="replace")
        self._said.clear()
        async for line in self._pipes:
            yield line.decode(errors="replace")

    async def write(self, line: str) -> None:
        """Send a message, unless it answers what is answered."""
        if self._answered and (id := json.loads(line).get("id")) in self._answered:
            self._answered.remove(id)
        else:
            await self._pipes.write(line)

    async def flush(self) -> None:
        """Nothing is held back."""


def _memory(settings: Settings) -> AsyncMemory:
    from ricordo.client import AsyncMemory

    return AsyncMemory(settings=settings)
