"""ricordo import: a user's memory out of the file that `ricordo export` wrote."""

from __future__ import annotations

from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_noun, user_option


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Check everything; keep nothing.")
@click.option("--trust", is_flag=True, help="It is your own: let it in as it is, past your policies.")
@json_option
@user_option
def command(file: Path, dry_run: bool, trust: bool, as_json: bool, user: str | None) -> None:
    """Bring the memory in FILE, which `ricordo export` wrote, into the store, for a user who has none yet.

    All of it comes, or nothing. Run again it changes nothing. Policies on secrets, personal data and reviews that are
    set for the user hold for it, unless --trust. For chats of other programs see `ricordo mine`.
    """
    with Memory(user=user, background=False) as memory:
        loaded = memory.archive.load(file, dry_run=dry_run, trusted=trust)
        pending = memory.pending()
    if as_json:
        print_noun(loaded)
        return
    if loaded.status == "duplicate":
        click.echo("This file was loaded before; nothing was changed.")
        return
    memories = loaded.rows.get("memories.jsonl", 0)
    click.echo(
        f"{memories:,} memories, {sum(loaded.rows.values()):,} rows in all, "
        + ("would come; nothing was written" if dry_run else f"are now {loaded.user}'s")
    )
    if pending:
        click.echo(f"{pending:,} wait for their vectors, which are made in the background (`ricordo worker`)", err=True)
