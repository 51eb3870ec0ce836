"""ETag and If-Match: a change that rests on what was read fails where that has changed since."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, TypeVar

from fastapi import Header, Request, Response
from pydantic import AfterValidator

from ricordo.http.problems import Refused
from ricordo.models import ApiModel

N = TypeVar("N", bound=ApiModel)


#: One tag as it was answered. It may be weak: proxies that compress an answer make it so, and what is changed is the
#: model, whose version the tag tells all the same.
_TAG = re.compile(r'(?:W/)?"([!#-~]*)"|([0-9a-f]+)')


def _version(tag: str | None) -> str | None:
    """The version that a tag names; None for `*`, since what is changed is there anyway. Raises ValueError."""
    if tag is None or tag.strip() == "*":
        return None
    found = _TAG.fullmatch(tag.strip())
    if found is None:
        raise ValueError("must be one quoted ETag from a response, or *")
    return found[1] or found[2] or ""


def refuse_conditions(request: Request, taken: Iterable[str]) -> None:
    """Raise Refused for a condition that a change does not look at: done without it, it might undo another's."""
    for name in ("If-Match", "If-None-Match"):
        if name.lower() in request.headers and name not in taken:
            problem = "is not supported by this operation: remove it"
            raise Refused(
                422, "invalid-input", f"{name}: {problem}", fields=[{"field": f"header.{name}", "problem": problem}]
            )


IfMatch = Annotated[
    str | None,
    AfterValidator(_version),
    Header(
        alias="If-Match",
        description="ETag of the version you read. If the resource has changed since, nothing is written (412).",
    ),
]


def tagged(response: Response, item: N) -> N:
    """The model, its version being the answer's ETag."""
    response.headers["ETag"] = f'"{item.version_tag()}"'
    return item
