"""ricordo user: the user whose memory it is. There is no list of users: nobody has a way into another's memory."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, shown
from ricordo.errors import InvalidInput


@click.group("user")
def command() -> None:
    """Remove a user with everything that is theirs."""


@command.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def delete(name: str, yes: bool, as_json: bool) -> None:
    """Remove the user NAME: every memory, agent, setting, record and job. This cannot be undone.

    Backups and exports made before stay as they are.
    """
    with Memory(user=name, background=False) as memory:
        if (
            not yes
            and click.prompt(f"Type the user's name, {shown(memory.user)}, to remove all that is theirs") != name
        ):
            raise InvalidInput("name", "what was typed is another name; nothing was removed")
        deleted = memory.delete_user()
    if as_json:
        print_item(deleted)
        return
    for table, rows in deleted.removed.items():
        if rows:
            click.echo(f"  {table:<20} {rows:>9,}")
    click.echo(
        f"{deleted.rows:,} rows of {shown(name)} were removed." if deleted.rows else "There was nothing to remove."
    )
