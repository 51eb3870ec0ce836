"""What of an archive may come in where nobody says that it is the user's own: it is a document from outside.

The user's policies hold for it as for a write: secrets and personal data are redacted where texts stand and refused
elsewhere, and what would wait for a review cannot. It decides nothing for who loads it: it brings no settings, prices,
costs or policies, and no jobs, which could call a model that costs money.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ricordo import review
from ricordo.database import Table
from ricordo.errors import InvalidInput

_TRUST = "import it with --trust if the file is your own"
#: Tables that decide for the user: what may be done and paid, and what counts against caps.
DECIDING = frozenset(["settings", "model_prices", "model_calls"])
#: Columns in which what was said stands, or what somebody is called: redacted there, nothing else is changed by it.
_SAID: Mapping[str, frozenset[str]] = {
    "agents": frozenset(["system_prompt"]),
    "facts": frozenset(["value"]),
    "conversations": frozenset(["title", "project"]),
    "memories": frozenset(["content", "speaker", "tags", "metadata"]),
    "memory_history": frozenset(["content", "fields"]),
    "profiles": frozenset(["seed_entries"]),
    "proposals": frozenset(["content", "reason"]),
    "held_writes": frozenset(["content", "fields", "speaker"]),
    "run_outputs": frozenset(["payload"]),
    "runs": frozenset(["prompt"]),
    "users": frozenset(["names"]),
}
#: Ids and addresses, which are searched in no write either.
_IDS = frozenset(["external_id", "conversation_id", "project_id", "model", "rerank_model", "extract_model"])
_TEXTS = frozenset(["text", "text[]", "jsonb"])
#: Of a profile: each goes before what the user has chosen.
POLICIES = ("secrets", "personal_data", "review")


class Outsiders:
    """The gate of one archive. `policies` are those that the user had before."""

    def __init__(self, policies: review.Policies) -> None:
        self._screen = policies.screen
        self._reviewed = policies.review != "nothing"
        #: How many profiles came without the policies that they had.
        self.without_policies = 0

    def rows(self, table: Table, lines: Sequence[str], name: str, before: int) -> list[str]:
        """Rows of a table as they may come in; `name` is that of the file, which has `before` rows ahead of them.

        Raises InvalidInput, naming file and line, for what may not.
        """
        if self._screen.is_open and not self._reviewed and table.name not in ("memories", "profiles"):
            return [*lines]
        return [
            json.dumps(self._row(table, json.loads(line), f"{name}, {table.name}.jsonl, line {number}"))
            for number, line in enumerate(lines, before + 1)
        ]

    def _row(self, table: Table, row: dict[str, Any], where: str) -> dict[str, Any]:
        spoken = table.name == "memories" and row.get("kind") != "drawer"
        if self._reviewed and (spoken or (table.name == "agents" and row.get("system_prompt"))):
            problem = "would bypass the review that your settings require (`review`)"
            raise InvalidInput("source", f"{where} {problem}: {_TRUST}")
        if spoken and isinstance(row.get("content"), str):
            self._sayable(row, where)
        if table.name == "profiles" and (chosen := [each for each in POLICIES if row.get(each) is not None]):
            self.without_policies += 1
            row |= dict.fromkeys(chosen)
        if self._screen.is_open:
            return row
        return {name: self._value(table, row, name, where) for name in row}

    def _sayable(self, row: Mapping[str, Any], where: str) -> None:
        try:
            review.sayable(row["kind"], row["content"])
        except InvalidInput as error:
            raise InvalidInput("source", f"{where}, {error}, or {_TRUST}") from None
        if row["kind"] == "core" and row.get("source") == "tool":
            raise InvalidInput(
                "source", f"{where} is a core memory with the source tool, which is not allowed: {_TRUST}"
            )

    def _value(self, table: Table, row: Mapping[str, Any], name: str, where: str) -> Any:
        value = row[name]
        if value is None or name in _IDS or table.columns[name] not in _TEXTS:
            return value
        if name not in _SAID.get(table.name, ()):
            for text in _texts(value):
                self._guarded(self._screen.name, name, text, where)
            return value
        if table.name == "memories" and name in ("tags", "metadata"):
            return self._guarded(
                lambda _, given: review.screened(self._screen, row["kind"], {name: given})[name], name, value, where
            )
        if table.name == "run_outputs":
            return json.dumps(self._guarded(self._screen.value, name, json.loads(value), where))
        return self._guarded(self._screen.value, name, value, where)

    def _guarded(self, screened: Callable[[str, Any], Any], name: str, value: Any, where: str) -> Any:
        try:
            return screened(name, value)
        except InvalidInput as error:
            raise InvalidInput("source", f"{where}, {error}, or {_TRUST}") from None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
