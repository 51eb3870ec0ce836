"""How a command opens its memory, which in a resident process is open already, and for whom and how it prints."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ricordo import resident as process
from ricordo.errors import InvalidInput
from ricordo.settings import Settings

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from ricordo.blocking import Memory
    from ricordo.client import AsyncMemory
    from ricordo.remote import Remote
    from ricordo.resident.listening import Request

T = TypeVar("T")


class Within:
    """What a command that runs in a resident process has instead of a process of its own."""

    def __init__(
        self, memory: AsyncMemory | Remote, portal: BlockingPortal, request: Request, streams: dict[str, IO[str]]
    ) -> None:
        #: What is open: the store, or a connection to the one of another machine, as the settings say.
        self.open: Any = memory
        self.portal = portal
        self.user = request.user.strip() or Settings.user
        self.folder = request.folder
        self.looks = request.looks
        self.streams = streams


#: Set while a resident process runs a command.
within: ContextVar[Within | None] = ContextVar("within", default=None)


def settings_of(user: str | None) -> Settings:
    """The settings of a command that may name its user. Raises InvalidInput."""
    resident = within.get()
    return Settings.from_environment(user=resident.user if resident and user is None else user)


def require_own_user(settings: Settings, user: str | None) -> None:
    """Raise InvalidInput for --user with a memory on another machine."""
    if settings.remote_url is not None and user is not None:
        raise InvalidInput("user", "the API key in RICORDO_REMOTE_KEY decides whose memory is used: leave out --user")


@contextmanager
def remote(settings: Settings) -> Iterator[Remote]:
    """The memory at `settings.remote_url`. Raises StoreUnavailable."""
    if resident := within.get():
        yield resident.open
        return
    from ricordo.remote import Remote

    settings.home.mkdir(parents=True, exist_ok=True)  # so that a resident process can be met there
    with Remote(settings) as memory:
        yield memory


@contextmanager
def opened(settings: Settings) -> Iterator[Memory]:
    """The memory of `settings.user`, on this machine. Raises StoreError."""
    from ricordo.blocking import Memory

    if resident := within.get():
        yield Memory.attached(resident.open, resident.portal).of(settings.user)
        return
    with Memory(settings=settings, background=False) as memory:
        yield memory


def awaited(settings: Settings, work: Callable[[AsyncMemory], Awaitable[T]]) -> T:
    """What `work` makes of the memory of `settings.user`. Raises StoreError, and what it raises."""
    if resident := within.get():
        shared: AsyncMemory = resident.open

        async def of_user() -> T:
            return await work(shared.of(settings.user))

        return resident.portal.call(of_user)

    import asyncio

    from ricordo.client import AsyncMemory

    async def alone() -> T:
        async with AsyncMemory(settings=settings, background=False) as memory:
            return await work(memory)

    return asyncio.run(alone())


def folder() -> str:
    """The folder that the command is called in; empty where it is gone."""
    resident = within.get()
    return resident.folder if resident else process.folder()


def columns() -> int:
    """How wide the terminal is that standard output goes to."""
    resident = within.get()
    return resident.looks.columns if resident else shutil.get_terminal_size().columns


class Dispatched:
    """Stands for a stream of the process, and is that of the command where a resident process runs one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._own = getattr(sys, name)

    def __getattr__(self, name: str) -> Any:
        resident = within.get()
        return getattr(resident.streams[self._name] if resident else self._own, name)
