"""ricordo recall: a question → lines, as a list, as the reasons for each, or as JSON."""

from __future__ import annotations

import textwrap
from datetime import datetime
from typing import Any

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Moment, json_option, print_json, user_option
from ricordo.nouns import Hit, Recalled

#: How wide a bar of --explain can get.
_BAR = 10


@click.command("recall")
@click.argument("question")
@click.option("--top-k", type=int, default=5, show_default=True, help="How many lines to bring back, 1 to 1,000.")
@click.option("--now", type=Moment(), help="The moment to understand 'last week' by.  [default: now]")
@click.option("--as-of", type=Moment(), help="Only what had been said by then.")
@click.option("--since", type=Moment(), help="Only what was said then or later.")
@click.option("--until", type=Moment(), help="Only what was said before then.")
@click.option("--wing", metavar="WING", help="Only this wing: its name or pointer.")
@click.option("--room", metavar="POINTER", help="Only this room.")
@click.option("--speaker", metavar="NAME", help="Only what this person (or 'assistant') said.")
@click.option("--max-tokens", type=int, default=2000, show_default=True, help="The most tokens of the context block.")
@click.option("--explain", is_flag=True, help="Show what each signal gave to each line.")
@click.option("--context", "only_context", is_flag=True, help="Print the block for a prompt and nothing else.")
@json_option
@user_option
def command(
    question: str,
    top_k: int,
    now: datetime | None,
    as_of: datetime | None,
    since: datetime | None,
    until: datetime | None,
    wing: str | None,
    room: str | None,
    speaker: str | None,
    max_tokens: int,
    explain: bool,
    only_context: bool,
    as_json: bool,
    user: str | None,
) -> None:
    """Bring back the lines that answer QUESTION best, with no language model."""
    with Memory(user=user, background=False) as memory:
        found = memory.recall(
            question,
            top_k=top_k,
            now=now,
            as_of=as_of,
            since=since,
            until=until,
            wing=wing,
            room=room,
            speaker=speaker,
            max_tokens=max_tokens,
        )
    if as_json:
        print_json(as_object(found))
    elif only_context:
        click.echo(found.context, nl=bool(found.context))
    else:
        _notes(found)
        _explain(found) if explain else _list(found)


def as_object(found: Recalled) -> dict[str, Any]:
    """The JSON form of a recall, which is part of the contract."""
    fields = {"id", "pointer", "text", "speaker", "at", "conversation", "position", "score", "signals"}
    return {
        "context": found.context,
        "tokens": found.tokens,
        "results": [hit.model_dump(mode="json", include=fields) for hit in found],
    }


def _notes(found: Recalled) -> None:
    for note in found.notes:
        click.echo(f"Note: {note}", err=True)
    if found.pending:
        click.echo(f"Note: {found.pending:,} turns have no vector yet; they were compared by words only.", err=True)
    if not len(found):
        click.echo("Nothing that was said matches.", err=True)


def _list(found: Recalled) -> None:
    for hit in found:
        click.echo(f"{click.style(hit.pointer, fg='cyan')}  {hit.at:%Y-%m-%d %H:%M}  {_bold(hit.speaker)}{_title(hit)}")
        for line in hit.text.splitlines():
            click.echo(textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="    "))


def _explain(found: Recalled) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_lines=True, title="Why each line came")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("signals", no_wrap=True)
    table.add_column("line", ratio=1, overflow="fold")
    most = max((value for hit in found for value in hit.signals.values()), default=1.0) or 1.0
    for hit in found:
        given = sorted(hit.signals.items(), key=lambda each: -each[1])
        bars = "\n".join(
            f"{name:<12} {value:5.2f} {'█' * max(1, round(_BAR * value / most)):<{_BAR}}"
            for name, value in given
            if value > 0
        )
        head = f"[bold]{escape(hit.speaker)}[/bold], {hit.at:%Y-%m-%d %H:%M}  [cyan]{hit.pointer}[/cyan]"
        table.add_row(f"{hit.score:.2f}", bars, f"{head}\n{escape(hit.text)}")
    if len(found):
        Console().print(table)


def _title(hit: Hit) -> str:
    return f"  ({hit.title})" if hit.title else ""


def _bold(text: str) -> str:
    return click.style(text, bold=True)
