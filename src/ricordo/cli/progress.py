"""Progress bars for long commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ricordo.models import Progress


@contextmanager
def bar(what: str, unit: str | None, quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on standard error with the count, the rate and the time left, or None without a terminal. Without
    a unit, it shows percentages."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    counts: tuple[ProgressColumn, ...] = (TaskProgressColumn(),)
    if unit is not None:
        counts = (MofNCompleteColumn(), TextColumn(f"{{task.fields[rate]:,.0f}} {unit}/s"))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), *counts, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task(what, total=None, rate=0.0)

        def show(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total or None, rate=shown.tasks[0].speed or 0.0)

        yield show
