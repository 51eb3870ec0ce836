"""ricordo proposal: journal entries that are proposed as core memories, and what the user decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Id, json_option, print_item, print_items, say_if_empty, shown, stamp, user_option
from ricordo.models import Proposal


@click.group("proposal")
def command() -> None:
    """Decide which journal entries become core memories. AGENT is an id or a name."""


@command.command("make")
@click.argument("agent")
@json_option
@user_option
def make(agent: str, as_json: bool, user: str | None) -> None:
    """Propose core memories from the journal of AGENT: what recurs or stays relevant."""
    with Memory(user=user, background=False) as memory:
        _print(memory.proposals.propose(agent), as_json)


@command.command("list")
@click.argument("agent")
@click.option(
    "--status",
    type=click.Choice(["proposed", "accepted", "rejected", "undone"]),
    help="Only proposals with this status.",
)
@json_option
@user_option
def list_(agent: str, status: str | None, as_json: bool, user: str | None) -> None:
    """List the proposals of AGENT, newest first."""
    with Memory(user=user, background=False) as memory:
        _print(memory.proposals.list(agent, status), as_json)


@command.command("accept")
@click.argument("proposal", type=Id("ricordo proposal list AGENT"))
@json_option
@user_option
def accept(proposal: UUID, as_json: bool, user: str | None) -> None:
    """Accept a proposal: create the core memory. The journal entries stay."""
    _decide("accept", proposal, as_json, user)


@command.command("reject")
@click.argument("proposal", type=Id("ricordo proposal list AGENT"))
@json_option
@user_option
def reject(proposal: UUID, as_json: bool, user: str | None) -> None:
    """Reject a proposal. It is not proposed again."""
    _decide("reject", proposal, as_json, user)


@command.command("undo")
@click.argument("proposal", type=Id("ricordo proposal list AGENT"))
@json_option
@user_option
def undo(proposal: UUID, as_json: bool, user: str | None) -> None:
    """Undo an accepted proposal: delete the core memory that it created."""
    _decide("undo", proposal, as_json, user)


def _decide(what: Literal["accept", "reject", "undo"], proposal: UUID, as_json: bool, user: str | None) -> None:
    with Memory(user=user, background=False) as memory:
        decided = getattr(memory.proposals, what)(proposal)
    if as_json:
        print_item(decided)
    else:
        click.echo(f"{decided.status} {decided.id}")


def _print(proposals: Sequence[Proposal], as_json: bool) -> None:
    if as_json:
        print_items(proposals)
        return
    say_if_empty(proposals, "No matching proposals.")
    for each in proposals:
        click.echo(f"{click.style(str(each.id), fg='cyan')}  {each.status}  {stamp(each.created_at)}")
        click.echo(f"    {shown(each.content)}")
        click.echo(click.style(f"    {shown(each.reason)}", dim=True))
