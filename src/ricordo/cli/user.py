"""ricordo user: delete a user. Users cannot be listed: each user has access to their own memory only."""

from __future__ import annotations

import click

from ricordo import accounts
from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_json, shown, user_option
from ricordo.errors import InvalidInput, counted
from ricordo.settings import Settings


@click.group("user")
def command() -> None:
    """Show a user's id, or remove a user and all their data."""


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
@click.option("--yes", is_flag=True, help="Confirm the action without prompting.")
@json_option
def delete(name: str, yes: bool, as_json: bool) -> None:
    """Delete the user NAME with all memories, agents, settings, logs and jobs. This cannot be undone.

    The synced folder that this server holds for the user is deleted too. Existing backups and exports are not changed.
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
    click.echo(f"Deleted {counted(deleted.rows, 'row')} of {shown(name)}." if deleted.rows else "Nothing to delete.")
