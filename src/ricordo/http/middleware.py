"""What happens to every request around its operation: its id, its line in the log, the host that it asks for."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ricordo.database import statements_bounded
from ricordo.http.problems import problem

log = logging.getLogger("ricordo.http.requests")
faults = logging.getLogger("ricordo.http")

_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: Headers that must not come twice: who reads the request behind a proxy might take the other one, and of two
#: conditions or keys one would be passed over.
_SINGLE = ("host", "authorization", "if-match", "idempotency-key")
#: Seconds for which a body may come slowly; from then on its average must be so many bytes a second.
_PATIENCE, _SLOWEST = 30.0, 16_384
#: Seconds that one statement of a request may take in the store.
_LONGEST_STATEMENT = 60.0
#: Status, kind and detail of a problem.
_Refusal = tuple[int, str, str]
_TOO_LARGE: _Refusal = 413, "too-large", "the request body is too large for this server"
_FAULT: _Refusal = 500, "fault", "internal error; see the server's log for this request id"
#: Where files come, which are not held in memory.
_UPLOAD = re.compile(r"/v1/uploads/[^/]+/files$")
_SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    # What is no page shows nothing, even where a browser takes it for one. Pages have their own.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class _Broken(Exception):
    """The body is not what the server takes: what is answered is the exchange's `refusal`, whatever is made of this."""


class Envelope:
    """Gives each request an id, refuses names that are not this server's and bodies that are too large or come too
    slowly, answers for faults, and writes a line of JSON for each answer. A line tells operation, status, time and key,
    and nothing that was sent or remembered."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str] | None, largest_body: int, largest_upload: int, prefix: str = ""
    ) -> None:
        """`hosts` are the names that the Host header may have; None takes any. Bodies are measured in bytes. `prefix`
        is the path under which a proxy shows the server, whether it takes it off or not."""
        self._app = app
        self._prefix = prefix
        self._largest_body = largest_body
        self._largest_upload = largest_upload
        self._hosts = None if hosts is None else frozenset(each.lower() for each in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(self._prefix) or "/"
        if self._prefix:
            # As ASGI has it, the path has the prefix.
            bare = path if path.startswith("/") else scope["path"]
            scope["root_path"], scope["path"], path = self._prefix, self._prefix + bare, bare
        headers, begin = Headers(scope=scope), time.perf_counter()
        given = headers.get("x-request-id", "")
        id = scope["ricordo.request_id"] = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
        most = self._largest_upload if _UPLOAD.search(path) else self._largest_body
        exchange = _Exchange(id, path, headers, most, receive, send)
        try:
            exchange.refusal = self._refusal(headers, most)
            if exchange.refusal is None:
                with statements_bounded(_LONGEST_STATEMENT):
                    await self._app(scope, exchange.receive, exchange.send)
        except Exception:  # noqa: BLE001 - the edge of the server, which logs it and answers
            if exchange.refusal is None:
                faults.exception("request %s failed with an internal error", id)
                exchange.refusal = _FAULT
        finally:
            await exchange.end(scope)
            log.info(_line(scope, id, exchange.status, begin))

    def _refusal(self, headers: Headers, most: int) -> _Refusal | None:
        """Why a request is not let in, by its headers alone."""
        if any(len(headers.getlist(name)) > 1 for name in _SINGLE):
            return 400, "ambiguous", f"each of {', '.join(_SINGLE)} may occur only once"
        if not self._is_ours(headers.get("host", "")):
            return 421, "unknown-host", "unknown host name: allow it with `ricordo serve --allow-host`"
        if any(each.strip().lower() not in ("", "identity") for each in headers.getlist("content-encoding")):
            return 415, "encoded", "compressed bodies are not supported: send the body without Content-Encoding"
        return _TOO_LARGE if int(headers.get("content-length") or 0) > most else None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server. A page of another site that has its name point here (DNS rebinding)
        comes with that name."""
        if self._hosts is None:
            return True
        name = re.sub(r":\d*$", "", host).lower()
        return name in self._hosts


class _Exchange:
    """One request and its answer, as they come and go."""

    def __init__(self, id: str, path: str, headers: Headers, largest_body: int, receive: Receive, send: Send) -> None:
        self._id = id
        self._is_private = path.startswith("/v1")
        self._largest_body = largest_body
        self._receive = receive
        self._send = send
        self._begin = time.monotonic()
        self._taken = 0
        #: Whether more of the body is to come.
        self._comes = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        #: What is answered instead of what the application would.
        self.refusal: _Refusal | None = None
        #: That of the answer, once it has begun.
        self.status = 0

    async def receive(self) -> Message:
        """The next piece of the body. Raises _Broken."""
        if not self._comes:
            return await self._receive()
        try:
            left = self._begin + _PATIENCE + self._taken / _SLOWEST - time.monotonic()
            async with asyncio.timeout(left):
                message = await self._receive()
        except TimeoutError:
            self.refusal = 408, "too-slow", "the request body did not arrive in time"
            raise _Broken from None
        self._comes = message.get("more_body", False)
        self._taken += len(message.get("body", b""))
        if self._taken > self._largest_body:
            self.refusal = _TOO_LARGE
            raise _Broken
        return message

    async def send(self, message: Message) -> None:
        """Send a piece of the answer, unless it is refused by now."""
        if self.refusal is not None and not self.status:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            answered = MutableHeaders(scope=message)
            answered["X-Request-Id"] = self._id
            for name, value in _SECURITY.items():
                answered.setdefault(name, value)
            if self._is_private:
                answered.setdefault("Cache-Control", "no-store")
            if self._comes and self.status >= 400:
                answered["Connection"] = "close"  # the rest of the body would come all the same
        await self._send(message)

    async def end(self, scope: Scope) -> None:
        """Answer with the refusal, if there is one and nothing was answered yet."""
        if self.refusal is not None and not self.status:
            answer, self.refusal = problem(self._id, *self.refusal), None
            await answer(scope, self._receive, self.send)


def _line(scope: Scope, id: str, status: int, begin: float) -> str:
    caller = Request(scope).state._state.get("caller")
    told: dict[str, Any] = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "request_id": id,
        "method": scope["method"],
        "operation": getattr(scope.get("route"), "name", None),
        "status": status,
        "milliseconds": round(1000 * (time.perf_counter() - begin), 1),
        "holder": caller.holder.id if caller else None,
    }
    return json.dumps(told)
