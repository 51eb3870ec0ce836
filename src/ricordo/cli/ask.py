"""ricordo ask: an LLM's answer to a question, with the turns that it is based on."""

from __future__ import annotations

from datetime import datetime

import click

from ricordo.blocking import Memory
from ricordo.cli.options import Moment, json_option, print_item, project_option, shown, stamp, user_option
from ricordo.models import Answer, CostEstimate


@click.command("ask")
@click.argument("question")
@click.option("--top-k", type=int, default=10, show_default=True, help="Number of turns to give the LLM, 1 to 1,000.")
@click.option("--now", type=Moment(), help="Reference time for phrases such as 'last week'.  [default: now]")
@click.option("--as-of", type=Moment(), help="Ignore turns after this time.")
@click.option("--since", type=Moment(), help="Only turns at or after this time.")
@click.option("--until", type=Moment(whole_day=True), help="Only turns before this time; a date includes that day.")
@click.option("--wing", metavar="WING", help="Only turns in this wing, by name or pointer.")
@project_option
@click.option("--conversation", metavar="ID", help="Conversation in progress, which 'last time' skips.")
@click.option(
    "--max-tokens", type=int, default=3000, show_default=True, help="Maximum tokens of the turns given to the LLM."
)
@click.option("--dry-run", is_flag=True, help="Estimate the cost without calling the LLM.")
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
    project: str | None,
    conversation: str | None,
    max_tokens: int,
    dry_run: bool,
    as_json: bool,
    user: str | None,
) -> None:
    """Answer QUESTION with an LLM, from stored turns. Requires RICORDO_LLM_URL and RICORDO_LLM_MODEL."""
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
            project=project,
            conversation=conversation,
        )
    if as_json:
        print_item(answer)
    elif answer.estimate is not None:
        _estimate(answer.estimate)
    else:
        _print(answer)


def _print(answer: Answer) -> None:
    click.echo(shown(answer.text) if answer.known else "The stored turns do not contain an answer.")
    for hit in answer.citations:
        head = f"{click.style(hit.pointer, fg='cyan')}  {stamp(hit.at)}  "
        click.echo(f"\n{head}{click.style(shown(hit.speaker), bold=True)}\n    {shown(hit.text)}")
    for note in (*answer.recalled.notes, *answer.notes):
        click.echo(f"Note: {shown(note)}", err=True)
    cost = "unknown" if answer.cost is None else f"{answer.cost:f} USD"
    click.echo(f"Cost: {cost}", err=True)


def _estimate(estimate: CostEstimate) -> None:
    cost = "unknown" if estimate.cost is None else f"at most {estimate.cost:f} USD"
    click.echo(
        f"Estimate for {estimate.model}: about {estimate.tokens_in:,} input tokens, at most "
        f"{estimate.tokens_out:,} output tokens, cost {cost}."
    )
