"""Times: parsing ISO 8601, in UTC without a zone, and the days of a zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

from ricordo.errors import InvalidInput, quoted

_DATE = re.compile(r"\d{4}-?(\d{2}-?\d{2}|W\d{2}(-?\d)?)")
_EXAMPLE = "2026-03-04 or 2026-03-04T18:02:00+01:00"


def zoned(field: str, moment: object) -> datetime:
    """A datetime with its zone, or in UTC if it has none. Raises InvalidInput with the field's name for other types and
    for times outside the years 1 to 9999 in UTC."""
    if not isinstance(moment, datetime):
        raise InvalidInput(field, f"must be a datetime, not {quoted(moment)}")
    told = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        told.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{moment.isoformat()} is outside the years 1 to 9999 in UTC") from None
    return told


def within(moment: datetime, zone: tzinfo) -> datetime:
    """A moment in a zone. Where the zone's clock is before the year 1 or after 9999, it is that of UTC."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return moment.astimezone(UTC).replace(tzinfo=zone)


def day(moment: datetime, zone: tzinfo) -> str:
    """A day in a zone, as text. A date that a turn named is midnight UTC, and stays that date everywhere."""
    utc = moment.astimezone(UTC)
    return f"{utc if utc.time() == time() else within(moment, zone):%Y-%m-%d}"


def parsed(field: str, text: str, *, whole_day: bool = False) -> datetime:
    """Parses a time in ISO 8601. A date alone means the start of that day, or its end with `whole_day`. Raises
    InvalidInput with the field's name."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(field, f"invalid time {quoted(text)}: expected ISO 8601, such as {_EXAMPLE}") from None
    if whole_day and _DATE.fullmatch(text.strip()):
        try:
            moment += timedelta(days=1)
        except OverflowError:
            raise InvalidInput(field, f"invalid date {quoted(text)}: expected a date before 9999-12-31") from None
    return zoned(field, moment)
