"""The SQL of walking through the palace branch by branch, and of when what is kept was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, LiteralString
from zoneinfo import ZoneInfo

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import Bar, Drawer, Span, Speaker, StoredConversation
from ricordo.palace.pointer import Pointer
from ricordo.palace.store import Kind, drawers_where

WingOrder = Literal["newest", "name", "largest"]

#: What wings are ordered by, and its type.
_KEYS: dict[WingOrder, tuple[LiteralString, LiteralString]] = {
    "newest": ("-extract(epoch FROM coalesce(max(r.ended_at), '-infinity'))", "numeric"),
    "name": ("lower(w.name)", "text"),
    "largest": ("-coalesce(sum(r.drawers), 0)", "numeric"),
}


@dataclass(frozen=True)
class WingCount:
    """A wing, and what is in it."""

    wing: int
    kind: Kind
    name: str
    rooms: int
    drawers: int
    last_at: datetime | None
    #: The wings that were merged into it.
    merged: Sequence[int]
    #: What the order goes by.
    key: str


@dataclass(frozen=True)
class RoomCount:
    """A room, and what is in it."""

    room: int
    wing: int
    name: str
    started_at: datetime
    drawers: int
    closets: int


async def wings(
    tx: Transaction, order: WingOrder, search: str | None, behind: tuple[str, int] | None, most: int
) -> list[WingCount]:
    """Wings whose name holds `search`, from behind the key and number `behind`."""
    key, type = _KEYS[order]
    async with tx.cursor(row_factory=class_row(WingCount)) as cursor:
        await cursor.execute(
            f"""
            WITH counted AS (
                SELECT w.wing, w.kind, w.name, {key} AS key, count(r.room)::integer AS rooms,
                       coalesce(sum(r.drawers), 0)::integer AS drawers, max(r.ended_at) AS last_at
                FROM wings w JOIN rooms r ON r.user_id = w.user_id AND r.wing = w.wing AND NOT r.is_forgotten
                WHERE w.merged_into IS NULL
                  AND (%(search)s::text IS NULL OR strpos(lower(w.name), lower(%(search)s)) > 0)
                GROUP BY w.user_id, w.wing
            )
            SELECT wing, kind, name, rooms, drawers, last_at, key::text,
                   ARRAY(SELECT o.wing FROM wings o WHERE o.merged_into = c.wing ORDER BY 1) AS merged
            FROM counted c
            WHERE %(behind)s::integer IS NULL OR (c.key, wing) > (%(key)s::{type}, %(behind)s)
            ORDER BY c.key, wing LIMIT %(most)s
            """,
            {
                "search": search,
                "key": behind[0] if behind else None,
                "behind": behind[1] if behind else None,
                "most": most,
            },
        )
        return await cursor.fetchall()


async def rooms(tx: Transaction, wing: int, behind: tuple[datetime, int] | None, most: int) -> list[RoomCount]:
    """Rooms of a wing, newest first, from behind the beginning and number `behind`."""
    async with tx.cursor(row_factory=class_row(RoomCount)) as cursor:
        await cursor.execute(
            """
            SELECT r.room, r.wing, r.name, r.started_at, r.drawers,
                   (SELECT count(*) FROM closets c WHERE c.user_id = r.user_id AND c.room = r.room)::integer AS closets
            FROM rooms r
            WHERE r.wing = %(wing)s AND NOT r.is_forgotten AND (%(behind)s::integer IS NULL
                OR (r.started_at, r.room) < (%(at)s::timestamptz, %(behind)s))
            ORDER BY r.started_at DESC, r.room DESC LIMIT %(most)s
            """,
            {
                "wing": wing,
                "at": behind[0] if behind else None,
                "behind": behind[1] if behind else None,
                "most": most,
            },
        )
        return await cursor.fetchall()


async def closets(tx: Transaction, room: int, behind: int, most: int) -> list[tuple[int, str, int]]:
    """(number, name, how many drawers) of closets of a room, from behind the number `behind`."""
    cursor = await tx.execute(
        """
        WITH page AS (
            SELECT closet, name FROM closets WHERE room = %(room)s AND closet > %(behind)s
            ORDER BY closet LIMIT %(most)s
        )
        SELECT p.closet, p.name, count(m.drawer)::integer
        FROM page p LEFT JOIN memories m ON m.room = %(room)s AND m.closet = p.closet
        GROUP BY p.closet, p.name ORDER BY p.closet
        """,
        {"room": room, "behind": behind, "most": most},
    )
    return await cursor.fetchall()


async def drawers(tx: Transaction, room: int, closet: int | None, behind: int, most: int) -> list[Drawer]:
    """Drawers of a room, or of one closet of it, from behind the number `behind`."""
    return await drawers_where(
        tx,
        # The page is chosen first, so that tags are looked up for its drawers alone.
        "(m.room, m.drawer) IN (SELECT m.room, m.drawer FROM memories m WHERE m.room = %s "
        "AND (%s::integer IS NULL OR m.closet = %s) AND m.drawer > %s ORDER BY m.drawer LIMIT %s) ORDER BY m.drawer",
        [room, closet, closet, behind, most],
    )


async def around(tx: Transaction, room: int, drawer: int, before: int, after: int) -> list[Drawer]:
    """A drawer with so many turns of its conversation before and after it, in order, also of the rooms beside."""
    same = "m.room IN (SELECT room FROM rooms WHERE conversation = (SELECT conversation FROM rooms WHERE room = %s))"
    earlier = await drawers_where(
        tx,
        f"(m.room, m.drawer) IN (SELECT m.room, m.drawer FROM memories m WHERE {same} "
        "AND (m.room, m.drawer) < (%s, %s) ORDER BY m.room DESC, m.drawer DESC LIMIT %s) "
        "ORDER BY m.room DESC, m.drawer DESC",
        [room, room, drawer, before],
    )
    later = await drawers_where(
        tx,
        f"(m.room, m.drawer) IN (SELECT m.room, m.drawer FROM memories m WHERE {same} "
        "AND (m.room, m.drawer) >= (%s, %s) ORDER BY m.room, m.drawer LIMIT %s) ORDER BY m.room, m.drawer",
        [room, room, drawer, after + 1],
    )
    return [*reversed(earlier), *later]


async def first_and_last(tx: Transaction) -> tuple[datetime, datetime] | None:
    """When the oldest and the newest of all that is kept was said; None while that is nothing."""
    cursor = await tx.execute("SELECT min(started_at), max(ended_at) FROM rooms WHERE drawers > 0 AND NOT is_forgotten")
    row = await cursor.fetchone()
    return (row[0], row[1]) if row and row[0] is not None else None


async def speakers(tx: Transaction, wing: int | None, most: int) -> list[Speaker]:
    """Who speaks in a wing, or in all, whoever says most first; one name for all its spellings by case: the one that
    says most, and is not in capitals or small letters alone if another is."""
    async with tx.cursor(row_factory=class_row(Speaker)) as cursor:
        await cursor.execute(
            """
            SELECT (array_agg(s.name ORDER BY s.name IN (upper(s.name), lower(s.name)), s.drawers DESC, s.name))[1]
                       AS name, sum(s.drawers)::integer AS drawers
            FROM (
                SELECT o.speaker AS name, sum(o.drawers) AS drawers
                FROM said_on o JOIN rooms r USING (user_id, room)
                WHERE NOT r.is_forgotten AND (%(wing)s::integer IS NULL OR r.wing = %(wing)s)
                GROUP BY o.speaker
            ) s GROUP BY lower(s.name) ORDER BY 2 DESC, 1 LIMIT %(most)s
            """,
            {"wing": wing, "most": most},
        )
        return await cursor.fetchall()


async def conversations(tx: Transaction, ids: Sequence[str] | None, most: int) -> list[StoredConversation]:
    """The conversations that were stored last, newest first; with `ids` only those."""
    cursor = await tx.execute(
        """
        WITH chosen AS (
            SELECT user_id, conversation, external_id, title, created_at FROM conversations
            WHERE forgotten_at IS NULL AND (%(ids)s::text[] IS NULL OR external_id = ANY(%(ids)s))
            ORDER BY conversation DESC LIMIT %(most)s
        )
        SELECT c.external_id, coalesce(c.title, first.name), first.wing, first.room, w.name, r.turns, r.started_at,
               r.ended_at, c.created_at
        FROM chosen c
        CROSS JOIN LATERAL (
            SELECT min(room) AS room, sum(drawers)::integer AS turns, min(started_at) AS started_at,
                   max(ended_at) AS ended_at
            FROM rooms WHERE user_id = c.user_id AND conversation = c.conversation AND NOT is_forgotten
        ) r
        JOIN rooms first ON first.user_id = c.user_id AND first.room = r.room
        JOIN wings w ON w.user_id = first.user_id AND w.wing = first.wing
        ORDER BY c.conversation DESC
        """,
        {"ids": None if ids is None else list(ids), "most": most},
    )
    return [
        StoredConversation(
            conversation=id, title=title, pointer=str(Pointer(wing, room)), wing=name, turns=turns,
            started_at=started, ended_at=ended, stored_at=stored,
        )
        async for id, title, wing, room, name, turns, started, ended, stored in cursor
    ]  # fmt: skip


async def bars(
    tx: Transaction,
    by: Span,
    zone: ZoneInfo,
    wing: int | None,
    speaker: str | None,
    since: datetime | None,
    until: datetime | None,
) -> list[Bar]:
    """How many turns were said in each span that has some, oldest first, by the days of a zone. Whole days of UTC are
    counted already; elsewhere, and between two moments, the turns themselves are, of the rooms that have some there."""
    counted: LiteralString = "SELECT room, day::timestamp AT TIME ZONE 'UTC' AS at, role, speaker, drawers FROM said_on"
    if since is not None or until is not None or zone.key != "UTC":
        counted = """
            SELECT m.room, m.said_at AS at, m.role, m.speaker, 1 AS drawers
            FROM memories m JOIN rooms USING (user_id, room)
            WHERE (%(since)s::timestamptz IS NULL OR m.said_at >= %(since)s AND ended_at >= %(since)s)
              AND (%(until)s::timestamptz IS NULL OR m.said_at < %(until)s AND started_at < %(until)s)
        """
    async with tx.cursor(row_factory=class_row(Bar)) as cursor:
        await cursor.execute(
            f"""
            -- A zone's clock may be before the year 1, which Python cannot tell.
            SELECT greatest(date_trunc(%(by)s, t.at, %(zone)s), '0001-01-01 UTC') AS start,
                   sum(t.drawers)::integer AS drawers
            FROM ({counted}) t JOIN rooms r USING (room)
            WHERE NOT r.is_forgotten AND (%(wing)s::integer IS NULL OR r.wing = %(wing)s)
              AND (%(speaker)s::text IS NULL OR lower(t.speaker) = lower(%(speaker)s) OR t.role = lower(%(speaker)s))
            GROUP BY 1 ORDER BY 1
            """,
            {"by": by, "zone": zone.key, "wing": wing, "speaker": speaker, "since": since, "until": until},
        )
        return await cursor.fetchall()
