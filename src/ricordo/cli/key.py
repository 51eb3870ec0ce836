"""ricordo key: API keys for access to the user's memory over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Id,
    Moment,
    json_option,
    print_item,
    print_items,
    say_if_empty,
    shown,
    stamp,
    user_option,
)


@click.group("key")
def command() -> None:
    """Create, list and revoke API keys. Programs use them to access your memory through `ricordo serve`."""


@command.command("create")
@click.argument("name")
@click.option("--agent", metavar="AGENT", help="Limit the key to this agent, by id or name.")
@click.option("--palace", is_flag=True, help="Also allow recall and mining with an agent's key.")
@click.option("--read-only", is_flag=True, help="Allow reading only.")
@click.option("--expires-at", type=Moment(), help="When the key expires.  [default: never]")
@json_option
@user_option
def create(
    name: str,
    agent: str | None,
    palace: bool,
    read_only: bool,
    expires_at: datetime | None,
    as_json: bool,
    user: str | None,
) -> None:
    """Create an API key named NAME. The key is shown only once."""
    with Memory(user=user, background=False) as memory:
        made = memory.keys.create(name, agent=agent, palace=palace, read_only=read_only, expires_at=expires_at)
    if as_json:
        print_item(made)
        return
    click.echo(made.token)
    click.echo(f"The key is shown only this once. Send it as a bearer token. Its id is {made.key.id}.", err=True)


@command.command("list")
@json_option
@user_option
def list_(as_json: bool, user: str | None) -> None:
    """List the keys, oldest first. The keys themselves are not stored and cannot be shown."""
    with Memory(user=user, background=False) as memory:
        found = memory.keys.list()
    if as_json:
        print_items(found)
        return
    say_if_empty(found, "No API keys yet. To create one, run `ricordo key create NAME`.")
    for each in found:
        reach = "user" if each.agent_id is None else f"agent {each.agent_id}{' and palace' if each.palace else ''}"
        used = "never used" if each.last_used_at is None else f"used {stamp(each.last_used_at)}"
        rights = "reads" if each.read_only else "reads and writes"
        click.echo(
            f"{each.id}  {shown(each.name)}  {reach}  {rights}  {_state(each.revoked_at, each.expires_at)}  {used}"
        )


@command.command("revoke")
@click.argument("key", type=Id("ricordo key list"))
@user_option
def revoke(key: UUID, user: str | None) -> None:
    """Revoke the key with the id KEY, effective immediately."""
    with Memory(user=user, background=False) as memory:
        memory.keys.revoke(key)
    click.echo(f"Revoked key {key}.")


def _state(revoked_at: datetime | None, expires_at: datetime | None) -> str:
    if revoked_at is not None:
        return "revoked"
    if expires_at is None:
        return "active"
    return "expired" if expires_at <= datetime.now(UTC) else f"until {stamp(expires_at)}"
