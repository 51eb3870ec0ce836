"""The HTTP client for `ricordo serve` on another machine: authentication, limits on answers, and retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

#: Attempts for a request while the server has too many requests, and the longest pause in seconds between two.
TRIES, _PAUSE = 4, 60.0

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
        trust_env=url.startswith("https:"),  # a proxy of the environment would read plain HTTP, and the key
    )
    return client, (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError)  # the last one for the names of hosts


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


def pause_of(answer: httpx2.Response) -> float:
    """Seconds to wait before a request is sent again: the Retry-After header's, or else 1, within a limit."""
    told = answer.headers.get("retry-after", "")
    return min(_PAUSE, float(told)) if told.isascii() and told.isdigit() and len(told) < 6 else 1.0
