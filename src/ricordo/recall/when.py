"""Time expressions in a question → the span of days that it asks about, and how near a moment is to it.

English expressions, anchored to the moment when the question is asked. A span says where the talk about a
thing is likely to stand: people tell of an event on the day or within some days after it.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"a": 1, "an": 1, "a couple of": 2, "a few": 3}
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.25}
#: How many days off "N units ago" may be.
_SLACK: dict[str, Callable[[int], int]] = {
    "day": lambda count: 1,
    "week": lambda count: 3 + count // 3,
    "month": lambda count: 10 + 2 * count,
    "year": lambda count: 60,
}
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 14)}
#: People come to talk of a dated event up to this many days later.
_TOLD_LATER = timedelta(days=10)

_COUNT = r"(\d{1,3}|a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MONTH = "|".join(_MONTHS)
_AGO = re.compile(rf"(?<!how many )\b{_COUNT}\s+(day|week|month|year)s?\s+ago\b")
_LAST_N = re.compile(rf"\b(?:last|past|previous)\s+{_COUNT}\s+(day|week|month|year)s?\b")
_WEEKDAY = re.compile(rf"\b(?:last|past|previous|on)\s+({'|'.join(_WEEKDAYS)})\b")
_NEAR_DAY = re.compile(r"\b(today|yesterday|the day before yesterday)\b")
_CURRENT = re.compile(r"\b(last|past|previous|this)\s+(week|weekend|month|year)\b")
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_DATE = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?({_MONTH})\b(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?"
    r",?\s*(?:(?:of\s+)?((?:19|20)\d\d)\b)?"
)
_SEASON = re.compile(rf"\b(?:(last|this)\s+)?({'|'.join(_SEASONS)})\b(?:\s+(?:of\s+)?((?:19|20)\d\d))?")
_YEAR = re.compile(r"\b(?:in|during|of|since|by)\s+((?:19|20)\d\d)\b")
#: Months that are words too count only behind one of these.
_BEFORE_MONTH = re.compile(r"\b(?:in|of|on|during|since|by|until|last|this|early|late|mid|and)[\s-]+$")


@dataclass(frozen=True)
class Span:
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    def nearness(self, day: date) -> float:
        """1 inside, falling to 0 over a quarter of the span's length (three days at least) outside."""
        if self.first <= day <= self.last:
            return 1.0
        off = (self.first - day if day < self.first else day - self.last).days
        return max(0.0, 1 - off / max(3.0, (self.last - self.first).days / 4))


def span_of(question: str, today: date) -> Span | None:
    """The span that a question asks about; None where it names no time.

    Raises nothing: an impossible date (31 June) is no time.
    """
    text = " ".join(question.lower().split())
    for rule in (_ago, _last_n, _weekday, _near_day, _current, _dates, _season, _year):
        if (found := _safely(rule, text, today)) is not None:
            return found
    return None


def _safely(rule: Callable[[str, date], Span | None], text: str, today: date) -> Span | None:
    try:
        return rule(text, today)
    except (ValueError, OverflowError):  # no such day, or before the calendar begins
        return None


def _ago(text: str, today: date) -> Span | None:
    if not (match := _AGO.search(text)):
        return None
    count, unit = _number(match[1]), match[2]
    day = today - timedelta(days=count * _DAYS[unit])
    slack = timedelta(days=_SLACK[unit](count))
    return Span(day - slack, day + slack)


def _last_n(text: str, today: date) -> Span | None:
    if not (match := _LAST_N.search(text)):
        return None
    return Span(today - timedelta(days=_number(match[1]) * _DAYS[match[2]] + 1), today)


def _weekday(text: str, today: date) -> Span | None:
    if not (match := _WEEKDAY.search(text)):
        return None
    back = (today.weekday() - _WEEKDAYS[match[1]]) % 7 or 7
    day = today - timedelta(days=back)
    return Span(day - timedelta(days=1), day + timedelta(days=1))


def _near_day(text: str, today: date) -> Span | None:
    if not (match := _NEAR_DAY.search(text)):
        return None
    back = {"today": 0, "yesterday": 1}.get(match[1], 2)
    return Span(today - timedelta(days=back + (back > 0)), today - timedelta(days=max(0, back - 1)))


def _current(text: str, today: date) -> Span | None:
    if not (match := _CURRENT.search(text)):
        return None
    this, unit = match[1] == "this", match[2]
    if unit == "year":
        year = today.year - (not this)
        return Span(date(year, 1, 1), today if this else date(year, 12, 31))
    if unit == "month":
        return Span(today.replace(day=1), today) if this else Span(today - timedelta(days=45), today)
    reach = {"week": (7, 14), "weekend": (3, 9)}[unit][not this]
    return Span(today - timedelta(days=reach), today - timedelta(days=0 if this or unit == "week" else 1))


def _dates(text: str, today: date) -> Span | None:
    """Every date that is named, from the first to the last; a month without a year is the newest that began."""
    spans = [_month(int(year), int(month), int(day) if day else None) for year, month, day in _ISO.findall(text)]
    for match in _DATE.finditer(text):
        before, month, after, year = match.groups()
        day = before or after
        if month in ("may", "march") and not (day or year or _BEFORE_MONTH.search(text[: match.start()])):
            continue
        number = _MONTHS[month]
        begun = (number, int(day or 1)) <= (today.month, today.day)
        spans.append(_month(int(year) if year else today.year - (not begun), number, int(day) if day else None))
    if not spans:
        return None
    return Span(min(span.first for span in spans), max(span.last for span in spans))


def _month(year: int, month: int, day: int | None) -> Span:
    if day:
        return Span(date(year, month, day) - timedelta(days=2), date(year, month, day) + _TOLD_LATER)
    return Span(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]) + _TOLD_LATER)


def _season(text: str, today: date) -> Span | None:
    if not (match := _SEASON.search(text)) or not (match[1] or match[3]):
        return None
    first, last = _SEASONS[match[2]]
    year = int(match[3]) if match[3] else today.year - (first > today.month or match[1] == "last")
    end = date(year + last // 13, (last - 1) % 12 + 1, 28)
    return Span(date(year, first, 1), end + _TOLD_LATER)


def _year(text: str, today: date) -> Span | None:
    if not (match := _YEAR.search(text)):
        return None
    return Span(date(int(match[1]), 1, 1), date(int(match[1]), 12, 31) + _TOLD_LATER)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]
