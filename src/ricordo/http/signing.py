"""Signing a browser in, for the web page: by the link that `ricordo serve` prints, or with a key.

The link's token is good once and for a quarter of an hour. It, or the key, becomes a session, whose cookie scripts
cannot read and no other site's page is sent with. A session with a key ends with the key.
"""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from ricordo.http.access import Gate, cookie_name, strict
from ricordo.http.identity import SESSION, Sessions, from_same_origin
from ricordo.http.problems import Refused, responses

router = strict(tags=["signing in"])


class SigningIn(BaseModel):
    """With what a browser signs in."""

    key: str = Field(max_length=10_000, description="An API key, or a JWT of the identity provider.")


class SignedIn(BaseModel):
    """That the browser is signed in; the cookie says as whom."""

    signed_in: bool = True


class SignedOut(BaseModel):
    """That the browser is signed out."""

    signed_out: bool = True


@router.get(
    "/signin", status_code=303, response_class=RedirectResponse, responses=responses(400, 401, 404, 421, 422, 429)
)
async def sign_in(request: Request, token: str) -> Response:
    """Sign in a browser with the token of a printed link, and redirect it to the page."""
    sessions: Sessions = request.app.state.sessions
    if not sessions.have_link:
        raise Refused(404, "not-found", "sign-in links are disabled: sign in with a key")
    guest = f"address:{request.client.host if request.client else ''}"
    session = sessions.sign_in(token)
    if session is None:
        request.app.state.rates.count_failure(guest)
        raise Refused(
            401, "unauthenticated", "this link was already used or has expired: restart `ricordo serve` for a new one"
        )
    answer = RedirectResponse(_root(request), 303, {"Cache-Control": "no-store"})
    _remember(request, answer, session)
    return answer


@router.post("/signin", responses=responses(400, 401, 403, 408, 413, 415, 421, 422, 429))
async def sign_in_with_key(body: SigningIn, request: Request, response: Response) -> SignedIn:
    """Sign in a browser with an API key. The server holds the key for the session; the browser does not store it."""
    if not from_same_origin(request.headers):
        raise Refused(403, "cross-site", "you can sign in only from a page of this server")
    gate: Gate = request.app.state.gate
    holder = await gate.prove(request, body.key)
    if holder.agent is not None:
        raise Refused(403, "agents-key", "this key is limited to one agent: sign in with a user's key")
    response.headers["Cache-Control"] = "no-store"
    sessions: Sessions = request.app.state.sessions
    _remember(request, response, sessions.sign_in_with(body.key))
    return SignedIn()


@router.post("/signout", responses=responses(400, 403, 421))
async def sign_out(request: Request, response: Response) -> SignedOut:
    """End the browser's session."""
    if not from_same_origin(request.headers):
        raise Refused(403, "cross-site", "you can sign out only from a page of this server")
    sessions: Sessions = request.app.state.sessions
    sessions.sign_out(request.cookies.get(cookie_name(request), ""))
    response.delete_cookie(cookie_name(request), path=_root(request))
    return SignedOut()


def _root(request: Request) -> str:
    """The path of the page."""
    return f"{request.scope.get('root_path', '')}/"


def _remember(request: Request, answer: Response, session: str) -> None:
    """Give the browser its session's cookie, which goes by TLS alone where the page came by it."""
    secure = request.headers.get("origin", "").startswith("https:")
    answer.set_cookie(
        cookie_name(request),
        session,
        max_age=int(SESSION),
        path=_root(request),
        httponly=True,
        samesite="strict",
        secure=secure,
    )
