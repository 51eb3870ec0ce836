"""ricordo run: the prompt, reads and writes of agent runs."""

from __future__ import annotations

from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Id, json_option, print_json, say_if_empty, shown, stamp, user_option


@click.group("run")
def command() -> None:
    """Show what agent runs saw, read and wrote."""


@command.command("list")
@click.option("--agent", metavar="AGENT", help="Only runs of this agent, by id or name.")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def list_(agent: str | None, limit: int, as_json: bool, user: str | None) -> None:
    """List runs, newest first."""
    with Memory(user=user, background=False) as memory:
        runs = memory.runs.list(agent, limit)
    if as_json:
        print_json([each.model_dump(mode="json", exclude={"prompt"}) for each in runs])
        return
    say_if_empty(runs, "No matching runs.")
    for each in runs:
        click.echo(f"{click.style(str(each.id), fg='cyan')}  {stamp(each.started_at, 'seconds')}  {each.status}")


@command.command("show")
@click.argument("run_id", type=Id("ricordo run list"))
@json_option
@user_option
def show(run_id: UUID, as_json: bool, user: str | None) -> None:
    """Show the run RUN_ID: its exact prompt, its events, and every access to memories."""
    with Memory(user=user, background=False) as memory:
        run = memory.runs.get(run_id)
        events = memory.runs.events(run_id)
        accesses = memory.audit.of_run(run_id)
    if as_json:
        parts = {"events": events, "accesses": accesses}
        listed = {name: [each.model_dump(mode="json") for each in found] for name, found in parts.items()}
        print_json({**run.model_dump(mode="json"), **listed})
        return
    click.echo(f"{click.style(str(run.id), fg='cyan')}  {run.status}  {stamp(run.started_at, 'seconds')}")
    for event in events:
        click.echo(f"  {stamp(event.created_at, 'seconds')}  {shown(event.text)}")
        for problem in event.payload.get("problems", []):
            where = " ".join(str(each) for each in (problem["node"], problem["index"]) if each is not None)
            click.echo(shown(f"    {where}: {problem['reason']}" if where else f"    {problem['reason']}"))
    for access in accesses:
        which = ", ".join(map(str, access.memory_ids)) or "no memory"
        click.echo(f"  {stamp(access.accessed_at, 'seconds')}  {access.action} by {shown(access.actor)}: {which}")
    if run.prompt is not None:
        click.echo(f"\n{shown(run.prompt)}")


@command.command("replay")
@click.argument("run_id", type=Id("ricordo run list"))
@json_option
@user_option
def replay(run_id: UUID, as_json: bool, user: str | None) -> None:
    """Show what the run RUN_ID saw: its prompt, and each memory as it was then and why it was chosen."""
    with Memory(user=user, background=False) as memory:
        found = memory.runs.replay(run_id)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    if found.run.prompt is not None:
        click.echo(f"{shown(found.run.prompt)}\n")
    for each in found.seen:
        why = ", ".join(f"{name} {value}" for name, value in each.why.items() if value is not None)
        click.echo(f"{stamp(each.at, 'seconds')}  {shown(each.text)}\n  {each.memory_id}  {shown(why)}")
