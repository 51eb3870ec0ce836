"""What happens to every request around its operation: its id, its line in the log, the host that it asks for."""

from __future__ import annotations

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

from ricordo.http.problems import problem

log = logging.getLogger("ricordo.http.requests")
faults = logging.getLogger("ricordo.http")

_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: Where files come, which are not held in memory.
_UPLOAD = re.compile(r"/v1/uploads/[^/]+/files$")
_SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    # What is no page shows nothing, even where a browser takes it for one. Pages have their own.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class _TooLarge(Exception):
    """The body is larger than the server takes."""


class Envelope:
    """Gives each request an id, refuses names that are not this server's, answers for faults, and writes a line of JSON
    for each answer. A line tells operation, status, time and key, and nothing that was sent or remembered."""

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
        status, taken, too_large = 0, 0, False
        most = self._largest_upload if _UPLOAD.search(scope["path"]) else self._largest_body

        async def receiving() -> Message:
            nonlocal taken, too_large
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                too_large = True  # whatever is made of this, what is answered is 413
                raise _TooLarge
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            if too_large:
                return
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = MutableHeaders(scope=message)
                answered["X-Request-Id"] = id
                for name, value in _SECURITY.items():
                    answered.setdefault(name, value)
                if path.startswith("/v1"):
                    answered.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            if not self._is_ours(headers.get("host", "")):
                detail = "this server has another name; `ricordo serve --allow-host` adds one"
                await problem(id, 421, "unknown-host", detail)(scope, receive, sending)
                return
            too_large = int(headers.get("content-length") or 0) > most
            if not too_large:
                await self._app(scope, receiving, sending)
        except Exception:  # noqa: BLE001 - the edge of the server, which logs it and answers
            if not too_large:
                faults.exception("request %s failed by a fault of Ricordo's", id)
            if not status and not too_large:
                detail = "a fault of the server, which its log tells of under this request's id"
                await problem(id, 500, "fault", detail)(scope, receive, sending)
        finally:
            if too_large:
                too_large = False
                detail = "the body is larger than this server takes"
                await problem(id, 413, "too-large", detail)(scope, receive, sending)
            log.info(_line(scope, id, status, begin))

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server. A page of another site that has its name point here (DNS rebinding)
        comes with that name."""
        if self._hosts is None:
            return True
        name = re.sub(r":\d*$", "", host).lower()
        return name in self._hosts


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
