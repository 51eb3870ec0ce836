"""Moments as callers give them: with a zone, or taken as UTC; written in ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from ricordo.errors import InvalidInput, quoted

_DATE = re.compile(r"\d{4}-?(\d{2}-?\d{2}|W\d{2}(-?\d)?)")
_EXAMPLE = "2026-03-04 or 2026-03-04T18:02:00+01:00"


def zoned(field: str, moment: object) -> datetime:
    """A moment with its zone, UTC where it has none. Raises InvalidInput, naming the field, for what is no datetime,
    and for one that no other zone could tell."""
    if not isinstance(moment, datetime):
        raise InvalidInput(field, f"must be a time, not {quoted(moment)}")
    told = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        told.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC") from None
    return told


def parsed(field: str, text: str, *, whole_day: bool = False) -> datetime:
    """A moment that is written in ISO 8601. A bare date is its first moment, or with `whole_day` the end of that day,
    for what is before a moment. Raises InvalidInput, naming the field."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(field, f"{quoted(text)} is no time; one looks like {_EXAMPLE}") from None
    if whole_day and _DATE.fullmatch(text.strip()):
        try:
            moment += timedelta(days=1)
        except OverflowError:
            raise InvalidInput(field, f"{quoted(text)} is the calendar's last day, which has no end") from None
    return zoned(field, moment)
