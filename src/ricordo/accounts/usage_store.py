"""The SQL of usage: calls of paid models, what they may cost, and what users say that they cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import LiteralString
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row

from ricordo.accounts.settings_store import ZONE
from ricordo.database import Transaction
from ricordo.models import CallOutcome, ModelCall, ModelPrice, Spending, UsageBy, UsageSource

_CALL = "id, source, model, conversation_id, began_at, seconds, tokens_in, tokens_out, cost, outcome"
#: The first moment of this month.
_MONTH = "date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'"
_GROUPS: dict[UsageBy, LiteralString] = {
    "source": "source",
    "model": "model",
    "day": f"to_char(began_at AT TIME ZONE {ZONE}, 'YYYY-MM-DD')",
}
_MADE = "outcome NOT IN ('cap_conversation', 'cap_month', 'unpriced')"
_SUMS = f"""
    count(*) FILTER (WHERE {_MADE}) AS calls,
    count(*) FILTER (WHERE outcome IN ('unusable', 'refused', 'unreached', 'lost')) AS failed,
    coalesce(sum(tokens_in), 0)::bigint AS tokens_in, coalesce(sum(tokens_out), 0)::bigint AS tokens_out,
    coalesce(sum(cost), 0) AS cost, count(*) FILTER (WHERE cost IS NULL) AS unknown,
    count(*) FILTER (WHERE NOT {_MADE}) AS stopped
"""


async def hold_caps(tx: Transaction) -> tuple[Decimal | None, Decimal | None]:
    """The user's caps for a conversation and for a month. Where there is one, nobody else gets them until the
    transaction ends: what is counted against them meanwhile holds."""
    cursor = await tx.execute("SELECT cap_conversation, cap_month FROM settings FOR NO KEY UPDATE")
    row = await cursor.fetchone()
    return (row[0], row[1]) if row else (None, None)


async def counted(tx: Transaction, conversation: str | None) -> tuple[Decimal, Decimal]:
    """What counts against the caps: of one conversation, and of this month."""
    cursor = await tx.execute(
        f"""
        SELECT (SELECT coalesce(sum(coalesce(cost, held)), 0) FROM model_calls WHERE conversation_id = %s),
               (SELECT coalesce(sum(coalesce(cost, held)), 0) FROM model_calls WHERE began_at >= {_MONTH})
        """,
        [conversation],
    )
    row = await cursor.fetchone()
    assert row is not None
    return row[0], row[1]


async def add_call(
    tx: Transaction,
    user_id: UUID,
    source: UsageSource,
    model: str,
    conversation: str | None,
    held: Decimal,
    outcome: CallOutcome,
) -> UUID:
    """Write a call that is about to be made (`open`), or one that is stopped, which costs nothing; returns its id."""
    cursor = await tx.execute(
        "INSERT INTO model_calls (user_id, id, source, model, conversation_id, began_at, held, outcome, cost) "
        "VALUES (%s, new_id(), %s, %s, %s, clock_timestamp(), %s, %s, %s) RETURNING id",
        [user_id, source, model, conversation, held, outcome, None if outcome == "open" else Decimal(0)],
    )
    row = await cursor.fetchone()
    assert row is not None
    id: UUID = row[0]
    return id


async def end_call(
    tx: Transaction,
    id: UUID,
    outcome: CallOutcome,
    seconds: float,
    tokens_in: int | None,
    tokens_out: int | None,
    cost: Decimal | None,
) -> None:
    """Write how a call ended."""
    await tx.execute(
        "UPDATE model_calls SET outcome = %s, seconds = %s, tokens_in = %s, tokens_out = %s, cost = %s WHERE id = %s",
        [outcome, seconds, tokens_in, tokens_out, cost, id],
    )


async def calls(tx: Transaction, limit: int) -> list[ModelCall]:
    """The newest calls, newest first."""
    async with tx.cursor(row_factory=class_row(ModelCall)) as cursor:
        await cursor.execute(f"SELECT {_CALL} FROM model_calls ORDER BY began_at DESC, id DESC LIMIT %s", [limit])
        return await cursor.fetchall()


async def last_outcome(tx: Transaction, source: UsageSource) -> CallOutcome | None:
    """How the newest call for a purpose ended; None where there is none."""
    cursor = await tx.execute(
        "SELECT outcome FROM model_calls WHERE source = %s ORDER BY began_at DESC, id DESC LIMIT 1", [source]
    )
    row = await cursor.fetchone()
    return row[0] if row else None


async def spent(tx: Transaction, by: UsageBy, since: datetime | None, until: datetime | None) -> list[Spending]:
    """What calls took, by source, model or day: the dearest first, days in their order."""
    query = sql.SQL(
        f"SELECT {_GROUPS[by]} AS name, {_SUMS} FROM model_calls "
        "WHERE (%(since)s::timestamptz IS NULL OR began_at >= %(since)s) "
        "AND (%(until)s::timestamptz IS NULL OR began_at < %(until)s) "
        f"GROUP BY 1 ORDER BY {'1' if by == 'day' else 'cost DESC, calls DESC, 1'}"
    )
    async with tx.cursor(row_factory=class_row(Spending)) as cursor:
        await cursor.execute(query, {"since": since, "until": until})
        return await cursor.fetchall()


async def spent_this_month(tx: Transaction) -> Spending:
    """What calls took since the first of this month."""
    async with tx.cursor(row_factory=class_row(Spending)) as cursor:
        await cursor.execute(f"SELECT {_SUMS} FROM model_calls WHERE began_at >= {_MONTH}")
        found = await cursor.fetchone()
    assert found is not None
    return found


async def price(tx: Transaction, model: str) -> ModelPrice | None:
    """What the user says that a model costs."""
    return next(iter(await prices(tx, [model])), None)


async def prices(tx: Transaction, models: Sequence[str] | None = None) -> list[ModelPrice]:
    """What the user says that models cost: those named, or all."""
    async with tx.cursor(row_factory=class_row(ModelPrice)) as cursor:
        await cursor.execute(
            "SELECT model, input, output FROM model_prices WHERE %(models)s::text[] IS NULL OR model = ANY(%(models)s) "
            "ORDER BY model",
            {"models": None if models is None else list(models)},
        )
        return await cursor.fetchall()


async def set_price(tx: Transaction, user_id: UUID, price: ModelPrice) -> None:
    """Write what a model costs."""
    await tx.execute(
        "INSERT INTO model_prices (user_id, model, input, output) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (user_id, model) DO UPDATE SET input = excluded.input, output = excluded.output",
        [user_id, price.model, price.input, price.output],
    )


async def remove_price(tx: Transaction, model: str) -> bool:
    """Take back what a model costs; False where nothing was set."""
    return (await tx.execute("DELETE FROM model_prices WHERE model = %s", [model])).rowcount == 1
