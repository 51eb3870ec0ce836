"""ricordo mcp: the MCP server on standard input and output, and setting clients up for it."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ricordo.cli.options import shown, user_option
from ricordo.mcp.clients import CLIENTS, Client, Setup

_EXTRA = "pip install 'ricordo[mcp]'"


@click.group("mcp", invoke_without_command=True)
@click.option(
    "--agent", metavar="NAME", default="mcp", show_default=True, help="Agent whose journal and core are used."
)
@user_option
@click.pass_context
def command(ctx: click.Context, agent: str, user: str | None) -> None:
    """Run the MCP server on standard input and output. Use `install` to set up a client."""
    if ctx.invoked_subcommand is not None:
        return
    import asyncio

    from ricordo.mcp import serve_stdio
    from ricordo.settings import Settings

    missing = [each for each in ("mcp", "jsonschema") if find_spec(each) is None]
    if missing:
        raise click.ClickException(
            f"the MCP server needs packages that are not installed ({', '.join(missing)}): {_EXTRA}"
        )

    asyncio.run(serve_stdio(Settings.from_environment(user=user), agent))


@command.command("install")
@click.argument("client", type=click.Choice(CLIENTS))
@click.option("--user", "for_user", is_flag=True, help="Set up all your projects instead of only the current folder.")
@click.option("--hooks", is_flag=True, help="Claude Code only: store each session and start it with memories.")
@click.option("--dry-run", is_flag=True, help="Show the changes without writing them.")
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
def install(client: Client, for_user: bool, hooks: bool, dry_run: bool, yes: bool) -> None:
    """Add Ricordo to the configuration of CLIENT. Shows the change first, and keeps a copy of the old file."""
    if find_spec("mcp") is None:
        raise click.ClickException(f"the MCP server needs a package that is not installed (mcp): {_EXTRA}")
    setup = Setup.here(client, for_user)
    _apply(setup, hooks=hooks, remove=False, dry_run=dry_run, yes=yes)
    if missing := setup.secrets():
        names = ", ".join(missing)
        click.echo(
            f"Not written because it may contain a password: {names}. Set it in the environment of {client}.", err=True
        )


@command.command("uninstall")
@click.argument("client", type=click.Choice(CLIENTS))
@click.option(
    "--user", "for_user", is_flag=True, help="Remove from all your projects instead of only the current folder."
)
@click.option("--dry-run", is_flag=True, help="Show the changes without writing them.")
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
def uninstall(client: Client, for_user: bool, dry_run: bool, yes: bool) -> None:
    """Remove Ricordo and its hooks from the configuration of CLIENT."""
    _apply(Setup.here(client, for_user), hooks=False, remove=True, dry_run=dry_run, yes=yes)


def _apply(setup: Setup, *, hooks: bool, remove: bool, dry_run: bool, yes: bool) -> None:
    changes = setup.changes(hooks=hooks, remove=remove)
    if not changes:
        click.echo("Nothing to do: not installed." if remove else "Nothing to do: already installed.")
        return
    for change in changes:
        click.echo(f"{change.path}{'' if change.before is not None else ' (new)'}")
        click.echo(shown(change.diff()) + "\n")
    if dry_run:
        return
    if not yes:
        click.confirm("Write these changes?", abort=True)
    for change in changes:
        backup = change.write()
        click.echo(f"Written: {change.path}{f' (previous version: {backup.name})' if backup else ''}")
    click.echo(f"Restart {setup.client} for the change to take effect.")
