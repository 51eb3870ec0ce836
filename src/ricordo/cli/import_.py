"""ricordo import: a user's memory out of the file that `ricordo export` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, user_option


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Check everything; keep nothing.")
@click.option("--trust", is_flag=True, help="It is your own: let it in as it is, past your policies, settings and all.")
@json_option
@user_option
def command(file: Path, dry_run: bool, trust: bool, as_json: bool, user: str | None) -> None:
    """Bring the memory in FILE, which `ricordo export` wrote, into the store, for a user who has none yet.

    All of it comes, or nothing. Run again it changes nothing. Unless --trust, policies on secrets, personal data and
    reviews that are set for the user hold for it, and its settings, prices, costs and background work are left out;
    --trust takes these over, afterwards too. For chats of other programs see `ricordo mine`.
    """
    with Memory(user=user, background=False) as memory:
        loaded = memory.archive.load(file, dry_run=dry_run, trusted=trust)
        pending = memory.pending()
    if as_json:
        print_item(loaded)
        return
    if loaded.status == "duplicate":
        click.echo("This file was loaded before; nothing was changed.")
        return
    rows = sum(loaded.rows.values())
    if "memories.jsonl" in loaded.rows:
        click.echo(
            f"{loaded.rows['memories.jsonl']:,} memories, {rows:,} rows in all, "
            + ("would come; nothing was written" if dry_run else f"are now {loaded.user}'s")
        )
    else:
        click.echo(f"The file was loaded before. Of what was left out then, {rows:,} rows {_came(dry_run)}")
    if loaded.left_out:
        click.echo(f"Left out: {_told(loaded.left_out)}. {_STAY if trust else _DECIDES}")
    if pending:
        click.echo(f"{pending:,} wait for their vectors, which are made in the background (`ricordo worker`)", err=True)


def _came(dry_run: bool) -> str:
    return "would be taken over; nothing was written" if dry_run else "are taken over now"


#: What is left out of an archive, as it is called.
_CALLED = {
    "settings.jsonl": "its settings",
    "model_prices.jsonl": "its prices of models",
    "model_calls.jsonl": "its costs",
    "profiles.jsonl": "policies of its profiles",
    "jobs.jsonl": "its background work",
}
_DECIDES = (
    "An archive does not decide for who loads it; if it is your own, the same command with --trust takes that over."
)
_STAY = "What you have chosen yourself stays."


def _told(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{_CALLED.get(name, name)} ({rows:,})" for name, rows in left_out.items())
