"""What PostgreSQL did for each statement that a program sent: the rows that its plan's nodes handled.

auto_explain reports every plan, also those of triggers and functions, as a notice to the connection that ran it. So a
test needs no list of statements, and no clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.errors import Diagnostic

from ricordo.settings import Settings
from stores import connect

_SETTINGS = {
    "session_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
    "auto_explain.log_nested_statements": "on",
}
#: Of a node in a plan: rows that came out of it, and rows that it looked at in vain.
_HANDLED = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck")


@dataclass
class Plans:
    """The plans that were reported since the last `clear`: text of the statement, and rows handled."""

    seen: list[tuple[str, int]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return sum(rows for _, rows in self.seen)

    def note(self, said: Diagnostic) -> None:
        before, between, plan = (said.message_primary or "").partition("plan:\n")
        if between and before.startswith("duration:"):
            told = json.loads(plan)
            self.seen.append((" ".join(told["Query Text"].split()), handled(told["Plan"])))

    def worst(self, count: int = 3) -> str:
        """The statements that handled the most rows, for a failure's message."""
        return "\n".join(
            f"{rows:,}: {text[:400]}" for text, rows in sorted(self.seen, key=lambda each: -each[1])[:count]
        )


def handled(node: Mapping[str, Any]) -> int:
    """The rows that a node and those below it handled, each as often as it was repeated."""
    own = node.get("Actual Loops", 1) * sum(node.get(name, 0) for name in _HANDLED)
    return round(own) + sum(handled(each) for each in node.get("Plans", ()))


@contextmanager
def plans_of(settings: Settings, monkeypatch: Any) -> Iterator[Plans]:
    """Within the block, connections that this process opens report their plans."""
    plans, made = Plans(), psycopg.AsyncConnection.connect.__func__  # type: ignore[attr-defined]

    async def connected(cls: type[Any], *args: Any, **kwargs: Any) -> Any:
        connection = await made(cls, *args, **kwargs)
        connection.add_notice_handler(plans.note)
        return connection

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", classmethod(connected))
    with connect(settings) as owner:
        database = owner.info.dbname
        for name, value in _SETTINGS.items():
            owner.execute(f"ALTER DATABASE {database} SET {name} = '{value}'".encode())
    try:
        yield plans
    finally:
        with connect(settings) as owner:
            for name in _SETTINGS:
                owner.execute(f"ALTER DATABASE {database} RESET {name}".encode())
