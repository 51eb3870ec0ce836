"""ricordo agent: the agents of the user, and which of them may read each other's global entries."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_items, shown, user_option
from ricordo.models import Agent


@click.group("agent")
def command() -> None:
    """Make, list and change agents. AGENT is an id or a name."""


@command.command("create")
@click.argument("name")
@click.option("--system-prompt", metavar="TEXT", help="What the agent is told first.")
@json_option
@user_option
def create(name: str, system_prompt: str | None, as_json: bool, user: str | None) -> None:
    """Make an agent named NAME, with a default memory profile."""
    with Memory(user=user, background=False) as memory:
        _print([memory.agents.create(name, system_prompt=system_prompt)], as_json, one=True)


@command.command("list")
@json_option
@user_option
def list_(as_json: bool, user: str | None) -> None:
    """List the agents, oldest first."""
    with Memory(user=user, background=False) as memory:
        _print(memory.agents.list(), as_json)


@command.command("change")
@click.argument("agent")
@click.option("--name", metavar="NAME", help="A new name.")
@click.option("--system-prompt", metavar="TEXT", help="A new system prompt.")
@click.option("--memory/--no-memory", "enabled", default=None, help="Whether runs of this agent are given memories.")
@json_option
@user_option
def change(
    agent: str, name: str | None, system_prompt: str | None, enabled: bool | None, as_json: bool, user: str | None
) -> None:
    """Change what is given of AGENT."""
    disabled = None if enabled is None else not enabled
    with Memory(user=user, background=False) as memory:
        changed = memory.agents.change(agent, name=name, system_prompt=system_prompt, memory_disabled=disabled)
        _print([changed], as_json, one=True)


@command.command("delete")
@click.argument("agent")
@click.confirmation_option(prompt="Remove the agent with all that it remembers?")
@user_option
def delete(agent: str, user: str | None) -> None:
    """Remove AGENT with its profiles, entries, journal, core and runs."""
    with Memory(user=user, background=False) as memory:
        memory.agents.delete(agent)
    click.echo("removed")


@command.command("grant")
@click.argument("from_agent")
@click.argument("to_agent")
@click.option("--revoke", is_flag=True, help="Close them again.")
@user_option
def grant(from_agent: str, to_agent: str, revoke: bool, user: str | None) -> None:
    """Open the global entries of FROM_AGENT to TO_AGENT."""
    with Memory(user=user, background=False) as memory:
        if revoke:
            changed = memory.agents.revoke(from_agent, to_agent)
            click.echo("closed" if changed else "they were not open")
        else:
            changed = memory.agents.grant(from_agent, to_agent)
            click.echo("opened" if changed else "they were open already")


def _print(agents: list[Agent], as_json: bool, one: bool = False) -> None:
    if as_json:
        print_item(agents[0]) if one else print_items(agents)
        return
    for each in agents:
        off = "  memory off" if each.memory_disabled else ""
        click.echo(f"{each.id}  {click.style(shown(each.name), bold=True)}{off}")
