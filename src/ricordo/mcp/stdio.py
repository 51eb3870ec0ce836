"""The server for one client on standard input and output, as `ricordo mcp` runs it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ricordo.mcp.caller import Caller
from ricordo.mcp.early import Early
from ricordo.mcp.opening import Opening
from ricordo.mcp.pipes import Pipes, claimed
from ricordo.mcp.refusing import lacks_id, refusal
from ricordo.mcp.tools import TOOLS
from ricordo.settings import Settings
from ricordo.subagents import is_subagent

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory

log = logging.getLogger("ricordo")


@dataclass(frozen=True)
class Begun:
    """What a client said to a server that died, for the one that goes on in its stead."""

    #: Its lines, of which the new server needs to know.
    said: list[bytes]
    #: The ids of those among them that were answered.
    answered: set[int | str]
    #: The beginning of a line whose rest is to come.
    line: bytes


@dataclass(frozen=True)
class Project:
    """The project that a client works on, and its former name."""

    name: str | None
    former: str | None = None

    @classmethod
    def of(cls, chosen: str | None, folder: Path) -> Project:
        """The project of this name, or else of a folder."""
        from ricordo.formats.repository import former_project_of, project_of

        return cls(chosen) if chosen else cls(project_of(folder), former_project_of(folder))


async def serve_stdio(settings: Settings, agent: str, project: Project, begun: Begun | None = None) -> None:
    """Serve one client, as `agent` that works on `project`, until it closes its end or sends SIGTERM.

    The first requests, which every client sends, are answered at once. Then the SDK is loaded and the memory
    opened. On SIGTERM the process ends here, since a thread may wait for a client that does not read.
    """
    serving = asyncio.create_task(_serve(settings, agent, project, begun))
    if os.name == "posix":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    await asyncio.wait([serving])
    if serving.cancelled():
        os._exit(128 + signal.SIGTERM)
    serving.result()


async def serve_peer(descriptor: int, memory: AsyncMemory, agent: str, project: Project) -> None:
    """Serve one client over a socket, from a memory that is open, until it closes its end."""
    client = _Client(Pipes(descriptor, descriptor))

    async def opened() -> AsyncMemory:
        return memory

    caller = _caller(opened, agent, project)
    await _answer_early(client, caller)
    await _talk(client, caller)


async def _serve(settings: Settings, agent: str, project: Project, begun: Begun | None) -> None:
    with claimed(begun.line if begun else b"") as pipes:
        client = _Client(pipes, begun)
        async with Opening(lambda: _memory(settings)) as opening:
            caller = _caller(opening.memory, agent, project)
            if begun is None:
                await _answer_early(client, caller)
            opening.begin()
            await _talk(client, caller)


def _caller(memory: Callable[[], Awaitable[AsyncMemory]], agent: str, project: Project) -> Caller:
    former = project.former

    async def opened() -> AsyncMemory:
        nonlocal former
        found = await memory()
        if former is not None:
            from ricordo.client import in_project

            try:
                await in_project(found, project.name).follow(former)
            except Exception:  # the client's calls are answered without it
                log.exception("MCP: the memory of %r could not follow it to its remote", former)
            former = None
        return found

    return Caller(opened, agent, project=project.name, is_subagent=is_subagent(agent))


async def _answer_early(client: _Client, caller: Caller) -> None:
    """Answer what can be answered at once, while the SDK is loaded."""
    answering = asyncio.create_task(client.answer(Early([each for each in TOOLS if caller.may(each)])))
    await client.spoke.wait()
    await asyncio.to_thread(import_module, "ricordo.mcp.server")
    answering.cancel()
    await asyncio.wait([answering])


async def _talk(client: _Client, caller: Caller) -> None:
    """Let the SDK serve the client from here on."""
    from mcp.server.stdio import stdio_server

    from ricordo.mcp.server import make

    server = make(lambda _: caller)
    files: Any = client
    async with stdio_server(files, files) as (read, write):
        await server.run(read, write, server.create_initialization_options())


class _Client:
    """The client as the SDK meets it: all that it said since it began, and whatever it was told before is not said
    twice."""

    def __init__(self, pipes: Pipes, begun: Begun | None = None) -> None:
        self._pipes = pipes
        self._said: list[bytes] = list(begun.said) if begun else []
        #: Ids of requests that the SDK will answer once more.
        self._answered: set[int | str] = set(begun.answered) if begun else set()
        #: Whether it said anything, or went away.
        self.spoke = asyncio.Event()

    async def answer(self, early: Early) -> None:
        """Answer what can be answered without the SDK, up to the first line that cannot. May be cancelled."""
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
            if await self._is_message(line):
                yield line.decode(errors="replace")
        self._said.clear()
        async for line in self._pipes:
            if await self._is_message(line):
                yield line.decode(errors="replace")

    async def _is_message(self, line: bytes) -> bool:
        """Whether the SDK can read a line. One that it cannot it would pass over in silence: it is answered here."""
        from mcp_types import JSONRPCNotification, jsonrpc_message_adapter
        from pydantic import ValidationError

        if not line.strip():
            return False
        try:
            message = jsonrpc_message_adapter.validate_json(line.decode(errors="replace"), by_name=False)
        except ValidationError as fault:
            is_json = fault.errors(include_input=False, include_url=False)[0]["type"] != "json_invalid"
            await self._pipes.write(refusal(line, is_json=is_json))
            return False
        if isinstance(message, JSONRPCNotification) and lacks_id(json.loads(line.decode(errors="replace"))):
            await self._pipes.write(refusal(line, is_json=True))
            return False
        return True

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
