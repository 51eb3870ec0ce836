"""What a memory does around one turn of an agent: the context ahead of it, and keeping what was said in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ricordo.adapters.calling import Caller, named
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.nouns import Hit


class Recollection:
    """Recalls and mines for one agent of a framework; `source` says in the palace where its talk came from."""

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

    async def context(self, memory: AsyncMemory, question: str) -> str:
        """The block of what answers a question; empty where nothing does, or the question says nothing."""
        if not question.strip():
            return ""
        agent = await named(memory, self._agent)
        return (await memory.recall(question, agent=agent, **self._narrowing)).context

    async def hits(self, memory: AsyncMemory, question: str) -> tuple[Hit, ...]:
        """The turns that answer a question, best first."""
        if not question.strip():
            return ()
        agent = await named(memory, self._agent)
        return (await memory.recall(question, agent=agent, **self._narrowing)).results

    async def keep(
        self, memory: AsyncMemory, conversation: str, turns: Sequence[dict[str, Any]], *, automatic: bool = True
    ) -> None:
        """Mine turns; those that are there already change nothing, and where it is `automatic` the user's settings may
        turn it off."""
        if turns:
            await memory.mine(
                turns, conversation=conversation, project=self._project, source=self._source, automatic=automatic
            )


def turn(role: str, text: str, id: str | None = None, name: str | None = None) -> list[dict[str, Any]]:
    """A turn to mine, or none where nothing was said."""
    if not text.strip():
        return []
    return [{"role": role, "content": text, "id": id, "name": name}]
