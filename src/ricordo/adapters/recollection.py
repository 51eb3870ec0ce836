"""What a memory does around one turn of an agent: the context ahead of it, and keeping what was said in it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from ricordo import palace
from ricordo.adapters.calling import Caller, named
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory, showing
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import Hit, RecallResult
from ricordo.recall import quoted

log = logging.getLogger("ricordo")


class Recollection:
    """Recalls and mines for one agent of a framework; `source` says in the palace where its conversation came from."""

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        source: str,
        *,
        agent: UUID | str | None = None,
        project: str | None = None,
        wing: str | None = None,
        top_k: int | None = None,
        max_tokens: int = 2000,
    ) -> None:
        self.caller = Caller(memory)
        self._source = source
        self._agent = agent
        self._project = project
        self._narrowing: dict[str, Any] = {"wing": wing, "top_k": top_k, "max_tokens": max_tokens}

    def require(self, conversation: str) -> None:
        """Raise InvalidInput for an id that no conversation can have, before paying for a model's answer."""
        from ricordo import mining  # 10 ms, which importing an adapter should not pay

        mining.require_good(palace.Origin(conversation, None, self._project, self._source))

    async def context(
        self, memory: AsyncMemory, question: str, conversation: str | None = None, before: str | None = None
    ) -> str:
        """Get the context block for a question in a conversation; `before` is the previous turn. The block is empty if
        nothing matches or the question is blank."""
        async with showing(memory) as shown:
            recalled = await self._recall(memory, question, conversation, before)
            if recalled:
                shown.update(each.id for each in quoted(recalled.results, recalled.context))
        return recalled.context if recalled else ""

    async def hits(self, memory: AsyncMemory, question: str) -> tuple[Hit, ...]:
        """The turns that answer a question, best first."""
        recalled = await self._recall(memory, question)
        return recalled.results if recalled else ()

    async def _recall(
        self, memory: AsyncMemory, question: str, conversation: str | None = None, before: str | None = None
    ) -> RecallResult | None:
        if isinstance(question, str) and not question.strip():
            return None
        agent = await named(memory, self._agent)
        try:
            return await memory.recall(
                question, agent=agent, conversation=conversation, context=before, **self._narrowing
            )
        except NotFound:
            if self._narrowing["wing"] is None:
                raise
            return None  # the wing comes with the first talk that is kept in it

    async def keep(
        self,
        memory: AsyncMemory,
        conversation: str,
        turns: Sequence[dict[str, Any]],
        *,
        automatic: bool = True,
        append: bool = False,
    ) -> None:
        """Mine turns; those that are there already change nothing. With `append` each of them is new, unless its id is
        known. Where it is `automatic` the user's settings may turn it off."""
        if not turns:
            return
        receipt = await memory.mine(
            turns,
            conversation=conversation,
            project=self._project,
            source=self._source,
            automatic=automatic,
            append=append,
        )
        for each in receipt.rejected:
            log.warning("a turn of the conversation %.100r was not stored: %s", conversation, each.reason)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise InvalidInput for arguments that a framework lets through and Ricordo does not know, such as filters."""
    for name in sorted(names):
        raise InvalidInput(name, "unknown argument: remove it")


def turn(role: str, text: str, id: str | None = None, name: str | None = None) -> list[dict[str, Any]]:
    """A turn to mine, or none where nothing was said."""
    if not text.strip():
        return []
    return [{"role": role, "content": text, "id": id, "name": name}]
