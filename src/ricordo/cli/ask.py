"""ricordo ask: an LLM's answer to a question, with the turns that it is based on."""

from __future__ import annotations

from datetime import datetime

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Moment, json_option, print_item, shown, stamp, user_option
from ricordo.models import Answer, CostEstimate


@click.command("ask")
@click.argument("question")
@click.option("--top-k", type=int, default=10, show_default=True, help="Turns that the LLM gets, 1 to 1,000.")
@click.option("--now", type=Moment(), help="The moment to understand 'last week' by.  [default: now]")
@click.option("--as-of", type=Moment(), help="Only what had been said by then.")
@click.option("--since", type=Moment(), help="Only what was said then or later.")
@click.option("--until", type=Moment(whole_day=True), help="Only what was said before then; a date includes its day.")
@click.option("--wing", metavar="WING", help="Only this wing: its name or pointer.")
@click.option("--max-tokens", type=int, default=3000, show_default=True, help="Maximum tokens of these turns.")
@click.option("--dry-run", is_flag=True, help="Ask no LLM; say what that would cost.")
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
    max_tokens: int,
    dry_run: bool,
    as_json: bool,
    user: str | None,
) -> None:
    """Let an LLM answer QUESTION from what was said. It needs RICORDO_LLM_URL and RICORDO_LLM_MODEL."""
    with Memory(user=user, background=False) as memory:
        answer = memory.ask(
            question,
            top_k=top_k,
            max_tokens=max_tokens,
            dry_run=dry_run,
            now=now,
            as_of=as_of,
            since=since,
            until=until,
            wing=wing,
        )
    if as_json:
        print_item(answer)
    elif answer.estimate is not None:
        _estimate(answer.estimate)
    else:
        _print(answer)


def _print(answer: Answer) -> None:
    click.echo(shown(answer.text) if answer.known else "What was said does not hold an answer.")
    for hit in answer.citations:
        head = f"{click.style(hit.pointer, fg='cyan')}  {stamp(hit.at)}  "
        click.echo(f"\n{head}{click.style(shown(hit.speaker), bold=True)}\n    {shown(hit.text)}")
    for note in (*answer.recalled.notes, *answer.notes):
        click.echo(f"Note: {shown(note)}", err=True)
    cost = "an amount that is not known" if answer.cost is None else f"{answer.cost:f} USD"
    click.echo(f"It cost {cost}.", err=True)


def _estimate(estimate: CostEstimate) -> None:
    cost = "an unknown amount" if estimate.cost is None else f"at most {estimate.cost:f} USD"
    click.echo(
        f"{estimate.model} would get about {estimate.tokens_in:,} tokens and reply with at most "
        f"{estimate.tokens_out:,}, for {cost}."
    )
