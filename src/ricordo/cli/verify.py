"""ricordo verify: checks the access log, the consistency of the tables, a removed text, or a file."""

from __future__ import annotations

from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import PathGiven, json_option, print_item, shown, stamp, user_option
from ricordo.cli.progress import bar
from ricordo.errors import counted
from ricordo.models import Absence, Chain, Soundness


@click.command("verify")
@click.argument("file", required=False, type=PathGiven(path_type=Path))
@click.option("--absent", metavar="TEXT", help="Check that TEXT does not occur in the store, or in FILE.")
@click.option("--store", is_flag=True, help="Check that the tables are consistent.")
@click.option("--seal", is_flag=True, help="Seal all unsealed accesses first.")
@json_option
@user_option
def command(file: Path | None, absent: str | None, store: bool, seal: bool, as_json: bool, user: str | None) -> int:
    """Verify that the access log was not altered.

    With --store, check that the tables are consistent. With --absent, check that a text does not occur anywhere in the
    store. With FILE, check that this backup or export is intact; add --absent to search it for the text.

    Exits with 1 if a check fails.
    """
    if file is not None:
        if store or seal:
            raise click.UsageError("--store and --seal cannot be combined with FILE")
        return _file(file, as_json) if absent is None else _without(file, absent, as_json)
    with Memory(user=user, background=False) as memory:
        if seal:
            memory.audit.seal()
        found: Absence | Chain | Soundness
        if store:
            with bar("Checking the tables", "rules", quiet=as_json) as progress:
                found = memory.audit.sound(progress)
        else:
            found = memory.audit.verify() if absent is None else memory.audit.absent(absent)
    if as_json:
        print_item(found)
    else:
        _print(found)
    return 0 if _is_well(found) else 1


def _file(file: Path, as_json: bool) -> int:
    from ricordo import archive

    is_backup = archive.format_of(file) == "ricordo-backup"
    with bar("Checking the file", None, quiet=as_json) as progress:
        checked = archive.check_backup(file, progress) if is_backup else archive.check(file, progress)
    if as_json:
        print_item(checked)
    else:
        whose = f" of {checked.manifest.user}" if checked.manifest.user else ""
        kind = checked.manifest.format.removeprefix("ricordo-")
        click.echo(
            f"The {kind}{whose} of {stamp(checked.manifest.created_at)} is intact: {counted(checked.rows, 'row')}."
        )
    return 0


def _without(file: Path, text: str, as_json: bool) -> int:
    from ricordo import archive

    with bar("Searching the file", None, quiet=as_json) as progress:
        found = archive.absent(file, text, progress)
    if as_json:
        print_item(found)
    else:
        _print_absence(found, file.name)
    return 0 if found.absent else 1


def _is_well(found: Absence | Chain | Soundness) -> bool:
    match found:
        case Chain():
            return found.intact
        case Soundness():
            return found.sound
    return found.absent


def _print(found: Absence | Chain | Soundness) -> None:
    if isinstance(found, Soundness):
        click.echo("The tables are consistent." if found.sound else "The tables are inconsistent:")
        for broken in found.found:
            click.echo(f"  {broken.rows:,} {broken.rule}, such as {shown(broken.examples[0])}")
        return
    if isinstance(found, Chain):
        state = "intact" if found.intact else f"broken at seal {found.broken}" if found.broken else "inconsistent"
        click.echo(
            f"The access log is {state}. Sealed accesses: {found.accesses:,}; not sealed yet: {found.unsealed:,}."
        )
        if found.mislisted:
            click.echo(f"The access log and its index disagree on {found.mislisted:,} accesses.")
        return
    _print_absence(found, "the store")


def _print_absence(found: Absence, where: str) -> None:
    click.echo(
        f"The text does not occur in {shown(where)}." if found.absent else "The text or traces of it were found:"
    )
    tables = len({each.table for each in found.places})
    click.echo(f"Checked {len(found.places)} columns of {tables} tables; use --json to list them.")
    for place in found.places:
        if place.rows:
            click.echo(f"  {place.table}.{place.column}: {counted(place.rows, 'row')}")
    for name, count in found.left_over.items():
        if count:
            click.echo(f"  {name}: {counted(count, 'row')} derived from removed memories")
    for each in found.unknown:
        click.echo(f"  note: {shown(each)}")
