"""ricordo hook: what coding assistants call as a session begins, goes on and ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ricordo.assistants import form_of, hooks
from ricordo.cli.opening import awaited, folder, remote, require_own_user, settings_of, within
from ricordo.cli.options import user_option
from ricordo.errors import RicordoError
from ricordo.settings import Settings

#: What a hook is called for.
EVENTS = ("session-start", "prompt", "pre-compact", "turn-end", "session-end")


class _Hook(click.Command):
    """A command that always exits with 0: with any other exit code, an assistant may drop the prompt."""

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """The context. An invalid command line, such as one from another version, ends the command without effect."""
        try:
            return super().make_context(*given, **more)
        except click.UsageError as error:
            click.echo(f"ricordo hook: {error.format_message()}", err=True)
            raise click.exceptions.Exit(0) from None


@click.command("hook", cls=_Hook)
@click.argument("event", type=click.Choice(EVENTS))
@click.option(
    "--for", "agent", metavar="AGENT", default="claude-code", show_default=True,
    help="Assistant that calls the hook, and agent whose journal and core are used.",
)  # fmt: skip
@click.option("--budget", type=float, default=hooks.BUDGET, show_default=True, help="Time limit in seconds.")
@user_option
def command(event: str, agent: str, budget: float, user: str | None) -> None:
    """Handle an assistant's hook EVENT. Set hooks up with `ricordo connect`.

    Reads the hook's JSON from standard input. `session-start` prints where the project stopped, `prompt` the results
    that matter to a prompt. The other events start mining the transcript in a separate process. The exit code is
    always 0; errors are logged to logs/hooks.log in RICORDO_HOME.
    """
    try:
        settings = settings_of(user)
        with hooks.quietly(settings, event, budget if within.get() is None else None):
            require_own_user(settings, user)
            call = hooks.read_input(sys.stdin, event)
            if form_of(agent).is_in_folder:
                call = replace(call, folder=Path(folder()))
            if event in ("session-start", "prompt"):
                said = _said if settings.remote_url is None else _from_afar
                context = said(settings, call, event, agent)
                click.echo(form_of(agent).printed(call.event, context), nl=False)
            else:
                hooks.keep(call, settings)
    except (RicordoError, OSError) as error:  # there is no log yet to tell it to
        click.echo(f"ricordo hook {event}: {error}", err=True)


def _said(settings: Settings, call: hooks.Call, event: str, agent: str) -> str:
    said = hooks.begin if event == "session-start" else hooks.remind
    return awaited(settings, lambda memory: said(call, memory, agent))


def _from_afar(settings: Settings, call: hooks.Call, event: str, agent: str) -> str:
    with remote(settings) as there:
        return (hooks.begin_from if event == "session-start" else hooks.remind_from)(there, call, agent)


def took_too_long(arguments: Sequence[str], seconds: float) -> int:
    """Note that the resident process did not answer a hook in time; returns the exit code."""
    event = next((each for each in arguments[1:] if each in EVENTS), "")
    try:
        with hooks.quietly(Settings.from_environment(), event, None):
            hooks.log.warning("%s: ended after %s seconds, with nothing printed", event, seconds)
    except (RicordoError, OSError) as error:
        click.echo(f"ricordo hook {event}: {error}", err=True)
    return 0
