"""What one question to an LLM may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """Seconds in all, tokens of a reply, how often a call that failed is tried, and whether a reply of no use is asked
    for once more."""

    seconds: float
    tokens: int
    tries: int = 1
    once_more: bool = False
