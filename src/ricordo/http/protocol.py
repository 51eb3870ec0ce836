"""HTTP for clients that mean no good: a request's head must come to its end within some seconds and bytes, and an
answer must be taken.

uvicorn waits for ever, so that a few hundred connections which send nothing, or read nothing of what they asked for,
would take all that the system allows; and it keeps whatever comes, or waits for them, until then. No setting changes
that: `timeout_keep_alive` counts between requests alone, `h11_max_incomplete_event_size` limits bytes and not time, and
an ASGI application is called when the head is complete. So a protocol of uvicorn's is extended, which its setting
`http` takes. With h11 and those settings 8 of 50 tests in tests/contract/test_c_http_hostile.py fail.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

#: Seconds from a connection, or from the first byte of a further request on it, to the end of the head.
HEAD = 15.0
#: Bytes of a head that has not come to its end.
LARGEST = 65_536
#: Seconds within which a client must take so many bytes of an answer that waits for it, or the rest.
STALL, LEAST = 30.0, 32_768
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Patient(HttpToolsProtocol):
    """uvicorn's protocol, whose patience with each head, and with a client that does not read, ends."""

    _deadline: asyncio.TimerHandle | None = None
    #: Bytes that came of the head.
    _taken = 0
    #: The request that is being answered; uvicorn's `cycle` is the last that came, which may wait behind it.
    _answering: RequestResponseCycle | None = None
    _look: asyncio.TimerHandle | None = None
    #: Bytes that waited for the client at the last look.
    _untaken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self._deadline
        super().data_received(data)
        if before is not None and self._deadline is before:  # all of it belongs to one head, which has no end yet
            self._taken += len(data)
            if self._taken > LARGEST and not self.transport.is_closing():
                self.transport.write(_TOO_LARGE)
                self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._cease()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._untaken = sys.maxsize  # it took some

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self.pipeline.clear()  # nobody is there to be answered
        answering = self._answering
        if answering is not None and not answering.response_complete:
            answering.disconnected = True
            answering.message_event.set()
        self._cease()
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _watch(self) -> None:
        if self._look is None:
            self._untaken = self.transport.get_write_buffer_size()
            self._look = self.loop.call_later(STALL, self._require_taken)

    def _require_taken(self) -> None:
        """Give a client up that took next to nothing since the last look."""
        self._look = None
        left = self.transport.get_write_buffer_size()
        if not left:
            return
        if left > self._untaken - LEAST:
            self.transport.abort()  # closing would wait for it to take the rest
        else:
            self._watch()

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD, self._give_up)

    def _give_up(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
        else:
            self._wait()  # the request before is still being answered

    def _cease(self) -> None:
        self._taken = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
