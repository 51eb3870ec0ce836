"""ricordo mcp: the MCP server on standard input and output, and setting clients up for it."""

from __future__ import annotations

import asyncio

import click

from ricordo.cli.options import user_option
from ricordo.settings import Settings


@click.group("mcp", invoke_without_command=True)
@click.option("--agent", metavar="NAME", default="mcp", show_default=True, help="Whose journal and core it is.")
@user_option
@click.pass_context
def command(ctx: click.Context, agent: str, user: str | None) -> None:
    """Serve MCP clients on standard input and output; `install` sets one up for it."""
    if ctx.invoked_subcommand is None:
        from ricordo.mcp import serve_stdio

        asyncio.run(serve_stdio(Settings.from_environment(user=user), agent))
