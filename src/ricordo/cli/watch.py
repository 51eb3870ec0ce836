"""ricordo watch: follows growing session files and stores new turns."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from ricordo.cli.options import PathGiven, json_option, print_json, shown, user_option
from ricordo.client import AsyncMemory
from ricordo.errors import UnreadableSource, counted
from ricordo.models import WatchReport
from ricordo.settings import account_home


@click.command("watch")
@click.argument("folders", nargs=-1, type=PathGiven(path_type=Path), metavar="[FOLDER]...")
@click.option(
    "--settle",
    type=click.FloatRange(0, 86400),
    default=10.0,
    show_default=True,
    help="Seconds to wait after a file's last change.",
)
@click.option("--quiet", is_flag=True, help="Print errors only.")
@json_option
@user_option
def command(folders: tuple[Path, ...], settle: float, quiet: bool, as_json: bool, user: str | None) -> int:
    """Watch folders and store new turns of their chats, until Ctrl-C or SIGTERM.

    Without FOLDER, watches your Claude Code and Codex sessions. A file is read once it has stopped changing. After a
    restart, watching continues where it stopped and stores nothing twice. With --json, prints one line of JSON for each
    file with new turns.
    """
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # what it says is said in one line of ours
    kept = asyncio.run(_watch(folders or _sessions(), settle, quiet, as_json, user))
    if not as_json:
        click.echo(f"{counted(kept, 'turn')} stored")
    return 0


def _sessions() -> Sequence[Path]:
    """The session folders of Claude Code and Codex that exist here."""
    places = (("CLAUDE_CONFIG_DIR", ".claude", "projects"), ("CODEX_HOME", ".codex", "sessions"))
    folders = [Path(os.environ.get(name) or _home() / default) / inner for name, default, inner in places]
    if found := [folder for folder in folders if folder.is_dir()]:
        return found
    raise UnreadableSource(f"no sessions found: {folders[0]} and {folders[1]} do not exist. Pass a FOLDER to watch")


def _home() -> Path:
    return account_home("pass a FOLDER to watch")


async def _watch(folders: Sequence[Path], settle: float, quiet: bool, as_json: bool, user: str | None) -> int:
    kept = 0

    def told(watched: WatchReport) -> None:
        nonlocal kept
        kept += watched.stored
        if as_json:
            print_json(watched.model_dump(mode="json"), indent=None)
            return
        for problem in watched.problems:
            if problem.lost:
                click.echo(f"skipped: {shown(str(problem))}", err=True)
        if watched.stored and not quiet:
            click.echo(f"{shown(watched.file)}: {counted(watched.stored, 'turn')} stored")

    async with AsyncMemory(user=user) as memory:
        watching = asyncio.create_task(memory.watch(folders, settle=settle, report=told))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C interrupts
                loop.add_signal_handler(number, watching.cancel)
        if not quiet:
            names = ", ".join(shown(str(folder)) for folder in folders)
            click.echo(f"Watching {names}. Press Ctrl-C to stop.", err=True)
        with suppress(asyncio.CancelledError):
            await watching
    return kept
