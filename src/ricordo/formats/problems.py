"""How a reader tells what it left out or mended: bounded in number, and always printable."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from datetime import datetime

from ricordo.models import Problem

Sink = Callable[[Problem], None]

#: Where in a source a problem is: the number of a line, or of an element of a JSON list; with the number of a
#: message in the conversation that stands there; None for the whole source. All numbers are 1-based.
Where = int | tuple[int | None, int] | None

#: Problems that one file reports singly; the rest of a badly broken file is counted and told in one more.
PROBLEMS_A_FILE = 1000

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 48
_REPR.maxlevel = 2


class Reporter:
    """Reports the problems of one source, whose label it knows."""

    def __init__(self, label: str, sink: Sink) -> None:
        self.label = label
        self._sink = sink
        self._told = 0
        self._untold = 0
        self._untold_losses = 0

    def __call__(self, what: str, *, where: Where = None, lost: bool = True) -> None:
        """Reports `what`, and where it is."""
        line, message = where if isinstance(where, tuple) else (where, None)
        if self._told < PROBLEMS_A_FILE:
            self._told += 1
            what = what if message is None else f"message {message}: {what}"
            self._sink(Problem(path=self.label, line=line, what=what, lost=lost))
        else:
            self._untold += 1
            self._untold_losses += lost

    def about(self, label: str) -> Reporter:
        """A reporter for another file of the same export."""
        return Reporter(label, self._sink)

    def close(self) -> None:
        """Tells how many problems there were beyond those that were reported singly."""
        if self._untold:
            what = f"{self._untold:,} more problems of these kinds, {self._untold_losses:,} of them losses"
            self._sink(Problem(path=self.label, what=what, lost=self._untold_losses > 0))
            self._untold = self._untold_losses = 0


def shown(value: object) -> str:
    """`value` as a message may quote it: short, on one line, and free of what can't be printed."""
    return str(value) if isinstance(value, datetime) else _REPR.repr(value)


def kind(value: object) -> str:
    """What a JSON value is, in words: `a number`, `a list` …"""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"
