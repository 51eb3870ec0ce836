"""ricordo bench: recall measured on files of known benchmarks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from ricordo import bench
from ricordo.bench.datasets import History
from ricordo.bench.peers import Result
from ricordo.cli import longmemeval
from ricordo.cli.options import json_option, on_terminal, print_json
from ricordo.errors import counted
from ricordo.settings import Settings

_MEASURES = ("any@1", "any@5", "any@10", "all@5", "all@10", "share@10", "share@4k", "mrr@10")
#: What peers are compared by.
_LEVELS = (("turn", "any@10"), ("turn", "all@10"), ("session", "any@5"), ("session", "all@5"))
_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_pooled = click.option("--pooled", is_flag=True, help="Store all histories of the file for one user.")


@click.group("bench")
def command() -> None:
    """Measure recall on your LoCoMo, LongMemEval, BEAM or RealMem files, in a temporary database schema."""


@command.command("locomo")
@_file
@_pooled
@json_option
def locomo(file: Path, pooled: bool, as_json: bool) -> None:
    """Measure retrieval on a LoCoMo FILE (locomo10.json or a part of it), categories 1 to 4."""
    _run(bench.locomo, file, pooled, as_json)


@command.command("beam")
@_file
@json_option
def beam(file: Path, as_json: bool) -> None:
    """Measure retrieval on BEAM's chats in FILE, a JSON list of chat, messages and questions."""
    _run(bench.beam, file, False, as_json)


@command.command("realmem")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--with-context", is_flag=True, help="Also pass the turn before each message to recall.")
@json_option
def realmem(files: tuple[Path, ...], with_context: bool, as_json: bool) -> None:
    """Measure retrieval on RealMem's FILES, one person each, with the user's next message as the question."""
    histories = [list(bench.realmem(file)) for file in files]  # each file is checked before any is mined
    _report(itertools.chain.from_iterable(histories), as_json, with_context=with_context)


@longmemeval.command.command("at-once")
@_file
@_pooled
@json_option
def longmemeval_at_once(file: Path, pooled: bool, as_json: bool) -> None:
    """Measure retrieval on FILE in one step, without logs; prints the same figures as `locomo`."""
    _run(bench.longmemeval, file, pooled, as_json)


command.add_command(longmemeval.command)


@command.command("peers")
@click.option(
    "--locomo", "locomo_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="LoCoMo file."
)
@click.option(
    "--longmemeval",
    "lme_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="LongMemEval file.",
)
@click.option("--peer", "names", multiple=True, help="Only systems whose name starts with this; repeatable.")
@click.option("--histories", type=click.IntRange(min=1), help="Number of histories to use, from the start of the file.")
@_pooled
@json_option
def peers(
    locomo_file: Path | None,
    lme_file: Path | None,
    names: tuple[str, ...],
    histories: int | None,
    pooled: bool,
    as_json: bool,
) -> None:
    """Compare Ricordo with other memory systems on the same texts and questions.

    Each system is installed in its own virtual environment under RICORDO_HOME/peers. All use the same local embedding
    model. Pass either --locomo or --longmemeval.
    """
    from ricordo.bench import peers

    if (locomo_file is None) == (lme_file is None):
        raise click.UsageError("pass either --locomo FILE or --longmemeval FILE")
    read = bench.locomo(locomo_file) if locomo_file else bench.longmemeval(lme_file) if lme_file else iter(())
    talk = list(itertools.islice(bench.pooled(read) if pooled else read, histories))
    chosen = [each for each in peers.PEERS if not names or each.name.lower().startswith(tuple(map(str.lower, names)))]
    settings = Settings.from_environment()
    results = peers.compare(settings, talk, chosen, lambda text: click.echo(text, err=True))
    results.append(peers.whole(talk))
    if as_json:
        print_json([each.as_object() for each in results])
    else:
        _print_peers(results)


def _print_peers(results: list[Result]) -> None:
    from rich.console import Console
    from rich.table import Table

    columns = [*map(" ".join, _LEVELS), "tokens of 10", "added/s", "search ms", "memory MB", "disk/turn"]
    table = Table(
        "system", *columns, title="Percent, with 95% confidence intervals; same texts, questions and embedding model"
    )
    for each in results:
        if each.failure:
            table.add_row(each.peer, each.failure)
            continue
        told = each.as_object()
        cells = [str(each.figures[key]) if key in each.figures else "" for key in _LEVELS]
        cells += [f"{told['tokens_of_ten']:,.0f}"]
        if each.searches:
            cells += [f"{told['add_turns_per_second']:,.0f}", f"{told['search_ms']:.1f}"]
            cells += [f"{each.memory / 1e6:,.0f}", f"{told['disk_bytes_per_turn']:,.0f}"]
        table.add_row(each.peer, *cells)
    Console(width=None if on_terminal() else 200).print(table)


def _run(read: Callable[[Path], Iterator[History]], file: Path, pooled: bool, as_json: bool) -> None:
    _report(bench.pooled(read(file)) if pooled else read(file), as_json)


def _report(histories: Iterator[History], as_json: bool, *, with_context: bool = False) -> None:
    settings = Settings.from_environment()
    running = bench.run(settings, histories, lambda text: click.echo(text, err=True), with_context=with_context)
    report = asyncio.run(running)
    if as_json:
        print_json(report.as_object())
    else:
        _print(report)


def _print(report: bench.Report) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if on_terminal() else 220)
    for level in ("turn", "session"):
        table = Table("category", "n", *_MEASURES, title=f"By {level}, in percent with 95% confidence intervals")
        table.columns[0].no_wrap = True
        for column in table.columns[1:]:
            column.justify = "right"
        counts = {category: count for (category, each), count in report.counts.items() if each == level}
        for category in sorted(counts, key=lambda each: (each == "all", each)):
            figures = [report.figures[category, level, name] for name in _MEASURES]
            table.add_row(category, str(counts[category]), *map(str, figures))
        console.print(table)
    click.echo(
        f"mined {counted(report.turns, 'turn')} in {report.mining:.1f} s ({report.turns / report.mining:.0f} turns/s, "
        f"vectors included); one recall of 100 hits: p50 {report.p50:.1f} ms, p95 {report.p95:.1f} ms"
    )
