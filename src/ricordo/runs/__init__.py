"""A run of an agent: injection before it, the write gate around it, and what it saw."""

from ricordo.runs import stepwise, store
from ricordo.runs.gate import KEY
from ricordo.runs.replay import seen
from ricordo.runs.run import OpenRun, begin, complete, drop, inject, question
from ricordo.runs.store import find, listed

__all__ = [
    "KEY",
    "OpenRun",
    "begin",
    "complete",
    "drop",
    "find",
    "inject",
    "listed",
    "question",
    "seen",
    "stepwise",
    "store",
]
