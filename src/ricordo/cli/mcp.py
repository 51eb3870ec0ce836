"""ricordo mcp: the MCP server on standard input and output, and setting clients up for it."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ricordo.cli.options import shown, user_option
from ricordo.mcp.clients import CLIENTS, Client, Setup

_EXTRA = "pip install 'ricordo[mcp]'"


@click.group("mcp", invoke_without_command=True)
@click.option("--agent", metavar="NAME", default="mcp", show_default=True, help="Whose journal and core it is.")
@user_option
@click.pass_context
def command(ctx: click.Context, agent: str, user: str | None) -> None:
    """Serve MCP clients on standard input and output; `install` sets one up for it."""
    if ctx.invoked_subcommand is not None:
        return
    import asyncio

    from ricordo.mcp import serve_stdio
    from ricordo.settings import Settings

    missing = [each for each in ("mcp", "jsonschema") if find_spec(each) is None]
    if missing:
        raise click.ClickException(f"the MCP server needs the extra: {_EXTRA} ({', '.join(missing)} is missing)")

    asyncio.run(serve_stdio(Settings.from_environment(user=user), agent))


@command.command("install")
@click.argument("client", type=click.Choice(CLIENTS))
@click.option("--user", "for_user", is_flag=True, help="For all your projects, not only the one in this folder.")
@click.option("--hooks", is_flag=True, help="Claude Code: keep each session, and begin with what is remembered.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def install(client: Client, for_user: bool, hooks: bool, dry_run: bool, yes: bool) -> None:
    """Add Ricordo to the configuration of CLIENT, which is shown first; what is there stays, with a copy beside it."""
    if find_spec("mcp") is None:
        raise click.ClickException(f"{client} would start `ricordo mcp`, which needs the extra: {_EXTRA}")
    setup = Setup.here(client, for_user)
    _apply(setup, hooks=hooks, remove=False, dry_run=dry_run, yes=yes)
    if missing := setup.secrets():
        names = ", ".join(missing)
        click.echo(f"Not written, since it may hold a password: {names}. Set it where {client} starts.", err=True)


@command.command("uninstall")
@click.argument("client", type=click.Choice(CLIENTS))
@click.option("--user", "for_user", is_flag=True, help="From the configuration for all your projects.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def uninstall(client: Client, for_user: bool, dry_run: bool, yes: bool) -> None:
    """Take Ricordo, and its hooks, out of the configuration of CLIENT."""
    _apply(Setup.here(client, for_user), hooks=False, remove=True, dry_run=dry_run, yes=yes)


def _apply(setup: Setup, *, hooks: bool, remove: bool, dry_run: bool, yes: bool) -> None:
    changes = setup.changes(hooks=hooks, remove=remove)
    if not changes:
        click.echo("Nothing to do: it is not there." if remove else "Nothing to do: it is there already.")
        return
    for change in changes:
        click.echo(f"{change.path}{'' if change.before is not None else ' (new)'}")
        click.echo(shown(change.diff()) + "\n")
    if dry_run:
        return
    if not yes:
        click.confirm("Write this?", abort=True)
    for change in changes:
        backup = change.write()
        click.echo(f"Written: {change.path}{f'; before: {backup.name}' if backup else ''}")
    click.echo(f"Restart {setup.client} to let it take effect.")
