"""ricordo whiteboard: notes that chosen agents share."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    json_option,
    print_item,
    print_items,
    print_receipt,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import counted
from ricordo.models import Whiteboard


@click.group("whiteboard")
def command() -> None:
    """Create, read and write notes that chosen agents share. WHITEBOARD and AGENT are ids or names."""


@command.command("create")
@click.argument("name")
@click.argument("agents", nargs=-1, metavar="AGENT...")
@json_option
@user_option
def create(name: str, agents: tuple[str, ...], as_json: bool, user: str | None) -> None:
    """Create the whiteboard NAME for these agents."""
    with Memory(user=user, background=False) as memory:
        made = memory.whiteboards.create(name, agents)
    if as_json:
        print_item(made)
    else:
        _print([made])


@command.command("list")
@json_option
@user_option
def list_(as_json: bool, user: str | None) -> None:
    """List the whiteboards, oldest first."""
    with Memory(user=user, background=False) as memory:
        found = memory.whiteboards.list()
    if as_json:
        print_items(found)
        return
    say_if_empty(found, "No whiteboards yet. To create one, run `ricordo whiteboard create NAME AGENT…`.")
    _print(found)


@command.command("read")
@click.argument("whiteboard")
@click.option("--agent", metavar="AGENT", help="Read as this agent.  [default: as the user]")
@click.option("--text", metavar="TEXT", help="Only notes that contain this text.")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number of notes, 1 to 1,000.")
@json_option
@user_option
def read(whiteboard: str, agent: str | None, text: str | None, limit: int, as_json: bool, user: str | None) -> None:
    """Show the newest notes of a whiteboard, newest first."""
    with Memory(user=user, background=False) as memory:
        notes = memory.whiteboards.read(whiteboard, agent, limit, text)
    if as_json:
        print_items(notes)
        return
    say_if_empty(notes, "No matching notes.")
    for each in notes:
        by = shown(str(each.metadata.get("agent", "")))
        click.echo(f"{click.style(str(each.id), fg='cyan')}  {stamp(each.created_at)}  {by}")
        click.echo(f"    {shown(each.content)}")


@command.command("write")
@click.argument("whiteboard")
@click.argument("agent")
@click.argument("content")
@json_option
@user_option
def write(whiteboard: str, agent: str, content: str, as_json: bool, user: str | None) -> int:
    """Add CONTENT to a whiteboard in the name of AGENT."""
    with Memory(user=user, background=False) as memory:
        return print_receipt(memory.whiteboards.write(whiteboard, content, agent), as_json)


@command.command("add-agent")
@click.argument("whiteboard")
@click.argument("agent")
@user_option
def add_agent(whiteboard: str, agent: str, user: str | None) -> None:
    """Let AGENT read and write a whiteboard."""
    with Memory(user=user, background=False) as memory:
        click.echo("added" if memory.whiteboards.add_agent(whiteboard, agent) else "it was already added")


@command.command("remove-agent")
@click.argument("whiteboard")
@click.argument("agent")
@user_option
def remove_agent(whiteboard: str, agent: str, user: str | None) -> None:
    """Close a whiteboard to AGENT. Its notes stay."""
    with Memory(user=user, background=False) as memory:
        click.echo("removed" if memory.whiteboards.remove_agent(whiteboard, agent) else "it had no access")


@command.command("delete")
@click.argument("whiteboard")
@click.confirmation_option(prompt="Delete the whiteboard with its notes?")
@user_option
def delete(whiteboard: str, user: str | None) -> None:
    """Delete a whiteboard with its notes."""
    with Memory(user=user, background=False) as memory:
        click.echo(f"deleted, with {counted(memory.whiteboards.delete(whiteboard), 'note')}")


def _print(boards: Sequence[Whiteboard]) -> None:
    for each in boards:
        name = click.style(shown(each.name), bold=True)
        click.echo(f"{each.id}  {name}  {counted(len(each.agents), 'agent')}")
