"""ricordo user: delete a user. Users cannot be listed: each user has access to their own memory only."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, shown
from ricordo.errors import InvalidInput


@click.group("user")
def command() -> None:
    """Delete a user and all their data."""


@command.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
@json_option
def delete(name: str, yes: bool, as_json: bool) -> None:
    """Delete the user NAME with all memories, agents, settings, logs and jobs. This cannot be undone.

    Existing backups and exports are not changed.
    """
    with Memory(user=name, background=False) as memory:
        if not yes and click.prompt(f"To delete all data of {shown(memory.user)}, type the user's name") != name:
            raise InvalidInput("name", "the typed name does not match; nothing was deleted")
        deleted = memory.delete_user()
    if as_json:
        print_item(deleted)
        return
    for table, rows in deleted.removed.items():
        if rows:
            click.echo(f"  {table:<20} {rows:>9,}")
    click.echo(f"Deleted {deleted.rows:,} rows of {shown(name)}." if deleted.rows else "Nothing to delete.")
