"""Who asks, and how far that reaches: the one place where it is decided.

Every operation under /v1 is a GuardedRoute, which admits a request before anything of its body is read. An operation is
open to keys of a user; to an agent's key only where it says so (`agent`, `palace` or `any`), and then each id in its
path must be that agent's own, or shared with it. What is closed to a key looks as if it were not there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.routing import APIRoute
from fastapi.security import APIKeyCookie, HTTPBearer

from ricordo.client import AsyncMemory, serving
from ricordo.errors import NotFound
from ricordo.http.idempotency import once
from ricordo.http.problems import Refused, responses
from ricordo.http.versions import refuse_conditions

#: To whom an operation is open: the user who signed in (no key), the user's keys too, an agent's for what is its own,
#: an agent's that has the palace, whoever has a key.
Access = Literal["person", "owner", "agent", "palace", "any"]
_COOKIE = "ricordo_session"
_BEARER = HTTPBearer(auto_error=False, description="An API key, or a JWT from the identity provider.")
_SESSION = APIKeyCookie(
    name=_COOKIE,
    auto_error=False,
    description="A browser that signed in. Where the server's address has a port, `_` and the port end the name.",
)
#: Seconds for which a request may walk through all of a user's rows.
LONGEST_WALK = 60.0
_SAFE = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Holder:
    """What a valid key, token or session stands for."""

    user: str
    #: By which requests are counted, such as `key:…`.
    id: str
    agent: UUID | None = None
    palace: bool = True
    read_only: bool = False
    #: Whether it is a key, and no person who signed in.
    is_key: bool = True


@dataclass(frozen=True)
class Caller:
    """Who asks, with the memory that the request is about."""

    holder: Holder
    memory: AsyncMemory

    @property
    def agent(self) -> UUID | None:
        """The agent whose key it is; None for the user."""
        return self.holder.agent


class Gate:
    """Knows who holds what; the application's, made by ricordo.http.app."""

    def __init__(
        self,
        identify: Callable[[Request], Awaitable[Holder]],
        prove: Callable[[Request, str], Awaitable[Holder]],
        memory: AsyncMemory,
    ) -> None:
        """`identify` tells who asks, `prove` whose key or token a browser signs in with; both raise Refused."""
        self.identify = identify
        self.prove = prove
        self.memory = memory
        #: Users of whom a request walks through all rows.
        self.walking: set[str] = set()


def cookie_name(request: Request) -> str:
    """The name of a browser's session: with the port that it asked at, since browsers keep cookies by host alone, and
    of two servers on one host each would else sign the other one's browsers out."""
    port = re.search(r":(\d+)$", request.headers.get("host", ""))
    return f"{_COOKIE}_{port[1]}" if port else _COOKIE


def access(
    to: Access,
    *,
    reads: bool = False,
    streams: bool = False,
    pays: bool = False,
    secret: bool = False,
    walks: bool = False,
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """For an operation's decorator: to whom it is open, whether a POST only reads, whether its body is too large to be
    held, whether it pays for what it reads, whether its answer is shown once and kept nowhere, whether it walks through
    all of the user's rows, and what else the document tells of it."""
    marks = {"x-reads": reads, "x-streams": streams, "x-pays": pays, "x-secret": secret, "x-walks": walks}
    return {
        "openapi_extra": {"x-access": to, **{name: True for name, is_so in marks.items() if is_so}, **(extra or {})}
    }


def is_done_once(declared: Mapping[str, Any], reads: bool) -> bool:
    """Whether an operation takes an Idempotency-Key."""
    return not declared.get("x-streams") and (not reads or bool(declared.get("x-pays")))


class GuardedRoute(APIRoute):
    """An operation behind the gate."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()
        declared = self.openapi_extra or {}
        to: Access = declared.get("x-access", "owner")
        reads = bool(declared.get("x-reads")) or all(each in _SAFE for each in self.methods or ())
        once_only = is_done_once(declared, reads)
        taken = {each.alias for each in self.dependant.header_params}

        async def guarded(request: Request) -> Response:
            gate: Gate = request.app.state.gate
            holder = await gate.identify(request)
            caller = Caller(holder, gate.memory.of(holder.user))
            request.state.caller = caller
            _require_storable(request)
            if self.body_field is not None:
                _require_json(request)
            if holder.read_only and not reads:
                raise Refused(403, "read-only", "this key is read-only: use another key to make changes")
            if holder.agent is None and to == "person" and holder.is_key:
                raise Refused(
                    404, "out-of-reach", "API keys cannot create or revoke API keys: sign in, or use `ricordo key`"
                )
            if holder.agent is not None:
                await _require_own(caller, holder.agent, to, request.path_params)
                if to == "palace" and not reads and (await caller.memory.agents.get(holder.agent)).is_subagent:
                    raise Refused(403, "read-only", "this key is a subagent's: let its parent store conversations")
            if not reads:
                refuse_conditions(request, taken)
            key = request.headers.get("idempotency-key")
            async with _walking(gate, holder.user) if declared.get("x-walks") else nullcontext():
                if key is None or not once_only:
                    return await answer(request)
                return await once(request, key, holder.id, answer, keeps=not declared.get("x-secret"))

        return guarded


@asynccontextmanager
async def _walking(gate: Gate, user: str) -> AsyncIterator[None]:
    """Let a request walk through all of a user's rows: one at a time for each user, within a bound. Raises Refused."""
    if user in gate.walking:
        detail = "another check of this user's memory is in progress: wait for it to finish"
        raise Refused(429, "busy", detail, {"Retry-After": "5"})
    gate.walking.add(user)
    try:
        async with asyncio.timeout(LONGEST_WALK):
            yield
    except TimeoutError:
        detail = f"the check took longer than {LONGEST_WALK:.0f} s: run `ricordo verify` on the server instead"
        raise Refused(503, "too-long", detail) from None
    finally:
        gate.walking.discard(user)


def strict(*, tags: list[str | Enum], **more: Any) -> APIRouter:
    """A router whose operations reject unknown parameters and are named after their functions.

    What all operations share is declared here. Declaring it on the application would analyze each operation again.
    """
    name = attrgetter("name")
    return APIRouter(tags=tags, dependencies=[Depends(_require_known)], generate_unique_id_function=name, **more)


def guarded(prefix: str = "", *, tags: list[str | Enum]) -> APIRouter:
    """A router under /v1 whose operations are behind the gate. One that is not would find no caller, and fail."""
    told = responses(400, 401, 403, 404, 408, 413, 415, 421, 422, 429, 500, 503)
    return strict(prefix=f"/v1{prefix}", tags=tags, route_class=GuardedRoute, responses=told)


async def _caller(
    request: Request,
    _bearer: Annotated[object, Depends(_BEARER)],
    _cookie: Annotated[object, Depends(_SESSION)],
) -> Caller:
    """The caller, whom the route has admitted; the other arguments are for OpenAPI."""
    caller: Caller = request.state.caller
    return caller


#: A parameter of each operation.
Who = Annotated[Caller, Depends(_caller)]


async def _require_own(caller: Caller, agent: UUID, to: Access, ids: Mapping[str, Any]) -> None:
    """Raise Refused or NotFound for what an agent's key does not reach."""
    if to in ("person", "owner") or (to == "palace" and not caller.holder.palace):
        raise Refused(404, "out-of-reach", "this key is limited to one agent and cannot access this resource")
    for name, value in ids.items():
        if await _owner(caller, agent, name, str(value)) != agent:
            raise NotFound(f"{name} {str(value)[:50]!r} not found")


async def _owner(caller: Caller, agent: UUID, name: str, value: str) -> UUID | None:
    """Whose it is that an id in a path names; None where it is no agent's, or nobody has said how to tell."""
    match name:
        case "agent":
            return (await caller.memory.agents.get(value)).id
        case "memory" | "profile":
            # What of it is open to the agent, and for what, the resource decides, which is told the agent.
            return agent if await serving(caller.memory).reaches(agent, name, _id(name, value)) else None
        case "run" | "proposal" | "operation":
            return await serving(caller.memory).owner_of(name, _id(name, value))
        case "whiteboard":
            members = await caller.memory.whiteboards.members(value)
            return agent if agent in [each.id for each in members] else None
        case "pointer" | "wing" | "room":
            return agent  # the palace is open to this key as a whole
        case "collection":
            return agent  # an agent's key means the agent's own documents
    return None


def _id(name: str, value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError:
        raise NotFound(f"{name} {str(value)[:50]!r} not found") from None


def _require_json(request: Request) -> None:
    """Raise Refused for a body of another type. A browser's form, which pages of other sites may send, is none."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    if has_body and given != "application/json" and not (given.startswith("application/") and given.endswith("+json")):
        raise Refused(415, "unsupported-type", "send JSON with `Content-Type: application/json`")


def _require_known(request: Request) -> None:
    """A dependency of each operation: raise Refused for a parameter of the query that the operation does not have. One
    that is misspelt would narrow nothing, or do what it was to keep from being done."""
    taken = get_flat_params(request.scope["route"].dependant)
    known = {each.alias for each in taken if isinstance(each.field_info, Query)}
    if unknown := sorted(request.query_params.keys() - known):
        named = ", ".join(f"`{each[:60]}`" for each in unknown[:5])
        others = f"expected one of {', '.join(f'`{each}`' for each in sorted(known))}" if known else "it has none"
        fields = [{"field": f"query.{each[:60]}", "problem": "unknown parameter"} for each in unknown]
        raise Refused(422, "invalid-input", f"unknown query parameter {named}: {others}", None, fields[:100])


def _require_storable(request: Request) -> None:
    """Raise Refused for a path or a query that no text in PostgreSQL can equal."""
    texts = [str(each) for each in request.path_params.values()]
    texts += [part for item in request.query_params.multi_items() for part in item]
    if any("\0" in each or any("\ud800" <= half <= "\udfff" for half in each) for each in texts):
        detail = "the path or query contains a NUL character or half of a surrogate pair"
        raise Refused(422, "invalid-input", detail)
