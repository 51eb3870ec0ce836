"""ricordo hook: what Claude Code calls at the beginning and the end of a session."""

from __future__ import annotations

import sys

import click

from ricordo.cli.options import user_option
from ricordo.errors import RicordoError
from ricordo.mcp import hooks
from ricordo.settings import Settings


@click.command("hook")
@click.argument("event", type=click.Choice(["session-start", "session-end", "pre-compact"]))
@click.option(
    "--agent", metavar="NAME", default="claude-code", show_default=True, help="Agent whose journal and core are used."
)
@click.option("--budget", type=float, default=hooks.BUDGET, show_default=True, help="Time limit in seconds.")
@user_option
def command(event: str, agent: str, budget: float, user: str | None) -> None:
    """Handle the Claude Code hook EVENT. Set hooks up with `ricordo mcp install claude-code --hooks`.

    Reads the hook's JSON from standard input. `session-end` and `pre-compact` start mining the transcript in a separate
    process. `session-start` prints the memories of the project. The exit code is always 0; errors are logged to
    logs/hooks.log in RICORDO_HOME.
    """
    try:
        settings = Settings.from_environment(user=user)
        with hooks.quietly(settings, event, budget):
            given = hooks.read_input(sys.stdin)
            if event == "session-start":
                click.echo(hooks.begin(given, settings, agent), nl=False)
            else:
                hooks.keep(given, settings)
    except (RicordoError, OSError) as error:  # there is no log yet to tell it to
        click.echo(f"ricordo hook {event}: {error}", err=True)
