"""ricordo backup and restore: the whole store as one file, and back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from ricordo.cli.options import PathGiven, json_option, print_item
from ricordo.cli.progress import bar
from ricordo.errors import counted
from ricordo.settings import Settings


@click.command("backup")
@click.argument("file", type=PathGiven(path_type=Path, dir_okay=False), required=False)
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Delete all but the newest N backups in RICORDO_BACKUP_DIR."
)
@json_option
def backup(file: Path | None, keep: int | None, as_json: bool) -> None:
    """Back up the whole store, with all users, to FILE, or to a new file in RICORDO_BACKUP_DIR.

    The backup is a consistent snapshot; others can keep writing while it runs. It is read back and compared before FILE
    appears. It contains every user's text, so protect it like the store. Restore it with `ricordo restore`.
    """
    from ricordo import archive

    settings = Settings.from_environment()
    with bar("Backing up", None, quiet=as_json) as progress:
        made = asyncio.run(
            archive.backup(settings, file, progress) if file else archive.backup_into(settings, keep, progress)
        )
    if as_json:
        print_item(made)
    else:
        click.echo(f"{made.path}: {counted(made.rows, 'row')}, {made.size / 1e6:,.1f} MB, verified")


@click.command("restore")
@click.argument("file", type=PathGiven(path_type=Path, dir_okay=False))
@json_option
def restore(file: Path, as_json: bool) -> None:
    """Restore FILE, written by `ricordo backup`, into a new or empty store. Restores everything or nothing.

    Set RICORDO_HOME to a new folder, or RICORDO_DATABASE_URL to another server. Backups of older versions work too.
    """
    from ricordo import archive

    with bar("Restoring", None, quiet=as_json) as progress:
        restored = asyncio.run(archive.restore(Settings.from_environment(), file, progress))
    if as_json:
        print_item(restored)
    else:
        users = restored.rows.get("users.copy", 0)
        click.echo(f"Restored {counted(sum(restored.rows.values()), 'row')} of {counted(users, 'user')}")
