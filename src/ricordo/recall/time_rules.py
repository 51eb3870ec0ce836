"""One rule for each kind of time expression: what it looks like, and the span of days that it stands for.

The text is folded and in English words (see ricordo.recall.when). A rule gets the match, the words before it and
today; it answers None where the match is no time, and raises ValueError or OverflowError for days that do not exist.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from ricordo.text import lazy
from ricordo.text.calendar_words import COUNTS, HOLIDAYS, MONTHS, SEASONS, SHORT_MONTHS, WEEKDAYS

#: The days of a unit.
DAYS = {"minute": 0.0, "hour": 0.0, "day": 1.0, "week": 7.0, "month": 30.4, "year": 365.25}
#: How many days off "N units ago" may be.
_SLACK: dict[str, Callable[[int], int]] = {
    "minute": lambda count: 0,
    "hour": lambda count: 1,
    "day": lambda count: 1,
    "week": lambda count: 3 + count // 3,
    "month": lambda count: 10 + 2 * count,
    "year": lambda count: 60,
}
#: People come to talk of a dated event up to this many days later.
_TOLD_LATER = timedelta(days=10)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


#: A count, as one group; the words of units and weekdays, without groups.
COUNT = rf"(?<![\d.,])(\d{{1,3}}|{_any(COUNTS)})"
UNIT = _any([*DAYS, "weekend"])
WEEKDAY = _any(WEEKDAYS)
_YEAR = r"(?:19|20)\d\d"
_MONTH = _any({**MONTHS, **SHORT_MONTHS})
_DATED = rf"(?:,?\s*(?:(?:of|in)\s+)?(?:the year\s+)?\b({_YEAR})\b)?"
#: Months that are other words too count only behind one of these, or with a day or a year.
_BEFORE_MONTH = lazy(
    r"(?:\b(?:in|of|during|since|by|until|till|before|after|around|from|between|last|this|early|late|mid)|"
    rf"\b(?:{_MONTH})\s+(?:and|or|to|through|until))[\s-]+$"
)
_BEFORE_NAME = lazy(r"\b(?:did|does|has|had|with)\s+$")
_BEFORE_WEEKDAY = lazy(r"\b(?:last|past|previous|on|am|this|since|until|before|after|by)\s+$")
_BEFORE_SEASON = lazy(r"\b(?:in|over|during|since|until|before|after|last|this)\s+(?:the\s+)?$")
_BEFORE_HOLIDAY = lazy(r"\b(?:on|at|around|over|during|since|until|before|after|last|this|an|zu)\s+$")
_BEFORE_YEAR = lazy(r"\b(?:in|during|of|since|by|until|before|after|around|the year)\s+$")


@dataclass(frozen=True)
class Span:
    """The days from `first` to `last`, both included."""

    first: date
    last: date
    #: The days that the words name, where people may tell of them on others too; None where these are all of them.
    named: tuple[date, date] | None = None

    @property
    def exact(self) -> tuple[date, date]:
        """The first and the last day that the words name."""
        return self.named or (self.first, self.last)

    def names(self, day: date) -> bool:
        """Whether the words name this day."""
        first, last = self.exact
        return first <= day <= last

    def nearness(self, day: date) -> float:
        """1 inside, falling to 0 over a quarter of the span's length (3 to 92 days) outside."""
        if self.first <= day <= self.last:
            return 1.0
        off = (self.first - day if day < self.first else day - self.last).days
        return max(0.0, 1 - off / min(92.0, max(3.0, (self.last - self.first).days / 4)))


def _ago(match: re.Match[str], before: str, today: date) -> Span:
    count, unit = number_of(match[1]), match[2]
    if unit == "weekend":
        return _weekend(count, today)
    day = today - timedelta(days=count * DAYS[unit])
    slack = timedelta(days=_SLACK[unit](count))
    return Span(day - slack, min(day + slack, today), (day, day) if unit == "day" else None)


def _last_n(match: re.Match[str], before: str, today: date) -> Span:
    count, unit = max(1, number_of(match[1] or "a few")), match[2]
    if unit == "weekend":
        return Span(_weekend(count, today).first, _weekend(1, today).last)
    return Span(today - timedelta(days=count * DAYS[unit] + 1), today)


def _weekend(count: int, today: date) -> Span:
    """The Saturday and Sunday so many weekends ago, and a day on each side."""
    back = (today.weekday() - 5) % 7
    saturday = today - timedelta(days=(back if back > 1 else back + 7) + 7 * (count - 1))
    return Span(saturday - timedelta(days=1), saturday + timedelta(days=2), (saturday, saturday + timedelta(days=1)))


def _weekday(match: re.Match[str], before: str, today: date) -> Span | None:
    if not _BEFORE_WEEKDAY.search(before):
        return None
    back = (today.weekday() - WEEKDAYS[match[1]]) % 7 or 7
    day = today - timedelta(days=back)
    return Span(day - timedelta(days=1), day + timedelta(days=1), (day, day))


def _near_day(match: re.Match[str], before: str, today: date) -> Span:
    if match[1] in ("today", "tonight") or match[1].startswith("this"):
        return Span(today, today)
    back = 2 if match[1].startswith("day") else 1
    day = today - timedelta(days=back)
    return Span(day - timedelta(days=1), day + timedelta(days=1), (day, day))


def _current(match: re.Match[str], before: str, today: date) -> Span:
    this, unit = match[1] == "this", match[2]
    if unit == "month":
        first = today.replace(day=1)
        before_it = first - timedelta(days=1)
        if this:
            return Span(first, today)
        return Span(today - timedelta(days=45), today, (before_it.replace(day=1), before_it))
    reach = {"week": (7, 14), "weekend": (3, 9)}[unit][not this]
    last = today - timedelta(days=0 if this or unit == "week" else 1)
    monday = today - timedelta(days=today.weekday() + (0 if this else 7))
    named = (monday, monday + timedelta(days=6))
    if unit == "weekend":
        named = monday + timedelta(days=5), monday + timedelta(days=6)
    return Span(today - timedelta(days=reach), last, named)


def _iso(match: re.Match[str], before: str, today: date) -> Span:
    return _month(int(match[1]), int(match[2]), int(match[3] or 0))


def _german_date(match: re.Match[str], before: str, today: date) -> Span:
    return _month(int(match[3]), int(match[2]), int(match[1]))


def _date(match: re.Match[str], before: str, today: date) -> Span | None:
    """A day or a month; without a year it is in the only year that is named, else the newest that began."""
    part, first, month, second, year = match.groups()
    day = int(first or second or 0)
    if not (day or year) and not _is_month(month, before + (part or "")):
        return None
    number = {**MONTHS, **SHORT_MONTHS}[month]
    named = {year} if year else set(re.findall(rf"\b{_YEAR}\b", match.string))
    chosen = int(named.pop()) if len(named) == 1 else _newest(number, day or 1, today)
    span = _month(chosen, number, day)
    if part is None or day:
        return span
    begin, end = {"early": (1, 12), "mid": (8, 22), "late": (19, None)}[part.rstrip(" -")]
    exact = date(chosen, number, begin), date(chosen, number, end) if end else span.exact[1]
    return Span(exact[0], exact[1] + _TOLD_LATER, exact)


def _is_month(word: str, before: str) -> bool:
    """Whether a month's name, alone, is the month: it may be a person's, or another word."""
    if word in ("may", "march") or word in SHORT_MONTHS:
        return _BEFORE_MONTH.search(before) is not None
    return _BEFORE_NAME.search(before) is None


def _newest(month: int, day: int, today: date) -> int:
    """The newest year in which that day has come. Raises ValueError where there is no such day."""
    for year in range(today.year, max(0, today.year - 9), -1):  # 29 February may be eight years away
        if day <= calendar.monthrange(year, month)[1] and date(year, month, day) <= today:
            return year
    raise ValueError(f"month {month} has no day {day}")


def _month(year: int, month: int, day: int) -> Span:
    """A month, or a day of it where `day` is not 0."""
    if day:
        named = date(year, month, day)
        return Span(named - timedelta(days=2), named + _TOLD_LATER, (named, named))
    return _months(year, month, month)


def _months(year: int, first: int, last: int) -> Span:
    """From one month's beginning to another's end; months above 12 are in the year after."""
    year_of_last, last = year + (last - 1) // 12, (last - 1) % 12 + 1
    end = date(year_of_last, last, calendar.monthrange(year_of_last, last)[1])
    return Span(date(year, first, 1), end + _TOLD_LATER, (date(year, first, 1), end))


def _season(match: re.Match[str], before: str, today: date) -> Span | None:
    """A season of a year; without one the newest that began, and behind "last" the newest that is over."""
    first, last = SEASONS[match[1]]
    if match[2]:
        return _months(int(match[2]), first, last)
    if not _BEFORE_SEASON.search(before):
        return None
    spans = [_months(today.year - back, first, last) for back in range(3)]
    over = before.endswith("last ")
    return next(span for span in spans if (span.last - _TOLD_LATER if over else span.first) < today)


def _quarter(match: re.Match[str], before: str, today: date) -> Span:
    quarter = int(match[1] or ("first", "second", "third", "fourth").index(match[2]) + 1)
    first = 3 * quarter - 2
    year = int(match[3]) if match[3] else _newest(first, 1, today)
    return _months(year, first, first + 2)


def _holiday(match: re.Match[str], before: str, today: date) -> Span | None:
    if not (match[2] or _BEFORE_HOLIDAY.search(before)):
        return None
    month, day, days = HOLIDAYS[match[1]]
    year = int(match[2]) if match[2] else _newest(month, day, today)
    return Span(date(year, month, day), date(year, month, day) + timedelta(days=days))


def _year(match: re.Match[str], before: str, today: date) -> Span | None:
    return _months(int(match[1]), 1, 12) if _BEFORE_YEAR.search(before) else None


def number_of(word: str) -> int:
    """The number that COUNT matched."""
    return int(word) if word.isdigit() else COUNTS[word]


#: Tried in this order; the first that finds a time is the one that counts.
RULES: list[tuple[re.Pattern[str], Callable[[re.Match[str], str, date], Span | None]]] = [
    (lazy(rf"\b{COUNT}\s+({UNIT})s?\s+ago\b"), _ago),
    (lazy(rf"\bbefore\s+{COUNT}\s+({UNIT})s?\b(?!\s+of)"), _ago),  # as in German
    (lazy(rf"\b(?:last|past|previous)\s+{COUNT}\s+({UNIT})s?\b"), _last_n),
    (lazy(rf"\b(?:in|over|during|within)\s+(?:the\s+)?(?:last|past)()\s+({_any(DAYS)})s\b(?!\s+of)"), _last_n),
    (lazy(rf"\b({_YEAR})[-/](\d\d)(?:[-/](\d\d))?\b"), _iso),
    (lazy(rf"\b(\d{{1,2}})\.(\d{{1,2}})\.({_YEAR})\b"), _german_date),
    (
        lazy(
            rf"\b((?:early|mid|late)[\s-]+)?(?:(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?({_MONTH})\b\.?"
            rf"(?:\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:]?\d))?{_DATED}"
        ),
        _date,
    ),
    (lazy(rf"\b({WEEKDAY})\b"), _weekday),
    (
        lazy(r"\b(today|tonight|yesterday|day before yesterday|this (?:morning|afternoon|evening)|last night)\b"),
        _near_day,
    ),
    (lazy(r"\b(last|past|previous|this)\s+(week|weekend|month)\b"), _current),
    (lazy(rf"\b({_any(SEASONS)})\b{_DATED}"), _season),
    (lazy(rf"\b(?:q([1-4])|(first|second|third|fourth) quarter)\b{_DATED}"), _quarter),
    (lazy(rf"\b({_any(HOLIDAYS)})\b{_DATED}"), _holiday),
    (lazy(rf"\b({_YEAR})\b"), _year),
]
