"""Whose key, token or session a request comes with."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import Request

from ricordo.client import AsyncMemory, serving
from ricordo.http.access import Holder, cookie_name
from ricordo.http.problems import Refused
from ricordo.http.rates import Rates

if TYPE_CHECKING:
    from ricordo.http.oidc import Provider

#: Seconds for which a sign-in link is good, and for which a browser stays signed in.
_LINK, SESSION = 900.0, 12 * 3600.0
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="ricordo"'}


@dataclass(frozen=True)
class Session:
    """A browser that signed in: as a user by the link, or with a key or token that is looked at each time."""

    until: float
    user: str | None = None
    token: str = ""


class Sessions:
    """Browsers that signed in, by the link which the server printed or with a key. Kept in this process and gone with
    it."""

    def __init__(self, user: str | None) -> None:
        """`user` is whom the link signs in; None where there is no link."""
        self._user = user
        self._link = ""
        self._until = 0.0
        self._sessions: dict[str, Session] = {}

    @property
    def have_link(self) -> bool:
        """Whether this server signs browsers in by a link."""
        return self._user is not None

    def link(self) -> str:
        """A new token for one sign-in; the one before opens nothing any more."""
        self._link, self._until = secrets.token_urlsafe(32), time.monotonic() + _LINK
        return self._link

    def sign_in(self, token: str) -> str | None:
        """The id of a new session for whoever has the link's token, which is used up; None for another."""
        good = (
            hmac.compare_digest(token.encode(), self._link.encode()) and self._link and time.monotonic() < self._until
        )
        if not good:
            return None
        self._link = ""
        return self._begin(Session(time.monotonic() + SESSION, user=self._user))

    def sign_in_with(self, token: str) -> str:
        """The id of a new session for whoever has shown a valid key or token."""
        return self._begin(Session(time.monotonic() + SESSION, token=token))

    def _begin(self, session: Session) -> str:
        id = secrets.token_urlsafe(32)
        self._sessions = {id: each for id, each in self._sessions.items() if each.until > time.monotonic()}
        self._sessions[id] = session
        return id

    def sign_out(self, session: str) -> None:
        """Forget a session."""
        self._sessions.pop(session, None)

    def find(self, id: str) -> Session | None:
        """The session of this id; None where it is over, or never was."""
        found = self._sessions.get(id)
        return found if found and found.until > time.monotonic() else None


class Identity:
    """Tells by a request's key, token or session who asks, and counts how often."""

    def __init__(self, memory: AsyncMemory, rates: Rates, sessions: Sessions, provider: Provider | None) -> None:
        self._memory = memory
        self._rates = rates
        self.sessions = sessions
        self._provider = provider

    async def identify(self, request: Request) -> Holder:
        """Who asks. Raises Refused."""
        return self._counted(request, await self._holder(request))

    async def prove(self, request: Request, token: str) -> Holder:
        """Whose key or token it is that a browser signs in with. Raises Refused."""
        return self._counted(request, await self.of_token(token.strip()))

    def _counted(self, request: Request, holder: Holder | None) -> Holder:
        if holder is None:
            self._rates.count_failure(f"address:{request.client.host if request.client else ''}")
            raise Refused(
                401,
                "unauthenticated",
                "send a valid key as `Authorization: Bearer …`: create one with `ricordo key create`",
                _CHALLENGE,
            )
        self._rates.count(holder.id)
        return holder

    async def _holder(self, request: Request) -> Holder | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme:
            return await self.of_token(token.strip()) if scheme.lower() == "bearer" else None
        session = self.sessions.find(request.cookies.get(cookie_name(request), ""))
        if session is None:
            return None
        if request.method not in ("GET", "HEAD") and not from_same_origin(request.headers):
            raise Refused(403, "cross-site", "a page of another site cannot make changes with this session")
        if session.user is None:
            return await self.of_token(session.token)
        return Holder(session.user, f"session:{session.user}", is_key=False)

    async def of_token(self, token: str) -> Holder | None:
        """Whose key or identity provider's token it is; None where it is nobody's, or not any more."""
        if self._provider is not None and token.count(".") == 2:
            user = await self._provider.user_of(token)
            return None if user is None else Holder(user, f"user:{user}", is_key=False)
        key = await serving(self._memory).key_of_token(token)
        if key is None:
            return None
        return Holder(key.user, f"key:{key.id}", key.agent_id, key.agent_id is None or key.palace, key.read_only)


def from_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a browser sent the request from a page of this server, or at least says so by no header that it would
    have to send from another."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == headers.get("host")
