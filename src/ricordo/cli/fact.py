"""ricordo fact: list, decide about and extract facts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import click

from ricordo.blocking import Memory
from ricordo.cli.options import (
    Id,
    Moment,
    json_option,
    print_item,
    print_items,
    say_if_empty,
    shown,
    stamp,
    user_option,
)
from ricordo.cli.progress import bar
from ricordo.errors import counted
from ricordo.models import CostEstimate, Decision, EntityKind, ExtractionReport, Relation

_KINDS = click.Choice(["person", "organization", "project", "item", "place", "event", "topic"])
_DECISIONS = click.Choice(["confirmed", "rejected"])


@click.group("fact")
def command() -> None:
    """List facts, confirm, correct or reject them, and extract them with an LLM.

    FACT is an id that `ricordo fact list` shows.
    """


@command.command("list")
@click.argument("entity", required=False)
@click.option("--decision", type=_DECISIONS, help="Only facts that you confirmed (or corrected), or rejected.")
@json_option
@user_option
def list_(entity: str | None, decision: Decision | None, as_json: bool, user: str | None) -> None:
    """List the facts about ENTITY, or all facts."""
    with Memory(user=user, background=False) as memory:
        facts = memory.facts.list(entity, decision=decision)
    print_items(facts) if as_json else _print(facts)


@command.command("confirm")
@click.argument("fact", type=Id("ricordo fact list"))
@json_option
@user_option
def confirm(fact: UUID, as_json: bool, user: str | None) -> None:
    """Confirm FACT, so that it stays even if its turns are read again."""
    with Memory(user=user, background=False) as memory:
        _print_one(memory.facts.confirm(fact), as_json)


@command.command("correct")
@click.argument("fact", type=Id("ricordo fact list"))
@click.option("--object", metavar="TEXT", help="Correct object.")
@click.option("--kind", type=_KINDS, help="Kind of the object. Without it, an unknown object is a plain value.")
@click.option("--since", type=Moment(), help="Correct time since when the fact is true.")
@json_option
@user_option
def correct(
    fact: UUID, object: str | None, kind: EntityKind | None, since: datetime | None, as_json: bool, user: str | None
) -> None:
    """Correct the object or the beginning of FACT. The corrected fact cites the same turns."""
    with Memory(user=user, background=False) as memory:
        _print_one(memory.facts.correct(fact, object=object, object_kind=kind, since=since), as_json)


@command.command("reject")
@click.argument("fact", type=Id("ricordo fact list"))
@json_option
@user_option
def reject(fact: UUID, as_json: bool, user: str | None) -> None:
    """Reject FACT: it is no longer shown or used. `undo` brings it back."""
    with Memory(user=user, background=False) as memory:
        _print_one(memory.facts.reject(fact), as_json)


@command.command("undo")
@click.argument("fact", type=Id("ricordo fact list"))
@json_option
@user_option
def undo(fact: UUID, as_json: bool, user: str | None) -> None:
    """Undo your last decision about FACT."""
    with Memory(user=user, background=False) as memory:
        _print_one(memory.facts.undo(fact), as_json)


@command.command("extract")
@click.argument("conversation", required=False)
@click.option("--retry", is_flag=True, help="Also ask again about turns for which the LLM gave no usable reply.")
@click.option("--dry-run", is_flag=True, help="Count turns and estimate the cost; queue nothing.")
@click.option("--wait", is_flag=True, help="Extract now, with progress, instead of in the background.")
@json_option
@user_option
def extract(conversation: str | None, retry: bool, dry_run: bool, wait: bool, as_json: bool, user: str | None) -> int:
    """Extract facts with an LLM from turns that it has not read yet.

    This includes turns stored before an LLM was configured, and turns that were edited since. CONVERSATION is the id of
    a conversation; by default all conversations are read. The work is done in the background, by `ricordo worker`, a
    server or any open memory with an LLM. You can interrupt --wait and run it again to continue: you never pay twice
    for a turn. With --wait, the exit code is 1 if turns are left unread.
    """
    with Memory(user=user, background=False) as memory, bar("Extracting facts", "turns", as_json or not wait) as show:
        report = memory.facts.extract(conversation, retry=retry, dry_run=dry_run, wait=wait, progress=show)
    if as_json:
        print_item(report)
    else:
        click.echo(_extracted(report, wait))
    return 1 if wait and report.left else 0


def _extracted(report: ExtractionReport, wait: bool) -> str:
    unread = f"{counted(report.turns, 'turn')} in {counted(report.conversations, 'conversation')}"
    if not report.turns and report.unusable:
        return f"The LLM gave no usable reply for {counted(report.unusable, 'turn')}: use --retry to ask again."
    if not report.turns:
        return "The LLM has read every turn."
    if report.dry_run:
        return f"{unread} not yet read by an LLM; nothing was queued\n{_cost(report.estimate)}"
    left = f"; {counted(report.left, 'turn')} left: {shown(report.reason or '')}" if report.left else ""
    if wait:
        return f"{counted(report.read, 'turn')} read{left}"
    return f"{unread} queued{left and '; ' + shown(report.reason or '')}"


def _cost(estimate: CostEstimate | None) -> str:
    if estimate is None:
        return "cost: unknown, because no LLM is set up here (RICORDO_LLM_URL)"
    cost = "of unknown cost" if estimate.cost is None else f"{estimate.cost:f} USD"
    return (
        f"at most {counted(estimate.calls, 'call')} of {shown(estimate.model)} with {estimate.tokens_in:,} → "
        f"{estimate.tokens_out:,} tokens, {cost}"
    )


def _print_one(fact: Relation, as_json: bool) -> None:
    print_item(fact) if as_json else _print([fact])


def _print(facts: Sequence[Relation]) -> None:
    say_if_empty(facts, "No matching facts.")
    for each in facts:
        begins = stamp(each.valid_from, "day") if each.valid_from else "?"
        ends = stamp(each.valid_to, "day") if each.valid_to else ""
        mark = "  (confirmed)" if each.confirmed else ""
        sources = f"  {click.style(', '.join(each.sources), fg='cyan')}" if each.sources else ""
        click.echo(f"{each.id}  {begins:>10} – {ends:<10}  {shown(each.text)}{mark}{sources}")
