"""ricordo activity: what happened in the user's memory."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Moment, json_option, print_item, shown, stamp, user_option


@click.command("activity")
@click.option(
    "--type", "types", multiple=True, metavar="TYPE", help="Only these, such as memory_mined; can be repeated."
)
@click.option("--agent", metavar="AGENT", help="Only of this agent, by its id or name.")
@click.option("--since", type=Moment(), help="Only what happened then or later.")
@click.option("--until", type=Moment(whole_day=True), help="Only what happened before then; a date includes its day.")
@click.option("--limit", type=int, default=50, show_default=True, help="How many, 1 to 1,000.")
@click.option("--cursor", metavar="CURSOR", help="Go on behind the page that gave this.")
@json_option
@user_option
def command(
    types: tuple[Any, ...],
    agent: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    cursor: str | None,
    as_json: bool,
    user: str | None,
) -> None:
    """List what happened, newest first. Events tell ids and counts, and no content."""
    with Memory(user=user, background=False) as memory:
        found = memory.activity.list(types or None, agent=agent, since=since, until=until, limit=limit, cursor=cursor)
    if as_json:
        print_item(found)
        return
    for each in found.events:
        ids = {"agent": each.agent_id, "run": each.run_id, "conversation": each.conversation_id, **each.payload}
        told = "  ".join(f"{name}={value}" for name, value in ids.items() if value is not None)
        click.echo(f"{stamp(each.created_at, 'seconds')}  {click.style(each.event, bold=True)}  {shown(told)}")
    if found.cursor:
        click.echo(f"… more: --cursor {found.cursor}")
