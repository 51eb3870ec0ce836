"""An agent's run: injection before it, the write gate around it, replay after it."""

from ricordo.runs import stepwise, store
from ricordo.runs.gate import KEY
from ricordo.runs.replay import seen
from ricordo.runs.run import OpenRun, begin, complete, drop, inject, prepare, question
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
    "prepare",
    "question",
    "seen",
    "stepwise",
    "store",
]
