"""A span and a duration for each request, where somebody listens."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ricordo import telemetry

_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])


class Traced:
    """Tells of method, route and status, and of nothing that was sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not telemetry.is_heard():
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        with telemetry.serving(method, Headers(scope=scope)) as told:

            async def sending(message: Message) -> None:
                if message["type"] == "http.response.start":
                    told["http.response.status_code"] = message["status"]
                    route = getattr(scope.get("route"), "path", None)
                    if route is not None:
                        told["http.route"] = route
                await send(message)

            await self._app(scope, receive, sending)
