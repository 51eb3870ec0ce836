"""`memory.palace`: walking through what is kept, and tending it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from ricordo import accounts, entries, palace
from ricordo.database import Transaction
from ricordo.doors.checking import checked
from ricordo.doors.opened import Opened
from ricordo.nouns import Drawer, Room, Wing


@checked
class Palace:
    """Wings (subjects), rooms (times), closets (topics) and drawers (turns).

    A wing is named by its name, a former name, another spelling or its pointer (`W-003`); a room by its pointer; a
    closet of a room by its name or number. What is changed here changes no text and takes no pointer away: one that
    was right once leads to the same drawer for ever. Mining keeps to it.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def tree(self, wing: str | None = None) -> list[Wing]:
        """The wings with their rooms and closets, or only one of them. Raises NotFound."""
        async with self._opened.reading() as tx:
            return await palace.tree(tx, None if wing is None else (await palace.find_wing(tx, wing)).wing)

    async def show(self, pointer: str, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Drawer]:
        """The drawer at a pointer such as `§ W-042/R-11/D-007`, or all drawers of a room, with the pointers that they
        have now. One `read` in the access log names them all, by the user or by `agent`, in `run`.

        Raises InvalidInput and NotFound."""
        place = palace.Pointer.parse(pointer)
        async with self._opened.reading() as tx:
            reader = None if agent is None else await accounts.agent(tx, agent)
            found = await palace.show(tx, place)
            actor = entries.Actor(f"agent:{reader.name}" if reader else "user", run)
            await entries.log_read(tx, self._opened.user_id, actor, [each.id for each in found], {"palace": True})
            return found

    async def rename_wing(self, wing: str, name: str) -> Wing:
        """Give a wing another name; the old one leads to it too. Undone by renaming it back.

        Raises NotFound, and InvalidInput where another wing is called so.
        """
        async with self._tending() as tx:
            return await palace.rename_wing(tx, self._opened.user_id, wing, name)

    async def merge_wings(self, wing: str, into: str) -> Wing:
        """Move all rooms of `wing` to the wing `into`, which what is mined later goes to by either name.

        Undone by `unmerge_wing`. Raises NotFound and InvalidInput.
        """
        async with self._tending() as tx:
            return await palace.merge_wings(tx, self._opened.user_id, wing, into)

    async def unmerge_wing(self, wing: str) -> Wing:
        """Undo a merge: the wing of this pointer stands by itself again, with the rooms that came from it.

        Raises NotFound, and InvalidInput where it was not merged.
        """
        async with self._tending() as tx:
            return await palace.unmerge_wing(tx, self._opened.user_id, wing)

    async def move_room(self, room: str, wing: str, *, new: bool = False) -> Room:
        """Put a room into another wing; with `new` it is made where there is none of that name. Undone by moving it
        back. Raises NotFound and InvalidInput."""
        async with self._tending() as tx:
            return await palace.move_room(tx, self._opened.user_id, room, wing, new)

    async def rename_closet(self, room: str, closet: str | int, name: str) -> Room:
        """Give a closet of a room another name. Raises NotFound, and InvalidInput where another one is called so."""
        async with self._tending() as tx:
            return await palace.rename_closet(tx, self._opened.user_id, room, closet, name)

    async def merge_closets(self, room: str, closet: str | int, into: str | int) -> Room:
        """Move all drawers of a closet to another one of the room. Undone by `move_drawers`.

        Raises NotFound and InvalidInput.
        """
        async with self._tending() as tx:
            return await palace.merge_closets(tx, self._opened.user_id, room, closet, into)

    async def move_drawers(self, drawers: Sequence[str], closet: str | int) -> Room:
        """Put drawers of one room, named by their pointers, into a closet of it; a name that none has makes one, and
        a closet that is left empty goes. Raises NotFound and InvalidInput."""
        async with self._tending() as tx:
            return await palace.move_drawers(tx, self._opened.user_id, drawers, closet)

    @asynccontextmanager
    async def _tending(self) -> AsyncIterator[Transaction]:
        """A transaction that no mining of the same user runs beside."""
        async with self._opened.reading() as tx:
            await accounts.lock(tx, self._opened.user_id, self._opened.user)
            yield tx
