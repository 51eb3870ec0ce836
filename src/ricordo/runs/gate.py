"""The write gate: what the outputs of a run's nodes ask to remember is held here until the run has completed.

It checks and collects; it writes nothing. A write that breaks a rule is a problem, and a run with a problem writes
nothing at all: half of what an agent meant to remember can say the opposite of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ricordo import rules
from ricordo.errors import InvalidInput
from ricordo.models import WriteProblem

#: Where a node's output holds its writes (seed 000).
KEY = "__lf_memory_writes"
#: The most writes of one run.
MOST = 1000
_FIELDS = ("scope", "source", "content", "confidence", "expires_at", "metadata")


@dataclass(frozen=True)
class PendingWrite:
    """A well-formed write that waits for the end of its run; `fields` are those of `entries.write_entry`."""

    node: str
    index: int
    content: str
    fields: Mapping[str, Any]


class Gate:
    """The writes of one run. `conversation` is the run's, which writes of the scope `conversation` go to."""

    def __init__(self, conversation: str | None) -> None:
        self._conversation = conversation
        self.writes: list[PendingWrite] = []
        self.problems: list[WriteProblem] = []

    def collect(self, node: str, payload: object) -> None:
        """Take the writes out of a node's output, and note what is wrong with them; never raises for these.

        Only an array right at the output's top level counts. What is nested deeper is another's text, such as a
        tool's answer that a node passes on, and must not write into an agent's memory.
        """
        if not isinstance(payload, Mapping) or KEY not in payload:
            return
        array = payload[KEY]
        if not isinstance(array, list | tuple):
            self._report(node, None, f"{KEY}: must be an array of writes, not {type(array).__name__}")
        elif len(self.writes) + len(array) > MOST:
            self._report(node, None, f"{KEY}: with these {len(array):,} the run exceeds the limit of {MOST:,} writes")
        else:
            for index, element in enumerate(array):
                try:
                    self.writes.append(self._checked(node, index, element))
                except InvalidInput as error:
                    self._report(node, index, str(error))

    def _report(self, node: str, index: int | None, reason: str) -> None:
        self.problems.append(WriteProblem(node=node, index=index, reason=reason))

    def _checked(self, node: str, index: int, element: object) -> PendingWrite:
        """The write that an element of an array is, copied. Raises InvalidInput, naming the field."""
        if not isinstance(element, Mapping):
            raise InvalidInput(KEY, f"a write must be an object with named fields, not {type(element).__name__}")
        for name in element:
            if name not in _FIELDS:
                raise InvalidInput(
                    f"{str(name)[:50]!r}", f"unknown field of a write: expected one of {', '.join(_FIELDS)}"
                )
        given = {name: value for name, value in element.items() if value is not None}
        if given.get("scope") == "conversation" and self._conversation is None:
            raise InvalidInput("scope", "is 'conversation', but the run has no conversation: pass it to memory.run(…)")
        checks: dict[str, Callable[[Any], Any]] = {
            "scope": rules.scope,
            "source": rules.source,
            "confidence": rules.confidence,
            "expires_at": partial(rules.future, "expires_at"),
            "metadata": rules.metadata,
        }
        content = rules.text("content", given.get("content"), rules.LONGEST)
        fields = {name: check(given[name]) for name, check in checks.items() if name in given}
        return PendingWrite(node, index, content, fields)
