"""The date that a statement names, seen from when it was made: "on 9 June", "next Monday", "ab 1. Juli"."""

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta
from functools import cache

from ricordo.text import fold, lazy
from ricordo.text.calendar_words import MONTHS, SHORT_MONTHS, TO_ENGLISH, WEEKDAYS

#: Words of other languages that name something else in a sentence that tells no date.
_NOT_MONTHS = frozenset(["may", "mar", "march"])
_TOMORROW = frozenset(["tomorrow", "morgen", "demain", "manana"])
_YESTERDAY = frozenset(["yesterday", "gestern", "hier", "ayer"])
_NEXT = frozenset(
    ["next", "nachste", "nachsten", "nachster", "nachstes", "prochain", "prochaine", "proximo", "proxima"]
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "ersten": 1, "1er": 1}
_ORDINAL = lazy(rf"\b({'|'.join(_ORDINALS)}) (?:of|de)\b")
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


@cache
def _months() -> dict[str, int]:
    others = {word: MONTHS[english] for word, english in TO_ENGLISH.items() if english in MONTHS}
    return others | MONTHS | SHORT_MONTHS


@cache
def _weekdays() -> dict[str, int]:
    others = {word: WEEKDAYS[english] for word, english in TO_ENGLISH.items() if english in WEEKDAYS}
    return others | WEEKDAYS


@cache
def _patterns() -> list[re.Pattern[str]]:
    months = "|".join(sorted(_months(), key=len, reverse=True))
    number = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.)?"
    year = r"(?:,? (?:of |de |del )?(?P<year>(?:19|20)\d\d))?"
    return [
        re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<number>[01]\d)-(?P<day>[0-3]\d)\b"),
        re.compile(rf"\b{number} (?:of |de )?(?P<month>{months})\b\.?{year}"),
        re.compile(rf"\b(?P<month>{months})\.? (?:the )?{number}\b(?! ?[%$€£:])(?![.,]\d){year}"),
        re.compile(r"\b(?P<day>[0-3]?\d)\.(?P<number>[01]?\d)\.(?:(?P<year>(?:19|20)\d\d))?"),
        re.compile(
            rf"\b(?P<by>in|from|since|until|till|by|end of|im|seit|ab|ende|en|depuis|desde|a partir de|fin) "
            rf"(?P<month>{months})\b{year}"
        ),
    ]


def moment(text: str, said_at: datetime, *, ahead: bool) -> datetime | None:
    """The day that a text names; None where it names none. Without a year it is the next such day with `ahead`, else
    the last."""
    folded = _ORDINAL.sub(lambda match: f"{_ORDINALS[match[1]]} of", fold(text))
    today = said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern in _patterns():
        match = pattern.search(folded)
        if match is not None:
            found = _date(match.groupdict(), today, ahead)
            if found is not None:
                return found
    return _relative(folded.split(), today, ahead)


def _date(parts: dict[str, str | None], today: datetime, ahead: bool) -> datetime | None:
    named = parts.get("month") or ""
    if named in _NOT_MONTHS and not parts.get("day") and not parts.get("by"):
        return None
    month = int(parts.get("number") or 0) or _months().get(named, 0)
    by_end = (parts.get("by") or "") in ("end of", "ende", "fin")
    if not 1 <= month <= 12:
        return None
    for year in [int(year_)] if (year_ := parts.get("year")) else _years(today, ahead):
        last = calendar.monthrange(year, month)[1]
        day = int(parts.get("day") or (last if by_end else 1))
        if not 1 <= day <= last:
            return None
        found = today.replace(year=year, month=month, day=day)
        if parts.get("year") or (found >= today if ahead else found <= today):
            return found
        if parts.get("by") and ahead and (year, month) == (today.year, today.month):
            return found
    return None


def _years(today: datetime, ahead: bool) -> list[int]:
    return [today.year, today.year + 1] if ahead else [today.year, today.year - 1]


def _relative(words: list[str], today: datetime, ahead: bool) -> datetime | None:
    for at, raw in enumerate(words):
        word, before = raw.strip(".,;:!?"), words[at - 1] if at else ""
        if word in _TOMORROW and (word != "morgen" or before not in ("guten", "jeden")):
            return today + timedelta(days=1)
        if word in _YESTERDAY:
            return today - timedelta(days=1)
        if word in _weekdays() and not word.endswith("s"):
            return _weekday(_weekdays()[word], today, ahead or before in _NEXT)
        unit = _DAYS.get(TO_ENGLISH.get(word, word))
        if unit and before in _NEXT:
            return today + timedelta(days=unit)
    return None


def _weekday(wanted: int, today: datetime, ahead: bool) -> datetime:
    if ahead:
        return today + timedelta(days=(wanted - today.weekday()) % 7)
    return today - timedelta(days=(today.weekday() - wanted) % 7)
