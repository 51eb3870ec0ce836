"""Walking through the palace branch by branch, page by page, and when what is kept was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ricordo import accounts, cursors
from ricordo.database import Transaction
from ricordo.errors import InvalidInput
from ricordo.models import (
    Bar,
    Closet,
    Drawer,
    Histogram,
    Page,
    Room,
    Span,
    Speaker,
    StoredConversation,
    Wing,
)
from ricordo.palace import branch_store as store
from ricordo.palace.branch_store import WingOrder
from ricordo.palace.editing import closet_of
from ricordo.palace.foreign import located
from ricordo.palace.pointer import Pointer
from ricordo.palace.tree import find_room, find_wing, show
from ricordo.times import within

#: Days up to which spans of a kind are short enough for a histogram that nobody chose them for.
_LONGEST: tuple[tuple[Span, int], ...] = (("day", 62), ("week", 2 * 366), ("month", 10 * 366))
#: Bars that a histogram may have.
_MOST_BARS = 10_000
#: A wing's place in the orders that go by numbers.
_KEY = re.compile(r"-?([0-9]{1,20}(\.[0-9]{1,9})?|Infinity)")


async def wings(tx: Transaction, order: WingOrder, search: str | None, most: int, cursor: str | None) -> Page[Wing]:
    """A page of wings. Raises InvalidInput for a cursor that is none."""
    listed = ("wings", order, search)
    behind = None if cursor is None else _wing_behind(cursor, listed)
    found = await store.wings(tx, order, search, behind, most + 1)
    page = [
        Wing(
            pointer=str(Pointer(each.wing)),
            name=each.name,
            kind=each.kind,
            drawers=each.drawers,
            merged=tuple(str(Pointer(number)) for number in each.merged),
            room_count=each.rooms,
            last_at=each.last_at,
        )
        for each in found[:most]
    ]
    last = found[most - 1] if len(found) > most else None
    return Page(items=tuple(page), cursor=cursors.made(listed, last.key, last.wing) if last else None)


def _wing_behind(cursor: str, listed: tuple[str, WingOrder, str | None]) -> tuple[str, int]:
    key, wing = cursors.place(cursor, listed, str, int)
    if listed[1] != "name" and not _KEY.fullmatch(key):
        raise cursors.refused(cursor)
    return key, wing


async def rooms(tx: Transaction, wing: str, most: int, cursor: str | None) -> Page[Room]:
    """A page of a wing's rooms. Raises NotFound and InvalidInput."""
    row = await find_wing(tx, wing)
    listed = ("rooms", row.wing)
    behind = None if cursor is None else cursors.place(cursor, listed, datetime, int)
    found = await store.rooms(tx, row.wing, behind, most + 1)
    page = [
        Room(
            pointer=str(Pointer(each.wing, each.room)),
            name=each.name,
            started_at=each.started_at,
            drawers=each.drawers,
            closet_count=each.closets,
        )
        for each in found[:most]
    ]
    more = cursors.made(listed, page[-1].started_at, found[most - 1].room) if len(found) > most else None
    return Page(items=tuple(page), cursor=more)


async def closets(tx: Transaction, room: str, most: int, cursor: str | None) -> Page[Closet]:
    """A page of a room's closets. Raises NotFound and InvalidInput."""
    place = await find_room(tx, await located(tx, room, "room"))
    assert place.room is not None
    listed = ("closets", place.room)
    (behind,) = (0,) if cursor is None else cursors.place(cursor, listed, int)
    found = await store.closets(tx, place.room, behind, most + 1)
    page = [Closet(number=closet, name=name, drawers=drawers) for closet, name, drawers in found[:most]]
    return Page(items=tuple(page), cursor=cursors.made(listed, page[-1].number) if len(found) > most else None)


async def drawers(tx: Transaction, room: str, closet: str | int | None, most: int, cursor: str | None) -> Page[Drawer]:
    """A page of the drawers of a room, or of one closet of it. Raises NotFound and InvalidInput."""
    place = await find_room(tx, await located(tx, room, "room"))
    assert place.room is not None
    of = None if closet is None else (await closet_of(tx, place, closet)).closet
    listed = ("drawers", place.room, of)
    (behind,) = (0,) if cursor is None else cursors.place(cursor, listed, int)
    found = await store.drawers(tx, place.room, of, behind, most + 1)
    last = Pointer.parse(found[most - 1].pointer).drawer if len(found) > most else None
    return Page(items=tuple(found[:most]), cursor=None if last is None else cursors.made(listed, last))


async def around(tx: Transaction, pointer: str, before: int, after: int) -> Page[Drawer]:
    """A drawer in its conversation. Raises NotFound, and InvalidInput for what is no pointer of a drawer."""
    place = await located(tx, pointer)
    if place.drawer is None:
        raise InvalidInput("pointer", f"{place} is not a drawer: expected a pointer such as {place}/D-001")
    await show(tx, place)
    at = await find_room(tx, place)
    assert at.room is not None
    return Page(items=tuple(await store.around(tx, at.room, place.drawer, before, after)))


async def speakers(tx: Transaction, wing: str | None, most: int) -> list[Speaker]:
    """Who speaks. Raises NotFound."""
    return await store.speakers(tx, None if wing is None else (await find_wing(tx, wing)).wing, most)


async def conversations(tx: Transaction, ids: Sequence[str] | None, most: int) -> list[StoredConversation]:
    """The conversations that were stored last, newest first; with `ids` only those."""
    return await store.conversations(tx, ids, most)


async def histogram(
    tx: Transaction,
    by: Span | None,
    wing: str | None,
    speaker: str | None,
    since: datetime | None,
    until: datetime | None,
) -> Histogram:
    """When what is kept was said. Raises NotFound, and InvalidInput for spans that would be too many."""
    number = None if wing is None else (await find_wing(tx, wing)).wing
    told = await store.first_and_last(tx)
    if told is None:
        return Histogram(by=by or "day", bars=())
    first, last = max(told[0], since or told[0]), min(told[1], until or told[1])
    chosen = by or _fitting(last - first)
    zone = await accounts.zone(tx)
    found = await store.bars(tx, chosen, zone, number, speaker, since, until)
    return Histogram(by=chosen, bars=tuple(_without_gaps(found, chosen, zone)))


def _fitting(time: timedelta) -> Span:
    return next((span for span, days in _LONGEST if time <= timedelta(days)), "year")


def _without_gaps(found: list[Bar], by: Span, zone: ZoneInfo) -> list[Bar]:
    # By the clock of the zone: a day begins at midnight also where it has 23 hours.
    counts = {within(each.start, zone).replace(tzinfo=None): each.drawers for each in found}
    bars: list[Bar] = []
    at = min(counts, default=None)
    while at is not None and at <= max(counts):
        if len(bars) == _MOST_BARS:
            since = bars[0].start.date()
            raise InvalidInput("by", f"more than {_MOST_BARS:,} {by}s since {since}: choose a longer interval")
        bars.append(Bar(start=at.replace(tzinfo=zone if zone.key != "UTC" else UTC), drawers=counts.get(at, 0)))
        at = _next(at, by)
    return bars


def _next(start: datetime, by: Span) -> datetime | None:
    """Where the next span begins; None behind the year 9999."""
    try:
        if by == "month":
            return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
        return start.replace(year=start.year + 1) if by == "year" else start + timedelta(7 if by == "week" else 1)
    except (OverflowError, ValueError):
        return None
