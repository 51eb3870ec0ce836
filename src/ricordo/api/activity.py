"""`memory.activity`: events in the user's memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from ricordo import accounts, cursors, jobs, rules
from ricordo.api.checking import checked
from ricordo.api.telling import in_words
from ricordo.facts import unread_turns
from ricordo.models import Event, EventCategory, EventType, Overview, Page
from ricordo.opened import Opened
from ricordo.review import queue
from ricordo.vectors import pending as vectors_pending


@checked
class Activity:
    """Events of the user's memory. They contain ids and counts, but no memory content."""

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
    ) -> Page[Event]:
        """List a page of events, newest first. You can filter by types or categories (`memory_mined`,
        `agent_action` …), by agent and by time. Pass the `cursor` of a page to get the next one.

        Raises NotFound for an unknown agent, and InvalidInput.
        """
        most = rules.limit(limit)
        rules.period(since, until)
        async with self._opened.transaction() as tx:
            # By its id also one that is deleted.
            of = agent if agent is None or isinstance(agent, UUID) else (await accounts.agent(tx, agent)).id
            listed = ("activity", sorted(map(str, types)) if types else None, of)
            before = None if cursor is None else cursors.place(cursor, listed, datetime, UUID)
            found = await accounts.events(
                tx,
                most + 1,
                types=types,
                agent=of,
                since=since,
                until=until,
                before=before,
            )
            page = found[:most]
            told = await in_words(tx, page)
        more = cursors.made(listed, page[-1].created_at, page[-1].id) if len(found) > most else None
        return Page(items=tuple(told), cursor=more)

    async def overview(self) -> Overview:
        """Get how much is stored, and what is pending. This includes jobs by state, writes held for review, memories
        without a vector, and turns that no LLM has read. Also shows whether an embedding model is available."""
        await self._opened.encoding.embedding_model()
        async with self._opened.transaction() as tx:
            found, states = await accounts.overview(tx), await jobs.counts(tx)
            chosen = await accounts.user_settings(tx)
            return found.model_copy(
                update={
                    "jobs_waiting": states.get("waiting", 0),
                    "jobs_running": states.get("running", 0),
                    "jobs_failed": states.get("dead", 0),
                    "held": await queue.count(tx),
                    "pending": await vectors_pending(tx),
                    "unread": await unread_turns(tx, self._opened.llms.configured(chosen.extract_model)),
                    "keywords_only": self._opened.encoding.absence or None,
                }
            )
