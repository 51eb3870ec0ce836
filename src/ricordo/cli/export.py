"""ricordo export: a user's memory as one file."""

from __future__ import annotations

from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import PathGiven, json_option, print_item, user_option
from ricordo.cli.progress import bar
from ricordo.errors import counted


@click.command("export")
@click.argument("file", type=PathGiven(path_type=Path, dir_okay=False))
@json_option
@user_option
def command(file: Path, as_json: bool, user: str | None) -> None:
    """Export all your data to FILE, a zip of JSON Lines files. docs/format.md describes the format.

    FILE is written completely or not at all, and only you can read it. It contains the full text of your memories, so
    protect it. Import it into another store with `ricordo import`.
    """
    with Memory(user=user, background=False) as memory, bar("Creating the export", "rows", as_json) as progress:
        archived = memory.archive.save(file, progress=progress)
    if as_json:
        print_item(archived)
    else:
        memories = archived.manifest.files["memories.jsonl"].rows
        click.echo(
            f"{file}: {counted(memories, 'memory')}, {counted(archived.rows, 'row')} in total, "
            f"{archived.size / 1e6:,.1f} MB"
        )
