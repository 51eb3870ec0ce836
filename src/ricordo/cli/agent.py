"""ricordo agent: the agents of the user, and which of them may read each other's global entries."""

from __future__ import annotations

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_item, print_items, say_if_empty, shown, user_option
from ricordo.models import Agent


@click.group("agent")
def command() -> None:
    """Create, list, change and delete agents. AGENT is an id or a name."""


@command.command("create")
@click.argument("name")
@click.option("--system-prompt", metavar="TEXT", help="System prompt of the agent.")
@json_option
@user_option
def create(name: str, system_prompt: str | None, as_json: bool, user: str | None) -> None:
    """Create an agent named NAME with a default memory profile."""
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
@click.option("--name", metavar="NAME", help="New name.")
@click.option("--system-prompt", metavar="TEXT", help="New system prompt.")
@click.option(
    "--memory/--no-memory", "enabled", default=None, help="Add memory to this agent's prompts, or stop adding it."
)
@json_option
@user_option
def change(
    agent: str, name: str | None, system_prompt: str | None, enabled: bool | None, as_json: bool, user: str | None
) -> None:
    """Change the name, system prompt or memory of AGENT."""
    disabled = None if enabled is None else not enabled
    with Memory(user=user, background=False) as memory:
        changed = memory.agents.change(agent, name=name, system_prompt=system_prompt, memory_disabled=disabled)
        _print([changed], as_json, one=True)


@command.command("delete")
@click.argument("agent")
@click.confirmation_option(prompt="Delete the agent and all its memories?")
@user_option
def delete(agent: str, user: str | None) -> None:
    """Delete AGENT with its profiles, entries, journal, core memory and runs."""
    with Memory(user=user, background=False) as memory:
        memory.agents.delete(agent)
    click.echo("deleted")


@command.command("grant")
@click.argument("from_agent")
@click.argument("to_agent")
@click.option("--revoke", is_flag=True, help="Withdraw the access.")
@user_option
def grant(from_agent: str, to_agent: str, revoke: bool, user: str | None) -> None:
    """Let TO_AGENT read the global entries of FROM_AGENT."""
    with Memory(user=user, background=False) as memory:
        if revoke:
            changed = memory.agents.revoke(from_agent, to_agent)
            click.echo("access revoked" if changed else "no access to revoke")
        else:
            changed = memory.agents.grant(from_agent, to_agent)
            click.echo("access granted" if changed else "access was already granted")


def _print(agents: list[Agent], as_json: bool, one: bool = False) -> None:
    if as_json:
        print_item(agents[0]) if one else print_items(agents)
        return
    say_if_empty(agents, "No agents yet. To create one, run `ricordo agent create NAME`.")
    for each in agents:
        off = "  memory off" if each.memory_disabled else ""
        click.echo(f"{each.id}  {click.style(shown(each.name), bold=True)}{off}")
