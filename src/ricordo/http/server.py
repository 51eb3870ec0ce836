"""Runs the application with uvicorn until it is told to stop, and then ends what was begun."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from ricordo.client import AsyncMemory, serving
from ricordo.errors import InvalidInput, StoreUnavailable
from ricordo.http.app import Beside, alone, application
from ricordo.http.identity import Sessions
from ricordo.http.options import Options
from ricordo.http.protocol import Patient
from ricordo.settings import Settings

#: Seconds that requests have to end when the server is told to.
_GRACE = 30


def serve(settings: Settings, options: Options, started: Callable[[str | None], None], beside: Beside = alone) -> None:
    """Serve until Ctrl-C or SIGTERM: then nothing new is taken, and what was begun is ended. `started` is given the
    link by which a browser on this machine signs in, once the server listens. `beside` is entered with the memory.

    Raises InvalidInput where it must not listen, and StoreError.
    """
    asyncio.run(_require_allowed(settings, options))
    _log()
    sessions = Sessions(settings.user if options.is_local and options.sign_in else None)
    app = application(settings, options, sessions, beside)
    with _listening(options) as listening:
        config = uvicorn.Config(
            app,
            http=Patient,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE,
        )
        link = f"{options.url}/signin?token={sessions.link()}" if sessions.have_link else None
        server = _Server(config, lambda: started(link))
        with suppress(KeyboardInterrupt):  # raised by uvicorn once all has ended
            server.run(sockets=[listening])
    if not server.started:
        raise StoreUnavailable("the server did not start: see the messages above")


def _listening(options: Options) -> socket.socket:
    """Raises InvalidInput where the address is taken, or none of this machine."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        return socket.create_server((options.host, options.port), family=family, backlog=2048)
    except OSError as error:
        where = f"{options.host} port {options.port}"
        why = os.strerror(error.errno) if error.errno else error
        raise InvalidInput("port", f"cannot listen on {where}: {why}; choose another --port or --host") from None


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, *args: object, **options: object) -> None:
        await super().startup(*args, **options)  # type: ignore[arg-type]
        if self.started:
            self._listening()


async def _require_allowed(settings: Settings, options: Options) -> None:
    """Raise InvalidInput for a server that other machines reach and that nobody could have a key for."""
    if options.is_local:
        return
    async with AsyncMemory(settings=settings, background=False) as memory:
        if settings.oidc_issuer is None and not await serving(memory).keys_exist():
            raise InvalidInput(
                "host",
                f"{options.host!r} is reachable from other machines, but no key exists: create one with "
                "`ricordo key create`, or set RICORDO_OIDC_ISSUER to an identity provider",
            )


def _log() -> None:
    """Lines of JSON for requests, as they are; other lines with their time. All on standard error."""
    plain = logging.StreamHandler(sys.stderr)
    requests = logging.getLogger("ricordo.http.requests")
    requests.handlers, requests.propagate = [plain], False
    requests.setLevel(logging.INFO)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
