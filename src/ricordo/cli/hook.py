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
@click.option("--agent", metavar="NAME", default="claude-code", show_default=True, help="Whose journal and core it is.")
@click.option("--budget", type=float, default=hooks.BUDGET, show_default=True, help="Seconds after which it gives up.")
@user_option
def command(event: str, agent: str, budget: float, user: str | None) -> None:
    """Do what Claude Code's hook EVENT is for; `ricordo mcp install claude-code --hooks` sets it up.

    The hook's JSON comes on standard input. `session-end` and `pre-compact` let the transcript be mined in a process of
    its own, `session-start` prints what is remembered of the project. The exit code is 0 whatever happens; what goes
    wrong is in logs/hooks.log of RICORDO_HOME.
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
