"""ricordo mine: chat files → the palace, with progress, and a report of what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ricordo.blocking import Memory
from ricordo.cli.opening import remote, require_own_user
from ricordo.cli.options import PathGiven, json_option, print_json, project_named, shown, user_option
from ricordo.cli.progress import bar
from ricordo.errors import InvalidInput, ModelUnavailable, counted
from ricordo.models import ImportReport, Problem, UnreadTurns
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.formats import Count

#: Problems that are printed before the rest is only counted.
_SHOWN = 50


@click.command("mine")
@click.argument("paths", nargs=-1, required=True, type=PathGiven(path_type=Path), metavar="PATH...")
@click.option("--dry-run", is_flag=True, help="Read and count without storing.")
@click.option("--no-vectors", is_flag=True, help="Do not compute vectors now; a background job does it later.")
@click.option("--wait", is_flag=True, help="Wait until all background jobs are finished.")
@click.option("--automatic", is_flag=True, help="Do nothing if automatic mining is off in your settings.")
@click.option("--append", is_flag=True, help="Treat every turn as new: for files that hold only the latest exchange.")
@click.option("--key", metavar="TEXT", help="Idempotency key of an --append: a retry with it stores nothing twice.")
@click.option(
    "--project", metavar="NAME", callback=project_named,
    help="Project of chats whose files do not name one. '.' is the current folder's project.",
)  # fmt: skip
@click.option("--again", is_flag=True, help="Also store conversations that were forgotten.")
@json_option
@user_option
def command(
    paths: tuple[Path, ...],
    dry_run: bool,
    no_vectors: bool,
    wait: bool,
    automatic: bool,
    append: bool,
    key: str | None,
    project: str | None,
    again: bool,
    as_json: bool,
    user: str | None,
) -> int:
    """Store the chats in files and folders, word for word.

    Formats: exports of ChatGPT, Claude.ai, Gemini, Slack, Discord, Telegram, WhatsApp, Signal, Instagram and Facebook;
    sessions of Claude Code, Codex, Gemini CLI, OpenCode, Cursor and Windsurf; e-mail (mbox); stores of mem0 and
    MemPalace; text and Markdown chats; neutral JSON. Git repositories (`ricordo mine .`): commits, decision records,
    CLAUDE.md, AGENTS.md and changelogs.

    Mining the same files again adds only new turns. Forgotten conversations stay forgotten. An interrupted run
    continues where it stopped. Files that cannot be read are listed at the end, and the exit code is then 1.
    """
    if dry_run:
        return _survey(paths, as_json)
    settings = Settings.from_environment(user=user)
    if settings.remote_url is not None:
        require_own_user(settings, user)
        if again:
            problem = "--again needs direct access to the store: leave it out or unset RICORDO_REMOTE_URL"
            raise InvalidInput("remote_url", problem)
        return _send(settings, paths, as_json, wait, automatic=automatic, append=append, key=key, project=project)
    with Memory(user=user, background=False) as memory:
        with bar("Importing", "turns", as_json) as progress:
            imported = memory.import_chats(
                paths, progress=progress, automatic=automatic, append=append, key=key, again=again, project=project
            )
        embedded, missing = 0, None
        if (pending := memory.pending()) and not no_vectors:
            try:
                with bar("Computing vectors", "turns", as_json) as progress:
                    embedded = memory.embed_pending(progress)
                pending = memory.pending()
            except ModelUnavailable as error:
                missing = str(error)
        if wait:
            with bar("Background jobs", "jobs", as_json) as progress:
                memory.jobs.finish(progress)
            pending = memory.pending()
        unread = memory.facts.unread() if wait else UnreadTurns()
    if as_json:
        print_json({**_as_object(imported), "embedded": embedded, "pending": pending, "unread": unread.turns})
    else:
        _report(imported, embedded, pending, missing)
        if unread.turns and (unread.queued or unread.has_llm):
            what = f"{counted(unread.turns, 'turn')} in {counted(unread.conversations, 'conversation')}"
            click.echo(f"Note: the LLM has not read {what} yet: {unread.reason}", err=True)
    return 1 if imported.lost else 0


def _send(settings: Settings, paths: Sequence[Path], as_json: bool, wait: bool, **how: Any) -> int:
    """Store in the memory on another machine, which computes the vectors."""
    unfinished = 0
    with remote(settings) as there:
        with bar("Importing", "turns", as_json) as progress:
            imported = there.import_chats(paths, progress, **how)
        if wait:
            with bar("Background jobs", "jobs", as_json) as progress:
                unfinished = there.finish_jobs(progress)
    if as_json:
        print_json({**_as_object(imported), **({"unfinished": unfinished} if wait else {})})
    else:
        _report(imported, 0, 0, None)
        if unfinished:
            click.echo(
                f"Note: {counted(unfinished, 'background job')} on the server failed or will run later", err=True
            )
    return 1 if imported.lost else 0


def _survey(paths: Sequence[Path], as_json: bool) -> int:
    """Reads and counts, without a store: none is started for it."""
    from ricordo import formats

    problems: list[Problem] = []
    found = formats.survey(paths, problems.append)
    report = ImportReport(
        conversations=found.total.conversations, stored=found.total.turns, problems=tuple(problems), dry_run=True
    )
    if as_json:
        told = {**_as_object(report), "formats": {name: _count(each) for name, each in found.formats.items()}}
        print_json({**told, **_count(found.total), "seconds": found.total.seconds})
    else:
        _list(problems)
        width = max([12, *map(len, found.formats)])
        for name, each in found.formats.items():
            click.echo(
                f"{name:<{width}} {counted(each.files, 'file')}, {counted(each.conversations, 'conversation')}, "
                f"{counted(each.turns, 'turn')}"
            )
        click.echo(
            f"{counted(report.conversations, 'conversation')} with {counted(report.stored, 'turn')}; "
            "nothing was written"
        )
        click.echo(_would_take(found.total))
    return 1 if report.lost else 0


def _count(count: Count) -> dict[str, Any]:
    moments = {"first": count.first, "last": count.last}
    return {**vars(count), **{name: at and at.isoformat() for name, at in moments.items()}}


def _would_take(total: Count) -> str:
    """The time span of the turns, and an estimate of the time and cost of mining."""
    span = f"from {total.first:%Y-%m-%d} to {total.last:%Y-%m-%d}" if total.first and total.last else "without times"
    seconds = total.seconds
    length = f"{seconds / 60:,.0f} min" if seconds >= 100 else f"{max(1, round(seconds))} s"
    return f"{span}; storing them with vectors takes about {length}; {_cost(total)}"


def _cost(total: Count) -> str:
    """The estimated cost of the vectors, at the published price of the configured hosted embedding model."""
    from ricordo.llm import Price
    from ricordo.settings import Settings

    settings = Settings.from_environment()
    if settings.embedding_url is None or settings.embedding_model is None:
        return "no cost, because vectors are computed on this machine"
    tokens = -(-total.characters // 4)
    cost = Price(settings.embedding_model, settings.embedding_url).cost(tokens, 0)
    price = "unknown" if cost is None else f"about {cost:.4f} USD"
    return f"cost: {price} for about {tokens:,} tokens of {settings.embedding_model}"


def _as_object(imported: ImportReport) -> dict[str, Any]:
    return {**imported.model_dump(mode="json"), "lost": imported.lost}


def _report(imported: ImportReport, embedded: int, pending: int, missing: str | None) -> None:
    _list(imported.problems)
    text = f"{counted(imported.conversations, 'conversation')}: {counted(imported.stored, 'turn')} stored"
    if imported.edited:
        text += f", {imported.edited:,} edited"
    if imported.duplicates:
        text += f", {imported.duplicates:,} already stored"
    if embedded:
        text += f", {counted(embedded, 'vector')} computed"
    if imported.forgotten:
        text += f", {imported.forgotten:,} forgotten before"
    if imported.lost:
        text += f"; {counted(imported.lost, 'problem')} (see above)"
    click.echo(text)
    if imported.id is not None and imported.stored:
        click.echo(f"To undo it: ricordo memory forget --import {imported.id}")
    if missing:
        click.echo(f"No vectors were computed. {missing}", err=True)
    elif pending:
        click.echo(f"{counted(pending, 'turn')} without a vector yet; a background job computes them", err=True)


def _list(problems: Sequence[Problem]) -> None:
    for problem in problems[:_SHOWN]:
        click.echo(f"{'skipped' if problem.lost else 'note'}: {shown(str(problem))}", err=True)
    if len(problems) > _SHOWN:
        click.echo(f"… and {len(problems) - _SHOWN:,} more; use --json to list all", err=True)
