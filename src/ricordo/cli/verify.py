"""ricordo verify: whether the record of accesses is whole, and whether a text is gone."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_noun, shown, user_option
from ricordo.nouns import Absence, Chain


@click.command("verify")
@click.option("--absent", metavar="TEXT", help="Look for TEXT in everything that is kept, and say where it stands.")
@click.option("--seal", is_flag=True, help="First seal what is not sealed yet.")
@json_option
@user_option
def command(absent: str | None, seal: bool, as_json: bool, user: str | None) -> int:
    """Check that no access was removed from the record or altered; with --absent, that a text is nowhere.

    The exit code is 1 where something is found.
    """
    with Memory(user=user, background=False) as memory:
        if seal:
            memory.audit.seal()
        found: Absence | Chain = memory.audit.verify() if absent is None else memory.audit.absent(absent)
    if as_json:
        print_noun(found)
    else:
        _print(found)
    whole = found.intact if isinstance(found, Chain) else found.absent
    return 0 if whole else 1


def _print(found: Absence | Chain) -> None:
    if isinstance(found, Chain):
        state = "whole" if found.intact else f"broken at seal {found.broken}" if found.broken else "inconsistent"
        click.echo(
            f"The record is {state}. Accesses that seals cover: {found.accesses:,}; not sealed yet: {found.unsealed:,}."
        )
        if found.mislisted:
            click.echo(f"The log and its index by memory disagree on {found.mislisted:,} accesses.")
        return
    click.echo("The text is nowhere in the store." if found.absent else "The text stands, or traces are left:")
    click.echo(f"Looked at: {', '.join(f'{each.table}.{each.column}' for each in found.places)}")
    for place in found.places:
        if place.rows:
            click.echo(f"  {place.table}.{place.column}: in {place.rows:,} rows")
    for name, count in found.left_over.items():
        if count:
            click.echo(f"  {name}: {count:,} rows derived from memories that are gone")
    for each in found.unknown:
        click.echo(f"  note: {shown(each)}")
