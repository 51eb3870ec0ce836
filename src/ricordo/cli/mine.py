"""ricordo mine: chat files → the palace, with progress, and a report of what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ricordo.blocking import Memory
from ricordo.cli.options import json_option, print_json, user_option
from ricordo.client import Progress
from ricordo.errors import ModelUnavailable
from ricordo.nouns import Imported

#: Problems that are printed before the rest is only counted.
_SHOWN = 50


@click.command("mine")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--dry-run", is_flag=True, help="Read and count; write nothing.")
@json_option
@user_option
def command(paths: tuple[Path, ...], dry_run: bool, as_json: bool, user: str | None) -> int:
    """Keep the chats in files and folders, word for word.

    Known formats: plain-text and Markdown chats, ChatGPT and Claude.ai exports, Claude Code sessions, and
    neutral JSON. Mining the same files again adds only what is new, and a run that was stopped goes on where it
    was. What could not be read is listed at the end, and the exit code is then 1.
    """
    with Memory(user=user, background=False) as memory:
        with _bar("Keeping turns", as_json) as progress:
            imported = memory.import_chats(paths, progress=progress, dry_run=dry_run)
        embedded, missing = 0, None
        if not dry_run:
            try:
                with _bar("Making vectors", as_json) as progress:
                    embedded = memory.embed_pending(progress)
            except ModelUnavailable as error:
                missing = str(error)
        pending = 0 if dry_run else memory.pending()
    if as_json:
        print_json(
            {**imported.model_dump(mode="json"), "lost": imported.lost, "embedded": embedded, "pending": pending}
        )
    else:
        _report(imported, pending, missing)
    return 1 if imported.lost else 0


@contextmanager
def _bar(what: str, quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on standard error with turns, turns/s and the time left; none where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:,.0f} turns/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None, rate=0.0)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None, rate=bar.tasks[0].speed or 0.0)

        yield show


def _report(imported: Imported, pending: int, missing: str | None) -> None:
    for problem in imported.problems[:_SHOWN]:
        click.echo(f"{'left out' if problem.lost else 'mended'}: {problem}", err=True)
    if len(imported.problems) > _SHOWN:
        click.echo(f"… and {len(imported.problems) - _SHOWN:,} more; --json lists them all", err=True)
    if imported.dry_run:
        click.echo(f"{imported.conversations:,} conversations with {imported.stored:,} turns; nothing was written")
        return
    text = f"{imported.conversations:,} conversations: {imported.stored:,} turns stored"
    if imported.duplicates:
        text += f", {imported.duplicates:,} were there before"
    if imported.lost:
        text += f"; {imported.lost:,} {'problem' if imported.lost == 1 else 'problems'} left something out (see above)"
    click.echo(text)
    if missing:
        click.echo(f"Recall goes by words only: {missing}", err=True)
    elif pending:
        click.echo(f"{pending:,} turns wait for their vectors; another process makes them", err=True)
