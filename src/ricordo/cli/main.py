"""The root command: its list of commands, the one table from errors to exit codes, and what the process itself does
about signals, encodings and closed pipes."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from ricordo import __version__, errors

#: The module of each command, and the line that `ricordo --help` shows, so that nothing is imported for it.
COMMANDS = {
    "about": ("ricordo.cli.about", "Show what is known about you, a person or a project."),
    "activity": ("ricordo.cli.activity", "List events: imports, injections, redactions, settings."),
    "agent": ("ricordo.cli.agent", "Create, list, change and delete agents."),
    "ask": ("ricordo.cli.ask", "Answer a question with an LLM, and cite it."),
    "backup": ("ricordo.cli.backup:backup", "Back up the whole store to one file."),
    "bench": ("ricordo.cli.bench", "Measure recall on LoCoMo, LongMemEval, BEAM or RealMem."),
    "connect": ("ricordo.cli.connect:connect", "Connect coding assistants to your memory."),
    "core": ("ricordo.cli.core", "Add and list an agent's permanent memories."),
    "db": ("ricordo.cli.db", "Manage the store: status, start, stop, migrate."),
    "disconnect": ("ricordo.cli.connect:disconnect", "Disconnect coding assistants."),
    "doctor": ("ricordo.cli.doctor", "Check this installation and suggest fixes."),
    "entity": ("ricordo.cli.entity", "Browse and edit the people, projects and things in your chats."),
    "export": ("ricordo.cli.export", "Export your memory to one file."),
    "fact": ("ricordo.cli.fact", "List, confirm, correct, reject and extract facts."),
    "hook": ("ricordo.cli.hook", "Handle a coding assistant's hook."),
    "import": ("ricordo.cli.import_", "Import a file written by `ricordo export`."),
    "jobs": ("ricordo.cli.jobs", "List, show and retry background jobs."),
    "journal": ("ricordo.cli.journal", "Add, list, export and import an agent's weekly journal."),
    "key": ("ricordo.cli.key", "Create, list and revoke API keys."),
    "memory": ("ricordo.cli.memory", "Write, read, redact and summarize memories."),
    "mcp": ("ricordo.cli.mcp", "Run the MCP server for one client."),
    "mine": ("ricordo.cli.mine", "Store the chats in files and folders, word for word."),
    "models": ("ricordo.cli.models", "List and install embedding models."),
    "palace": ("ricordo.cli.palace", "Browse and edit the palace, the tree of stored turns."),
    "proposal": ("ricordo.cli.proposal", "Accept or reject journal entries proposed as core memories."),
    "recall": ("ricordo.cli.recall", "Find the turns that answer a question."),
    "reembed": ("ricordo.cli.reembed", "Switch the vectors to another embedding model."),
    "resident": ("ricordo.cli.resident", "Run the resident process that answers commands and hooks."),
    "restore": ("ricordo.cli.backup:restore", "Restore a backup into a new store."),
    "review": ("ricordo.cli.review", "Accept or reject writes in the review queue."),
    "run": ("ricordo.cli.run", "Show what agent runs saw, read and wrote."),
    "serve": ("ricordo.cli.serve", "Run the HTTP server and the web page."),
    "settings": ("ricordo.cli.settings", "Show, change and reset your settings."),
    "status": ("ricordo.cli.status", "Show how much is stored, and what is pending."),
    "sync": ("ricordo.cli.sync", "Sync one memory between devices."),
    "usage": ("ricordo.cli.usage", "Show LLM usage and costs, and set prices."),
    "user": ("ricordo.cli.user", "Show a user's id, or remove a user and all their data."),
    "verify": ("ricordo.cli.verify", "Verify the store, the access log, a file, or a text's removal."),
    "watch": ("ricordo.cli.watch", "Store new turns of the chats in folders as they appear."),
    "whiteboard": ("ricordo.cli.whiteboard", "Create, read and write notes shared by agents."),
    "worker": ("ricordo.cli.worker", "Run background jobs for all users."),
}

#: Exit codes, most specific class first. 0 is success, 1 partial success, 128 + n the end by signal n.
EXIT_CODES: tuple[tuple[type[errors.RicordoError], int], ...] = (
    (errors.InvalidInput, 2),
    (errors.NotFound, 3),
    (errors.StoreUnavailable, 4),
    (errors.StoreIncompatible, 5),
    (errors.ReplyUnusable, 9),
    (errors.CapReached, 10),
    (errors.Changed, 11),
    (errors.ModelUnavailable, 6),
    (errors.UnreadableSource, 7),
    (errors.RicordoError, 8),
)
_SAFE = "stored data is safe; run the same command again to continue"
#: What to report when a command that does all or nothing is interrupted.
_KEPT = {
    "backup": "no backup was written",
    "export": "no file was written",
    "import": "nothing was imported",
    "restore": "nothing was restored",
    "verify": "the check did not finish",
}
#: Input or output failed, such as writing to a full disk: EX_IOERR of sysexits.h.
_IO_FAILED = 74


class _Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a command as Ctrl-C does."""


class _Lazy(click.Group):
    """A group whose commands are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), name or "command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in sorted(COMMANDS.items())])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ricordo %(version)s")
def root() -> None:
    """Long-term memory for AI agents: stores every turn word for word and finds the right ones in milliseconds.

    \b
    Start with:  ricordo mine ~/chats     then:  ricordo recall "which battery did we choose?"

    Set these environment variables to configure Ricordo: RICORDO_HOME (folder for all data), RICORDO_DATABASE_URL
    (your own PostgreSQL server instead of the embedded one), RICORDO_USER (default user). The documentation lists more.

    \b
    Exit codes:
       0  success
       1  partial success: something was skipped, or a check found a problem
       2  invalid input
       3  not found
       4  store unavailable
       5  store incompatible
       6  model unavailable
       7  unreadable source
       8  other error
       9  unusable LLM reply
      10  spending cap reached
      11  changed by someone else in the meantime
      74  input/output error
     130  interrupted (Ctrl-C)
     143  terminated
    """


def main(arguments: list[str] | None = None) -> int:
    """Runs a command line and returns its exit code; a Ricordo error becomes one line on standard error.

    Without `arguments` it runs as the program: it reads the process's arguments and sets up streams and signals.
    """
    if arguments is not None:
        return _run(arguments)
    _set_up_process()
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt as error:  # another one, while it was told of the first
        code = _ended_by(error)
    except OSError:  # nor can standard error be written
        code = _IO_FAILED
    # Whatever comes now ends the process, and is raised in none of the interpreter's last steps.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The interpreter walks all objects on its way out; what is frozen it passes over, which saves 60 ms of a recall.
    gc.freeze()
    return code


def _run(arguments: list[str]) -> int:
    color = False if os.environ.get("NO_COLOR") else None
    try:
        outcome: Any = root.main(arguments, prog_name="ricordo", standalone_mode=False, color=color)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as error:
        if error.__cause__ is None:  # a question that was answered with no, or not at all
            unasked = not sys.stdin.isatty() and _confirms(arguments)
            hint = ". To confirm without a prompt, pass --yes" if unasked else ""
            click.echo(f"ricordo: canceled; nothing was changed{hint}", err=True)
            return 1
        kept = _KEPT.get(arguments[0] if arguments else "", _SAFE)
        click.echo(f"ricordo: interrupted; {kept}", err=True)
        return _ended_by(error.__cause__)
    except errors.InvalidInput as error:
        problem = str(error).removeprefix(f"{error.field}: ")
        click.echo(f"ricordo: {_spelled(error.field, arguments)}: {problem}", err=True)
        return 2
    except errors.RicordoError as error:
        click.echo(f"ricordo: {error}", err=True)
        return next(code for kind, code in EXIT_CODES if isinstance(error, kind))
    except OSError as error:
        click.echo(f"ricordo: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}", err=True)
        return _IO_FAILED
    except SystemExit:  # click's answer to a closed pipe: `ricordo … | head` has seen enough
        return 0
    return outcome if isinstance(outcome, int) else 0


def _confirms(arguments: Sequence[str]) -> bool:
    """Whether the command that these arguments name has the option --yes."""
    command: click.Command = root
    for word in arguments:
        found = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if found is None:
            break
        command = found
    return any("--yes" in each.opts for each in command.params)


def _ended_by(interrupt: BaseException) -> int:
    """The exit code of what a signal ended."""
    return 128 + (signal.SIGTERM if isinstance(interrupt, _Terminated) else signal.SIGINT)


def _set_up_process() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # it is None where it was closed
            stream.reconfigure(errors="backslashreplace")  # "§" must not end a command under PYTHONIOENCODING=ascii
    signal.signal(signal.SIGTERM, _terminate)
    # Imports make objects that stay, over 100,000 for a recall: looking for garbage among them takes up to 50 ms of it.
    gc.set_threshold(200_000)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated


def _spelled(field: str, arguments: Sequence[str]) -> str:
    """A field's name as this caller spelled it: an option, NAME=VALUE, or else the environment's variable."""
    from ricordo.settings import PREFIX, Settings

    option = "--" + field.replace("_", "-")
    if any(each == option or each.startswith(f"{option}=") for each in arguments):
        return option
    if any(each.partition("=")[0].strip().replace("-", "_") == field for each in arguments if "=" in each):
        return field
    return PREFIX + field.upper() if field in Settings.__dataclass_fields__ else field
