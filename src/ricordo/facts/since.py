"""Since when something holds, where a turn tells: "in March 2024", "two years ago". Not for questions (recall.when)."""

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta
from functools import cache

_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}


@cache
def _pattern() -> re.Pattern[str]:
    months, counts = "|".join(_MONTHS), "|".join(_COUNTS)
    return re.compile(
        rf"\b(?:(?P<count>\d{{1,2}}|{counts})\s(?P<unit>day|week|month|year)s?\sago"
        r"|(?P<last>last)\s(?P<span>week|month|year)|(?P<day>yesterday|today)"
        rf"|(?:in|since|until|till|from)\s(?:(?P<month>{months})(?:,?\s(?P<of>(?:19|20)\d\d))?|(?P<year>(?:19|20)\d\d)))\b",
        re.IGNORECASE,
    )


def since(text: str, said_at: datetime) -> datetime | None:
    """The moment that the words name, seen from when they were said; None where they name none, or one to come."""
    match = _pattern().search(text[:80])
    if match is None:
        return None
    midnight = said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        moment = _moment(match, midnight)
    except (ValueError, OverflowError):
        return None
    return moment if moment <= said_at else None


def _moment(match: re.Match[str], today: datetime) -> datetime:
    if match["count"]:
        count = match["count"].lower()
        return today - timedelta(days=(_COUNTS.get(count) or int(count)) * _DAYS[match["unit"].lower()])
    if match["last"]:
        return today - timedelta(days=_DAYS[match["span"].lower()])
    if match["day"]:
        return today - timedelta(days=match["day"].lower() == "yesterday")
    if match["year"]:
        return today.replace(year=int(match["year"]), month=1, day=1)
    month = _MONTHS.index(match["month"].lower()) + 1
    year = int(match["of"]) if match["of"] else today.year - (month > today.month)
    return today.replace(year=year, month=month, day=1)
