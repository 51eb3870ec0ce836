"""One adapter over both kinds of memory: what it does is written once, asynchronously, and called either way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import UUID

from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, NotFound
from ricordo.models import WriteReceipt

Result = TypeVar("Result")


class Caller:
    """Calls on an open Memory or AsyncMemory. The first serves every thread and event loop, the second its own loop."""

    def __init__(self, memory: AsyncMemory | Memory) -> None:
        if not isinstance(memory, AsyncMemory | Memory):
            raise InvalidInput("memory", f"must be a Memory or an AsyncMemory, not {type(memory).__name__}")
        self._memory: Any = memory

    async def run(self, action: Callable[[AsyncMemory], Awaitable[Result]]) -> Result:
        """What `action` returns of the memory."""
        if isinstance(self._memory, AsyncMemory):
            return await action(self._memory)
        return await asyncio.to_thread(self.wait, action)

    def wait(self, action: Callable[[AsyncMemory], Awaitable[Result]]) -> Result:
        """The same from synchronous code. Raises InvalidInput where the memory is an AsyncMemory."""
        if isinstance(self._memory, AsyncMemory):
            raise InvalidInput("memory", "is an AsyncMemory, which synchronous calls cannot use: pass a Memory instead")
        result: Result = self._memory._call(action, self._memory._inner)
        return result


def require_stored(receipt: WriteReceipt) -> None:
    """Raise InvalidInput, with the receipt's reason, where a framework is to believe that a write was stored and it was
    not."""
    if receipt.status in ("held", "pending"):
        raise InvalidInput(receipt.kind, f"{receipt.id} is not stored yet: it is in the review queue")
    if receipt.status == "rejected":
        field, _, problem = (receipt.reason or "").partition(": ")
        raise InvalidInput(field, problem)


async def named(memory: AsyncMemory, agent: UUID | str | None) -> UUID | None:
    """The id of an agent; one that is called by a new name is made. Raises NotFound for an id, and InvalidInput."""
    if agent is None:
        return None
    try:
        return (await memory.agents.get(agent)).id
    except NotFound:
        if isinstance(agent, UUID):
            raise
    try:
        return (await memory.agents.create(agent)).id
    except InvalidInput:  # somebody else made it meanwhile, or it is no name
        try:
            return (await memory.agents.get(agent)).id
        except NotFound:
            pass
        raise
