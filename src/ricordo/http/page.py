"""The web page, from the files that web/build.py made: open to everybody, for it holds nothing of anybody."""

from __future__ import annotations

import html
import mimetypes
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import FastAPI, Request, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ricordo.http.problems import Refused

_FOLDER = "page"
#: Where the server puts the path of the page, and a nonce for the styles that the page's scripts make.
_BASE, _NONCE = "__RICORDO_BASE__", "__RICORDO_NONCE__"
_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_POLICY = "; ".join([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-{nonce}'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
])  # fmt: skip
NOT_BUILT = (
    "the web page was not built during installation. In a clone, run `script/web`, or reinstall with "
    "`pip install --verbose --force-reinstall --no-deps .` to see why. The API is at /v1"
)


@dataclass(frozen=True)
class File:
    """A file of the page, plain and compressed."""

    type: str
    plain: bytes
    gzipped: bytes | None


class Page:
    """The built page."""

    def __init__(self, folder: Traversable) -> None:
        """Reads its files from a folder; there need be none."""
        index = folder / "index.html"
        self._index = index.read_text("utf-8") if index.is_file() else None
        self._assets = _read(folder / "assets")

    async def index(self, request: Request) -> Response:
        """The document, whichever of its paths was asked for. Raises Refused where the page was not built."""
        if self._index is None:
            raise Refused(404, "not-built", NOT_BUILT)
        nonce = secrets.token_urlsafe(16)
        base = html.escape(f"{request.scope.get('root_path', '')}/")
        body = self._index.replace(_BASE, base).replace(_NONCE, nonce)
        headers = {**_HEADERS, "Cache-Control": "no-store", "Content-Security-Policy": _POLICY.format(nonce=nonce)}
        return Response(body, headers=headers, media_type="text/html")

    async def asset(self, request: Request) -> Response:
        """A script or a style, whose name has the hash of what it holds. Raises Refused."""
        found = self._assets.get(request.path_params["name"])
        if found is None:
            raise Refused(404, "not-found", "file not found: reload the page")
        headers = {**_HEADERS, "Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
        body = found.plain
        if found.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = found.gzipped, "gzip"
        return Response(body, headers=headers, media_type=found.type)


def is_built() -> bool:
    """Whether the page is part of this installation."""
    return (files("ricordo.http") / _FOLDER / "index.html").is_file()


def install(app: FastAPI) -> None:
    """Serve the page at the root, and at whatever other path a browser is sent to that is no operation's."""
    page = Page(files("ricordo.http") / _FOLDER)
    routes: Mapping[str, Callable[[Request], Awaitable[Response]]] = {"/": page.index, "/assets/{name}": page.asset}
    for path, answer in routes.items():
        app.router.routes.append(Route(path, answer, name="page", include_in_schema=False))
    app.router.default = _Otherwise(page, app.router.default)


class _Otherwise:
    """What answers where no operation does: the page, to a browser that goes there."""

    def __init__(self, page: Page, not_found: ASGIApp) -> None:
        self._page = page
        self._not_found = not_found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            request = Request(scope)
            path = scope["path"].removeprefix(scope.get("root_path", ""))
            if "text/html" in request.headers.get("accept", "") and not path.startswith(("/v1/", "/mcp", "/assets/")):
                answer = await self._page.index(request)
                await answer(scope, receive, send)
                return
        await self._not_found(scope, receive, send)


def _read(folder: Traversable) -> dict[str, File]:
    """The files of a folder by their names."""
    if not folder.is_dir():
        return {}
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    return {
        name: File(mimetypes.guess_type(name)[0] or "application/octet-stream", plain, contents.get(f"{name}.gz"))
        for name, plain in contents.items()
        if not name.endswith(".gz")
    }
