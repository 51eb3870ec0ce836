"""ricordo db: the state of the store, starting and stopping the embedded server, and migrations."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import click

from ricordo import accounts, database
from ricordo.cli.options import json_option, plain, print_json, say_if_empty, shown, stamp
from ricordo.errors import StoreIncompatible
from ricordo.resident import retire
from ricordo.settings import Settings


@click.group("db")
def command() -> None:
    """Manage the store: the embedded PostgreSQL server, or the one in RICORDO_DATABASE_URL."""


@command.command("status")
@json_option
def status(as_json: bool) -> None:
    """Show where the store is, whether it is running, and its schema version. Does not start it."""
    state = asyncio.run(database.state(Settings.from_environment()))
    if as_json:
        print_json({name: each.isoformat() if isinstance(each, datetime) else each for name, each in state.items()})
        return
    width = max(map(len, state))
    for name, value in state.items():
        click.echo(f"{name.replace('_', ' '):<{width}}  {_shown(value)}")


@command.command("start")
def start() -> None:
    """Start the embedded server if it is not running."""
    server = database.start(Settings.from_environment())
    click.echo(f"The embedded server is running. Connect with: psql {click.style(repr(server), bold=True)}")


@command.command("stop")
def stop() -> None:
    """Stop the embedded server. The next command that needs it starts it again."""
    settings = Settings.from_environment()
    retire(f"{settings.home}/resident")
    stopped = database.stop(settings)
    click.echo("Stopped the embedded server." if stopped else "The embedded server was not running.")


@command.command("migrate")
def migrate() -> None:
    """Migrate the store's schema to this version of Ricordo."""
    ran = asyncio.run(database.migrate(Settings.from_environment()))
    for name in ran:
        click.echo(f"applied {name}")
    if not ran:
        click.echo("The schema is up to date.")


@command.command("distribute")
@click.option("--dry-run", is_flag=True, help="Print the statements without running them.")
@click.option("--experimental", is_flag=True, help="Run the statements, although the result is not supported yet.")
def distribute(dry_run: bool, experimental: bool) -> None:
    """Distribute a store over a Citus cluster by user. Not supported yet.

    In the last test on a cluster, recall and most writes failed. Ricordo has changed since then, but has not been
    tested on a cluster again. Use a streaming replica for reads (RICORDO_DATABASE_READ_URL), or several stores.
    """
    if not (dry_run or experimental):
        raise StoreIncompatible(
            "a store distributed over Citus is not supported yet: use a replica for reads (RICORDO_DATABASE_READ_URL) "
            "or several stores, see docs/sizing.md. --dry-run prints the statements, --experimental runs them"
        )
    statements = asyncio.run(database.distribute(Settings.from_environment(), dry_run))
    for statement in statements:
        click.echo(f"{statement};")
    if not statements:
        click.echo("All tables are already distributed.")


@command.command("vacuum")
def vacuum() -> None:
    """Rewrite every table so that no forgotten text remains in its files. Locks each table in turn."""
    tables = asyncio.run(database.vacuum(Settings.from_environment()))
    click.echo(f"Rewrote {len(tables)} tables.")


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value / 1e6:,.1f} MB" if isinstance(value, int) and value > 100_000 else plain(value)


@command.group("role")
def role() -> None:
    """Create, list and drop login roles for SQL clients, each bound to one user."""


@role.command("create")
@click.argument("name")
@click.option("--user", required=True, metavar="NAME", help="User whose memory the role may use.")
@json_option
def create_role(name: str, user: str, as_json: bool) -> None:
    """Create the login role NAME for SQL clients, bound to one user by the database.

    It can call the SQL functions and read the views of that user only, whatever session settings it changes. Its
    password is shown only once.
    """
    settings = Settings.from_environment()
    made = asyncio.run(database.create_role(settings, name, accounts.user_id_of(user), user))
    if as_json:
        print_json({"role": made.role, "user": user, "password": made.password})
        return
    click.echo(f"Created the role {shown(made.role)} for the user {shown(user)}.")
    click.echo(f"Password: {made.password}")
    click.echo("The password is shown only this once.")


@role.command("list")
@json_option
def list_roles(as_json: bool) -> None:
    """List the roles that are bound to users."""
    found = asyncio.run(database.bound_roles(Settings.from_environment()))
    if as_json:
        print_json(
            [{"role": each.role, "user": each.user, "created_at": each.created_at.isoformat()} for each in found]
        )
        return
    say_if_empty(found, "No roles yet. To create one, run `ricordo db role create NAME --user USER`.")
    for each in found:
        click.echo(f"{shown(each.role)}  {shown(each.user)}  {stamp(each.created_at)}")


@role.command("drop")
@click.argument("name")
def drop_role(name: str) -> None:
    """Drop the role NAME. Its open connections lose access at once."""
    asyncio.run(database.drop_role(Settings.from_environment(), name))
    click.echo(f"Dropped the role {shown(name)}.")
