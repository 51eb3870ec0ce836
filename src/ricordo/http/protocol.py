"""HTTP for clients that mean no good: a request's head must come to its end within some seconds and bytes.

uvicorn waits for ever, so that a few hundred connections which send nothing would take all that the system allows; and
it keeps whatever comes until then.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Seconds from a connection, or from the first byte of a further request on it, to the end of the head.
HEAD = 15.0
#: Bytes of a head that has not come to its end.
LARGEST = 65_536
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Patient(HttpToolsProtocol):
    """uvicorn's protocol, whose patience with each head ends."""

    _deadline: asyncio.TimerHandle | None = None
    #: Bytes that came of the head.
    _taken = 0

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

    def connection_lost(self, exc: Exception | None) -> None:
        self._cease()
        super().connection_lost(exc)

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
