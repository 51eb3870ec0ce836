"""ricordo journal and ricordo core: an agent's own memories, for one week or permanently."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import BinaryIO

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    json_option,
    print_items,
    print_json,
    print_receipt,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import InvalidInput
from ricordo.models import JournalEntry


@click.group("journal")
def command() -> None:
    """Add and list an agent's memories that last one week. AGENT is an id or a name."""


@click.group("core")
def core_command() -> None:
    """Add and list an agent's permanent memories. AGENT is an id or a name."""


@command.command("add")
@click.argument("agent")
@click.argument("content")
@json_option
@user_option
def add(agent: str, content: str, as_json: bool, user: str | None) -> int:
    """Add CONTENT to the journal of AGENT. It stays in the agent's prompts for one week."""
    with Memory(user=user, background=False) as memory:
        return print_receipt(memory.journal.save(agent, content), as_json)


@command.command("list")
@click.argument("agent")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number of results, 1 to 1,000.")
@click.option("--active", is_flag=True, help="Only memories that have not expired.")
@click.option("--text", metavar="TEXT", help="Only memories that contain this text.")
@json_option
@user_option
def list_(agent: str, limit: int, active: bool, text: str | None, as_json: bool, user: str | None) -> None:
    """List the journal of AGENT, newest first."""
    with Memory(user=user, background=False) as memory:
        _print(memory.journal.list(agent, limit, not active, text), as_json)


@command.command("context")
@click.argument("agent")
@click.option("--max-tokens", type=int, help="Maximum tokens of the block; memories that do not fit are left out.")
@user_option
def context(agent: str, max_tokens: int | None, user: str | None) -> None:
    """Print the memory block of AGENT's prompts: core and journal. Prints nothing if both are empty."""
    with Memory(user=user, background=False) as memory:
        block = memory.journal.context(agent, max_tokens=max_tokens)
    if block is not None:
        click.echo(block)


@command.command("export")
@click.argument("agent")
@user_option
def export(agent: str, user: str | None) -> None:
    """Print journal and core of AGENT as JSON, oldest first, for `ricordo journal import`."""
    with Memory(user=user, background=False) as memory:
        print_json(memory.journal.export(agent))


@command.command("import")
@click.argument("agent")
@click.argument("file", type=click.File("rb"))
@json_option
@user_option
def import_(agent: str, file: BinaryIO, as_json: bool, user: str | None) -> None:
    """Import the output of `ricordo journal export` into the journal and core of AGENT; `-` reads standard input.

    Each memory keeps its time. Importing a file again adds nothing.
    """
    try:
        items = json.load(file)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("file", f"is not JSON: {error}") from None
    with Memory(user=user, background=False) as memory:
        counts = memory.journal.import_(agent, items)
    if as_json:
        print_json(counts)
    else:
        click.echo(f"{counts['stored']:,} stored, {counts['duplicates']:,} already stored")


@core_command.command("add")
@click.argument("agent")
@click.argument("content")
@json_option
@user_option
def add_core(agent: str, content: str, as_json: bool, user: str | None) -> int:
    """Add CONTENT to the core memory of AGENT. It is always in the agent's prompts."""
    with Memory(user=user, background=False) as memory:
        return print_receipt(memory.core.save(agent, content), as_json)


@core_command.command("list")
@click.argument("agent")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number of results, 1 to 1,000.")
@click.option("--text", metavar="TEXT", help="Only memories that contain this text.")
@json_option
@user_option
def list_core(agent: str, limit: int, text: str | None, as_json: bool, user: str | None) -> None:
    """List the core memories of AGENT, newest first."""
    with Memory(user=user, background=False) as memory:
        _print(memory.core.list(agent, limit, text), as_json)


def _print(remembered: Sequence[JournalEntry], as_json: bool) -> None:
    if as_json:
        print_items(remembered)
        return
    say_if_empty(remembered, "No matching memories.")
    for each in remembered:
        faded = click.style("  expired", dim=True) if each.expired else ""
        click.echo(f"{click.style(str(each.id), fg='cyan')}  {stamp(each.created_at)}{faded}")
        click.echo(f"    {shown(each.content)}")
