"""Wings, rooms, closets and drawers: browsing and editing the palace."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Cursor, Flag, InRun, Limit, Many, Since, Until
from ricordo.models import (
    Closet,
    Drawer,
    Histogram,
    ImportedTurns,
    Page,
    Room,
    Span,
    Speaker,
    StoredConversation,
    Wing,
)
from ricordo.palace import WingOrder

router = guarded("/palace", tags=["palace"])

Beside = Annotated[int, Query(ge=0, le=100, description="Number of turns.")]


class NewName(Body):
    """A new name."""

    name: str


class MergeTarget(Body):
    """The target: a name, a pointer, or a closet's number."""

    into: str = Field(examples=["W-002"])


class WingOf(Body):
    """The wing to move a room to."""

    wing: str
    new: Flag = Field(default=False, description="Create the wing if it does not exist.")


class DrawerMove(Body):
    """Pointers of drawers of one room, and the closet to move them to."""

    drawers: Many[str] = Field(examples=[["§ W-001/R-001/D-002"]])
    closet: str


@router.get("", **access("palace"))
async def get_palace(who: Who, wing: str | None = None) -> Page[Wing]:
    """Get the wings with their rooms and closets, or only one wing."""
    return Page(items=tuple(await who.memory.palace.tree(wing)))


@router.get("/pointers/{pointer:path}", **access("palace"))
async def resolve_pointer(pointer: str, who: Who, run: InRun = None) -> Page[Drawer]:
    """Get the drawer at a pointer such as `W-042/R-11/D-007`, or all drawers of a room."""
    return Page(items=tuple(await who.memory.palace.show(pointer, agent=who.agent, run=run)))


@router.get("/imports")
async def list_imports(who: Who, limit: Limit = 100) -> Page[ImportedTurns]:
    """List the newest imports of chats, newest first, and how many turns of each are still stored."""
    return Page(items=tuple(await who.memory.palace.imports(limit=limit)))


@router.get("/wings", **access("palace"))
async def list_wings(
    who: Who, order: WingOrder = "newest", search: str | None = None, limit: Limit = 100, cursor: Cursor = None
) -> Page[Wing]:
    """List wings without their rooms."""
    return await who.memory.palace.wings(order=order, search=search, limit=limit, cursor=cursor)


@router.get("/wings/{wing}/rooms", **access("palace"))
async def list_rooms(wing: str, who: Who, limit: Limit = 100, cursor: Cursor = None) -> Page[Room]:
    """List the rooms of a wing without their closets, newest first."""
    return await who.memory.palace.rooms(wing, limit=limit, cursor=cursor)


@router.get("/rooms/{room:path}/closets", **access("palace"))
async def list_closets(room: str, who: Who, limit: Limit = 100, cursor: Cursor = None) -> Page[Closet]:
    """List the closets of a room, in order."""
    return await who.memory.palace.closets(room, limit=limit, cursor=cursor)


@router.get("/rooms/{room:path}/drawers", **access("palace"))
async def list_drawers(
    room: str, who: Who, closet: str | None = None, limit: Limit = 100, cursor: Cursor = None, run: InRun = None
) -> Page[Drawer]:
    """List the drawers of a room, or of one closet (name or number), in order."""
    of = None if closet is None else _closet(closet)
    return await who.memory.palace.drawers(room, of, limit=limit, cursor=cursor, agent=who.agent, run=run)


@router.get("/around/{pointer:path}", **access("palace"))
async def show_around(pointer: str, who: Who, before: Beside = 3, after: Beside = 3, run: InRun = None) -> Page[Drawer]:
    """Get a drawer with the turns before and after it."""
    return await who.memory.palace.around(pointer, before=before, after=after, agent=who.agent, run=run)


@router.get("/histogram", **access("palace"))
async def get_histogram(
    who: Who,
    by: Span | None = None,
    wing: str | None = None,
    speaker: str | None = None,
    since: Since = None,
    until: Until = None,
) -> Histogram:
    """Count turns over time. Without an interval, a suitable one is chosen."""
    return await who.memory.palace.histogram(by, wing=wing, speaker=speaker, since=since, until=until)


@router.get("/speakers", **access("palace"))
async def list_speakers(who: Who, wing: str | None = None, limit: Limit = 100) -> Page[Speaker]:
    """List the speakers in a wing or in all conversations, the most frequent first."""
    return Page(items=tuple(await who.memory.palace.speakers(wing, limit=limit)))


@router.get("/conversations", **access("palace"))
async def list_conversations(
    who: Who,
    conversation: Annotated[list[str] | None, Query(description="Only these conversations.", max_length=100)] = None,
    limit: Limit = 100,
) -> Page[StoredConversation]:
    """List the conversations that were stored last, newest first."""
    return Page(items=tuple(await who.memory.palace.conversations(conversation, limit=limit)))


@router.patch("/wings/{wing}")
async def rename_wing(wing: str, body: NewName, who: Who) -> Wing:
    """Rename a wing. The old name still works."""
    return await who.memory.palace.rename_wing(wing, body.name)


@router.post("/wings/{wing}/merge")
async def merge_wings(wing: str, body: MergeTarget, who: Who) -> Wing:
    """Merge a wing into another one."""
    return await who.memory.palace.merge_wings(wing, body.into)


@router.post("/wings/{wing}/unmerge")
async def unmerge_wing(wing: str, who: Who) -> Wing:
    """Undo the merge of a wing."""
    return await who.memory.palace.unmerge_wing(wing)


@router.post("/rooms/{room:path}/move")
async def move_room(room: str, body: WingOf, who: Who) -> Room:
    """Move a room to another wing."""
    return await who.memory.palace.move_room(room, body.wing, new=body.new)


@router.post("/rooms/{room:path}/closets/{closet}/rename")
async def rename_closet(room: str, closet: str, body: NewName, who: Who) -> Room:
    """Rename a closet of a room. Identify it by name or number."""
    return await who.memory.palace.rename_closet(room, _closet(closet), body.name)


@router.post("/rooms/{room:path}/closets/{closet}/merge")
async def merge_closets(room: str, closet: str, body: MergeTarget, who: Who) -> Room:
    """Merge a closet into another one of the room."""
    return await who.memory.palace.merge_closets(room, _closet(closet), _closet(body.into))


@router.post("/drawers/move")
async def move_drawers(body: DrawerMove, who: Who) -> Room:
    """Move drawers to a closet of their room. A missing closet is created."""
    return await who.memory.palace.move_drawers(body.drawers, _closet(body.closet))


def _closet(name: str) -> str | int:
    """A closet's name, or its number."""
    return int(name) if name.isascii() and name.isdecimal() and len(name) < 10 else name
