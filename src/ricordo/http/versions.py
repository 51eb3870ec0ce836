"""ETag and If-Match: a change that rests on what was read fails where that has changed since."""

from __future__ import annotations

from typing import Annotated, TypeVar

from fastapi import Header, Response
from pydantic import AfterValidator

from ricordo.nouns import Noun

N = TypeVar("N", bound=Noun)


def _version(tag: str | None) -> str | None:
    """The version that a tag names; None for `*`, since what is changed is there anyway."""
    if tag is None or tag.strip() == "*":
        return None
    return tag.strip().removeprefix("W/").strip('"')


IfMatch = Annotated[
    str | None,
    AfterValidator(_version),
    Header(alias="If-Match", description="The ETag of what was read: another version is not changed (412)."),
]


def tagged(response: Response, noun: N) -> N:
    """The noun, its version being the answer's ETag."""
    response.headers["ETag"] = f'"{noun.version_tag()}"'
    return noun
