"""The header Idempotency-Key: a write is done once, however often it is sent, and its answer is sent again."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

from fastapi import Request, Response

from ricordo.client import serving
from ricordo.http.problems import Refused
from ricordo.idempotency import KeptAnswer

#: Headers that are kept with an answer.
_KEPT = ("content-type", "etag", "location")
_LONGEST = 255


async def once(
    request: Request, key: str, holder: str, answer: Callable[[Request], Awaitable[Response]], *, keeps: bool = True
) -> Response:
    """The answer to a request, which is done unless it was; only where it `keeps` it, it is sent again. Raises
    Refused."""
    if not key.isascii() or not key.isprintable() or not 1 <= len(key) <= _LONGEST:
        raise Refused(422, "invalid-input", f"Idempotency-Key must be 1 to {_LONGEST} printable ASCII characters")
    served = serving(request.state.caller.memory)
    claimed = await served.claim_request(f"{holder} {key}", await _fingerprint(request))
    if claimed.state == "other":
        raise Refused(422, "key-reused", "this Idempotency-Key was used for another request: use a new one")
    if claimed.state == "busy":
        raise Refused(
            409,
            "in-progress",
            "a request with this Idempotency-Key is in progress: try again later",
            {"Retry-After": "1"},
        )
    if claimed.state == "done":
        if claimed.answer is None:
            raise Refused(
                409, "done-before", "the request was completed, but its response is no longer stored: check the result"
            )
        kept = claimed.answer
        return Response(kept.body, kept.status, {**kept.headers, "Idempotency-Replayed": "true"})
    try:
        made = await answer(request)
    except BaseException:
        await served.release_request(f"{holder} {key}")
        raise
    headers = {name: made.headers[name] for name in _KEPT if name in made.headers}
    await served.keep_answer(
        f"{holder} {key}", KeptAnswer(made.status_code, headers, bytes(made.body) if keeps else None)
    )
    return made


async def _fingerprint(request: Request) -> bytes:
    digest = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    digest.update(await request.body())
    return digest.digest()
