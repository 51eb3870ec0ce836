"""Signing a browser in by the link that `ricordo serve` prints, for the web page on this machine.

The link's token is good once and for a quarter of an hour. It becomes a cookie that scripts cannot read and that no
other site's page is sent with.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from ricordo.http.access import COOKIE
from ricordo.http.identity import SESSION, Sessions, from_same_origin
from ricordo.http.problems import Refused, responses

router = APIRouter(tags=["signing in"])


class SignedOut(BaseModel):
    """That the browser is signed out."""

    signed_out: bool = True


@router.get("/signin", status_code=303, response_class=RedirectResponse, responses=responses(401, 404, 421, 422, 429))
async def sign_in(request: Request, token: str) -> Response:
    """Sign a browser in, and send it to the page."""
    sessions: Sessions | None = request.app.state.sessions
    if sessions is None:
        raise Refused(404, "not-found", "browsers do not sign in here")
    guest = f"address:{request.client.host if request.client else ''}"
    session = sessions.sign_in(token)
    if session is None:
        request.app.state.rates.count_failure(guest)
        raise Refused(
            401, "unauthenticated", "this link was used or is too old; start `ricordo serve` anew for another"
        )
    answer = RedirectResponse("/", 303, {"Cache-Control": "no-store"})
    answer.set_cookie(COOKIE, session, max_age=int(SESSION), path="/", httponly=True, samesite="strict")
    return answer


@router.post("/signout", responses=responses(403, 421))
async def sign_out(request: Request, response: Response) -> SignedOut:
    """Forget the browser's session."""
    if not from_same_origin(request.headers):
        raise Refused(403, "cross-site", "only a page of this server signs out")
    sessions: Sessions | None = request.app.state.sessions
    session = request.cookies.get(COOKIE)
    if sessions is not None and session:
        sessions.sign_out(session)
    response.delete_cookie(COOKIE, path="/")
    return SignedOut()
