"""ricordo mcp: the MCP server on standard input and output."""

from __future__ import annotations

from pathlib import Path

import click

from ricordo.cli.options import user_option
from ricordo.extras import missing

_EXTRA = "pip install 'ricordo[mcp]'"


@click.command("mcp")
@click.option(
    "--agent", metavar="NAME", default="mcp", show_default=True, help="Agent whose journal and core are used."
)
@click.option("--project", metavar="NAME", help="Project to work on.  [default: that of the current folder]")
@user_option
def command(agent: str, project: str | None, user: str | None) -> None:
    """Run the MCP server on standard input and output. Use `ricordo connect` to set up a client."""
    import asyncio

    from ricordo.cli.opening import folder, remote, require_own_user
    from ricordo.settings import Settings

    settings = Settings.from_environment(user=user)
    if settings.remote_url is not None:
        from ricordo.formats.repository import project_of
        from ricordo.remote import serve_stdio as relay

        require_own_user(settings, user)
        with remote(settings) as there:
            return relay(there, agent, project or project_of(Path(folder())))
    if absent := missing("mcp", "jsonschema"):
        raise click.ClickException(
            f"the MCP server needs packages that are not installed ({', '.join(absent)}): {_EXTRA}"
        )

    from ricordo.mcp.stdio import Project, serve_stdio

    asyncio.run(serve_stdio(settings, agent, Project.of(project, Path(folder()))))
