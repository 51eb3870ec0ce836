"""Dates and times as phones write them in the languages of the world, and in which order a file has day, month, year.

A date such as `03/04/21` can be read in two ways. All dates of a file are looked at: an order in which one of them
does not exist, lies ahead of us, or goes back in time is the worse one. Where both are as good, the order is
ambiguous; dots and slashes with a clock of twelve hours then decide, and whoever reads is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple

Order = Literal["day/month/year", "month/day/year", "year/month/day"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words for the halves of the day in the languages that phones speak, without their dots.
_MORNING = _words(
    "am ص قظ 오전 上午 凌晨 早上 清晨 午前 πμ sa öö pd pg de fm dop проб eparadites damanhã damadrugada"
    " पूर्वाह्न मपू முற்பகல்"
)
_EVENING = _words(
    "pm م بظ 오후 下午 晚上 中午 傍晚 午後 μμ ch ös md ptg du em odp слоб epasdites datarde danoite अपराह्न मउ பிற்பகல்"
)
#: A letter, or one of the signs that are written around letters in the scripts of South Asia.
_LETTER = r"(?:(?!\d)[\w\u0900-\u0e7f])"
_HALF = rf"(?:{_LETTER}(?:[.\s]{{0,2}}{_LETTER}){{0,11}}\.?)"

#: Marks of direction, which phones put around names, times and their own lines.
MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_GAP = rf"[\s{MARKS}]"
#: Between the date and the time: a comma, or a word such as German `um`, French `à` and Danish `kl.`.
_AT = r"at|um|kl\.?|klo|klukkan|kell|alle|a las|às|à|om|ob|u|o|о|в|la|lúc|pukul"
_BETWEEN = rf"{_GAP}?(?:г\.)?[,،]?{_GAP}*(?:(?:{_AT})\s+)?"
#: A date and a time, to be put into a pattern; numbers may be in any script.
PHONE_STAMP = (
    rf"(?P<first>\d{{1,4}})[{MARKS}]*(?P<mark>[./-]){_GAP}?(?P<second>\d{{1,2}})[{MARKS}]*[./-]{_GAP}?"
    rf"(?P<third>\d{{1,4}})\.?{_BETWEEN}(?:(?P<before>{_HALF})\s?)?"
    rf"(?P<hour>\d{{1,2}})(?:[:.]|\s?h\s?)(?P<minute>\d{{2}})(?:[:.](?P<second_of>\d{{2}}))?"
    rf"(?:\s?(?P<after>{_HALF}))?"
)
#: Words beside a clock of 24 hours that only say that it is one.
_UNITS = {"uhr", "ч", "h", "น"}
#: Years that a phone's clock can tell.
_YEARS = range(2000, 2100)
#: Before this year there were no such exports: an older one in two digits is a day or a month.
_FIRST_YEAR = 2009
#: Thai phones count from the Buddha's death, Iranian ones by the Persian calendar.
_BUDDHIST = 543
_PERSIAN_YEARS = range(1370, 1425)
#: The first day of the Persian year 1400, and the leap years of the calendar's cycle of 33 years.
_PERSIAN_1400 = date(2021, 3, 21)
_PERSIAN_LEAPS = {1, 5, 9, 13, 17, 22, 26, 30}
_PIECES = re.compile(r"[\s.]+")


class PhoneStamp(NamedTuple):
    """A date and a time as they were written; in which order the date stands is for `Orders` to say."""

    text: str
    numbers: tuple[int, int, int]
    #: How many digits the first number of the date has.
    digits: int
    mark: str
    hour: int
    minute: int
    second: int
    #: True for an evening of a clock of twelve hours, False for a morning, None where all 24 are counted.
    evening: bool | None

    def moment(self, order: Order) -> datetime:
        """The moment in UTC, as phones write no zone; raises ValueError where there is none such."""
        first, second, third = self.numbers
        day, month, year = {
            "day/month/year": (first, second, third),
            "month/day/year": (second, first, third),
            "year/month/day": (third, second, first),
        }[order]
        if year < 100:
            year += 2000
        elif 2400 <= year <= 2700:
            year -= _BUDDHIST
        if year in _PERSIAN_YEARS:
            year, month, day = _from_persian(year, month, day)
        hour = self.hour
        if self.evening is not None and hour <= 12:
            hour = hour % 12 + (12 if self.evening else 0)
        if year not in _YEARS:
            raise ValueError(f"invalid year {year}")
        return datetime(year, month, day, hour, self.minute, self.second, tzinfo=UTC)


def _from_persian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """The Gregorian year, month and day of a Persian date; raises ValueError where there is none such."""

    def length(of_year: int) -> int:
        return 366 if of_year % 33 in _PERSIAN_LEAPS else 365

    last = 31 if month <= 6 else 30 if month < 12 or length(year) == 366 else 29
    if not (1 <= month <= 12 and 1 <= day <= last):
        raise ValueError(f"{year}/{month}/{day} is not a day in the Persian calendar")
    years = sum(map(length, range(1400, year))) - sum(map(length, range(year, 1400)))
    passed = years + 31 * (month - 1) - max(0, month - 7) + day - 1
    found = _PERSIAN_1400 + timedelta(days=passed)
    return found.year, found.month, found.day


def phone_stamp(found: re.Match[str]) -> PhoneStamp | None:
    """What a match of a pattern with `PHONE_STAMP` says; None where a word beside the time is none for a half day."""
    evening: bool | None = None
    for word in (found["before"], found["after"]):
        if word and _folded(word) not in _UNITS:
            known = _half(word)
            if known is None:
                return None
            evening = known
    return PhoneStamp(
        text=found[0],
        numbers=(int(found["first"]), int(found["second"]), int(found["third"])),
        digits=len(found["first"]),
        mark=found["mark"],
        hour=int(found["hour"]),
        minute=int(found["minute"]),
        second=int(found["second_of"] or 0),
        evening=evening,
    )


def _half(word: str) -> bool | None:
    folded = _folded(word)
    return True if folded in _EVENING else False if folded in _MORNING else None


def _folded(word: str) -> str:
    return _PIECES.sub("", word.casefold())


def _may_be(said: PhoneStamp, order: Order, at: datetime) -> bool:
    """Whether the first number has as many digits as the order gives it: `2021` is a year, `21` can be one."""
    if order != "year/month/day":
        return said.digits <= 2
    return said.digits > 2 or (said.digits == 2 and at.year >= _FIRST_YEAR)


@dataclass
class _Tally:
    impossible: int = 0
    backward: int = 0
    last: datetime | None = None

    @property
    def faults(self) -> tuple[int, int]:
        return self.impossible, self.backward


@dataclass
class Orders:
    """Looks at all dates of a file, and keeps none, to say in which order they stand."""

    ahead: datetime = field(default_factory=lambda: datetime.now(UTC) + timedelta(days=1))
    _tallies: dict[Order, _Tally] = field(
        default_factory=lambda: {"day/month/year": _Tally(), "month/day/year": _Tally(), "year/month/day": _Tally()}
    )
    _american: int = 0
    _seen: int = 0

    def add(self, said: PhoneStamp) -> None:
        """Takes the next date of the file."""
        self._seen += 1
        self._american += said.mark == "/" and said.evening is not None
        for order, tally in self._tallies.items():
            try:
                at = said.moment(order)
                if at > self.ahead or not _may_be(said, order, at):
                    raise ValueError
            except (ValueError, OverflowError):
                tally.impossible += 1
                continue
            tally.backward += tally.last is not None and at < tally.last
            tally.last = at

    def decide(self) -> tuple[Order, bool]:
        """The order with the fewest dates that can't be, and whether another one is as good."""
        days, months = self._tallies["day/month/year"], self._tallies["month/day/year"]
        if self._tallies["year/month/day"].impossible < min(days.impossible, months.impossible):
            return "year/month/day", False
        if days.faults != months.faults:
            return ("day/month/year" if days.faults < months.faults else "month/day/year"), False
        return ("month/day/year" if self._american * 2 > self._seen else "day/month/year"), True
