"""ricordo bench longmemeval: the benchmark step by step, each step continuing where it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from ricordo.bench import pipeline as steps
from ricordo.bench.records import Record, read
from ricordo.bench.scoring import Figure
from ricordo.cli.options import json_option, on_terminal, print_json
from ricordo.cli.progress import bar
from ricordo.models import Progress
from ricordo.settings import Settings

_SHOWN = (
    "session recall_any@5", "session recall_any@10", "session recall_all@5", "session ndcg_any@10",
    "turn recall_any@5", "turn recall_any@10", "turn recall_all@10",
)  # fmt: skip
#: What the source of the pipeline asks for: session recall_any@5.
_TARGET = 0.96
_SMOKE = 10

_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_folder = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Folder for run logs.  [default: this folder]",
)
_run = click.option("--run", "name", metavar="RUN", required=True, help="Name of the run (a-z, 0-9 and _).")
_top_k = click.option(
    "--top-k",
    type=click.IntRange(1, steps.CUTS[-1]),
    default=20,
    show_default=True,
    help="Number of turns to give the LLM.",
)
_keep = click.option("--keep", is_flag=True, help="Keep the run's schema in the store afterwards.")


@click.group("longmemeval")
def command() -> None:
    """Run LongMemEval step by step, in a separate database schema for each run.

    The steps are download, ingest, retrieve, score-retrieval, qa and score-qa; `full` runs all of them. An interrupted
    step continues where it stopped. Logs in the benchmark's format go to retrieval_logs/ and generation_logs/.
    """


@command.command("download")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/longmemeval"),
    show_default=True,
    help="Folder to download to.",
)
@click.option("--source", default=steps.SOURCE, show_default=True, help="Base URL of the files.")
def download(names: tuple[str, ...], folder: Path, source: str) -> None:
    """Download the benchmark's files (all three, or those named): longmemeval_s_cleaned.json, longmemeval_oracle.json,
    longmemeval_m_cleaned.json."""
    for name in names or steps.FILES:
        with _bar(name, "bytes") as progress:
            path = steps.download(name, folder, progress, source)
        click.echo(path)


@command.command("ingest")
@_file
@_run
@_folder
def ingest(file: Path, name: str, folder: Path) -> None:
    """Mine the history of each record of FILE, each for a separate user."""
    _ingest(steps.RunFiles(folder, name), read(file))


@command.command("retrieve")
@_file
@_run
@_folder
@_keep
def retrieve(file: Path, name: str, folder: Path, keep: bool) -> None:
    """Run recall for the question of each record of FILE; drop the run's schema at the end."""
    _retrieve(steps.RunFiles(folder, name), read(file), keep)


@command.command("score-retrieval")
@_run
@_folder
@json_option
def score_retrieval(name: str, folder: Path, as_json: bool) -> None:
    """Compute recall and nDCG by session and by turn from the log of `retrieve`."""
    _score_retrieval(steps.RunFiles(folder, name), as_json)


@command.command("qa")
@_run
@_folder
@_top_k
@click.option("--model", metavar="NAME", help="Model that answers.  [default: RICORDO_LLM_MODEL]")
def qa(name: str, folder: Path, top_k: int, model: str | None) -> None:
    """Answer the questions with the LLM (RICORDO_LLM_URL) from the results of `retrieve`."""
    _answer(steps.RunFiles(folder, name), top_k, model)


@command.command("score-qa")
@_run
@_folder
@click.option("--judge", metavar="NAME", help="Model that judges.  [default: RICORDO_LLM_MODEL]")
@json_option
def score_qa(name: str, folder: Path, judge: str | None, as_json: bool) -> None:
    """Grade the answers of `qa` with an LLM judge, and measure how many wrong answers it accepts."""
    _judge(steps.RunFiles(folder, name), judge, as_json)


@command.command("full")
@_file
@_run
@_folder
@_top_k
@_keep
def full(file: Path, name: str, folder: Path, top_k: int, keep: bool) -> None:
    """Run all steps on FILE. The last two need an LLM (RICORDO_LLM_URL)."""
    _full(steps.RunFiles(folder, name), read(file), top_k, keep)


@command.command("smoke")
@_file
@_folder
@click.option(
    "--yes", "wanted", is_flag=True, envvar="RUN_LONGMEMEVAL", help="Confirm the run (or set RUN_LONGMEMEVAL=1)."
)
def smoke(file: Path, folder: Path, wanted: bool) -> None:
    """Run all steps on the first 10 records of FILE, as a test."""
    if not wanted:
        raise click.UsageError("this takes several minutes: confirm with --yes or RUN_LONGMEMEVAL=1")
    name = f"smoke_{datetime.now(UTC):%Y%m%d_%H%M%S}"
    _full(steps.RunFiles(folder, name), read(file)[:_SMOKE], top_k=20, keep=False)


def _ingest(files: steps.RunFiles, records: list[Record]) -> None:
    with _bar("Histories", "histories") as progress:
        asyncio.run(steps.ingest(Settings.from_environment(), files, records, progress))


def _retrieve(files: steps.RunFiles, records: list[Record], keep: bool) -> None:
    with _bar("Questions", "questions") as progress:
        asyncio.run(steps.retrieve(Settings.from_environment(), files, records, progress))
    missing = {each.text("question_id") for each in records} - files.retrieved.done()
    if missing:
        click.echo(f"{len(missing)} records are not ingested yet: run `ingest`, then `retrieve` again", err=True)
    elif not keep:
        asyncio.run(steps.drop(Settings.from_environment(), files))


def _score_retrieval(files: steps.RunFiles, as_json: bool) -> None:
    figures, counts = steps.score(files), steps.questions(files)
    if as_json:
        shaped = {
            kind: {name: [each.mean, each.low, each.high] for name, each in measured.items()}
            for kind, measured in figures.items()
        }
        print_json({"run": files.run, "questions": counts, "figures": shaped})
        return
    _print_table("Retrieval, in percent with 95% confidence intervals", figures, counts, _SHOWN)
    reached = figures["all"]["session recall_any@5"].mean
    click.echo(f"session recall_any@5: {100 * reached:.1f}; the pipeline's target is {100 * _TARGET:.0f}")
    click.echo(f"log: {files.retrieved.path}")


def _answer(files: steps.RunFiles, top_k: int, model: str | None) -> None:
    async def run(progress: Progress) -> None:
        async with steps.answers.asking(Settings.from_environment(), model) as (ask, name):
            await steps.answers.answer(files, ask, name, top_k, progress)

    with _bar("Answers", "answers") as progress:
        asyncio.run(run(progress))


def _judge(files: steps.RunFiles, judge: str | None, as_json: bool) -> None:
    async def run(progress: Progress) -> str:
        async with steps.answers.asking(Settings.from_environment(), judge) as (ask, name):
            await steps.answers.judge(files, ask, name, progress)
            return name

    with _bar("Verdicts", "verdicts") as progress:
        model = asyncio.run(run(progress))
    scored = steps.answers.score(files, model)
    if as_json:
        print_json(
            {
                "run": files.run,
                "judge": model,
                "questions": scored.counts,
                "accuracy": {kind: [each.mean, each.low, each.high] for kind, each in scored.accuracy.items()},
                "judge_accepts_wrong_answers": [
                    scored.false_positives.mean, scored.false_positives.low, scored.false_positives.high,
                ],
                "wrong_answers": scored.wrong_answers,
                "cost_of_answers": scored.cost,
            }
        )  # fmt: skip
        return
    figures = {kind: {"answers right": each} for kind, each in scored.accuracy.items()}
    _print_table(
        f"Answers, judged by {model}, in percent with 95% confidence intervals",
        figures,
        scored.counts,
        ("answers right",),
    )
    click.echo(f"the judge accepts {scored.false_positives} % of {scored.wrong_answers} answers known to be wrong")
    click.echo("cost of the answers: " + ("unknown" if scored.cost is None else f"${scored.cost:.4f}"))


def _full(files: steps.RunFiles, records: list[Record], top_k: int, keep: bool) -> None:
    _ingest(files, records)
    _retrieve(files, records, keep)
    _score_retrieval(files, as_json=False)
    if Settings.from_environment().llm_url is None:
        click.echo("skipping qa and score-qa: no LLM is configured (RICORDO_LLM_URL)", err=True)
        return
    _answer(files, top_k, None)
    _judge(files, None, as_json=False)


def _print_table(
    title: str, figures: dict[str, dict[str, Figure]], counts: dict[str, int], measures: tuple[str, ...]
) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("kind", "n", *measures, title=title)
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    for kind in sorted(figures, key=lambda each: (each == "all", each)):
        cells = [str(figures[kind][name]) if name in figures[kind] else "" for name in measures]
        table.add_row(kind, str(counts[kind]), *cells)
    Console(width=None if on_terminal() else 200).print(table)


@contextmanager
def _bar(what: str, unit: str) -> Iterator[Progress]:
    """The shared progress bar, or a function that does nothing if standard error is not a terminal."""
    with bar(what, unit, quiet=False) as progress:
        yield progress or (lambda done, total: None)
