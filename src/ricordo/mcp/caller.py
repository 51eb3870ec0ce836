"""Who calls: whose memory, as which agent, and what is open to them."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from ricordo.errors import NotFound, RicordoError, StoreError, told_afar

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory
    from ricordo.mcp.tools import Described
    from ricordo.models import Agent

log = logging.getLogger("ricordo")

#: Commands that messages name, and the tools that do the same for a client.
_TOOLS = (
    (re.compile("`ricordo palace tree`"), "the tool palace_tree"),
    (re.compile("`ricordo palace show '([^']*)'`"), r"the tool show and the pointer \1"),
    (re.compile("`ricordo entity list`"), "the tool entities"),
)


@dataclass(frozen=True)
class Caller:
    """A client's way into a memory. A server over HTTP makes one out of each request's key."""

    #: The memory, which may still be opening.
    memory: Callable[[], Awaitable[AsyncMemory]]
    #: The agent that speaks: an id, or a name; an agent of that name is made when it first saves something.
    agent: UUID | str
    #: Whether only what is the agent's own is open, as with an agent's key.
    agent_only: bool = False
    #: Whether the palace is open: recall, mining, the tree.
    palace: bool = True
    #: Whether anything may be changed.
    writes: bool = True
    #: The project that is worked on, if any: recall brings what belongs to it, and what the user's settings let in.
    project: str | None = None
    #: Whether the client need not be at this machine.
    is_afar: bool = False

    #: Whether this is an agent of another agent, which may only add what its parent is to review.
    is_subagent: bool = False

    def may(self, tool: Described) -> bool:
        """Whether a tool is open to the caller."""
        is_open = not tool.writes or (self.writes and (tool.name == "add_memory" or not self.is_subagent))
        return is_open and (self.palace or tool.area != "palace")

    def told(self, error: RicordoError) -> str:
        """An error's message for the caller."""
        if self.is_afar and isinstance(error, StoreError):
            log.warning("MCP: %s", error)
        text = told_afar(error) if self.is_afar else str(error)
        for command, tool in _TOOLS:
            text = command.sub(tool, text)
        return text


async def speaker(memory: AsyncMemory, caller: Caller) -> Agent | None:
    """The agent that speaks; None where none of its name is there yet."""
    try:
        return await memory.agents.get(caller.agent)
    except NotFound:
        return None
