"""ricordo usage: LLM calls with their tokens and costs, and the user's own prices."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Moment,
    json_option,
    print_item,
    print_items,
    print_json,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.errors import InvalidInput, NotFound, counted
from ricordo.models import Spending, Usage, UsageBy


@click.group("usage", invoke_without_command=True)
@click.option("--by", type=click.Choice(["source", "model", "day"]), default="source", help="Group the totals by this.")
@click.option("--since", type=Moment(), help="Only calls at or after this time.")
@click.option("--until", type=Moment(whole_day=True), help="Only calls before this time; a date includes that day.")
@json_option
@user_option
@click.pass_context
def command(
    context: click.Context, by: UsageBy, since: datetime | None, until: datetime | None, as_json: bool, user: str | None
) -> None:
    """Show LLM calls, tokens and costs, this month's total, and calls stopped by a cap."""
    if context.invoked_subcommand is not None:
        return
    with Memory(user=user, background=False) as memory:
        usage = memory.usage.report(by, since=since, until=until)
    if as_json:
        print_item(usage)
    else:
        _print(usage)


@command.command("calls")
@click.option("--limit", type=int, default=50, show_default=True, help="Maximum number of results, 1 to 1,000.")
@json_option
@user_option
def calls(limit: int, as_json: bool, user: str | None) -> None:
    """List the newest calls with tokens, cost and outcome."""
    with Memory(user=user, background=False) as memory:
        found = memory.usage.calls(limit)
    if as_json:
        print_items(found)
        return
    say_if_empty(found, "No LLM was called yet.")
    for each in found:
        tokens = f"{_number(each.tokens_in)} → {_number(each.tokens_out)}"
        click.echo(
            f"{stamp(each.began_at, 'seconds')}  {each.source:<14}  {shown(each.model)}  {tokens}  {_cost(each.cost)}  "
            f"{each.outcome}{f'  {shown(each.conversation_id)}' if each.conversation_id else ''}"
        )


@command.command("price")
@click.argument("model", required=False)
@click.option("--input", "input_", metavar="USD", help="US dollars per million input tokens.")
@click.option("--output", metavar="USD", help="US dollars per million output tokens.")
@click.option("--remove", is_flag=True, help="Remove your price and use the published one.")
@json_option
@user_option
def price(
    model: str | None, input_: str | None, output: str | None, remove: bool, as_json: bool, user: str | None
) -> None:
    """List your own prices, or set the price of MODEL. Use 0 for a model that you run yourself."""
    with Memory(user=user, background=False) as memory:
        if remove:
            if model is None:
                raise InvalidInput("model", "missing model name: name the model whose price to remove")
            if not memory.usage.remove_price(model):
                raise NotFound(f"no price is set for {model!r}: run `ricordo usage price` to list your prices")
        elif model is not None:
            if input_ is None or output is None:
                raise InvalidInput(
                    "input" if input_ is None else "output", "missing price: expected US dollars per million tokens"
                )
            memory.usage.set_price(model, input=input_, output=output)
        prices = memory.usage.prices()
    if as_json:
        print_json([each.model_dump(mode="json") for each in prices])
        return
    say_if_empty(prices, "No prices of your own are set.")
    for each in prices:
        click.echo(f"{shown(each.model)}: {each.input:f} USD in, {each.output:f} USD out, per million tokens")


def _print(usage: Usage) -> None:
    width = max((len(each.name) for each in usage.rows), default=5)
    for each in (*usage.rows, usage.total.model_copy(update={"name": "total"})):
        click.echo(f"{shown(each.name):<{max(width, 5)}}  {_told(each)}")
    click.echo(f"\nThis month: {_told(usage.month)}")
    cap = "none" if usage.cap_month is None else f"{usage.counted:f} of {usage.cap_month:f} USD spent or reserved"
    click.echo(f"Monthly cap: {cap}")
    if usage.cap_conversation is not None:
        click.echo(f"Cap per conversation: {usage.cap_conversation:f} USD")


def _told(spent: Spending) -> str:
    parts = [
        counted(spent.calls, "call"),
        f"{spent.tokens_in:,} input and {spent.tokens_out:,} output tokens",
        f"{spent.cost:f} USD",
    ]
    parts += [f"{spent.unknown:,} of unknown cost"] if spent.unknown else []
    parts += [f"{spent.failed:,} failed"] if spent.failed else []
    parts += [f"{spent.stopped:,} stopped by a cap"] if spent.stopped else []
    return "  ".join(parts)


def _number(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"


def _cost(cost: Decimal | None) -> str:
    return "? USD" if cost is None else f"{cost:f} USD"
