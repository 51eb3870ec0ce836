"""ricordo activity: the events in the user's memory."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Moment, json_option, print_item, say_if_empty, shown, stamp, user_option


@click.command("activity")
@click.option(
    "--type", "types", multiple=True, metavar="TYPE", help="Only events of this type, such as memory_mined; repeatable."
)
@click.option("--agent", metavar="AGENT", help="Only events of this agent, by id or name.")
@click.option("--since", type=Moment(), help="Only events at or after this time.")
@click.option("--until", type=Moment(whole_day=True), help="Only events before this time; a date includes that day.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@click.option("--cursor", metavar="CURSOR", help="Cursor from the previous page.")
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
    """List events, newest first. They are stored without memory content.

    With --json, events also have their ids and counts.
    """
    with Memory(user=user, background=False) as memory:
        found = memory.activity.list(types or None, agent=agent, since=since, until=until, limit=limit, cursor=cursor)
    if as_json:
        print_item(found)
        return
    say_if_empty(found.items, "No matching events.")
    for each in found:
        click.echo(f"{stamp(each.created_at, 'seconds')}  {shown(each.text)}")
    if found.cursor:
        click.echo(f"… next page: --cursor {found.cursor}")
