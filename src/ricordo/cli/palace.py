"""ricordo palace: the tree of what is kept, and what stands at a pointer."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_nouns, shown, user_option
from ricordo.nouns import Wing


@click.group("palace")
def command() -> None:
    """Walk through what is kept: wings (subjects), rooms (times), closets (topics), drawers (turns)."""


@command.command("tree")
@click.argument("wing", required=False)
@json_option
@user_option
def tree(wing: str | None, as_json: bool, user: str | None) -> None:
    """Show the wings with their rooms and closets, or only WING (such as W-003)."""
    with Memory(user=user, background=False) as memory:
        wings = memory.palace_tree(wing)
    if as_json:
        print_nouns(wings)
    elif not wings:
        click.echo("The palace is empty; `ricordo mine PATH` fills it.", err=True)
    for each in () if as_json else wings:
        _print_wing(each)


@command.command("show")
@click.argument("pointer")
@json_option
@user_option
def show(pointer: str, as_json: bool, user: str | None) -> None:
    """Show the drawer at POINTER, such as "§ W-042/R-11/D-007", or a whole room."""
    with Memory(user=user, background=False) as memory:
        drawers = memory.palace_show(pointer)
    if as_json:
        print_nouns(drawers)
        return
    for each in drawers:
        head = f"{click.style(each.pointer, fg='cyan')}  {each.at:%Y-%m-%d %H:%M}  "
        click.echo(head + click.style(shown(each.speaker), bold=True) + f"  [{shown(each.closet)}]")
        click.echo(shown(each.text) + "\n")


def _print_wing(wing: Wing) -> None:
    counted = f"{wing.kind}, {wing.drawers} {'turn' if wing.drawers == 1 else 'turns'}"
    click.echo(f"{click.style(shown(wing.name), bold=True)}  {click.style(wing.pointer, fg='cyan')}  ({counted})")
    for room in wing.rooms:
        last = room is wing.rooms[-1]
        place = click.style(room.pointer.rpartition("/")[2], fg="cyan")
        click.echo(f"{'└─' if last else '├─'} {shown(room.name)}  {place}")
        topics = ", ".join(f"{closet.name} ({closet.drawers})" for closet in room.closets)
        click.echo(f"{'  ' if last else '│ '}    {shown(topics)}")
