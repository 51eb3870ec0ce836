"""Memory: AsyncMemory for synchronous code, run on one background event loop.

The methods are those of AsyncMemory and of its resources, made here so that none is written twice. Type checkers and
editors read their signatures in blocking.pyi, which script/stubs makes.
"""

from __future__ import annotations

import atexit
import inspect
import os
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack, suppress
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar
from uuid import UUID

from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import BaseModel

from ricordo.client import GUEST_OPENED, OPENED_TWICE, AsyncMemory
from ricordo.errors import StoreUnavailable, forked
from ricordo.runs import OpenRun
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.jobs.worker import Worker

P = ParamSpec("P")
R = TypeVar("R")


class Memory:
    """One user's memory, opened by `with Memory() as memory`. See AsyncMemory for every method.

    Any thread may call it while it is open. One that is still open when the process ends is closed then.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        user: str | None = None,
        home: Path | str | None = None,
        settings: Settings | None = None,
        background: bool = True,
    ) -> None:
        self._furnish(AsyncMemory(url, user=user, home=home, settings=settings, background=background))

    def _furnish(self, inner: AsyncMemory, host: Memory | None = None) -> None:
        self._inner = inner
        #: The memory that was opened, whose event loop this one's calls run on.
        self._host = host or self
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._process = os.getpid()
        for name, each in vars(inner).items():
            if not name.startswith("_") and type(each).__module__.startswith(("ricordo.api.", "ricordo.toolkit.")):
                setattr(self, name, Blocking(each, self._call))

    def __enter__(self) -> Self:
        if self._host is not self:
            raise StoreUnavailable(GUEST_OPENED)
        if self._portal is not None:
            raise StoreUnavailable(OPENED_TWICE)
        self._process = os.getpid()
        with ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal())
            stack.enter_context(self._portal.wrap_async_context_manager(self._inner))
            self._stack = stack.pop_all()
        atexit.register(self.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        atexit.unregister(self.close)
        portal, self._portal = self._portal, None
        stack = self._stack.pop_all()
        if portal is not None and self._process != os.getpid():
            # The thread of its event loop stayed in the process that this is a fork of, and would be waited for.
            with suppress(StopIteration, RuntimeError):  # asyncio's debug mode objects to the thread
                portal.stop().send(None)
            return
        stack.__exit__(kind, error, traceback)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self._inner.__reduce__()

    def close(self) -> None:
        """See AsyncMemory.close."""
        self.__exit__(None, None, None)

    @classmethod
    def attached(cls, memory: AsyncMemory, portal: BlockingPortal) -> Self:
        """A memory that is open already, for threads beside the event loop of `portal`. It is not closed by this."""
        attached = cls.__new__(cls)
        attached._furnish(memory)
        attached._portal = portal
        return attached

    @property
    def process_settings(self) -> Settings:
        return self._inner.process_settings

    @property
    def user(self) -> str:
        return self._inner.user

    @property
    def user_id(self) -> UUID:
        """The user's id in the database."""
        return self._inner.user_id

    def of(self, user: str) -> Self:
        """See AsyncMemory.of."""
        guest = type(self).__new__(type(self))
        guest._furnish(self._call(_of, self._inner, user), self._host)
        return guest

    def worker_for_all(self, concurrency: int = 1) -> Worker:
        """See AsyncMemory.worker_for_all."""
        return self._inner.worker_for_all(concurrency)

    def run(
        self,
        agent: UUID | str,
        template: str,
        conversation: str | None = None,
        *,
        profile: UUID | None = None,
        max_tokens: int | None = None,
    ) -> AbstractContextManager[OpenRun]:
        """See AsyncMemory.run."""
        run = self._inner.run(agent, template, conversation, profile=profile, max_tokens=max_tokens)
        return _BlockingRun(run, self._call)

    def _call(self, method: Callable[P, Awaitable[R]], *args: P.args, **kwargs: P.kwargs) -> R:
        portal = self._host._portal
        if portal is None:
            raise StoreUnavailable("the memory is closed or was never opened: use it inside `with Memory() as memory:`")
        if self._host._process != os.getpid():
            raise forked()
        call = portal.start_task_soon(partial(method, *args, **kwargs))
        try:
            return call.result()
        finally:
            call.cancel()  # where Ctrl-C ended the wait: the call must not go on behind the caller's back


async def _of(inner: AsyncMemory, user: str) -> AsyncMemory:
    """On the event loop, where a memory of another user begins its background."""
    return inner.of(user)


def _waiting(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of Memory that waits for the one of AsyncMemory."""

    @wraps(method)
    def blocking(self: Memory, *args: Any, **kwargs: Any) -> Any:
        given = [_read(each) for each in args]
        named = {name: _read(each) for name, each in kwargs.items()}
        return self._call(getattr(self._inner, method.__name__), *given, **named)

    return blocking


for _name, _method in vars(AsyncMemory).items():
    if inspect.iscoroutinefunction(_method) and not _name.startswith("_") and _name not in vars(Memory):
        setattr(Memory, _name, _waiting(_method))


def _read(argument: Any) -> Any:
    """A generator's values: it is read in the thread that made it, as it may belong there, and may use the memory."""
    flows = isinstance(argument, Iterable) and not isinstance(argument, (Collection, BaseModel))
    return list(argument) if flows else argument


class _BlockingRun(AbstractContextManager[OpenRun]):
    """A run's block for synchronous code: entering and leaving it are waited for."""

    def __init__(self, running: AbstractAsyncContextManager[OpenRun], call: Callable[..., Any]) -> None:
        self._running = running
        self._call = call

    def __enter__(self) -> OpenRun:
        run: OpenRun = self._call(self._running.__aenter__)
        return run

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._call(self._running.__aexit__, kind, error, traceback)


class Blocking:
    """What `memory.agents` and its like are on a Memory: the asynchronous resource's methods, each waited for."""

    def __init__(self, inner: object, call: Callable[..., Any]) -> None:
        self._inner = inner
        self._call = call

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        if not inspect.iscoroutinefunction(method):
            return method

        @wraps(method)
        def blocking(*args: Any, **kwargs: Any) -> Any:
            return self._call(method, *args, **kwargs)

        return blocking

    def __dir__(self) -> list[str]:
        return dir(self._inner)
