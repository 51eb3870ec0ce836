"""The HTTP client for `ricordo serve` on another machine: authentication, limits on answers, and retries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl

    import httpx2

#: Attempts for a request, the longest pause in seconds between two, and the first one after a connection was lost.
TRIES, _PAUSE, _LOST = 4, 60.0, 0.1

#: Seconds for which an idle connection is used again: less than servers keep one, which may close it at that moment.
_IDLE = 1.0


def server_client(
    url: str, key: str | None, *, answer: float, connect: float
) -> tuple[httpx2.Client, tuple[type[Exception], ...]]:
    """A client that waits `connect` seconds to reach the server at `url`, and `answer` seconds for each piece of an
    answer; and the errors that it raises for a server that cannot be reached. Raises ImportError without httpx2."""
    import httpx2

    client = httpx2.Client(
        headers={"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"},  # unpacked, it could be of any size
        timeout=httpx2.Timeout(answer, connect=connect),
        limits=httpx2.Limits(keepalive_expiry=_IDLE),
        verify=certificates(),
        trust_env=url.startswith("https:"),  # a proxy of the environment would read plain HTTP, and the key
    )
    return client, (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError)  # the last one for the names of hosts


@cache
def certificates() -> ssl.SSLContext:
    """The certificates that this machine trusts, read once for all clients of the process: reading takes 30 ms."""
    import httpx2

    return httpx2.create_ssl_context()


class TooLong(Exception):
    """An answer is longer than any from `ricordo serve`."""


def body_of(answer: httpx2.Response, most: int, note: Callable[[int], None] = lambda size: None) -> bytes:
    """The body of a streamed answer. `note` receives the size of each piece. Raises TooLong."""
    body = bytearray()
    for piece in answer.iter_raw():
        body += piece
        note(len(piece))
        if len(body) > most:
            raise TooLong
    return bytes(body)


def pause_before_repeat(attempt: int, met: httpx2.Response | Exception, *, is_repeatable: bool) -> float | None:
    """Seconds to wait before a request is sent again that met this answer or error in its `attempt`, counted from 0.
    None if it must not be sent again.

    A server with too many requests has not done it. If the connection was lost, or the same request is in progress, it
    may have been done; then only a request is sent again that has its effect once, however often it is sent."""
    import httpx2

    if attempt + 1 >= TRIES:
        return None
    if not isinstance(met, httpx2.Response):
        lost = isinstance(met, httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.WriteError)
        return _LOST * 2**attempt if lost and is_repeatable else None
    in_progress = met.status_code == 409 and "retry-after" in met.headers and is_repeatable
    return _asked_pause(met) if met.status_code == 429 or in_progress else None


def _asked_pause(answer: httpx2.Response) -> float:
    """The seconds of the Retry-After header, or else 1, within a limit."""
    told = answer.headers.get("retry-after", "")
    return min(_PAUSE, float(told)) if told.isascii() and told.isdigit() and len(told) < 6 else 1.0
