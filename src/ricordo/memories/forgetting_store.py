"""The SQL of forgetting many memories at once: which they are, and taking away their texts and what is derived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.memories.loose_store import REACHES
from ricordo.models import Kind


@dataclass(frozen=True)
class Wanted:
    """Which memories are to be forgotten: those that fit everything that is given. `places` are (wing, room, drawer) of
    which only the last that is not None counts."""

    kinds: Sequence[Kind]
    ids: Sequence[UUID] = ()
    places: Sequence[tuple[int | None, int | None, int | None]] = ()
    conversation: str | None = None
    source: str | None = None
    import_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    reader: UUID | None = None


@dataclass(frozen=True)
class Going:
    """A memory that is to be forgotten."""

    id: UUID
    kind: Kind
    room: int
    drawer: int
    closet: int | None
    conversation: int | None
    content: str


async def chosen(tx: Transaction, wanted: Wanted, *, lock: bool) -> list[Going]:
    """The memories that are wanted, as far as they are not redacted, in the order of their places; with `lock` nobody
    changes them until the transaction ends."""
    conditions: list[LiteralString] = ["NOT m.is_redacted", "m.kind = ANY(%(kinds)s)"]
    if wanted.ids or wanted.places:
        conditions.append(_NAMED)
    if wanted.conversation is not None:
        conditions.append(
            "m.conversation IN (SELECT conversation FROM conversations "
            "WHERE external_id IN (%(talk)s, forgotten_id(%(talk)s)))"  # one that was forgotten may have got new turns
        )
    if wanted.source is not None:
        conditions.append("coalesce(c.source, m.source) = %(source)s")
    if wanted.import_id is not None:
        conditions.append(_IMPORTED)
    if wanted.since is not None:
        conditions.append("CASE WHEN m.room > 0 THEN m.said_at ELSE m.created_at END >= %(since)s")
    if wanted.until is not None:
        conditions.append("CASE WHEN m.room > 0 THEN m.said_at ELSE m.created_at END < %(until)s")
    if wanted.reader is not None:
        conditions.append(REACHES["change"])
    query = sql.SQL(
        "SELECT m.id, m.kind, m.room, m.drawer, m.closet, m.conversation, m.content FROM memories m "
        "LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id "
        "LEFT JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation "
        "WHERE {} ORDER BY m.room, m.drawer {}"
    ).format(sql.SQL(" AND ").join(map(sql.SQL, conditions)), sql.SQL("FOR UPDATE OF m") if lock else sql.SQL(""))
    async with tx.cursor(row_factory=class_row(Going)) as cursor:
        await cursor.execute(query, _parameters(wanted))
        return await cursor.fetchall()


async def unknown(tx: Transaction, ids: Sequence[UUID], reader: UUID | None) -> list[UUID]:
    """Those of these ids that no memory in reach and no conversation has."""
    cursor = await tx.execute(
        f"""
        SELECT id FROM unnest(%(ids)s::uuid[]) id WHERE NOT EXISTS (SELECT FROM conversations c WHERE c.id = id.id)
          AND NOT EXISTS (SELECT FROM memories m
              LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id
              WHERE m.id = id.id AND (%(reader)s::uuid IS NULL OR {REACHES["change"]}))
        """,
        {"ids": list(ids), "reader": reader},
    )
    return [row[0] async for row in cursor]


#: Memories of these ids, turns of conversations of these ids, and what stands at these places.
_NAMED: LiteralString = """
    (m.id = ANY(%(ids)s) OR c.id = ANY(%(ids)s)
     OR m.room > 0 AND EXISTS (
        SELECT FROM unnest(%(wings)s::integer[], %(rooms)s::integer[], %(drawers)s::integer[]) AS p (wing, room, drawer)
        WHERE CASE WHEN p.room IS NULL THEN m.room IN (SELECT room FROM rooms WHERE wing = p.wing)
                   ELSE m.room = p.room AND (p.drawer IS NULL OR m.drawer = p.drawer) END))
"""
_IMPORTED: LiteralString = """
    EXISTS (SELECT FROM imported_turns i WHERE i.user_id = m.user_id AND i.import_id = %(import_id)s
            AND i.room = m.room AND m.drawer BETWEEN i.first_drawer AND i.last_drawer)
"""


def _parameters(wanted: Wanted) -> dict[str, Any]:
    return {
        "kinds": list(wanted.kinds), "ids": list(wanted.ids), "wings": [each[0] for each in wanted.places],
        "rooms": [each[1] for each in wanted.places], "drawers": [each[2] for each in wanted.places],
        "talk": wanted.conversation, "source": wanted.source, "import_id": wanted.import_id, "since": wanted.since,
        "until": wanted.until, "reader": wanted.reader,
    }  # fmt: skip


async def erase_traces(tx: Transaction, ids: Sequence[UUID]) -> dict[str, int]:
    """What `loose_store.erase_traces` does, of many; returns how many rows of each place."""
    cursor = await tx.execute(
        """
        SELECT place, sum(rows::integer)::integer
        FROM unnest(%s::uuid[]) WITH ORDINALITY AS going (id, number), LATERAL erase_traces(id) counts,
             LATERAL jsonb_each_text(counts) AS counted (place, rows)
        GROUP BY place ORDER BY place
        """,
        [list(ids)],
    )
    return dict(await cursor.fetchall())


async def empty(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Take the texts of turns away; their rows stay, so that pointers beside them stay the same."""
    await tx.execute(
        "UPDATE memories SET content = '[redacted]', is_redacted = true, tags = NULL, metadata = NULL, "
        "updated_at = now() WHERE id = ANY(%s)",
        [list(ids)],
    )


async def remove(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Remove memories that are no turns."""
    await tx.execute("DELETE FROM memories WHERE id = ANY(%s)", [list(ids)])
