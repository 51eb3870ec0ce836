"""ricordo review: the review queue, for writes of agents and tools that wait for the user's decision."""

from __future__ import annotations

from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Id, json_option, print_item, print_items, say_if_empty, shown, stamp, user_option
from ricordo.models import HeldWrite


@click.group("review")
def command() -> None:
    """Accept or reject the writes of agents and tools in the review queue."""


@command.command("list")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_(limit: int, as_json: bool, user: str | None) -> None:
    """List the writes in the review queue, oldest first."""
    with Memory(user=user, background=False) as memory:
        found = memory.review.list(limit)
    if as_json:
        print_items(found)
        return
    say_if_empty(found, "The review queue is empty.")
    for each in found:
        click.echo(_line(each))


@command.command("show")
@click.argument("held", type=Id("ricordo review list"))
@json_option
@user_option
def show(held: UUID, as_json: bool, user: str | None) -> None:
    """Show the write with the id HELD."""
    with Memory(user=user, background=False) as memory:
        _print(memory.review.get(held), as_json)


@command.command("accept")
@click.argument("held", type=Id("ricordo review list"))
@json_option
@user_option
def accept(held: UUID, as_json: bool, user: str | None) -> None:
    """Accept the write with the id HELD: store it under this id, with its original author."""
    with Memory(user=user, background=False) as memory:
        accepted = memory.review.accept(held)
    if as_json:
        print_item(accepted)
    else:
        click.echo(f"Accepted {accepted.id}.")


@command.command("reject")
@click.argument("held", type=Id("ricordo review list"))
@json_option
@user_option
def reject(held: UUID, as_json: bool, user: str | None) -> None:
    """Reject the write with the id HELD: delete it permanently."""
    with Memory(user=user, background=False) as memory:
        rejected = memory.review.reject(held)
    if as_json:
        print_item(rejected)
    else:
        click.echo(f"Rejected {rejected.id}.")


def _print(held: HeldWrite, as_json: bool) -> None:
    if as_json:
        print_item(held)
    else:
        click.echo(_line(held))


def _line(held: HeldWrite) -> str:
    return f"{held.id}  {stamp(held.created_at)}  {held.kind}  {shown(held.actor)}  {shown(held.content)}"
