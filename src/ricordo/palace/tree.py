"""Looking at the palace: its tree as a whole, and what stands at a pointer, by whichever of its names.

`branches` has the same by pages, for palaces that are too large to be shown at once. The tree is not made of such
pages, which take a call for each wing and room: 415 ms and not 16 for 200 rooms.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime

from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Closet, Drawer, Room, Wing
from ricordo.palace import editing_store, store
from ricordo.palace.foreign import located
from ricordo.palace.pointer import Pointer
from ricordo.palace.spelling import keys
from ricordo.palace.store import WingRow


async def tree(tx: Transaction, wing: int | None = None) -> list[Wing]:
    """The wings that have rooms, or the one of this number, with all that is in them but the drawers' texts."""
    inside: defaultdict[int, list[Closet]] = defaultdict(list)
    for room, number, name, drawers in await store.closets(tx, wing):
        inside[room].append(Closet(number=number, name=name, drawers=drawers))
    rooms: defaultdict[int, list[Room]] = defaultdict(list)
    ended: dict[int, datetime] = {}
    for row in await store.rooms(tx, wing):
        ended[row.wing] = max(ended.get(row.wing, row.ended_at), row.ended_at)
        rooms[row.wing].append(
            Room(
                pointer=str(Pointer(row.wing, row.room)),
                name=row.name,
                started_at=row.started_at,
                drawers=row.drawers,
                closet_count=len(inside[row.room]),
                closets=tuple(inside[row.room]),
            )
        )
    merged = await editing_store.merged(tx)
    return [
        Wing(
            pointer=str(Pointer(each.wing)),
            name=each.name,
            kind=each.kind,
            drawers=sum(room.drawers for room in rooms[each.wing]),
            merged=tuple(str(Pointer(number)) for number in merged.get(each.wing, [])),
            room_count=len(rooms[each.wing]),
            last_at=ended.get(each.wing),
            rooms=tuple(rooms[each.wing]),
        )
        for each in await store.wings(tx)
        if each.wing == wing or (wing is None and rooms[each.wing])
    ]


async def find_wing(tx: Transaction, wing: str) -> WingRow:
    """The wing with this name, former name, other spelling or pointer; the survivor of one that was merged.

    Raises NotFound.
    """
    named = await editing_store.wings_named(tx, wing)
    found = named[0] if named else None
    if found is None:
        try:
            found = await editing_store.wing(tx, (await located(tx, wing, "wing")).wing)
        except InvalidInput:
            found = await editing_store.wing_of_keys(tx, keys(wing))
    if found is None:
        raise NotFound(f"wing {_spelled(wing)} not found: list wings with `ricordo palace tree`")
    return found


async def find_wing_or_repository(tx: Transaction, wing: str) -> WingRow:
    """The wing, or else the one repository whose name ends so behind a slash. Raises NotFound, and InvalidInput where
    there are several."""
    try:
        return await find_wing(tx, wing)
    except NotFound:
        named = await editing_store.wings_below(tx, wing)
        if not named:
            raise
    if len(named) > 1:
        several = ", ".join(each.name for each in named)
        raise InvalidInput("wing", f"{wing!r} may be any of {several}: pass one of these")
    return named[0]


def _spelled(wing: str) -> str:
    try:
        return str(Pointer.parse(wing))
    except InvalidInput:
        return repr(wing[:80])


async def find_room(tx: Transaction, pointer: Pointer) -> Pointer:
    """Where the room of a pointer stands now, of whichever wing it says that the room stands or stood in once.

    Raises NotFound.
    """
    if pointer.room is None:
        raise NotFound(f"{pointer} is a wing, which has no drawers of its own: pass a room, such as {pointer}/R-01")
    wing = await editing_store.wing_of_room(tx, pointer.room, pointer.wing)
    if wing is None:
        raise NotFound(f"{pointer} not found: list rooms with `ricordo palace tree`")
    return Pointer(wing, pointer.room)


async def show(tx: Transaction, pointer: Pointer) -> list[Drawer]:
    """The drawer at a pointer, or all drawers of the room or wing that it names, with their pointers of today.

    Raises NotFound where nothing of this user stands or stood there.
    """
    if pointer.room is None:
        wing = (await find_wing(tx, str(pointer))).wing
        found = [each for room in await store.rooms(tx, wing) for each in await store.drawers(tx, room.room)]
        if not found:
            raise NotFound(f"{pointer} has no drawers: list rooms with `ricordo palace tree`")
        return found
    place = await find_room(tx, pointer)
    assert place.room is not None
    found = await store.drawers(tx, place.room, pointer.drawer or 1, pointer.drawer)
    if not found:
        raise NotFound(
            f"{replace(place, drawer=pointer.drawer)} not found: list turns with `ricordo palace show '{place}'`"
        )
    return found
