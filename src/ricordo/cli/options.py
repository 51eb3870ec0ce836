"""Options that several commands have in common."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def user_option(command: Command) -> Command:
    """--user, whose memory it is."""
    return click.option("--user", metavar="NAME", help="Whose memory it is.  [default: RICORDO_USER or local]")(command)


def json_option(command: Command) -> Command:
    """--json, for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON value, for programs.")(command)


class Moment(click.ParamType[datetime]):
    """An ISO 8601 date or time; without a zone it is UTC."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no time; one looks like 2026-03-04 or 2026-03-04T18:02:00+01:00", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def print_json(value: object) -> None:
    """One JSON value on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
