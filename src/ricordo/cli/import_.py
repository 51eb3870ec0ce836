"""ricordo import: a user's memory out of the file that `ricordo export` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import PathGiven, json_option, print_item, user_option
from ricordo.cli.progress import bar
from ricordo.errors import counted


@click.command("import")
@click.argument("file", type=PathGiven(path_type=Path, dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Check the file without importing it.")
@click.option(
    "--trust",
    is_flag=True,
    help="Import your own file unchanged: skip policies, and include settings, prices, costs and jobs.",
)
@json_option
@user_option
def command(file: Path, dry_run: bool, trust: bool, as_json: bool, user: str | None) -> None:
    """Import FILE, written by `ricordo export`, for a user who has no memories yet.

    Imports everything or nothing; importing the same file again changes nothing. Your policies on secrets, personal
    data and reviews apply. Settings, prices, costs and background jobs are skipped, unless you pass --trust; you can
    also add them later with --trust. To import chats of other programs, use `ricordo mine`.
    """
    with Memory(user=user, background=False) as memory:
        with bar("Importing", None, quiet=as_json) as progress:
            loaded = memory.archive.load(file, dry_run=dry_run, trusted=trust, progress=progress)
        pending = memory.pending()
    if as_json:
        print_item(loaded)
        return
    if loaded.status == "duplicate":
        click.echo("This file was imported before; nothing was changed.")
        return
    rows = sum(loaded.rows.values())
    if "memories.jsonl" in loaded.rows:
        click.echo(
            f"{counted(loaded.rows['memories.jsonl'], 'memory')}, {counted(rows, 'row')} in total, "
            + ("would be imported; nothing was written" if dry_run else f"imported for {loaded.user}")
        )
    else:
        click.echo(f"The file was imported before. Of the rows skipped then, {rows:,} {_came(dry_run)}")
    if loaded.left_out:
        click.echo(f"Skipped: {_told(loaded.left_out)}. {_STAY if trust else _DECIDES}")
    if pending:
        click.echo(
            f"{counted(pending, 'memory')} without a vector yet; a background job adds them (`ricordo worker`)",
            err=True,
        )


def _came(dry_run: bool) -> str:
    return "would be imported; nothing was written" if dry_run else "are imported now"


#: Names for the skipped parts of an export.
_CALLED = {
    "settings.jsonl": "settings",
    "model_prices.jsonl": "model prices",
    "model_calls.jsonl": "costs",
    "profiles.jsonl": "profile policies",
    "jobs.jsonl": "background jobs",
}
_DECIDES = "To import these as well, run the same command with --trust, if the file is your own."
_STAY = "Your own settings are unchanged."


def _told(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{_CALLED.get(name, name)} ({rows:,})" for name, rows in left_out.items())
