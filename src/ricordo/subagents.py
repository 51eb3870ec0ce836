"""The naming of subagents, in a module of its own so that servers that must answer at once can import it."""

from __future__ import annotations


def is_subagent(agent: str) -> bool:
    """Whether an agent's name is that of a subagent: `PARENT/NAME`."""
    return "/" in agent
