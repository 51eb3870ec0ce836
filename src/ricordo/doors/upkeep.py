"""What an open memory does by itself from time to time: expired notes are removed, the record of accesses is sealed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from ricordo.errors import RicordoError

#: Seconds from one round to the next.
_EVERY = 900.0

log = logging.getLogger("ricordo")


async def keep_up(duties: Sequence[Callable[[], Awaitable[object]]], closing: asyncio.Event) -> None:
    """Do these duties now and every quarter of an hour, until the memory closes; what fails is tried again then."""
    while not closing.is_set():
        for duty in duties:
            try:
                await duty()
            except RicordoError as error:
                log.warning("%s waits for the next round: %s", duty.__qualname__, error)
            except Exception:  # the edge of a worker: what it cannot do now must not end it
                log.exception("%s waits for the next round, after a fault of Ricordo's", duty.__qualname__)
        with suppress(TimeoutError):
            async with asyncio.timeout(_EVERY):
                await closing.wait()
