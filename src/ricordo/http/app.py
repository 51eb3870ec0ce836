"""The application: its operations behind the gate, over one opened memory that serves every user."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware

from ricordo import __version__
from ricordo.client import AsyncMemory
from ricordo.http import health, mcp, page, problems, signing
from ricordo.http.access import Gate, is_done_once
from ricordo.http.identity import Identity, Sessions
from ricordo.http.middleware import Envelope
from ricordo.http.options import Options
from ricordo.http.rates import Rates
from ricordo.http.routes import operations_of_the_api
from ricordo.http.tracing import Traced
from ricordo.settings import Settings

if TYPE_CHECKING:
    from ricordo.http.oidc import Provider

#: Jobs that it does at a time.
_JOBS = 4
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
#: Headers that a page of another origin may send: those of the operations, and of MCP.
_TAKEN = (
    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Prefer", "X-Request-Id",
    "Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID",
)  # fmt: skip
_IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Idempotency key. A repeated request with the same key is executed once and gets the same response.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
}
_DESCRIPTION = """\
Long-term memory for AI agents. Stores every turn word for word and finds the right ones in milliseconds.

Send an API key as `Authorization: Bearer …`. A key gives access to one user's memory, or to one agent's part of it.
Errors are problem+json (RFC 9457). Long lists are paginated: pass the `cursor` of a page to get the next one. A write
with an `Idempotency-Key` is executed only once, even if you repeat it. A change with `If-Match` fails with 412 if the
resource has changed in the meantime.

`x-access` shows who can call an operation: `person` (a signed-in user), `owner` (a user's key), `agent` (also an
agent's key, for its own data), `palace` (also an agent's key created with `--palace`) or `any` (every key)."""


#: What else a server does with its memory as long as it serves.
Beside = Callable[[AsyncMemory], AbstractAsyncContextManager[object]]


def alone(memory: AsyncMemory) -> AbstractAsyncContextManager[object]:
    """Nothing else."""
    return nullcontext()


def application(
    settings: Settings, options: Options, sessions: Sessions | None = None, beside: Beside = alone
) -> FastAPI:
    """The application of a server with these settings. Raises InvalidInput."""
    rates, provider = Rates(options.rate), _provider(settings)
    signed_in = sessions or Sessions(None)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncMemory(settings=settings) as memory:
            identity = Identity(memory, rates, signed_in, provider)
            app.state.gate = Gate(identity.identify, identity.prove, memory)
            worker = await asyncio.to_thread(memory.worker_for_all, _JOBS)
            working = asyncio.create_task(worker.run())
            try:
                async with mcp.served(app), beside(memory):
                    yield
            finally:
                worker.stop()
                with suppress(TimeoutError):
                    async with asyncio.timeout(20):
                        await working

    app = FastAPI(
        title="Ricordo",
        version=__version__,
        description=_DESCRIPTION,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # see _document
        redirect_slashes=False,
        routes=[*operations_of_the_api(), *health.router.routes, *signing.router.routes],
        # Its own would tell of paths, queries and what was wrong with bodies; see ricordo.http.tracing.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.sessions = signed_in
    app.state.rates = rates
    app.state.largest_upload = options.largest_upload
    app.state.largest_folder = options.largest_folder
    problems.install(app)
    app.add_route("/openapi.json", _document(app), include_in_schema=False)
    page.install(app)
    hosts = (*_LOOPBACK, *options.hosts) if options.is_local or options.hosts else None
    sizes = {"largest_body": options.largest_body, "largest_upload": options.largest_upload}
    app.add_middleware(Envelope, hosts=hosts, prefix=options.prefix, **sizes)
    if options.origins:  # around the refusals too, which a page could not read else
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(options.origins),
            allow_methods=["*"],
            allow_headers=_TAKEN,
            expose_headers=["ETag", "Location", "Retry-After", "X-Request-Id", "Idempotency-Replayed"],
        )
    app.add_middleware(Traced)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _provider(settings: Settings) -> Provider | None:
    """The identity provider, where the settings name one."""
    if settings.oidc_issuer is None:
        return None
    from ricordo.http.oidc import Provider  # cryptography, which few servers need

    return Provider.of(settings)


def _document(app: FastAPI) -> Callable[[Request], Awaitable[Response]]:
    """Answers with the document, which is written once: it is large, and everybody may ask for it."""

    @cache
    def written() -> bytes:
        return json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()

    async def document(_: Request) -> Response:
        return Response(written(), media_type="application/json")

    return document


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The document of the application, the same wherever and however it runs."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            license_info=app.license_info,
            routes=app.routes,
        )
        schemas = made["components"]["schemas"]
        fields = problems.ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= {**fields.pop("$defs", {}), "ProblemDetails": fields}
        made["components"]["responses"] = shared = {}
        for path, methods in made["paths"].items():
            for method, operation in methods.items():
                once = is_done_once(operation, method == "get" or bool(operation.get("x-reads")))
                _complete(operation, path.startswith("/v1") and once)
                for status, told in operation["responses"].items():
                    if set(told.get("content", {})) == {problems.MEDIA_TYPE}:
                        shared[f"Problem{status}"] = told
                        operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        app.openapi_schema = made
    return app.openapi_schema


def _complete(operation: dict[str, Any], writes: bool) -> None:
    """Tell what the gate adds to an operation: the header by which a write is done once, and what may come of it."""
    if writes:
        operation.setdefault("parameters", []).append(_IDEMPOTENCY)
        operation["responses"] |= {str(status): told for status, told in problems.responses(409).items()}
    if any(each["name"] == "If-Match" for each in operation.get("parameters", ())):
        operation["responses"] |= {str(status): told for status, told in problems.responses(412).items()}
