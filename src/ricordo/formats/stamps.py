"""Dates and times as people's chat logs write them beside a speaker's name, and the day that runs on beneath them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ricordo.formats.zones import ZONE, zone

_DATE = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
_TIME = rf"\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?(?:\s?{ZONE})?"

#: A stamp, to be put into a pattern: `2025-03-04 18:02`, `2025-03-04T18:02:05Z`, `2025-03-04, 6:02 PM`,
#: `18:02 CET`, `2025-03-04`.
STAMP = rf"(?:{_DATE}(?:(?:T|,?\s+(?:at\s+)?){_TIME})?|{_TIME})"

_PARTS = re.compile(
    r"(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2}))?(?:T|,?\s+(?:at\s+)?)?"
    r"(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    rf"(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?)?(?:\s?(?P<zone>{ZONE}))?)?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:[A-Za-z]{3,9}day,?\s+|[A-Z][a-z]{2},?\s+)?"
_DATES = (
    re.compile(_WEEKDAY + r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"),
    re.compile(_WEEKDAY + _MONTH + r"\s+" + _DAY + r",?\s+(?P<year>\d{4})"),
    re.compile(_WEEKDAY + _DAY + r"\s+" + _MONTH + r",?\s+(?P<year>\d{4})"),
)


@dataclass(frozen=True)
class Stamp:
    """A stamp as it was written, and what it says; a part that it leaves out is None."""

    text: str
    day: tuple[int, int, int] | None
    #: Hour, minute, second, microsecond.
    time: tuple[int, int, int, int] | None
    zone: tzinfo


def stamp(text: str) -> Stamp:
    """Reads what `STAMP` matched; whether such a moment exists is left for `Days.moment` to find out."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text!r} is not a timestamp")
    day = (int(parts["year"]), int(parts["month"]), int(parts["day"])) if parts["year"] else None
    clock = None
    if parts["hour"]:
        hour = int(parts["hour"])
        if parts["half"]:
            hour = hour % 12 + (12 if parts["half"] in "pP" else 0)
        micros = int((parts["fraction"] or "0")[:6].ljust(6, "0"))
        clock = (hour, int(parts["minute"]), int(parts["second"] or 0), micros)
    return Stamp(text, day, clock, zone(parts["zone"]))


def day_of(text: str) -> date | None:
    """The day that `text` names and nothing else: `2025-03-04`, `4 March 2025`, `Tuesday, March 4, 2025`."""
    text = text.strip()
    for pattern in _DATES:
        found = pattern.fullmatch(text)
        if found:
            named = found["month"]
            month = int(named) if named.isdigit() else _month(named)
            try:
                return date(int(found["year"]), month, int(found["day"]))
            except ValueError:
                return None
    return None


def _month(name: str) -> int:
    short = name[:3].lower()
    return _MONTHS.index(short) + 1 if short in _MONTHS else 0


class Days:
    """The day on which the turns of a text are said: set by headings and stamps, running on past midnight."""

    def __init__(self) -> None:
        self._day: date | None = None
        self._last: datetime | None = None

    def begin(self, day: date) -> None:
        """A heading sets the day for the turns after it."""
        self._day = day
        self._last = None

    def moment(self, said: Stamp | None) -> datetime | None:
        """When a turn with this stamp (None: without one) was said; None where nothing tells the day.

        A turn without a stamp on a known day has the moment of the one before, or the day's beginning.
        Raises ValueError where the stamp names no moment that exists.
        """
        if said is None:
            return self._last or self._midnight()
        if said.day is not None:
            self._day = date(*said.day)
            self._last = None
        if said.time is None:
            return self._midnight()
        clock = time(*said.time, tzinfo=said.zone)
        if self._day is None:
            return None
        at = datetime.combine(self._day, clock)
        if said.day is None and self._last is not None and self._last - at > timedelta(hours=12):
            self._day += timedelta(days=1)
            at += timedelta(days=1)
        self._last = at
        return at

    def _midnight(self) -> datetime | None:
        return None if self._day is None else datetime.combine(self._day, time(tzinfo=UTC))
