"""The HTTP client of an API key for a `ricordo serve` on another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

#: Seconds for which an idle connection is used again: less than servers keep one, which may close it at that moment.
_IDLE = 1.0


def server_client(
    url: str, key: str | None, *, answer: float, connect: float
) -> tuple[httpx2.Client, tuple[type[Exception], ...]]:
    """A client that waits `connect` seconds to reach the server at `url`, and `answer` seconds for each piece of an
    answer; and the errors that it raises for a server that cannot be reached. Raises ImportError without httpx2."""
    import httpx2

    client = httpx2.Client(
        headers={"Authorization": f"Bearer {key}"},
        timeout=httpx2.Timeout(answer, connect=connect),
        limits=httpx2.Limits(keepalive_expiry=_IDLE),
        trust_env=url.startswith("https:"),  # a proxy of the environment would read plain HTTP, and the key
    )
    return client, (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError)  # the last one for the names of hosts
