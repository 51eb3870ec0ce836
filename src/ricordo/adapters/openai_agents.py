"""A session of the OpenAI Agents SDK on Ricordo: `Runner.run(agent, text, session=RicordoSession(memory, "chat-1"))`.

The items of the history, tool calls among them, are documents (see ricordo.api.documents), given back as they came.
What was said is mined as a conversation as well, so that `recall` finds it in later sessions.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast
from uuid import UUID

from agents import TResponseInputItem
from agents.memory import SessionABC, SessionSettings

from ricordo.adapters.calling import Caller, named, require_stored
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import Changed, InvalidInput, StoreUnavailable, quoted
from ricordo.models import Change, Document

#: The collection of the documents that hold the items.
COLLECTION = "openai agents sessions"
#: How often an item is taken again where somebody else took it meanwhile.
_ATTEMPTS = 20
_SPEAKERS = ("user", "assistant")
#: The longest id of a session, as that of a conversation.
_LONGEST_ID = 500
#: A character that is none (U+FDD0) stands before the number of one that PostgreSQL cannot hold, or of itself.
_ESCAPE = "\ufdd0"
_UNSTORABLE = re.compile("[\0\ud800-\udfff\ufdd0]")
_ESCAPED = re.compile(f"{_ESCAPE}([0-9a-f]{{4}})")

Result = TypeVar("Result")


class RicordoSession(SessionABC):
    """The history of one conversation, over an open AsyncMemory (its event loop only) or Memory.

    You choose `session_id`; another process can continue with the same id. With `agent` (an id, or the name of an
    agent, which is created if needed), the history belongs to that agent. `project` names the wing of the conversation.
    With `mine=False`, or if the user's settings turn storing off, the conversation does not enter the palace.
    `pop_item` and `clear_session` remove items from the history; its turns stay in the palace until
    `memory.entries.forget` removes them.

    Raises InvalidInput for a `session_id` that cannot be one.
    """

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        session_id: str,
        *,
        agent: UUID | str | None = None,
        project: str | None = None,
        mine: bool = True,
        session_settings: SessionSettings | None = None,
    ) -> None:
        if not isinstance(session_id, str) or not session_id.strip() or len(session_id) > _LONGEST_ID:
            raise InvalidInput("session_id", f"must be text of 1 to {_LONGEST_ID} characters, not {quoted(session_id)}")
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._caller = Caller(memory)
        self._agent = agent
        self._project = project
        self._mine = mine
        self._last = 0

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items, oldest first; with a limit the newest of them. Raises StoreError."""
        settings = self.session_settings
        most = limit if limit is not None else settings.limit if settings else None
        items = [item for each in await self._do(self._stored) for item in _given(each)]
        if most is not None:
            items = items[-most:] if most > 0 else []
        return cast("list[TResponseInputItem]", items)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Append items. Raises InvalidInput for items that are not JSON, and StoreError."""
        if not items:
            return
        if not isinstance(items, list | tuple) or not all(isinstance(each, dict) for each in items):
            raise InvalidInput("items", f"must be a list of objects, not {quoted(items)}")
        # The clock's order holds between processes; within this one no number is given twice.
        self._last = max(self._last + 1, time.time_ns())
        key = f"{self._last:020d}-{secrets.token_hex(4)}"
        change = Change((self.session_id,), key, {"items": _storable(list(items))}, expected=None)
        said = _said(items, key) if self._mine else []

        async def add(memory: AsyncMemory, owner: UUID | None) -> None:
            require_stored(await memory.documents.write(COLLECTION, [change], agent=owner))
            if said:
                await memory.mine(
                    said,
                    conversation=self.session_id,
                    project=self._project,
                    source="openai_agents",
                    automatic=True,
                    append=True,
                )

        await self._do(add)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the newest item out of the history and return it; None where there is none. Raises StoreError."""
        return await self._do(self._pop)

    async def clear_session(self) -> None:
        """Take all items out of the history. Raises StoreError."""

        async def clear(memory: AsyncMemory, owner: UUID | None) -> None:
            gone = [Change(each.path, each.key, None) for each in await self._stored(memory, owner)]
            await memory.documents.write(COLLECTION, gone, agent=owner)

        await self._do(clear)

    async def _stored(self, memory: AsyncMemory, owner: UUID | None) -> list[Document]:
        found = await memory.documents.search(COLLECTION, (self.session_id,), limit=None, agent=owner)
        return sorted(found, key=lambda each: each.key)

    async def _pop(self, memory: AsyncMemory, owner: UUID | None) -> TResponseInputItem | None:
        for _ in range(_ATTEMPTS):
            stored = await self._stored(memory, owner)
            if not stored:
                return None
            *left, item = stored[-1].value["items"]
            change = Change(
                stored[-1].path, stored[-1].key, {"items": left} if left else None, expected=stored[-1].value
            )
            try:
                require_stored(await memory.documents.write(COLLECTION, [change], agent=owner))
            except Changed:
                continue
            return cast(TResponseInputItem, _unescaped(item))
        raise StoreUnavailable(f"other processes keep changing the session {self.session_id!r}: try again")

    async def _do(self, action: Callable[[AsyncMemory, UUID | None], Awaitable[Result]]) -> Result:
        async def act(memory: AsyncMemory) -> Result:
            return await action(memory, await named(memory, self._agent))

        return await self._caller.run(act)


def _storable(value: Any) -> Any:
    """The value with the characters in its texts escaped that PostgreSQL cannot hold: a tool may print them, and the
    run would fail."""
    if isinstance(value, str):
        return _UNSTORABLE.sub(lambda found: f"{_ESCAPE}{ord(found[0]):04x}", value)
    if isinstance(value, dict):
        return {_storable(name): _storable(each) for name, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list) else value


def _unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
    if isinstance(value, dict):
        return {_unescaped(name): _unescaped(each) for name, each in value.items()}
    return [_unescaped(each) for each in value] if isinstance(value, list) else value


def _given(stored: Document) -> list[Any]:
    """The items of a document, as they came."""
    return [_unescaped(each) for each in stored.value["items"]]


def _said(items: Sequence[TResponseInputItem], key: str) -> list[dict[str, Any]]:
    """What people and the assistant said in these items, each with an id of its own."""
    turns = []
    for number, item in enumerate(cast("Sequence[dict[str, Any]]", items)):
        if item.get("type", "message") == "message" and item.get("role") in _SPEAKERS and item.get("content"):
            turns.append({"role": item["role"], "content": item["content"], "id": f"{key}/{number}"})
    return turns
