"""python -m bench: speed, growth, load and ablation of Ricordo, measured in a schema that is dropped afterwards."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from statistics import median

import click

from bench import ablation as ablation_
from bench import assistants as assistants_
from bench import bulk as bulk_
from bench import charts
from bench import confidence as confidence_
from bench import deciding as deciding_
from bench import entries as entries_
from bench import growth as growth_
from bench import http as http_
from bench import languages as languages_
from bench import opening as opening_
from bench import page as page_
from bench import speed as speed_
from bench import syncing as syncing_
from bench import writers as writers_
from bench.ablation import Variant
from bench.facts import cases as cases_
from bench.facts import extraction as extraction_
from bench.facts import standing as standing_
from ricordo import bench
from ricordo.bench.scoring import Figure
from ricordo.cli.options import json_option, print_json
from ricordo.settings import Settings

#: What the chart of peers shows.
_DRAWN = ("turn any@10", "session any@5")
_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_pooled = click.option("--pooled", is_flag=True, help="Put all histories of the file into one user's store.")


@click.group()
def command() -> None:
    """Measure Ricordo on this machine."""


@command.command("ablation")
@click.argument("kind", type=click.Choice(["locomo", "longmemeval"]))
@_file
@_pooled
@json_option
def ablation(kind: str, file: Path, pooled: bool, as_json: bool) -> None:
    """What each signal is worth on FILE: recall with it left out, and with it alone."""
    histories = (bench.locomo if kind == "locomo" else bench.longmemeval)(file)
    variants = asyncio.run(
        ablation_.ablate(
            Settings.from_environment(),
            bench.pooled(histories) if pooled else histories,
            lambda text: click.echo(text, err=True),
        )
    )
    if as_json:
        print_json({each.name: {" ".join(key): value for key, value in each.figures.items()} for each in variants})
    else:
        _print_variants(variants)


@command.command("deciding")
def deciding() -> None:
    """The weights by which sentences that settle something are found, and how many decisions they find in projects that
    they were not found on."""
    projects = list(assistants_.PROJECTS.values())
    for name, project in assistants_.PROJECTS.items():
        weights = deciding_.fit([each for each in projects if each is not project])
        found, there = deciding_.found_among(project, weights)
        click.echo(f"{name}: {found} of {there} decisions among the {deciding_.LOOKED_AT} clearest turns", err=True)
    click.echo(json.dumps(deciding_.fit(projects), ensure_ascii=False))


@command.command("confidence")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--unanswered",
    type=click.Choice(["others", "person", "details"]),
    default="others",
    show_default=True,
    help="Kind of questions without an answer: about other histories, the wrong person, or details (BEAM).",
)
def confidence(file: Path | None, unanswered: str) -> None:
    """How well confidence separates questions with an answer from questions without one.

    FILE is LoCoMo's, or BEAM's with `--unanswered details`. Without FILE, conversations written for Ricordo are
    used."""
    if unanswered == "details":
        if file is None:
            raise click.UsageError("--unanswered details needs the FILE of BEAM's chats")
        trials = confidence_.of_details(file)
    else:
        trials = (confidence_.of_person if unanswered == "person" else confidence_.of_others)(file)
    found = asyncio.run(
        confidence_.measure(Settings.from_environment(), trials, lambda text: click.echo(text, err=True))
    )
    for name, each in found.items():
        click.echo(f"{name}: AUC {each.auc:.3f}; {100 * each.silence:.1f} % silent")
    together = sum(found.values(), confidence_.Measured())
    for what, values, silent in zip(
        ("answered", "unanswered"), (together.answered, together.unanswered), together.silent, strict=True
    ):
        click.echo(f"{what}: {len(values)} questions, {100 * silent / len(values):.1f} % bring nothing by default")
    click.echo(
        f"AUC {together.auc:.3f}; {100 * together.silence:.1f} % silent if 95 % of the answered return something"
    )
    for low, high, right in together.right():
        click.echo(f"confidence {low} to {high}: {100 * right:.0f} % have an answer, if half of all have one")


@command.command("languages")
@_file
@json_option
def languages(file: Path, as_json: bool) -> None:
    """Recall across languages: sixty questions in another language than their turn, among turns of LoCoMo's FILE."""
    report = asyncio.run(
        bench.run(Settings.from_environment(), languages_.histories(file), lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json(report.as_object())
        return
    for (category, level, name), value in report.figures.items():
        if level == "turn" and name in ("any@1", "any@5", "any@10"):
            click.echo(f"{category}: {name} {100 * value.mean:.1f} %")


@command.command("facts")
@click.option("--part", type=click.Choice(cases_.PARTS), default="tune", show_default=True, help="Part of the set.")
@click.option("--no-recall", is_flag=True, help="Measure the extraction only; needs no store.")
@click.option(
    "--errors", is_flag=True, help="Show what was wrong or missed. Leave the test half's alone until the end."
)
@json_option
def facts(part: str, no_recall: bool, errors: bool, as_json: bool) -> None:
    """Precision and recall of facts on the labeled set, and whether recall puts what holds now first."""
    cases = cases_.cases(part)
    total = extraction_.total([case for case in cases if case.is_labeled])
    found = {"part": part, "turns": sum(len(case.turns) for case in cases), **total.as_object()}
    found["jests_taken"] = extraction_.jests_taken([case for case in cases if case.is_in_jest])
    amiss = [*(f"wrong: {each}" for each in total.wrong), *(f"missed: {each}" for each in total.missed)]
    if not no_recall and any(case.questions for case in cases):
        standing = asyncio.run(standing_.measure(Settings.from_environment(), cases))
        found |= standing.as_object()
        amiss += standing.amiss
    if as_json:
        print_json(found)
    else:
        for name, value in found.items():
            click.echo(f"{name:24} {value:.3f}" if isinstance(value, float) else f"{name:24} {value}")
    if errors:
        click.echo("\n".join(amiss), err=True)


@command.command("opening")
@click.option("--processes", default=5, show_default=True, help="How many processes open it, one after the other.")
@click.option("--question", default="What did we decide about the garden?", show_default=True, help="What is asked.")
def opening(processes: int, question: str) -> None:
    """Milliseconds to open the configured store in a new process, and of its first and later recalls."""
    for what, taken in opening_.measured(processes, question).items():
        click.echo(f"{what}: median {median(taken):.1f} ms, {min(taken):.1f} to {max(taken):.1f}")


@command.command("speed")
@click.option("--memories", type=click.IntRange(min=100), default=5000, show_default=True, help="Turns of the store.")
@json_option
def speed(memories: int, as_json: bool) -> None:
    """How fast a store of one user is written and asked, and how much disk a memory takes."""
    measured = asyncio.run(
        speed_.measure(Settings.from_environment(), memories, lambda text: click.echo(text, err=True))
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


@command.command("bulk")
@_file
@json_option
def bulk(file: Path, as_json: bool) -> None:
    """How fast LoCoMo's FILE is stored: one call for each conversation, one call for all, and with vectors."""
    measured = asyncio.run(
        bulk_.measure(Settings.from_environment(), bench.locomo(file), lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json(vars(measured))
        return
    turns = measured.turns
    for what, seconds, processor in (
        ("stored, a call for each conversation", measured.singly, measured.singly_processor),
        ("stored, one call for all", measured.together, measured.together_processor),
        ("vectors", measured.vectors, measured.vectors_processor),
        (
            "stored in one call, with vectors",
            measured.together + measured.vectors,
            measured.together_processor + measured.vectors_processor,
        ),
    ):
        click.echo(f"{what}: {turns / seconds:,.0f} turns/s; {1000 * processor / turns:.2f} ms of Python a turn")


@command.command("assistants")
@json_option
def assistants(as_json: bool) -> None:
    """What the hooks of coding assistants add to prompts, and how long they take."""
    measured = asyncio.run(assistants_.measure(Settings.from_environment(), lambda text: click.echo(text, err=True)))
    if as_json:
        print_json(asdict(measured))
        return
    for name, added in measured.projects.items():
        click.echo(
            f"{name}: of {added.tasks} tasks the decision is the first result for {added.first}, among the results for "
            f"{added.within}; of {added.plain} plain prompts something was added to {added.injected}\n"
            f"  tokens: {added.begin_tokens:.0f} at the beginning of a session, {added.session_tokens:.0f} in one of "
            f"ten prompts, at most {added.most_tokens} to a prompt"
        )
    click.echo(
        f"hook: p50 {measured.hook_p50:.0f} ms, p95 {measured.hook_p95:.0f} ms; "
        f"ricordo recall: p50 {measured.recall_p50:.0f} ms, p95 {measured.recall_p95:.0f} ms"
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
    measured = asyncio.run(
        growth_.grow(Settings.from_environment(), sizes, share, lambda text: click.echo(text, err=True))
    )
    if chart is not None:
        growth_.chart(chart, measured)
    if as_json:
        print_json([vars(each) for each in measured])
        return
    for each in measured:
        click.echo(
            f"{each.memories:,} memories, {each.of_large:,} of one user: recall p50 {each.large_p50:.1f} ms, "
            f"p95 {each.large_p95:.1f} ms, by words {each.words_p50:.1f} and {each.words_p95:.1f} ms; of a user of "
            f"{growth_.ORDINARY:,} {each.ordinary_p50:.1f} and {each.ordinary_p95:.1f} ms; 25 turns written in "
            f"{each.written:.0f} ms; {each.disk:,.0f} bytes a memory; index made in {each.indexing:.0f} s"
        )


@command.command("sync")
@click.option("--turns", type=click.IntRange(1), default=10_000, show_default=True, help="Turns of the first device.")
@json_option
def sync(turns: int, as_json: bool) -> None:
    """Time, memory and folder size of a sync between two devices: the first log, the first join, a few more turns."""
    measured = asyncio.run(
        syncing_.measure(Settings.from_environment(), turns, lambda text: click.echo(text, err=True))
    )
    if as_json:
        print_json(asdict(measured))
        return
    for each in measured.steps:
        click.echo(f"{each.name}: {each.seconds:.1f} s, {each.megabytes:.0f} MB; folder {each.folder:,} bytes")
    click.echo(
        f"turns of the devices: {measured.turns[0]:,} and {measured.turns[1]:,}; archive {measured.archive:,} bytes"
    )


@command.command("http")
@click.option("--url", default="http://127.0.0.1:7667", show_default=True, help="The server, on the same store.")
@click.option("--users", type=click.IntRange(1), default=200, show_default=True, help="Users who are asked for.")
@click.option("--connections", type=click.IntRange(1), default=32, show_default=True, help="Requests at a time.")
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True, help="For how long.")
@json_option
def http(url: str, users: int, connections: int, seconds: int, as_json: bool) -> None:
    """Recalls a second of a server that runs (`ricordo serve`); its store gets users called `load 0` and so on."""
    keys = asyncio.run(http_.prepare(Settings.from_environment(), users))
    measured = http_.measure(url, keys, connections, seconds)
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
        page_.measure_page(Settings.from_environment(), memories, lambda text: click.echo(text, err=True))
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
        entries_.measure_entries(Settings.from_environment(), entries, lambda text: click.echo(text, err=True))
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
        writers_.measure_writers(
            Settings.from_environment(), processes, writes, lambda text: click.echo(text, err=True)
        )
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


@command.command("chart-peers")
@_file
@click.argument("chart", type=click.Path(dir_okay=False, path_type=Path))
def chart_peers(file: Path, chart: Path) -> None:
    """Draw what `ricordo bench peers --json` printed into FILE as an SVG."""
    measured = [each for each in json.loads(file.read_text()) if all(name in each["figures"] for name in _DRAWN)]
    panels = {f"{name}, %": [Figure(*each["figures"][name]) for each in measured] for name in _DRAWN}
    charts.bars(chart, [each["peer"] for each in measured], panels, own="Ricordo")


def _print_variants(variants: list[Variant]) -> None:
    """A table in Markdown: the whole's figures, and each other variant's differences from them."""
    whole, *others = variants
    click.echo("| ranking | " + " | ".join(f"{level} {name}" for level, name in whole.figures) + " |")
    click.echo("|---" * (1 + len(whole.figures)) + "|")
    click.echo("| everything | " + " | ".join(f"{100 * mean:.1f} %" for mean, *_ in whole.figures.values()) + " |")
    for each in others:
        cells = (f"{100 * by:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]" for _, by, low, high in each.figures.values())
        click.echo(f"| {each.name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    command()
