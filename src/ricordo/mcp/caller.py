"""Who calls: whose memory, as which agent, and what is open to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory
    from ricordo.mcp.tools import Described


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

    def may(self, tool: Described) -> bool:
        """Whether a tool is open to the caller."""
        return (self.palace or tool.area != "palace") and (self.writes or not tool.writes)
