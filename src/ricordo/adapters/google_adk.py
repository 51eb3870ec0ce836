"""Google ADK's memory service on Ricordo: `Runner(memory_service=RicordoMemoryService(memory), …)`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from ricordo.adapters.calling import require_stored
from ricordo.adapters.recollection import Recollection, turn
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, quoted
from ricordo.models import Entry, Hit

#: The conversation of events that come without a session.
NO_SESSION = "events without a session"
_TAG = "google_adk"
#: What PostgreSQL cannot hold, and no word has.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

Result = TypeVar("Result")


def user_of(app_name: str, user_id: str) -> str:
    """The user of Ricordo whose memory it is: one for each user of each app. A slash within a part is written %2F, and
    a percent sign %25, so that no two of them meet. Raises InvalidInput for a part that is blank or has white space at
    its ends, which names of users do not tell apart."""
    for field, part in (("app_name", app_name), ("user_id", user_id)):
        if not isinstance(part, str) or not part or part != part.strip():
            raise InvalidInput(field, f"must be text without leading or trailing spaces, not {quoted(part)}")
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in (app_name, user_id))


class RicordoMemoryService(BaseMemoryService):
    """Stores sessions word for word and explicit memories as notes. A search returns both.

    `memory` is an open AsyncMemory (of the runner's event loop) or a Memory. Each user of each app has a separate
    memory in its store, under the name that `user` returns. `top_k` is the maximum number of results of each kind.
    """

    def __init__(
        self, memory: AsyncMemory | Memory, *, user: Callable[[str, str], str] = user_of, top_k: int = 10
    ) -> None:
        self._recollection = Recollection(memory, _TAG, top_k=top_k)
        self._user = user
        self._top_k = top_k

    async def add_session_to_memory(self, session: Session) -> None:
        """Mine the session's events; those that are there already change nothing, also where they were deleted."""
        turns = _said(session.events)
        await self._of(
            session.app_name,
            session.user_id,
            lambda memory: self._recollection.keep(memory, session.id, turns, automatic=False),
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Mine events of a session. Raises InvalidInput where there are metadata, of which none is known."""
        if custom_metadata:
            raise InvalidInput(
                "custom_metadata",
                f"contains {', '.join(custom_metadata)}, but metadata of events is not stored: remove it",
            )
        turns, talk = _said(events), session_id or NO_SESSION
        await self._of(app_name, user_id, lambda memory: self._recollection.keep(memory, talk, turns, automatic=False))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep memories as notes, with their metadata. Raises InvalidInput for one without a text, and then
        keeps none."""
        for number, each in enumerate(memories):
            if not _text(each.content).strip():
                raise InvalidInput(f"memories[{number}]", "has no text")

        async def add(memory: AsyncMemory) -> None:
            for each in memories:
                context = {**(custom_metadata or {}), **each.custom_metadata, "timestamp": each.timestamp}
                receipt = await memory.notes.create(
                    _text(each.content), tags=[_TAG], source=each.author or "agent", context=context
                )
                require_stored(receipt)

        await self._of(app_name, user_id, add)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The notes and the turns that answer a query, the notes first, each best first."""

        async def search(memory: AsyncMemory) -> SearchMemoryResponse:
            if not query.strip():
                return SearchMemoryResponse()
            # `preload_memory` asks with what the user said, whatever that is.
            words = _UNSTORABLE.sub(" ", query)
            notes = await memory.notes.search(words, tags=[_TAG], limit=self._top_k)
            hits = await self._recollection.hits(memory, query)
            return SearchMemoryResponse(memories=[*map(_of_note, notes), *map(_of_hit, hits)])

        return await self._of(app_name, user_id, search)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Permanently forget the memory that a search returned under this id. Raises InvalidInput and NotFound."""
        try:
            id = UUID(str(memory_id))
        except ValueError:
            raise InvalidInput(
                "memory_id", f"invalid id {str(memory_id)[:50]!r}: expected an id from a search result"
            ) from None

        async def forget(memory: AsyncMemory) -> None:
            await memory.entries.forget(id)

        await self._of(app_name, user_id, forget)

    async def _of(self, app_name: str, user_id: str, action: Callable[[AsyncMemory], Awaitable[Result]]) -> Result:
        name = self._user(app_name, user_id)
        return await self._recollection.caller.run(lambda memory: action(memory.of(name)))


def _said(events: Sequence[Event]) -> list[dict[str, Any]]:
    """What was said in events, in pieces that are whole."""
    turns: list[dict[str, Any]] = []
    for each in events:
        if each.partial or each.content is None:
            continue
        role, name = ("user", None) if each.author == "user" else ("assistant", each.author or None)
        try:
            at = datetime.fromtimestamp(each.timestamp, UTC)
        except (ValueError, OverflowError, OSError):
            raise InvalidInput("events", f"contain an invalid timestamp: {each.timestamp}") from None
        turns += [{**said, "at": at} for said in turn(role, _text(each.content), each.id or None, name)]
    return turns


def _text(content: types.Content) -> str:
    """The text of a content, without what the model thought."""
    return "\n".join(each.text for each in content.parts or () if each.text and not each.thought)


def _of_note(note: Entry) -> MemoryEntry:
    metadata = dict(note.metadata)
    return MemoryEntry(
        id=str(note.id),
        content=types.Content(role="user", parts=[types.Part(text=note.content)]),
        author=note.source,
        timestamp=metadata.pop("timestamp", None) or note.created_at.isoformat(),
        custom_metadata=metadata,
    )


def _of_hit(hit: Hit) -> MemoryEntry:
    return MemoryEntry(
        id=str(hit.id),
        content=types.Content(role="user" if hit.speaker == "user" else "model", parts=[types.Part(text=hit.text)]),
        author=hit.speaker,
        timestamp=hit.at.isoformat(),
        custom_metadata={"pointer": hit.pointer, "session_id": hit.conversation},
    )
