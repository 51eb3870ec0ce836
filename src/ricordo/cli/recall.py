"""ricordo recall: finds turns for a question and prints them as a list, with scores, or as JSON."""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ricordo import embedding
from ricordo.cli.opening import columns, opened, remote, require_own_user, settings_of, within
from ricordo.cli.options import Moment, json_option, on_terminal, print_json, project_option, shown, stamp, user_option
from ricordo.errors import ModelUnavailable, counted
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.models import Hit, RecallResult

#: Columns of text at most, however wide the terminal is.
_WIDEST = 100
#: Columns that one signal of --explain takes with its name, value and bar, and how long a bar can get: two signals
#: stand side by side in 80 columns.
_SIGNAL, _BAR = 35, 14


@click.command("recall")
@click.argument("question")
@click.option("--top-k", type=int, help="Number of results, 1 to 1,000.  [default: your setting, 5]")
@click.option("--now", type=Moment(), help="Reference time for phrases such as 'last week'.  [default: now]")
@click.option("--as-of", type=Moment(), help="Ignore turns after this time.")
@click.option("--since", type=Moment(), help="Only turns at or after this time.")
@click.option("--until", type=Moment(whole_day=True), help="Only turns before this time; a date includes that day.")
@click.option("--wing", metavar="WING", help="Only turns in this wing, by name or pointer.")
@project_option
@click.option("--conversation", metavar="ID", help="Conversation in progress, which 'last time' skips.")
@click.option("--before", metavar="TEXT", help="Previous turn, which helps to find what QUESTION refers to.")
@click.option("--room", metavar="POINTER", help="Only turns in this room, by pointer.")
@click.option("--speaker", metavar="NAME", help="Only turns of this person, or of 'assistant'.")
@click.option(
    "--max-tokens",
    type=int,
    help="Maximum tokens of the context block. Without --top-k, as many turns as fit.  [default: 2000]",
)
@click.option(
    "--min-confidence",
    type=float,
    help="Minimum confidence of the results as a whole, 0 to 1.  [default: 0.1 for most questions]",
)
@click.option(
    "--rerank/--no-rerank", default=None, help="Rerank the top results with an LLM.  [default: your setting, off]"
)
@click.option("--dry-run", is_flag=True, help="Estimate the cost without calling the LLM.")
@click.option("--explain", is_flag=True, help="Show how each signal contributed to the score of each result.")
@click.option("--context", "only_context", is_flag=True, help="Print only the context block, ready for a prompt.")
@json_option
@user_option
def command(
    question: str,
    top_k: int | None,
    now: datetime | None,
    as_of: datetime | None,
    since: datetime | None,
    until: datetime | None,
    wing: str | None,
    project: str | None,
    conversation: str | None,
    before: str | None,
    room: str | None,
    speaker: str | None,
    max_tokens: int | None,
    min_confidence: float | None,
    rerank: bool | None,
    dry_run: bool,
    explain: bool,
    only_context: bool,
    as_json: bool,
    user: str | None,
) -> None:
    """Find the turns that best answer QUESTION. Uses no LLM, unless you ask for reranking."""
    settings = settings_of(user)
    require_own_user(settings, user)
    if within.get() is None and settings.remote_url is None:
        _start_loading_embedding_model(settings)
    with opened(settings) if settings.remote_url is None else remote(settings) as memory:
        found = memory.recall(
            question,
            top_k=top_k,
            now=now,
            as_of=as_of,
            since=since,
            until=until,
            wing=wing,
            project=project,
            conversation=conversation,
            context=before,
            room=room,
            speaker=speaker,
            max_tokens=max_tokens,
            min_confidence=min_confidence,
            rerank=rerank,
            dry_run=dry_run,
        )
    if as_json:
        print_json(as_object(found))
    elif only_context:
        # A program gets the exact text, with control characters.
        click.echo(shown(found.context) if on_terminal() else found.context, nl=bool(found.context), color=True)
    else:
        _notes(found)
        _explain(found) if explain else _list(found)


def _start_loading_embedding_model(settings: Settings) -> None:
    """Loads the embedding model in a thread while this one imports the rest: 160 ms of it are outside Python.

    Its libraries come first, here: two threads that import at once wait for one another more than they gain.
    """
    chosen = embedding.choose(settings)
    if isinstance(chosen, embedding.Model) and embedding.present(settings, [chosen]):
        if chosen.kind == "network":
            with suppress(ImportError):
                import_module("ricordo.embedding.minilm")
        threading.Thread(target=_load_embedding_model, args=[settings], name="ricordo-embedding").start()


def _load_embedding_model(settings: Settings) -> None:
    with suppress(ModelUnavailable):  # recall finds out by itself, and says so
        embedding.load(settings)


def as_object(found: RecallResult) -> dict[str, Any]:
    """The JSON form of a recall; part of the public contract."""
    fields = {
        "id", "pointer", "text", "speaker", "at", "conversation", "position", "current", "superseded_by",
        "superseded_at", "instruction", "decision", "confidence", "score", "signals",
    }  # fmt: skip
    return {
        "context": found.context,
        "tokens": found.tokens,
        "confidence": found.confidence,
        "results": [hit.model_dump(mode="json", include=fields) for hit in found],
    }


def _notes(found: RecallResult) -> None:
    for note in found.notes:
        click.echo(f"Note: {note}", err=True)
    if found.pending:
        from ricordo.models import MOST_PENDING

        turns = counted(found.pending, "turn", most=MOST_PENDING)
        click.echo(f"Note: {turns} had no vector yet and could be compared by words only.", err=True)
    if not len(found):
        click.echo("No matching turns.", err=True)


def _list(found: RecallResult) -> None:
    width = min(columns(), _WIDEST)
    for hit in found:
        speaker = click.style(shown(hit.speaker), bold=True)
        click.echo(f"{click.style(hit.pointer, fg='cyan')}  {stamp(hit.at)}  {speaker}{_title(hit)}{_standing(hit)}")
        for line in shown(hit.text).splitlines():
            # A pipe gets each line as it was said.
            lines = textwrap.wrap(line, max(width - 4, 20)) if on_terminal() else [line]
            click.echo("\n".join("    " + each for each in lines))


def _standing(hit: Hit) -> str:
    """What a turn's facts say of it: that they hold, what replaced them and when; or that it is an instruction,
    or a decision of the project."""
    if hit.superseded_by is not None:
        on = f" on {hit.superseded_at:%Y-%m-%d}" if hit.superseded_at else ""
        return f"  (replaced{on} by {hit.superseded_by})"
    if hit.instruction is not None:
        return "  (standing instruction)"
    if hit.decision:
        return "  (decision)"
    return "  (current)" if hit.current else ""


def _explain(found: RecallResult) -> None:
    """Prints each result with its signals as bars, in as many columns as fit."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    width = console.width if console.is_terminal else 80
    most = max((value for hit in found for value in hit.signals.values()), default=1.0)
    for hit in found:
        head = Text.assemble(
            (f"{hit.score:5.2f}", "bold"), "  ", (hit.pointer, "cyan"), f"  {stamp(hit.at)}  ",
            (shown(hit.speaker), "bold"), _title(hit), _standing(hit),
        )  # fmt: skip
        # A terminal that is too narrow for the whole head gets its beginning; a pipe gets all of every line.
        text = shown(hit.text)
        if console.is_terminal:
            console.print(head, no_wrap=True, overflow="ellipsis")
            console.print(Padding(Text(text), (0, 0, 0, 7)), width=min(width, _WIDEST + 7))
        else:
            console.print(head, soft_wrap=True)
            console.print(Text(textwrap.indent(text, " " * 7)), soft_wrap=True)
        for row in _bars(hit, most, width - 7, "#" if console.options.ascii_only else "█"):
            console.print(Text(row, "dim"), no_wrap=True, crop=False)
        console.print()


def _bars(hit: Hit, most: float, width: int, block: str) -> Iterator[str]:
    """Rows of at most `width` characters with the positive signals, the largest first, column by column."""
    given = sorted(((name, value) for name, value in hit.signals.items() if value > 0), key=lambda each: -each[1])
    cells = [f"{name:<12} {value:5.2f} {block * max(1, round(_BAR * value / most))}" for name, value in given]
    columns = max(1, (width + 2) // _SIGNAL)  # nothing keeps the last one from the margin
    rows = -(-len(cells) // columns)
    for row in range(rows):
        yield " " * 7 + "".join(f"{cell:<{_SIGNAL}}" for cell in cells[row::rows]).rstrip()


def _title(hit: Hit) -> str:
    return f"  ({shown(hit.title)})" if hit.title else ""
