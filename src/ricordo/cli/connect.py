"""ricordo connect and ricordo disconnect: coding assistants get Ricordo's tools and hooks, and lose them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ricordo.cli.options import shown
from ricordo.errors import InvalidInput
from ricordo.extras import missing
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.assistants import Plan

_EXTRA = "pip install 'ricordo[mcp]'"


class _Agent(click.ParamType[str]):
    """The name of an agent; what there is is imported only when it is asked for."""

    name = "agent"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from ricordo.assistants import AGENTS

        if value not in AGENTS:
            self.fail(f"{value!r} is unknown: choose from {', '.join(AGENTS)}", param, ctx)
        return value


@click.command("connect")
@click.argument("agents", nargs=-1, type=_Agent(), metavar="[AGENT]...")
@click.option("--check", "tries", is_flag=True, help="Try whether each connection works; change nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@click.option("--yes", is_flag=True, help="Confirm the changes without prompting.")
def connect(agents: tuple[str, ...], tries: bool, dry_run: bool, yes: bool) -> int:
    """Connect coding assistants to your memory: tools over MCP, and hooks where supported.

    Without AGENT it connects every assistant that is installed. Each change is shown first. Names: claude-code,
    claude-desktop, codex, cursor, gemini-cli, vscode, windsurf, opencode, cline, roo, zed, goose, amp.
    """
    from ricordo.assistants import AGENTS, Machine, connected, plan_connection

    if missing("mcp", "jsonschema", "ruamel.yaml"):
        raise click.ClickException(f"assistants start `ricordo mcp`, which needs the extra: {_EXTRA}")
    settings, machine = Settings.from_environment(), Machine.here()
    chosen = agents or [name for name, each in AGENTS.items() if each.is_installed(machine)]
    if tries:
        return _check(agents or connected(settings), settings)
    if not chosen:
        click.echo("No assistant was found. Name one to connect it anyway: ricordo connect claude-code", err=True)
        return 1
    plans: list[Plan] = []
    planned: dict[Path, bytes] = {}  # two assistants may share a file

    def planned_again(name: str) -> Plan:
        return plan_connection(AGENTS[name], machine, settings)

    def plan(name: str) -> None:
        plans.append(plan_connection(AGENTS[name], machine, settings, planned))
        planned.update({each.path: each.after for each in plans[-1].changes if each.after is not None})

    code = _for_each(chosen, plan)
    code = max(code, _apply(plans, planned_again, dry_run=dry_run, yes=yes, nothing="connected already"))
    if secrets := machine.secrets():
        names = ", ".join(secrets)
        click.echo(f"Not written, since it may hold a password: {names}. Set it where the assistant starts.", err=True)
    return code


@click.command("disconnect")
@click.argument("agents", nargs=-1, type=_Agent(), metavar="[AGENT]...")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@click.option("--yes", is_flag=True, help="Confirm the changes without prompting.")
def disconnect(agents: tuple[str, ...], dry_run: bool, yes: bool) -> int:
    """Remove Ricordo from the configuration of assistants; without AGENT, of all connected ones.

    Files that have not changed since are restored byte for byte.
    """
    from ricordo.assistants import AGENTS, Machine, connected, plan_disconnection

    settings, machine = Settings.from_environment(), Machine.here()
    chosen = agents or connected(settings)
    if not chosen:
        click.echo("No assistant is connected.")
        return 0

    def planned(name: str) -> Plan:
        return plan_disconnection(AGENTS[name], machine, settings)

    def take_out(name: str) -> int:
        return _apply([planned(name)], planned, dry_run=dry_run, yes=yes, nothing="not connected")

    return _for_each(chosen, take_out)  # one after the other: two assistants may share a file


def _for_each(names: Sequence[str], do: Callable[[str], int | None]) -> int:
    """Do something for each agent, whatever is wrong with the files of others; returns the highest exit code."""
    from ricordo.assistants import AGENTS

    codes = [0]
    for name in names:
        try:
            codes.append(do(name) or 0)
        except (InvalidInput, OSError) as error:
            if len(names) == 1:
                raise
            told = error.problem if isinstance(error, InvalidInput) else str(error)
            click.echo(f"{AGENTS[name].title} was skipped: {shown(told)}", err=True)
            codes.append(1)
    return max(codes)


def _apply(
    plans: Sequence[Plan], planned_again: Callable[[str], Plan], *, dry_run: bool, yes: bool, nothing: str
) -> int:
    """Show plans and make them. After one that was skipped the others are planned again: they may share its files."""
    for plan in plans:
        click.echo(click.style(plan.agent.title, bold=True) + (f": {nothing}" if not plan.changes else ""))
        for change in plan.changes:
            note = " (new)" if change.before is None else " (removed)" if change.after is None else ""
            click.echo(f"  {change.path}{note}")
            if change.after is not None:
                click.echo("\n".join(f"    {line}" for line in shown(change.diff()).splitlines()))
    if dry_run:
        return 0
    if any(plan.changes for plan in plans) and not yes:
        click.confirm("Apply these changes?", abort=True)
    changed: list[str] = []
    by_name = {plan.agent.name: plan for plan in plans}
    skipped = False

    def make(name: str) -> None:
        nonlocal skipped
        try:
            plan = planned_again(name) if skipped else by_name[name]
            plan.make()
        except (InvalidInput, OSError):
            skipped = True
            raise
        changed.extend([plan.agent.title] if plan.changes else [])

    code = _for_each(list(by_name), make)
    if changed:
        click.echo(f"Done. Restart to apply the change: {', '.join(changed)}")
    return code


def _check(names: tuple[str, ...] | list[str], settings: Settings) -> int:
    from ricordo.assistants import AGENTS, Machine, check

    if not names:
        click.echo("No assistant is connected.", err=True)
        return 1

    def tell(name: str) -> int:
        problems = check(AGENTS[name], Machine.here(), settings)
        mark = click.style("✗", fg="red") if problems else click.style("✓", fg="green")
        click.echo(f"{mark} {AGENTS[name].title}")
        for each in problems:
            click.echo(f"    {shown(each)}")
        return int(bool(problems))

    return _for_each(names, tell)
