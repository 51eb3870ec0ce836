"""ricordo palace: shows and edits the tree of stored turns."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, on_terminal, print_item, print_items, shown, stamp, user_option
from ricordo.errors import counted
from ricordo.models import Room, Wing

#: Lines are this wide in a pipe, and no wider in a terminal.
_WIDTH = 100


@click.group("palace")
def command() -> None:
    """Browse and edit the palace, the tree of stored turns.

    A wing is a subject, a room a stretch of a conversation, a closet a topic, and a drawer a turn. Name a WING by its
    current or former name or its pointer (W-003), a ROOM by its pointer (W-003/R-011), and a CLOSET of a room by its
    name or number. Pointers are permanent: after a rename, merge or move they still lead to the same drawer. Mining
    follows your changes.
    """


@command.command("tree")
@click.argument("wing", required=False)
@click.option(
    "--depth",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="Levels to show: 1 wings, 2 rooms, 3 closets.",
)
@json_option
@user_option
def tree(wing: str | None, depth: int, as_json: bool, user: str | None) -> None:
    """Show the wings with their rooms and closets, or only WING (a name or a pointer such as W-003)."""
    with Memory(user=user, background=False) as memory:
        wings = memory.palace.tree(wing)
    if as_json:
        print_items([_cut(each, depth) for each in wings])
    elif not wings:
        click.echo("The palace is empty. To add chats, run `ricordo mine PATH`.", err=True)
    else:
        _print([text for each in wings for text in _lines(each, depth)])


@command.command("show")
@click.argument("pointer")
@json_option
@user_option
def show(pointer: str, as_json: bool, user: str | None) -> None:
    """Show the turn, room or wing at POINTER, such as "§ W-042/R-11/D-007". Former pointers work too."""
    with Memory(user=user, background=False) as memory:
        drawers = memory.palace.show(pointer)
    if as_json:
        print_items(drawers)
        return
    for each in drawers:
        head = f"{click.style(each.pointer, fg='cyan')}  {stamp(each.at)}  "
        click.echo(head + click.style(shown(each.speaker), bold=True) + f"  [{shown(each.closet)}]")
        click.echo(click.style(shown("  ".join(each.tags)), dim=True))
        click.echo(shown(each.text) + "\n")


@command.command("rename")
@click.argument("place", metavar="WING|ROOM")
@click.argument("name")
@click.option("--closet", metavar="CLOSET", help="Closet of ROOM to rename.")
@json_option
@user_option
def rename(place: str, name: str, closet: str | None, as_json: bool, user: str | None) -> None:
    """Rename WING to NAME, or a closet of ROOM with --closet. The old name still works."""
    if closet is None:
        _edited(lambda memory: memory.palace.rename_wing(place, name), as_json, user)
    else:
        _edited(lambda memory: memory.palace.rename_closet(place, _number(closet), name), as_json, user)


@command.command("merge")
@click.argument("one", metavar="WING|CLOSET")
@click.argument("into", metavar="INTO")
@click.option("--room", metavar="ROOM", help="Merge two closets of this room instead of two wings.")
@json_option
@user_option
def merge(one: str, into: str, room: str | None, as_json: bool, user: str | None) -> None:
    """Merge a wing, or with --room a closet, INTO another one. `unmerge` undoes it for wings."""
    if room is None:
        _edited(lambda memory: memory.palace.merge_wings(one, into), as_json, user)
    else:
        _edited(lambda memory: memory.palace.merge_closets(room, _number(one), _number(into)), as_json, user)


@command.command("unmerge")
@click.argument("pointer", metavar="WING")
@json_option
@user_option
def unmerge(pointer: str, as_json: bool, user: str | None) -> None:
    """Undo a merge: restore the wing with the former pointer WING and the rooms that came from it."""
    _edited(lambda memory: memory.palace.unmerge_wing(pointer), as_json, user)


@command.command("move")
@click.argument("places", metavar="ROOM|DRAWER...", nargs=-1, required=True)
@click.argument("to", metavar="WING|CLOSET")
@click.option("--new", is_flag=True, help="Create the wing if it does not exist.")
@json_option
@user_option
def move(places: tuple[str, ...], to: str, new: bool, as_json: bool, user: str | None) -> None:
    """Move a ROOM to another WING, or DRAWERs to a CLOSET of their room. A missing closet is created."""
    if len(places) > 1 or places[0].count("/") > 1:
        if new:
            raise click.UsageError("--new applies to rooms only; a missing closet is created automatically")
        _edited(lambda memory: memory.palace.move_drawers(places, _number(to)), as_json, user)
    else:
        _edited(lambda memory: memory.palace.move_room(places[0], to, new=new), as_json, user)


def _edited(change: Callable[[Memory], Wing | Room], as_json: bool, user: str | None) -> None:
    """Make a change and show the changed wing or room."""
    with Memory(user=user, background=False) as memory:
        changed = change(memory)
    if as_json:
        print_item(changed)
        return
    for text in _lines(changed, 3) if isinstance(changed, Wing) else _room(changed, "", "", 3, changed.pointer):
        click.echo(text)


def _number(closet: str) -> str | int:
    return int(closet) if closet.isascii() and closet.isdigit() else closet


def _cut(wing: Wing, depth: int) -> Wing:
    rooms = [each if depth > 2 else each.model_copy(update={"closets": ()}) for each in wing.rooms]
    return wing.model_copy(update={"rooms": tuple(rooms) if depth > 1 else ()})


def _lines(wing: Wing, depth: int) -> list[str]:
    told = [wing.kind, counted(wing.drawers, "turn")]
    if depth == 1:
        told.append(counted(len(wing.rooms), "room"))
    told += [f"was {each.removeprefix('§ ')}" for each in wing.merged]
    head = f"{click.style(shown(wing.name), bold=True)}  {click.style(wing.pointer, fg='cyan')}  ({', '.join(told)})"
    lines = [head]
    for room in wing.rooms if depth > 1 else ():
        last = room is wing.rooms[-1]
        lines += _room(room, "└─ " if last else "├─ ", "   " if last else "│  ", depth, room.pointer.rpartition("/")[2])
    return lines


def _room(room: Room, branch: str, bar: str, depth: int, pointer: str) -> list[str]:
    width = _width()
    name = _shortened(shown(room.name), width - len(branch) - len(pointer) - 2)
    lines = [f"{branch}{name}  {click.style(pointer, fg='cyan')}"]
    if depth > 2 and room.closets:
        topics = " · ".join(f"{closet.name} ({closet.drawers})".replace(" ", "\xa0") for closet in room.closets)
        indent = f"{bar}   "
        wrapped = textwrap.wrap(shown(topics), width, initial_indent=indent, subsequent_indent=indent)
        lines += [each.replace("\xa0", " ") for each in wrapped]
    return lines


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(1, width - 1)]}…"


def _print(lines: list[str]) -> None:
    """Lines on standard output; on a terminal that they do not fit, through the user's pager."""
    if on_terminal() and len(lines) >= _size()[1]:
        click.echo_via_pager("\n".join(lines) + "\n")
    else:
        click.echo("\n".join(lines))


def _width() -> int:
    """How many columns a line may have."""
    return max(40, min(_WIDTH, _size()[0])) if on_terminal() else _WIDTH


def _size() -> tuple[int, int]:
    """The terminal's columns and lines."""
    try:
        return os.get_terminal_size(1)
    except OSError:
        return 80, 24
