"""What went wrong, as problem+json (RFC 9457): the one table from Ricordo's errors to statuses."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from ricordo import errors

MEDIA_TYPE = "application/problem+json"

#: Status and name of each error's kind, most special class first.
STATUSES: tuple[tuple[type[errors.RicordoError], int, str], ...] = (
    (errors.InvalidInput, 422, "invalid-input"),
    (errors.NotFound, 404, "not-found"),
    (errors.Changed, 412, "changed"),
    (errors.UnreadableSource, 422, "unreadable-source"),
    (errors.CapReached, 402, "cap-reached"),
    (errors.ReplyUnusable, 502, "reply-unusable"),
    (errors.ModelUnavailable, 503, "model-unavailable"),
    (errors.StoreError, 503, "store-unavailable"),
    (errors.RicordoError, 500, "fault"),
)

_TITLES = {
    400: "Invalid request",
    401: "Authentication required",
    402: "Spending cap reached",
    403: "Not allowed with this key",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    408: "Request timeout",
    409: "Conflict with another request",
    412: "Changed meanwhile",
    413: "Request body too large",
    415: "Unsupported media type",
    421: "Unknown host",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal server error",
    502: "Unusable LLM reply",
    503: "Temporarily unavailable",
}

_NO_JSON = "the body is not valid JSON: it is not UTF-8, is nested too deeply, or contains a huge number"

#: What the framework says where it says nothing but the status.
_UNTOLD = {
    "Not Found": "path not found: GET /openapi.json lists all operations",
    "Method Not Allowed": "method not allowed for this path: the header Allow lists the allowed methods",
}

log = logging.getLogger("ricordo.http")


class InvalidField(BaseModel):
    """Something in the request that breaks a rule."""

    field: str = Field(description="Location of the problem, such as `body.confidence`.")
    problem: str


class ProblemDetails(BaseModel):
    """Why a request was not done."""

    type: str = Field(description="`urn:ricordo:problem:` followed by the kind of problem, such as `not-found`.")
    title: str
    status: int
    detail: str = Field(description="What is wrong and what to do.")
    request_id: str = Field(description="Id of the request in the server's log.")
    errors: list[InvalidField] = Field(default_factory=list, description="Problems by field.")


class Refused(Exception):
    """A request that the server refuses by itself, before it asks the memory."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        headers: Mapping[str, str] | None = None,
        fields: list[dict[str, str]] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers = dict(headers or {})
        self.fields = fields


def problem(
    request_id: str,
    status: int,
    kind: str,
    detail: str,
    headers: Mapping[str, str] | None = None,
    fields: list[dict[str, str]] | None = None,
) -> Response:
    """The answer that tells of a problem."""
    body = {
        "type": f"urn:ricordo:problem:{kind}",
        "title": _TITLES.get(status, "Not done"),
        "status": status,
        "detail": detail,
        "request_id": request_id,
        "errors": fields or [],
    }
    # In ASCII: a message may quote half of a surrogate pair.
    return Response(json.dumps(body).encode(), status, {**(headers or {}), "Cache-Control": "no-store"}, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Let every error leave as a problem."""
    app.add_exception_handler(errors.RicordoError, _ours)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that an operation may answer with, for OpenAPI."""
    schema = {"$ref": "#/components/schemas/ProblemDetails"}
    return {
        status: {"description": _TITLES[status], "content": {MEDIA_TYPE: {"schema": schema}}} for status in statuses
    }


def request_id(request: Request) -> str:
    """The id that the request has, or was given."""
    return str(request.scope.get("ricordo.request_id", ""))


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.RicordoError)
    status, kind = next((status, kind) for of, status, kind in STATUSES if isinstance(error, of))
    if status >= 500:
        log.warning("request %s: %s", request_id(request), error)
    fields = None
    if isinstance(error, errors.InvalidInput):
        fields = [{"field": error.field, "problem": str(error).removeprefix(f"{error.field}: ")}]
    headers = {"Retry-After": "5"} if status == 503 else None
    return problem(request_id(request), status, kind, errors.told_afar(error), headers, fields)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(request_id(request), error.status, error.kind, error.detail, error.headers, error.fields)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    # Without what was given: it may be a secret, and the client has it.
    found = [_told(each) for each in error.errors()]
    detail = "; ".join(f"{each['field']}: {each['problem']}" for each in found[:5])
    return problem(request_id(request), 422, "invalid-input", detail, fields=found[:100])


#: Plain words for validation errors of requests, by the beginning of the error's type.
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of this request",
    "string_type": "must be a string",
    "int_": "must be an integer",
    "float_": "must be a number",
    "decimal_": "must be a decimal number",
    "bool_": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_": "must be an object",
    "model_": "must be an object",
    "uuid_": "must be a UUID, such as 01a22af0-61d8-706b-a907-c9e7107e08be",
    "datetime_": "must be a time in ISO 8601, such as 2026-03-04T18:02:00+01:00",
    "greater_than_equal": "must be at least {ge:,}",
    "less_than_equal": "must be at most {le:,}",
    "greater_than": "must be more than {gt:,}",
}


def _told(found: Mapping[str, Any]) -> dict[str, str]:
    if found["type"] == "json_invalid":
        why = found.get("ctx", {}).get("error", "cannot be read")
        return {"field": "body", "problem": f"is not valid JSON: {why}, at character {found['loc'][-1]}"}
    where = ".".join(map(str, _given(found["loc"])))
    for kind, words in _WORDS.items():
        if found["type"].startswith(kind):
            return {"field": where, "problem": words.format(**found.get("ctx", {}))}
    problem = str(found["msg"]).removeprefix("Value error, ")
    return {"field": where, "problem": problem.replace("Input should be", "must be", 1)}


def _given(path: Sequence[str | int]) -> Sequence[str | int]:
    """A path without what names the alternative of a type that was tried, such as `literal['a','b']`."""
    return [each for each in path if not (isinstance(each, str) and "[" in each)]


async def _http(request: Request, error: Exception) -> Response:
    """What the framework refuses: paths and methods that are not there, bodies that are no JSON."""
    assert isinstance(error, HTTPException)
    kind = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}.get(error.status_code, "refused")
    unread = (
        error.status_code == 400 and error.detail == "There was an error parsing the body"
    )  # FastAPI's, of all of these
    detail = _NO_JSON if unread else _UNTOLD.get(str(error.detail), str(error.detail))
    return problem(request_id(request), error.status_code, kind, detail, error.headers)
