"""ricordo resident: the process that answers commands, hooks and MCP clients at once. They start it themselves."""

from __future__ import annotations

import asyncio
import contextvars
import io
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ricordo import database, embedding
from ricordo.cli.opening import Dispatched, Within, within
from ricordo.errors import InvalidInput, ModelUnavailable, RicordoError, StoreUnavailable
from ricordo.resident import Answer, Place
from ricordo.resident.listening import Held, Listener, Request, Taken, Unusable, held, listening
from ricordo.settings import Settings

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from ricordo.client import AsyncMemory
    from ricordo.remote import Remote

#: Bytes of its log.
_LOG = 1_000_000

log = logging.getLogger("ricordo.resident")


@click.command("resident", hidden=True)
def command() -> None:
    """Serve commands, hooks and MCP clients of this account until it has been idle for a while.

    `ricordo recall`, hooks and `ricordo mcp` start it when needed, unless RICORDO_RESIDENT is off.
    """
    settings = Settings.from_environment()
    place = Place.here()
    if place is None:
        raise InvalidInput("resident", "cannot run here: it requires Linux and a short path in RICORDO_HOME")
    _log(settings)
    try:
        asyncio.run(_reside(settings, place))
    except Taken:
        log.info("another process has the place")
    except (RicordoError, OSError) as error:
        log.warning("did not start: %s", error)
        raise


async def _reside(settings: Settings, place: Place) -> None:
    async with held(place) as have:  # before the store is opened: of many that start at once, one does
        if settings.remote_url is not None:
            from ricordo.remote import Remote

            with Remote(settings) as there:
                _import_commands()
                async with _at_hand(there, have, settings.resident_idle) as listener:
                    log.info("listens for %s", settings.remote_url)
                    await listener.over()
            return
        if not database.is_begun(settings):  # it was stopped meanwhile
            return
        from ricordo.client import AsyncMemory

        async with AsyncMemory(settings=settings, background=False) as memory:
            await asyncio.to_thread(_warm_up, settings)
            async with _at_hand(memory, have, settings.resident_idle) as listener:
                log.info("listens for %s", settings.home)
                await listener.over()
    log.info("ends")


@asynccontextmanager
async def _at_hand(memory: AsyncMemory | Remote, have: Held, idle: float | None) -> AsyncIterator[Listener]:
    """Answer commands from an open memory within this block. Raises OSError."""
    from anyio.from_thread import BlockingPortal

    for name in ("stdin", "stdout", "stderr"):
        if not isinstance(getattr(sys, name), Dispatched):
            setattr(sys, name, Dispatched(name))
    async with BlockingPortal() as portal, listening(have, _Work(memory, portal), idle) as listener:
        yield listener


@asynccontextmanager
async def beside(memory: AsyncMemory, place: Place) -> AsyncIterator[None]:
    """Answer commands within this block in the stead of any other process, as a server does beside its own work, until
    it is told to leave the place."""

    async def reside() -> None:
        try:
            async with held(place, instead=True) as have, _at_hand(memory, have, None) as listener:
                await listener.over()
        except (Taken, OSError) as error:
            log.warning("commands on this machine do not go through this server: %r", error)

    residing = asyncio.create_task(reside())
    try:
        yield
    finally:
        residing.cancel()
        await asyncio.wait([residing])


def _warm_up(settings: Settings) -> None:
    """Load the embedding model and import what commands need, so that the first caller does not wait for it."""
    with suppress(ModelUnavailable, InvalidInput):  # a recall finds out by itself, and says so
        embedding.load(settings)
    _import_commands()
    import_module("ricordo.mcp.context")


def _import_commands() -> None:
    for name in ("blocking", "cli.main", "cli.recall", "cli.hook"):
        import_module(f"ricordo.{name}")


class _Work:
    """Commands and MCP clients, on one open memory."""

    def __init__(self, memory: AsyncMemory | Remote, portal: BlockingPortal) -> None:
        self._memory: Any = memory
        self._portal = portal
        self._models = _listing(memory.process_settings.models)

    def is_usable(self) -> bool:
        """Whether the store runs, where it is on this machine: this process starts none."""
        settings = self._memory.process_settings
        return settings.remote_url is not None or database.is_begun(settings)

    async def run(self, request: Request) -> Answer | None:
        """Run a command in a thread of its own. What does not end well is left to the command itself, which then tells
        of it as it always does."""
        if _listing(self._memory.process_settings.models) != self._models:
            raise Unusable("models were installed or removed")
        return await asyncio.to_thread(self._run, request)

    async def serve(self, peer: socket.socket, user: str, arguments: list[str]) -> None:
        """Serve an MCP client."""
        from ricordo.mcp.stdio import Project, serve_peer

        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        memory = self._memory.of(given.get("--user") or user.strip() or Settings.user)
        project = Project.of(given.get("--project"), Path(given["--folder"]))
        try:
            await serve_peer(peer.fileno(), memory, given.get("--agent", "mcp"), project)
        finally:
            peer.close()

    def _run(self, request: Request) -> Answer | None:
        return contextvars.copy_context().run(self._run_within, request)

    def _run_within(self, request: Request) -> Answer | None:
        from ricordo.cli.main import root

        out, err = io.BytesIO(), io.BytesIO()
        streams: dict[str, IO[str]] = {
            "stdin": io.TextIOWrapper(io.BytesIO(request.given), "utf-8"),
            "stdout": _Printed(out, request.looks.out_terminal),
            "stderr": _Printed(err, request.looks.err_terminal),
        }
        within.set(Within(self._memory, self._portal, request, streams))
        color = False if request.looks.no_color else None
        try:
            code = root.main(list(request.arguments), prog_name="ricordo", standalone_mode=False, color=color)
        except StoreUnavailable as error:
            raise Unusable(str(error)) from None
        except (click.ClickException, click.Abort, RicordoError, OSError) as error:
            log.info("%s is left to the command: %r", request.arguments[:1], error)
            return None
        for each in (streams["stdout"], streams["stderr"]):
            each.flush()
        return Answer(code if isinstance(code, int) else 0, out.getvalue(), err.getvalue())


class _Printed(io.TextIOWrapper):
    """A stream whose bytes go to the caller."""

    def __init__(self, bytes: io.BytesIO, is_terminal: bool) -> None:
        super().__init__(bytes, "utf-8", "backslashreplace", newline="\n")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def _listing(folder: Path) -> tuple[tuple[str, int], ...]:
    """The models that are installed, as far as a look at their folder shows."""
    try:
        with os.scandir(folder) as found:
            return tuple(sorted((each.name, each.stat().st_mtime_ns) for each in found))
    except OSError:
        return ()


def _log(settings: Settings) -> None:
    settings.logs.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(settings.logs / "resident.log", maxBytes=_LOG, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    log.setLevel(logging.INFO)
