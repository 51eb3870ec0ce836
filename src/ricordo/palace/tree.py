"""Looking at the palace: its tree, and what stands at a pointer."""

from __future__ import annotations

from collections import defaultdict

from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.nouns import Closet, Drawer, Room, Wing
from ricordo.palace import store
from ricordo.palace.pointer import Pointer


async def tree(tx: Transaction, wing: int | None = None) -> list[Wing]:
    """The wings (or one of them) with their rooms and closets, without the drawers' texts.

    Raises NotFound where the user has no such wing.
    """
    inside: defaultdict[int, list[Closet]] = defaultdict(list)
    for room, name, drawers in await store.closets(tx, wing):
        inside[room].append(Closet(name=name, drawers=drawers))
    rooms: defaultdict[int, list[Room]] = defaultdict(list)
    for row in await store.rooms(tx, wing):
        rooms[row.wing].append(
            Room(
                pointer=str(Pointer(row.wing, row.room)),
                name=row.name,
                started_at=row.started_at,
                drawers=row.drawers,
                closets=tuple(inside[row.room]),
            )
        )
    wings = [
        Wing(
            pointer=str(Pointer(each.wing)),
            name=each.name,
            kind=each.kind,
            drawers=sum(room.drawers for room in rooms[each.wing]),
            rooms=tuple(rooms[each.wing]),
        )
        for each in await store.wings(tx)
        if wing in (None, each.wing)
    ]
    if wing is not None and not wings:
        raise NotFound(f"there is no wing {Pointer(wing)}")
    return wings


async def show(tx: Transaction, pointer: Pointer) -> list[Drawer]:
    """The drawer at a pointer, or all drawers of the room that it names.

    Raises NotFound where nothing of this user stands there.
    """
    assert pointer.room is not None
    found = await store.drawers(tx, pointer.room, pointer.drawer or 1, pointer.drawer)
    found = [each for each in found if Pointer.parse(each.pointer).wing == pointer.wing]
    if not found:
        raise NotFound(f"there is nothing at {pointer}")
    return found
