"""The SQL of activity: what happened, told in the transaction that does it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.models import Event, EventCategory, EventType

_COLUMNS = "id, event, category, agent_id, run_id, conversation_id, payload, created_at"


async def tell(
    tx: Transaction,
    user_id: UUID,
    event: EventType,
    payload: Mapping[str, Any],
    category: EventCategory = "agent_action",
    *,
    agent: UUID | None = None,
    run: UUID | None = None,
    conversation: str | None = None,
) -> None:
    """Tell that something happened, as part of what does it. `payload` holds ids and counts, never content."""
    await tx.execute(
        "INSERT INTO activity (user_id, id, event, category, agent_id, run_id, conversation_id, payload, created_at) "
        "VALUES (%s, new_id(), %s, %s, %s, %s, %s, %s, clock_timestamp())",
        [user_id, event, category, agent, run, conversation, Jsonb(dict(payload))],
    )


async def tell_mined(tx: Transaction, user_id: UUID, mined: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Tell of each of these conversations, by its id, that turns of it were mined, in one statement."""
    await tx.execute(
        "INSERT INTO activity (user_id, id, event, category, conversation_id, payload, created_at) "
        "SELECT %s, new_id(), 'memory_mined', 'agent_action', conversation, payload::jsonb, clock_timestamp() "
        "FROM unnest(%s::text[], %s::text[]) AS mined (conversation, payload)",
        [user_id, [each for each, _ in mined], [json.dumps(counts) for _, counts in mined]],
    )


async def events(
    tx: Transaction,
    limit: int,
    *,
    types: Sequence[str] | None = None,
    agent: UUID | None = None,
    run: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: tuple[datetime, UUID] | None = None,
) -> list[Event]:
    """The newest events that fit, newest first. `types` names events or categories; `before` tells the event behind
    which to go on."""
    async with tx.cursor(row_factory=class_row(Event)) as cursor:
        await cursor.execute(
            f"""
            SELECT {_COLUMNS} FROM activity
            WHERE (%(types)s::text[] IS NULL OR event = ANY(%(types)s) OR category = ANY(%(types)s))
              AND (%(agent)s::uuid IS NULL OR agent_id = %(agent)s) AND (%(run)s::uuid IS NULL OR run_id = %(run)s)
              AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
              AND (%(until)s::timestamptz IS NULL OR created_at < %(until)s)
              AND (%(before)s::uuid IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before)s))
            ORDER BY created_at DESC, id DESC LIMIT %(limit)s
            """,
            {
                "types": None if types is None else list(types),
                "agent": agent,
                "run": run,
                "since": since,
                "until": until,
                "before_at": before[0] if before else None,
                "before": before[1] if before else None,
                "limit": limit,
            },
        )
        return await cursor.fetchall()
