"""`memory.palace`: browses and edits the tree of stored turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from ricordo import accounts, audit, idempotency, palace, rules
from ricordo.api.acting import actor_of
from ricordo.api.checking import checked
from ricordo.database import Transaction
from ricordo.errors import InvalidInput
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
from ricordo.opened import Opened
from ricordo.palace import WingOrder, branches

Edited = TypeVar("Edited", Wing, Room)
#: Turns that a drawer may be shown with, before it and after it.
_MOST_BESIDE = 100


@checked
class Palace:
    """Wings (subjects), rooms (times), closets (topics) and drawers (turns).

    Identify a wing by its current or former name, another spelling or its pointer (`W-003`), a room by its pointer, and
    a closet of a room by its name or number. Editing changes no text. Pointers are permanent: after any change they
    still lead to the same drawer. Mining follows your changes.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def tree(self, wing: str | None = None) -> list[Wing]:
        """Get the wings with their rooms and closets, or only one wing. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await palace.tree(tx, None if wing is None else (await palace.find_wing(tx, wing)).wing)

    async def show(self, pointer: str, *, agent: UUID | str | None = None, run: UUID | None = None) -> list[Drawer]:
        """Get the drawer at a pointer such as `§ W-042/R-11/D-007`, or all drawers of a room or a wing. The drawers
        have their current pointers. Recorded as one `read` in the access log, by the user or `agent`, in `run`.

        Raises InvalidInput and NotFound.
        """
        async with self._opened.transaction() as tx:
            found = await palace.show(tx, await palace.located(tx, pointer))
            await self._log_read(tx, found, agent, run)
            return found

    async def wings(
        self, *, order: WingOrder = "newest", search: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> Page[Wing]:
        """List a page of the wings without their rooms, the most recently used first, or sorted by `name` or `largest`.
        `search` filters by a part of the name. Pass the `cursor` of a page to get the next one.

        Raises InvalidInput.
        """
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            return await branches.wings(tx, order, search, most, cursor)

    async def rooms(self, wing: str, *, limit: int = 100, cursor: str | None = None) -> Page[Room]:
        """List a page of a wing's rooms without their closets, newest first. Raises NotFound and InvalidInput."""
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            return await branches.rooms(tx, wing, most, cursor)

    async def closets(self, room: str, *, limit: int = 100, cursor: str | None = None) -> Page[Closet]:
        """List a page of a room's closets, in order. Raises NotFound and InvalidInput."""
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            return await branches.closets(tx, room, most, cursor)

    async def drawers(
        self,
        room: str,
        closet: str | int | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Page[Drawer]:
        """List a page of the drawers of a room, or of one closet, in order. Recorded in the access log like `show`.

        Raises NotFound and InvalidInput.
        """
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            page = await branches.drawers(tx, room, closet, most, cursor)
            await self._log_read(tx, page.items, agent, run)
            return page

    async def around(
        self,
        pointer: str,
        *,
        before: int = 3,
        after: int = 3,
        agent: UUID | str | None = None,
        run: UUID | None = None,
    ) -> Page[Drawer]:
        """Get a drawer with up to 100 turns of its conversation before and after it, also from other rooms. Recorded in
        the access log like `show`. Raises NotFound and InvalidInput."""
        for field, number in (("before", before), ("after", after)):
            if not 0 <= number <= _MOST_BESIDE:
                raise InvalidInput(field, f"must be a whole number from 0 to {_MOST_BESIDE}, not {number}")
        async with self._opened.transaction() as tx:
            page = await branches.around(tx, pointer, before, after)
            await self._log_read(tx, page.items, agent, run)
            return page

    async def histogram(
        self,
        by: Span | None = None,
        *,
        wing: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Histogram:
        """Count turns by day, week, month or year; None chooses a suitable interval. You can filter by wing, speaker
        (name or role) and time. Raises NotFound and InvalidInput."""
        rules.period(since, until)
        async with self._opened.transaction() as tx:
            return await branches.histogram(tx, by, wing, speaker, since, until)

    async def speakers(self, wing: str | None = None, *, limit: int = 100) -> list[Speaker]:
        """List the speakers in a wing or in all conversations, the most frequent first. Raises NotFound and
        InvalidInput."""
        async with self._opened.transaction() as tx:
            return await branches.speakers(tx, wing, rules.limit(limit))

    async def imports(self, *, limit: int = 100) -> list[ImportedTurns]:
        """The newest imports of chats, newest first, each with how many turns are left of it. `entries.forget_all`
        forgets one by its id. Raises InvalidInput."""
        most = rules.limit(limit)
        async with self._opened.transaction() as tx:
            return await palace.imports(tx, most)

    async def conversations(self, ids: Sequence[str] | None = None, *, limit: int = 100) -> list[StoredConversation]:
        """The conversations that were stored last, newest first; with `ids` only those. Raises InvalidInput."""
        async with self._opened.transaction() as tx:
            return await branches.conversations(tx, ids, rules.limit(limit))

    async def rename_wing(self, wing: str, name: str) -> Wing:
        """Rename a wing. The old name still works. To undo it, rename it back.

        Raises NotFound, and InvalidInput if another wing has this name.
        """
        user_id = self._opened.user_id
        return await self._edited("rename_wing", lambda tx: palace.rename_wing(tx, user_id, wing, name))

    async def merge_wings(self, wing: str, into: str) -> Wing:
        """Merge `wing` into the wing `into`, which then receives new turns for both names.

        `unmerge_wing` undoes it. Raises NotFound and InvalidInput.
        """
        user_id = self._opened.user_id
        return await self._edited("merge_wings", lambda tx: palace.merge_wings(tx, user_id, wing, into))

    async def unmerge_wing(self, wing: str) -> Wing:
        """Undo a merge: restore the wing with this pointer and the rooms that came from it.

        Raises NotFound, and InvalidInput if it was not merged.
        """
        user_id = self._opened.user_id
        return await self._edited("unmerge_wing", lambda tx: palace.unmerge_wing(tx, user_id, wing))

    async def move_room(self, room: str, wing: str, *, new: bool = False) -> Room:
        """Move a room to another wing. With `new`, a missing wing is created. To undo it, move it back. Raises NotFound
        and InvalidInput."""
        user_id = self._opened.user_id
        return await self._edited("move_room", lambda tx: palace.move_room(tx, user_id, room, wing, new))

    async def rename_closet(self, room: str, closet: str | int, name: str) -> Room:
        """Rename a closet of a room. Raises NotFound, and InvalidInput if another closet has this name."""
        return await self._edited(
            "rename_closet", lambda tx: palace.rename_closet(tx, self._opened.user_id, room, closet, name)
        )

    async def merge_closets(self, room: str, closet: str | int, into: str | int) -> Room:
        """Merge a closet into another one of the room. `move_drawers` undoes it.

        Raises NotFound and InvalidInput.
        """
        return await self._edited(
            "merge_closets", lambda tx: palace.merge_closets(tx, self._opened.user_id, room, closet, into)
        )

    async def move_drawers(self, drawers: Sequence[str], closet: str | int) -> Room:
        """Move drawers of one room, given by their pointers, to a closet of it. A missing closet is created, and an
        empty one is deleted. Raises NotFound and InvalidInput."""
        return await self._edited(
            "move_drawers", lambda tx: palace.move_drawers(tx, self._opened.user_id, drawers, closet)
        )

    async def _log_read(
        self, tx: Transaction, drawers: Sequence[Drawer], agent: UUID | str | None, run: UUID | None
    ) -> None:
        """Raises NotFound for the agent."""
        actor = await actor_of(tx, agent, run)
        if drawers:
            await audit.log_read(tx, self._opened.user_id, actor, [each.id for each in drawers], {"palace": True})

    async def _edited(self, action: str, edit: Callable[[Transaction], Awaitable[Edited]]) -> Edited:
        """What an edit makes of a wing or a room, in a transaction that no mining of the same user runs beside. It
        leaves an event, which names no text."""
        async with self._opened.transaction() as tx:
            await accounts.lock(tx, self._opened.user_id, self._opened.user)
            edited = await edit(tx)
            told = {"action": action, "pointer": edited.pointer}
            await accounts.tell(tx, self._opened.user_id, "palace_edited", told, "user_action")
            await idempotency.note_done(tx)
        return edited
