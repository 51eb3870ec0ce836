"""ricordo user: the user whose memory it is. There is no list of users: nobody has a way into another's memory."""

from __future__ import annotations

import click

from ricordo import accounts
from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, shown, user_option
from ricordo.errors import InvalidInput
from ricordo.settings import Settings


@click.group("user")
def command() -> None:
    """Show a user's id, or remove a user with everything that is theirs."""


@command.command("show")
@user_option
@json_option
def show(user: str | None, as_json: bool) -> None:
    """Show whose memory commands use, and the user's id in the database."""
    name = Settings.from_environment(user=user).user
    told = {"user": name, "user_id": str(accounts.user_id_of(name))}
    if as_json:
        print_json(told)
    else:
        click.echo("\n".join(f"{field}: {shown(value)}" for field, value in told.items()))


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
