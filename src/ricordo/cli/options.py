"""Options that several commands have in common."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from ricordo.errors import InvalidInput
from ricordo.times import parsed

if TYPE_CHECKING:
    from ricordo.models import ApiModel, WriteReceipt

Command = TypeVar("Command", bound=Callable[..., Any])

#: Control characters but tab and line feed, and what reorders the text around it.
_CONTROLS = dict.fromkeys(
    {*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)} - {9, 10},
    "\N{REPLACEMENT CHARACTER}",
)


def user_option(command: Command) -> Command:
    """--user, whose memory it is."""
    return click.option("--user", metavar="NAME", help="Whose memory it is.  [default: RICORDO_USER or local]")(command)


def json_option(command: Command) -> Command:
    """--json, for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON value, for programs.")(command)


class Moment(click.ParamType[datetime]):
    """An ISO 8601 date or time; without a zone it is UTC. A bare date is its first moment; with `whole_day` the end of
    that day, for what is before a moment."""

    name = "time"

    def __init__(self, whole_day: bool = False) -> None:
        self._whole_day = whole_day

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return parsed("time", value, whole_day=self._whole_day)
        except InvalidInput as error:
            self.fail(error.problem, param, ctx)


def stamp(moment: datetime, to: Literal["day", "minutes", "seconds"] = "minutes") -> str:
    """A moment as every command prints it: in UTC, which times without a zone are taken for as well, in a form that
    options take. `to` says how exactly."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.date().isoformat() if to == "day" else utc.isoformat(" ", to) + "Z"


def print_json(value: object, indent: int | None = 2) -> None:
    """One JSON value on standard output, in ASCII where that cannot take everything; on one line without `indent`."""
    wide = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(value, ensure_ascii=not wide, indent=indent), color=True)


def print_items(items: Sequence[ApiModel]) -> None:
    """A JSON list of models on standard output."""
    print_json([each.model_dump(mode="json") for each in items])


def print_item(item: ApiModel) -> None:
    """A model as a JSON object on standard output."""
    print_json(item.model_dump(mode="json"))


def print_receipt(receipt: WriteReceipt, as_json: bool) -> int:
    """What became of a write, on standard output; returns the exit code, 1 where a policy refused it."""
    if as_json:
        print_item(receipt)
    else:
        reason = shown(receipt.reason or "")
        match receipt.status:
            case "stored":
                click.echo(f"stored {receipt.id}" + (f": {reason}" if reason else ""))
            case "duplicate":
                click.echo(f"duplicate {receipt.id}: {reason}")
            case "rejected":
                click.echo(f"rejected: {reason}")
            case _:
                click.echo(f"{receipt.status} {receipt.id}: waits for review (ricordo review accept {receipt.id})")
    return 1 if receipt.status == "rejected" else 0


def shown(text: str) -> str:
    """`text` as a terminal may get it: a remembered turn must not move the cursor or rename the window."""
    return text.translate(_CONTROLS)


def on_terminal() -> bool:
    """Whether a person sees standard output directly."""
    return sys.stdout is not None and sys.stdout.isatty()
