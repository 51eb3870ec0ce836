"""Wings, rooms, closets and drawers: looking at them, and tending them."""

from __future__ import annotations

from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Items
from ricordo.nouns import Drawer, Room, Wing

router = guarded("/palace", tags=["palace"])


class Named(Body):
    """Another name."""

    name: str


class Into(Body):
    """Where it goes: a name, a pointer, or a closet's number."""

    into: str = Field(examples=["W-002"])


class WingOf(Body):
    """The wing that a room goes to."""

    wing: str
    new: Flag = Field(default=False, description="Make the wing where there is none of that name.")


class Moved(Body):
    """Drawers of one room, by their pointers, and the closet that they go to."""

    drawers: list[str] = Field(examples=[["§ W-001/R-001/D-002"]])
    closet: str


@router.get("", **access("palace"))
async def get_palace(who: Who, wing: str | None = None) -> Items[Wing]:
    """The wings with their rooms and closets, or only one of them."""
    return Items(items=await who.memory.palace.tree(wing))


@router.get("/pointers/{pointer:path}", **access("palace"))
async def resolve_pointer(pointer: str, who: Who) -> Items[Drawer]:
    """The drawer at a pointer such as `W-042/R-11/D-007`, or all drawers of a room."""
    return Items(items=await who.memory.palace.show(pointer))


@router.patch("/wings/{wing}")
async def rename_wing(wing: str, body: Named, who: Who) -> Wing:
    """Give a wing another name; the old one leads to it too."""
    return await who.memory.palace.rename_wing(wing, body.name)


@router.post("/wings/{wing}/merge")
async def merge_wings(wing: str, body: Into, who: Who) -> Wing:
    """Move all rooms of a wing to another one."""
    return await who.memory.palace.merge_wings(wing, body.into)


@router.post("/wings/{wing}/unmerge")
async def unmerge_wing(wing: str, who: Who) -> Wing:
    """Undo a merge."""
    return await who.memory.palace.unmerge_wing(wing)


@router.post("/rooms/{room:path}/move")
async def move_room(room: str, body: WingOf, who: Who) -> Room:
    """Put a room into another wing."""
    return await who.memory.palace.move_room(room, body.wing, new=body.new)


@router.post("/rooms/{room:path}/closets/{closet}/rename")
async def rename_closet(room: str, closet: str, body: Named, who: Who) -> Room:
    """Give a closet of a room, named by its name or number, another name."""
    return await who.memory.palace.rename_closet(room, _closet(closet), body.name)


@router.post("/rooms/{room:path}/closets/{closet}/merge")
async def merge_closets(room: str, closet: str, body: Into, who: Who) -> Room:
    """Move all drawers of a closet to another one of the room."""
    return await who.memory.palace.merge_closets(room, _closet(closet), _closet(body.into))


@router.post("/drawers/move")
async def move_drawers(body: Moved, who: Who) -> Room:
    """Put drawers of one room into a closet of it, which is made where there is none of that name."""
    return await who.memory.palace.move_drawers(body.drawers, _closet(body.closet))


def _closet(name: str) -> str | int:
    """A closet's name, or its number."""
    return int(name) if name.isascii() and name.isdecimal() and len(name) < 10 else name
