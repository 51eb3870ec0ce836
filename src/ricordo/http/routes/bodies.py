"""What the bodies of requests have in common."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Query
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    model_validator,
)

from ricordo import cursors
from ricordo.errors import InvalidInput
from ricordo.times import parsed

T = TypeVar("T")

#: Fields that an object may have; an error for each of a million would hold the server up for minutes.
_MOST_FIELDS = 100

#: Numbers and truth values as JSON has them: "5" and 1 are no number and no truth value here.
Whole = StrictInt
Number = StrictFloat
Flag = StrictBool


class _FailFast(FailFast):
    """Pydantic's, but hashable, as an alternative to None has to be."""

    __hash__ = object.__hash__


#: A list that is refused at its first wrong item: an error for each of millions would hold the server up for minutes.
Many = Annotated[list[T], _FailFast()]


def few_fields(value: object) -> object:
    """Refuse an object of too many fields before any of them is looked at."""
    if isinstance(value, dict) and len(value) > _MOST_FIELDS:
        raise ValueError(f"has {len(value):,} fields; the maximum is {_MOST_FIELDS}")
    return value


def _iso(moment: object) -> datetime:
    """A time as it is written; pydantic would read a number as seconds since 1970."""
    return _read(moment, whole_day=False)


def _end(moment: object) -> datetime:
    """The same for the end of a period."""
    return _read(moment, whole_day=True)


def _read(moment: object, whole_day: bool) -> datetime:
    try:
        return parsed("time", str(moment), whole_day=whole_day)
    except InvalidInput as error:
        raise ValueError(error.problem) from None


#: An ISO 8601 time; without a zone it is UTC.
Moment = Annotated[datetime, BeforeValidator(_iso)]
#: The end of a period: a date alone includes that day.
End = Annotated[datetime, BeforeValidator(_end)]
#: How many a list brings.
Limit = Annotated[int, Query(ge=1, le=1000, description="Maximum number of results.")]
Cursor = Annotated[str | None, Query(description="Cursor from the previous page.", max_length=cursors.LONGEST)]
Since = Annotated[Moment | None, Query(description="Only items at or after this time.")]
#: For what tells of runs: what they read and wrote, and their replay.
InRun = Annotated[UUID | None, Query(description="Id of the run to record this under.")]
Until = Annotated[End | None, Query(description="Only items before this time; a date includes that day.")]


class Body(BaseModel):
    """The body of a request. Unknown fields are rejected, so that typos are noticed."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, value: object) -> object:
        return few_fields(value)


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema.get("properties", {}).values():
        field.pop("default", None)


class Partial(Body):
    """The body of a change, in which what is not given stays. Its schema tells no defaults: clients that are made of it
    would send them, and so set what nobody wants to change."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    def given(self) -> dict[str, Any]:
        """The fields that the request has, so that null can be told from nothing."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Reason(Body):
    """The reason for an action."""

    reason: str | None = Field(default=None, max_length=1000)


class Done(BaseModel):
    """Whether the call changed anything."""

    done: bool
