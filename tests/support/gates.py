"""The server's side of a memory (ricordo.api.serving), for synchronous tests."""

from __future__ import annotations

from typing import Any

from ricordo import Memory
from ricordo.blocking import Blocking
from ricordo.client import serving


def served(memory: Memory) -> Any:
    """Its methods, each waited for."""
    return Blocking(serving(memory._inner), memory._call)
