"""Options and output helpers shared by the commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from uuid import UUID

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


class PathGiven(click.Path):
    """A path. An empty one, such as that of a shell's variable that is not set, is refused: it would be the current
    folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in ("", b""):
            self.fail("empty path: give a file or a folder; . is the current folder", param, ctx)
        return super().convert(value, param, ctx)


def project_named(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The project named by an option; `.` is the current folder's project."""
    if value != ".":
        return value
    from pathlib import Path

    from ricordo.cli.opening import folder
    from ricordo.formats.repository import project_of

    project = project_of(Path(folder()))
    if project is None:
        raise click.BadParameter("the current folder is not a project: pass a project's name", context, parameter)
    return project


def project_option(command: Command) -> Command:
    """--project: the project to which results are limited."""
    what = "Only this project, and what your setting across_projects allows. '.' is the current folder's project."
    return click.option("--project", metavar="NAME", callback=project_named, help=what)(command)


def user_option(command: Command) -> Command:
    """--user: the user whose memory to use."""
    return click.option("--user", metavar="NAME", help="User whose memory to use.  [default: RICORDO_USER or local]")(
        command
    )


def json_option(command: Command) -> Command:
    """--json: output for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print the output as JSON.")(command)


class Moment(click.ParamType[datetime]):
    """An ISO 8601 date or time, in UTC unless it has a zone.

    A date alone means the start of that day, or its end with `whole_day`, as in "until 2026-03-01".
    """

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


class Id(click.ParamType[UUID]):
    """An id, as printed by the command `listing`."""

    name = "id"

    def __init__(self, listing: str) -> None:
        self._listing = listing

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> UUID:
        try:
            return value if isinstance(value, UUID) else UUID(value)
        except ValueError:
            self.fail(f"invalid id {value[:50]!r}: expected an id that `{self._listing}` shows", param, ctx)


def stamp(moment: datetime, to: Literal["day", "minutes", "seconds"] = "minutes") -> str:
    """A time in UTC, in the form that every command prints and every option accepts. `to` sets the precision."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.date().isoformat() if to == "day" else utc.isoformat(" ", to) + "Z"


def plain(value: object) -> str:
    """A value of a field as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return stamp(value, "seconds")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(each)}" for name, each in value.items())
    return ", ".join(map(plain, value)) if isinstance(value, list | tuple) else str(value)


def print_json(value: object, indent: int | None = 2) -> None:
    """Prints a JSON value: on one line without `indent`, in ASCII unless standard output is UTF-8."""
    wide = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(value, ensure_ascii=not wide, indent=indent), color=True)


def print_items(items: Sequence[ApiModel]) -> None:
    """Prints models as a JSON list."""
    print_json([each.model_dump(mode="json") for each in items])


def say_if_empty(found: Sequence[object], text: str) -> None:
    """Print a text on standard error if a list has no items, so that an empty list is not silent."""
    if not found:
        click.echo(text, err=True)


def print_item(item: ApiModel) -> None:
    """Prints a model as a JSON object."""
    print_json(item.model_dump(mode="json"))


def print_receipt(receipt: WriteReceipt, as_json: bool) -> int:
    """Prints the outcome of a write and returns the exit code: 1 if a policy rejected it."""
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
                click.echo(f"{receipt.status} {receipt.id}: waiting for review (ricordo review accept {receipt.id})")
    return 1 if receipt.status == "rejected" else 0


def shown(text: str) -> str:
    """`text` without control characters: a stored turn must not move the cursor or rename the window."""
    return text.translate(_CONTROLS)


def on_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()
