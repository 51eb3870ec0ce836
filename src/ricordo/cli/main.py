"""The root command: its list of commands, and the one table from errors to exit codes."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from ricordo import __version__, errors

#: The module of each command, and the line that `ricordo --help` shows, so that nothing is imported for it.
COMMANDS = {
    "bench": ("ricordo.cli.bench", "Measure recall on LoCoMo or LongMemEval files of yours."),
    "db": ("ricordo.cli.db", "Look after the store: status, start, stop, migrate."),
    "doctor": ("ricordo.cli.doctor", "Say what is wrong with this installation, and what to do."),
    "mine": ("ricordo.cli.mine", "Keep the chats in files and folders, word for word."),
    "models": ("ricordo.cli.models", "List and install the encoders that compare by meaning."),
    "palace": ("ricordo.cli.palace", "Walk through what is kept: tree, show."),
    "recall": ("ricordo.cli.recall", "Bring back the lines that answer a question."),
}

#: Exit codes, most special class first. 0 is success; 1 says that something was left out; 130 an interruption.
EXIT_CODES: tuple[tuple[type[errors.RicordoError], int], ...] = (
    (errors.InvalidInput, 2),
    (errors.NotFound, 3),
    (errors.StoreUnavailable, 4),
    (errors.StoreIncompatible, 5),
    (errors.ModelUnavailable, 6),
    (errors.UnreadableSource, 7),
    (errors.RicordoError, 8),
)


class _Lazy(click.Group):
    """A group whose commands are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in sorted(COMMANDS.items())])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ricordo %(version)s")
def root() -> None:
    """Long-term memory for AI agents: everything word for word, the right lines back in milliseconds.

    \b
    Start with:  ricordo mine ~/chats     then:  ricordo recall "which battery did we choose?"

    Settings come from RICORDO_… variables: RICORDO_HOME (where everything is kept), RICORDO_DATABASE_URL (a
    PostgreSQL of yours instead of the embedded one), RICORDO_USER (whose memory it is) and more.

    Exit codes: 0 done, 1 done but something was left out, 2 wrong input, 3 not found, 4 store unavailable,
    5 store incompatible, 6 no model, 7 unreadable source, 130 interrupted.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit code; errors of ours are one line on standard error."""
    try:
        outcome: Any = root.main(arguments, prog_name="ricordo", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("ricordo: interrupted; what was stored stays, and the same command goes on from there", err=True)
        return 130
    except errors.RicordoError as error:
        click.echo(f"ricordo: {error}", err=True)
        return next(code for kind, code in EXIT_CODES if isinstance(error, kind))
    except BrokenPipeError:  # `ricordo … | head` has seen enough
        sys.stderr.close()
        return 0
    return outcome if isinstance(outcome, int) else 0
