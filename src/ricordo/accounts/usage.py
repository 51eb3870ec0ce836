"""The rules of usage: what a call may cost, and what it came to. A cap stops paid calls, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from ricordo import jobs
from ricordo.accounts import usage_store as store
from ricordo.accounts.settings import dollars, model_name, user_settings
from ricordo.database import Transaction
from ricordo.errors import CapReached
from ricordo.models import CallOutcome, ModelPrice, Spending, Usage, UsageBy, UsageSource

_STOPPED: Mapping[CallOutcome, str] = {
    "cap_conversation": "the call could cost {most} USD, but {spent} of the {cap} USD allowed per conversation "
    "(cap_conversation) are spent or reserved",
    "cap_month": "the call could cost {most} USD, but {spent} of the {cap} USD allowed per month (cap_month) are spent "
    "or reserved",
    "unpriced": "a spending cap is set, but the price of {model} is unknown: set it with `ricordo usage price`",
}


@dataclass(frozen=True)
class Planned:
    """A call that is about to be made. `most` is the most that it is thought to cost; None where that is not known."""

    source: UsageSource
    model: str
    conversation: str | None
    most: Decimal | None


@dataclass(frozen=True)
class Begun:
    """A call as it stands in the record; `stopped` says why it must not be made."""

    id: UUID
    stopped: CapReached | None = None


async def begin_call(tx: Transaction, user_id: UUID, call: Planned) -> Begun:
    """Write a call down before it is made, and set aside what it may cost. Commit before the call is made; nobody else
    can count on the same money then."""
    outcome, cap, spent = await _allowed(tx, call)
    held = call.most or Decimal(0)
    begun = await store.add_call(tx, user_id, call.source, call.model, call.conversation, held, outcome)
    if outcome == "open":
        return Begun(begun)
    reason = _STOPPED[outcome].format(most=f"{held:f}", cap=cap, spent=f"{spent:f}", model=call.model)
    return Begun(begun, CapReached(f"the LLM was not called ({call.source}): {reason}"))


async def usage(tx: Transaction, by: UsageBy, since: datetime | None, until: datetime | None) -> Usage:
    """What was spent, and what the caps leave."""
    rows = await store.spent(tx, by, since, until)
    chosen = await user_settings(tx)
    _, month = await store.counted(tx, None)
    return Usage(
        by=by,
        rows=tuple(rows),
        total=_sum(rows),
        month=await store.spent_this_month(tx),
        counted=month,
        cap_month=chosen.cap_month,
        cap_conversation=chosen.cap_conversation,
    )


def next_month(now: datetime) -> datetime:
    """When the month ends whose costs `cap_month` counts."""
    first = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


async def set_price(tx: Transaction, user_id: UUID, model: object, input: object, output: object) -> ModelPrice:
    """Let a model cost so many US dollars for a million tokens that go in and come out. What a cap stopped is tried
    again. Raises InvalidInput."""
    price = ModelPrice(
        model=model_name("model", model), input=dollars("input", input), output=dollars("output", output)
    )
    await store.set_price(tx, user_id, price)
    await jobs.hasten(tx, "extract")
    return price


async def remove_price(tx: Transaction, model: str) -> bool:
    """Go back to the published price of a model; False where none was set. What a cap stopped is tried again."""
    removed = await store.remove_price(tx, model)
    await jobs.hasten(tx, "extract")
    return removed


async def _allowed(tx: Transaction, call: Planned) -> tuple[CallOutcome, Decimal | None, Decimal]:
    """`open`, or what stops the call; with that cap and what counts against it."""
    of_conversation, of_month = await store.hold_caps(tx)
    if of_conversation is None and of_month is None:
        return "open", None, Decimal(0)
    if call.most is None:
        return "unpriced", None, Decimal(0)
    conversation, month = await store.counted(tx, call.conversation)
    if of_conversation is not None and call.conversation is not None and conversation + call.most > of_conversation:
        return "cap_conversation", of_conversation, conversation
    if of_month is not None and month + call.most > of_month:
        return "cap_month", of_month, month
    return "open", None, Decimal(0)


def _sum(rows: list[Spending]) -> Spending:
    names = set(Spending.model_fields) - {"name"}
    return Spending(**{name: sum((getattr(each, name) for each in rows), start=0) for name in names})
