"""What a subagent is called. It stands alone so that a server which must answer at once can import it."""

from __future__ import annotations


def is_subagent(agent: str) -> bool:
    """Whether this name of an agent is that of an agent of another one: `PARENT/NAME`."""
    return "/" in agent
