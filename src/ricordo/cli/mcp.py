"""ricordo mcp: the MCP server on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ricordo.cli.options import user_option

_EXTRA = "pip install 'ricordo[mcp]'"


@click.command("mcp")
@click.option(
    "--agent", metavar="NAME", default="mcp", show_default=True, help="Agent whose journal and core are used."
)
@user_option
def command(agent: str, user: str | None) -> None:
    """Run the MCP server on standard input and output. Use `ricordo connect` to set up a client."""
    import asyncio

    from ricordo.mcp import serve_stdio
    from ricordo.settings import Settings

    missing = [each for each in ("mcp", "jsonschema") if find_spec(each) is None]
    if missing:
        raise click.ClickException(
            f"the MCP server needs packages that are not installed ({', '.join(missing)}): {_EXTRA}"
        )

    asyncio.run(serve_stdio(Settings.from_environment(user=user), agent))
