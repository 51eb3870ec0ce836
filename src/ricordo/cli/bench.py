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
from ricordo.settings import Settings

_MEASURES = ("any@1", "any@5", "any@10", "all@5", "all@10", "mrr@10")
#: What peers are compared by, and which of it is drawn.
_LEVELS = (("turn", "any@10"), ("turn", "all@10"), ("session", "any@5"), ("session", "all@5"))
_DRAWN = (("turn", "any@10"), ("session", "any@5"))
_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_pooled = click.option("--pooled", is_flag=True, help="Put all histories of the file into one user's store.")


@click.group("bench")
def command() -> None:
    """Measure recall on LoCoMo or LongMemEval files of yours, in a schema that is dropped afterwards."""


@command.command("locomo")
@_file
@_pooled
@json_option
def locomo(file: Path, pooled: bool, as_json: bool) -> None:
    """Retrieval on LoCoMo's FILE (locomo10.json or a part of it), categories 1 to 4."""
    _run(bench.locomo, file, pooled, as_json)


@longmemeval.command.command("at-once")
@_file
@_pooled
@json_option
def longmemeval_at_once(file: Path, pooled: bool, as_json: bool) -> None:
    """Retrieval on FILE in one go, with nothing kept: the same figures as for LoCoMo."""
    _run(bench.longmemeval, file, pooled, as_json)


command.add_command(longmemeval.command)


@command.command("ablation")
@click.argument("kind", type=click.Choice(["locomo", "longmemeval"]))
@_file
@_pooled
@json_option
def ablation(kind: str, file: Path, pooled: bool, as_json: bool) -> None:
    """What each signal is worth on FILE: recall with it left out, and with it alone."""
    histories = (bench.locomo if kind == "locomo" else bench.longmemeval)(file)
    variants = asyncio.run(
        bench.ablate(
            Settings.from_environment(),
            bench.pooled(histories) if pooled else histories,
            lambda text: click.echo(text, err=True),
        )
    )
    if as_json:
        print_json({each.name: {" ".join(key): value for key, value in each.figures.items()} for each in variants})
    else:
        _print_variants(variants)


@command.command("speed")
@click.option("--memories", type=click.IntRange(min=100), default=5000, show_default=True, help="Turns of the store.")
@json_option
def speed(memories: int, as_json: bool) -> None:
    """How fast a store of one user is written and asked, and how much disk a memory takes."""
    measured = asyncio.run(
        bench.measure(Settings.from_environment(), memories, lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json(vars(measured))
        return
    click.echo(
        f"{measured.memories:,} memories: {measured.stored_per_second:,.0f} turns/s stored, "
        f"{measured.embedded_per_second:,.0f} vectors/s\n"
        f"recall of 5 lines: p50 {measured.recall_p50:.1f} ms, p95 {measured.recall_p95:.1f} ms; "
        f"by words only p50 {measured.keyword_p50:.1f} ms, p95 {measured.keyword_p95:.1f} ms\n"
        f"disk: {measured.disk:,.0f} bytes a memory, its text being {measured.text:,.0f}"
    )


@command.command("growth")
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(min=1000),
    multiple=True,
    default=(10_000, 100_000),
    show_default=True,
    help="Memories of the store; may be given again, and is filled up in turn.",
)
@click.option(
    "--share",
    type=click.FloatRange(0.01, 1),
    default=0.5,
    show_default=True,
    help="The part that one user has; the others have 1,000 memories each.",
)
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures as an SVG, too.")
@json_option
def growth(sizes: tuple[int, ...], share: float, chart: Path | None, as_json: bool) -> None:
    """Recall, writing and disk by the size of a store of many users, one of them very large.

    The store is filled by COPY with made-up talk; for a single user alone give --share 1. It needs an owner of the
    database who is a superuser, as the embedded one's is.
    """
    from ricordo.bench import growth

    measured = asyncio.run(
        growth.grow(Settings.from_environment(), sizes, share, lambda text: click.echo(text, err=True))
    )
    if chart is not None:
        growth.chart(chart, measured)
    if as_json:
        print_json([vars(each) for each in measured])
        return
    for each in measured:
        click.echo(
            f"{each.memories:,} memories, {each.of_large:,} of one user: recall p50 {each.large_p50:.1f} ms, "
            f"p95 {each.large_p95:.1f} ms, by words {each.words_p50:.1f} and {each.words_p95:.1f} ms; of a user of "
            f"{growth.ORDINARY:,} {each.ordinary_p50:.1f} and {each.ordinary_p95:.1f} ms; 25 turns written in "
            f"{each.written:.0f} ms; {each.disk:,.0f} bytes a memory; index made in {each.indexing:.0f} s"
        )


@command.command("http")
@click.option("--url", default="http://127.0.0.1:7667", show_default=True, help="The server, on the same store.")
@click.option("--users", type=click.IntRange(1), default=200, show_default=True, help="Users who are asked for.")
@click.option("--connections", type=click.IntRange(1), default=32, show_default=True, help="Requests at a time.")
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True, help="For how long.")
@json_option
def http_(url: str, users: int, connections: int, seconds: int, as_json: bool) -> None:
    """Recalls a second of a server that runs (`ricordo serve`); its store gets users called `load 0` and so on."""
    from ricordo.bench import http

    keys = asyncio.run(http.prepare(Settings.from_environment(), users))
    measured = http.measure(url, keys, connections, seconds)
    if as_json:
        print_json(vars(measured))
        return
    click.echo(
        f"{measured.requests:,} recalls, {measured.errors:,} errors: {measured.per_second:,.0f}/s, "
        f"p50 {measured.p50:.0f} ms, p99 {measured.p99:.0f} ms"
    )
    if measured.memory_before is not None:
        click.echo(
            f"the server's memory: {measured.memory_before:,.0f} MB before, {measured.memory_halfway:,.0f} MB halfway, "
            f"{measured.memory_after:,.0f} MB afterwards"
        )


@command.command("page")
@click.option(
    "--memories", type=click.IntRange(min=5000), default=100_000, show_default=True, help="Turns of the one user."
)
@json_option
def page(memories: int, as_json: bool) -> None:
    """How long the requests of the web page Memory take on a large store, asked of a `ricordo serve` on the loopback.

    The store is filled by COPY with made-up talk, which needs an owner of the database who is a superuser, as the
    embedded one's is.
    """
    measured = asyncio.run(
        bench.measure_page(Settings.from_environment(), memories, lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json([vars(each) for each in measured])
        return
    for each in measured:
        click.echo(f"{each.request:34} p50 {each.p50:7.1f} ms   p95 {each.p95:7.1f} ms")


@command.command("entries")
@click.option(
    "--entries", type=click.IntRange(min=1), default=10_000, show_default=True, help="Entries of the profile."
)
@json_option
def entries(entries: int, as_json: bool) -> None:
    """How fast an agent writes one entry, and reads the surest five of a large profile."""
    measured = asyncio.run(
        bench.measure_entries(Settings.from_environment(), entries, lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json(vars(measured))
        return
    click.echo(
        f"{measured.entries:,} entries: write p50 {measured.write_p50:.1f} ms, p95 {measured.write_p95:.1f} ms; "
        f"read of 5 p50 {measured.read_p50:.1f} ms, p95 {measured.read_p95:.1f} ms"
    )


@command.command("writers")
@click.option("--processes", type=click.IntRange(1), default=16, show_default=True, help="That write at once.")
@click.option("--writes", type=click.IntRange(1), default=500, show_default=True, help="Of each process.")
@json_option
def writers(processes: int, writes: int, as_json: bool) -> int:
    """Writes a second of many processes, to one user and each to its own, beside those of one process alone.

    The exit code is 1 where a write was refused, or one that was acknowledged is not there once.
    """
    runs = asyncio.run(
        bench.measure_writers(Settings.from_environment(), processes, writes, lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json([{**vars(each), "per_second": each.per_second} for each in runs])
    else:
        for each in runs:
            click.echo(
                f"{each.kind}s, {each.processes:>3} processes, {each.users:>3} users: {each.per_second:8,.1f}/s; "
                f"{each.acknowledged:,} acknowledged, {each.refused:,} refused, {each.kept:,} there once"
            )
    return 0 if all(each.kept == each.acknowledged and not each.refused for each in runs) else 1


@command.command("peers")
@click.option("--locomo", "locomo_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file.")
@click.option("--longmemeval", "lme_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file.")
@click.option("--peer", "names", multiple=True, help="Only peers whose name begins so; may be given again.")
@click.option("--histories", type=click.IntRange(min=1), help="Only the first so many histories.")
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Draw the figures into this SVG file.")
@_pooled
@json_option
def peers(
    locomo_file: Path | None,
    lme_file: Path | None,
    names: tuple[str, ...],
    histories: int | None,
    chart: Path | None,
    pooled: bool,
    as_json: bool,
) -> None:
    """Ricordo and other memory systems, installed beside it, on the same texts and questions.

    Each peer gets a virtual environment of its own under RICORDO_HOME/peers, and all of them the same local encoder.
    Give one of --locomo and --longmemeval.
    """
    from ricordo.bench import peers

    if (locomo_file is None) == (lme_file is None):
        raise click.UsageError("give one of --locomo FILE and --longmemeval FILE")
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
    if chart:
        _draw_peers(results, chart)


def _print_peers(results: list[Result]) -> None:
    from rich.console import Console
    from rich.table import Table

    columns = [*map(" ".join, _LEVELS), "tokens of 10", "added/s", "search ms", "memory MB", "disk/turn"]
    table = Table("system", *columns, title="In % with 95% intervals; the same texts, questions and encoder for all")
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


def _draw_peers(results: list[Result], path: Path) -> None:
    from ricordo.bench import charts

    drawn = [each for each in results if all(key in each.figures for key in _DRAWN)]
    panels = {f"{level} {name}, %": [each.figures[level, name] for each in drawn] for level, name in _DRAWN}
    charts.bars(path, [each.peer for each in drawn], panels, own="Ricordo")


def _run(read: Callable[[Path], Iterator[History]], file: Path, pooled: bool, as_json: bool) -> None:
    histories = bench.pooled(read(file)) if pooled else read(file)
    report = asyncio.run(bench.run(Settings.from_environment(), histories, lambda text: click.echo(text, err=True)))
    if as_json:
        print_json(report.as_object())
    else:
        _print(report)


def _print(report: bench.Report) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if on_terminal() else 180)
    for level in ("turn", "session"):
        table = Table("category", "n", *_MEASURES, title=f"By {level}, in % with 95% intervals")
        table.columns[0].no_wrap = True
        for column in table.columns[1:]:
            column.justify = "right"
        counts = {category: count for (category, each), count in report.counts.items() if each == level}
        for category in sorted(counts, key=lambda each: (each == "all", each)):
            figures = [report.figures[category, level, name] for name in _MEASURES]
            table.add_row(category, str(counts[category]), *map(str, figures))
        console.print(table)
    click.echo(
        f"mined {report.turns:,} turns in {report.mining:.1f} s ({report.turns / report.mining:.0f} turns/s, vectors "
        f"included); one recall of 100 hits: p50 {report.p50:.1f} ms, p95 {report.p95:.1f} ms"
    )


def _print_variants(variants: list[bench.Variant]) -> None:
    """A table in Markdown: the whole's figures, and each other variant's differences from them."""
    whole, *others = variants
    click.echo("| ranking | " + " | ".join(f"{level} {name}" for level, name in whole.figures) + " |")
    click.echo("|---" * (1 + len(whole.figures)) + "|")
    click.echo("| everything | " + " | ".join(f"{100 * mean:.1f} %" for mean, *_ in whole.figures.values()) + " |")
    for each in others:
        cells = (f"{100 * by:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]" for _, by, low, high in each.figures.values())
        click.echo(f"| {each.name} | " + " | ".join(cells) + " |")
