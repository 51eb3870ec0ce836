"""ricordo backup and restore: the whole store as one file, and back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from ricordo.cli.options import json_option, print_item
from ricordo.settings import Settings


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Of those without a FILE: remove all but the newest N."
)
@json_option
def backup(file: Path | None, keep: int | None, as_json: bool) -> None:
    """Write the whole store, every user with all that is derived, to FILE, or to a new file among RICORDO_BACKUP_DIR's.

    Others may go on writing meanwhile: the file shows one moment. It is read again and compared before it appears. It
    holds what users have kept word for word: keep it as safe as the store. `ricordo restore` brings it back.
    """
    from ricordo import archive

    settings = Settings.from_environment()
    made = asyncio.run(archive.backup(settings, file) if file else archive.backup_into(settings, keep))
    if as_json:
        print_item(made)
    else:
        click.echo(f"{made.path}: {made.rows:,} rows, {made.size / 1e6:,.1f} MB, read again and found whole")


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def restore(file: Path, as_json: bool) -> None:
    """Bring the store in FILE, which `ricordo backup` wrote, back into a new or empty store: all of it, or nothing.

    Set RICORDO_HOME to a new folder, or RICORDO_DATABASE_URL to another server. Backups of older versions come back
    too.
    """
    from ricordo import archive

    restored = asyncio.run(archive.restore(Settings.from_environment(), file))
    if as_json:
        print_item(restored)
    else:
        users = restored.rows.get("users.copy", 0)
        click.echo(f"{sum(restored.rows.values()):,} rows of {users:,} {'user' if users == 1 else 'users'} are back")
