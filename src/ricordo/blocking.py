"""Memory: AsyncMemory for synchronous code. It runs the same door on one background event loop."""

from __future__ import annotations

import inspect
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar
from uuid import UUID

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ricordo.client import AsyncMemory, Progress
from ricordo.errors import StoreUnavailable
from ricordo.nouns import Drawer, Imported, Message, Recalled, Receipt, Wing
from ricordo.runs import OpenRun
from ricordo.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")


class Memory:
    """One user's memory, opened by `with Memory() as memory`. See AsyncMemory for every method.

    Any thread may call it while it is open.
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
        self._door = AsyncMemory(url, user=user, home=home, settings=settings, background=background)
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._process = os.getpid()
        self.agents = Blocking(self._door.agents, self._call)
        self.profiles = Blocking(self._door.profiles, self._call)
        self.entries = Blocking(self._door.entries, self._call)
        self.audit = Blocking(self._door.audit, self._call)
        self.runs = Blocking(self._door.runs, self._call)
        self.journal = Blocking(self._door.journal, self._call)
        self.core = Blocking(self._door.core, self._call)
        self.proposals = Blocking(self._door.proposals, self._call)
        self.whiteboards = Blocking(self._door.whiteboards, self._call)
        self.tools = Blocking(self._door.tools, self._call)
        self.notes = Blocking(self._door.notes, self._call)

    def __enter__(self) -> Self:
        if self._portal is not None:
            raise StoreUnavailable("the memory is open already: use it as it is, or open another one")
        self._process = os.getpid()
        with ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal())
            stack.enter_context(self._portal.wrap_async_context_manager(self._door))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._portal = None
        self._stack.__exit__(kind, error, traceback)

    @property
    def settings(self) -> Settings:
        return self._door.settings

    @property
    def user(self) -> str:
        return self._door.user

    def mine(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        conversation: str,
        title: str | None = None,
        project: str | None = None,
        source: str = "api",
    ) -> Receipt:
        """See AsyncMemory.mine."""
        return self._call(
            self._door.mine, messages, conversation=conversation, title=title, project=project, source=source
        )

    def recall(
        self,
        question: str,
        *,
        top_k: int = 5,
        now: datetime | None = None,
        wing: str | None = None,
        room: str | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        max_tokens: int = 2000,
    ) -> Recalled:
        """See AsyncMemory.recall."""
        return self._call(
            self._door.recall,
            question,
            top_k=top_k,
            now=now,
            wing=wing,
            room=room,
            speaker=speaker,
            since=since,
            until=until,
            as_of=as_of,
            max_tokens=max_tokens,
        )

    def run(
        self, agent: UUID | str, template: str, conversation: str | None = None, *, profile: UUID | None = None
    ) -> AbstractContextManager[OpenRun]:
        """See AsyncMemory.run."""
        return _BlockingRun(self._door.run(agent, template, conversation, profile=profile), self._call)

    def import_chats(
        self, paths: Sequence[Path | str], *, progress: Progress | None = None, dry_run: bool = False
    ) -> Imported:
        """See AsyncMemory.import_chats."""
        return self._call(self._door.import_chats, paths, progress=progress, dry_run=dry_run)

    def embed_pending(self, progress: Progress | None = None) -> int:
        """See AsyncMemory.embed_pending."""
        return self._call(self._door.embed_pending, progress)

    def pending(self) -> int:
        """See AsyncMemory.pending."""
        return self._call(self._door.pending)

    def palace_tree(self, wing: str | None = None) -> list[Wing]:
        """See AsyncMemory.palace_tree."""
        return self._call(self._door.palace_tree, wing)

    def palace_show(self, pointer: str) -> list[Drawer]:
        """See AsyncMemory.palace_show."""
        return self._call(self._door.palace_show, pointer)

    def _call(self, method: Callable[P, Awaitable[R]], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._portal is None:
            raise StoreUnavailable("the memory is closed: use it inside `with Memory() as memory:`")
        if self._process != os.getpid():
            raise StoreUnavailable("the memory was opened in another process, of which this is a fork: open one here")
        call = self._portal.start_task_soon(partial(method, *args, **kwargs))
        try:
            return call.result()
        finally:
            call.cancel()  # where Ctrl-C ended the wait: the call must not go on behind the caller's back


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
    """What `memory.agents` and its like are on a Memory: the asynchronous door's methods, each waited for.

    Their signatures for type checkers stand in blocking.pyi, which script/stubs makes.
    """

    def __init__(self, door: object, call: Callable[..., Any]) -> None:
        self._door = door
        self._call = call

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._door, name)
        if not inspect.iscoroutinefunction(method):
            return method

        @wraps(method)
        def blocking(*args: Any, **kwargs: Any) -> Any:
            return self._call(method, *args, **kwargs)

        return blocking

    def __dir__(self) -> list[str]:
        return dir(self._door)
