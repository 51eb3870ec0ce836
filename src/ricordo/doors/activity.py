"""`memory.activity`: what happened in the user's memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from ricordo import accounts
from ricordo.doors.checking import checked
from ricordo.doors.opened import Opened
from ricordo.entries import rules
from ricordo.errors import InvalidInput, quoted
from ricordo.nouns import EventCategory, EventType, Happened


@checked
class Activity:
    """Events, written in the transaction that did what they tell. They hold ids and counts, and no content."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(
        self,
        types: Sequence[EventType | EventCategory] | None = None,
        *,
        agent: UUID | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Happened:
        """A page of events, newest first: those of these types or categories (`memory_mined`, `agent_action` …), of
        one agent, and between two moments. Give a page's `cursor` to go on behind it.

        Raises NotFound for an agent's name, and InvalidInput.
        """
        most = rules.limit(limit)
        before = None if cursor is None else _event(cursor)
        async with self._opened.reading() as tx:
            found = await accounts.events(
                tx,
                most + 1,
                types=types,
                # By its id also one that is deleted.
                agent=agent if agent is None or isinstance(agent, UUID) else (await accounts.agent(tx, agent)).id,
                since=since,
                until=until,
                before=before,
            )
        more = len(found) > most
        return Happened(events=tuple(found[:most]), cursor=str(found[most - 1].id) if more else None)


def _event(cursor: str) -> UUID:
    try:
        return UUID(cursor)
    except (ValueError, AttributeError, TypeError):
        raise InvalidInput("cursor", f"{quoted(cursor)} is no cursor; take it from the page before") from None
