"""A memory that opens in the background while its server answers already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ricordo.errors import StoreUnavailable

if TYPE_CHECKING:
    from ricordo.client import AsyncMemory


class Opening:
    """`begin` opens what `make` gives; `memory` waits until it is open. A failure is told to whoever waits, and the
    next one who asks tries again. Leaving the block closes the memory."""

    def __init__(self, make: Callable[[], AsyncMemory]) -> None:
        self._make = make
        self._opened: asyncio.Future[AsyncMemory] | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closed.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    def begin(self) -> None:
        """Open the memory, unless it is open or opening."""
        failed = self._opened is not None and self._opened.done() and self._opened.exception() is not None
        if (self._opened is None or failed) and not self._closed.is_set():
            self._opened = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._keep(self._opened))

    async def memory(self) -> AsyncMemory:
        """The memory, once it is open. Raises StoreError."""
        self.begin()
        if self._opened is None or self._closed.is_set():
            raise StoreUnavailable("the server is shutting down")
        # A call that is cancelled must not take it from the others.
        return await asyncio.shield(self._opened)

    async def _keep(self, opened: asyncio.Future[AsyncMemory]) -> None:
        """Hold the memory open until the server ends; it is opened and closed in this one task."""
        try:
            # Half a second of imports, which must not keep the server from answering.
            await asyncio.to_thread(import_module, "ricordo.mcp.context")
            async with self._make() as memory:
                opened.set_result(memory)
                await self._closed.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)
            opened.exception()  # whoever waits is told; where nobody does, asyncio must not complain
            if not isinstance(error, Exception):
                raise
