"""Moments as chat exports write them, turned into UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from ricordo.formats.zones import ZONE, zone

#: How far ahead of this machine's clock a turn may lie; more is a wrong clock or a wrong unit.
AHEAD = timedelta(days=1)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: What programs write for no time, where their clocks begin: Windows, SQL Server, Go (its zero time in nanoseconds),
#: COM and spreadsheets, NTP, old Macintoshes, Unix.
_BEGINNINGS = {
    datetime(1601, 1, 1, tzinfo=UTC),
    datetime(1753, 1, 1, tzinfo=UTC),
    datetime(1754, 8, 30, 22, 43, 41, tzinfo=UTC),
    datetime(1899, 12, 30, tzinfo=UTC),
    datetime(1900, 1, 1, tzinfo=UTC),
    datetime(1904, 1, 1, tzinfo=UTC),
    _EPOCH,
}
#: The same as epochs, with the beginning of year 1 and the end of 9999: in seconds and milliseconds, Go's in
#: nanoseconds.
_NO_EPOCHS = {
    *(
        str(seconds * unit)
        for seconds in (-62135596800, -11644473600, -2208988800, 253402300799)
        for unit in (1, 1_000)
    ),
    "-6795364578871345152",
}
_DIGITS = re.compile(r"\d{9,19}(?:\.\d{1,9})?")
_SPACED_ZONE = re.compile(rf"\s+(?P<zone>{ZONE})$")


def moment(value: object, now: datetime) -> datetime | None:
    """The moment that `value` tells, in UTC; None for none: null, an empty text, the first day of year 1, which Go and
    .NET write for no time, and the beginnings of other clocks however they are written.

    Text is ISO 8601 (without a zone: UTC; after a blank the zone may have a name such as `CET`) or an epoch in digits;
    a number is an epoch in seconds, or in milliseconds, microseconds or nanoseconds where it is too large for seconds.
    Raises ValueError, whose text completes "the time … ", where it tells none or one more than a day after `now`.
    """
    if value is None or value == "" or (value == 0 and not isinstance(value, bool)):
        return None
    if not isinstance(value, bool | datetime) and str(value).strip() in _NO_EPOCHS:
        return None
    try:
        at = _read(value)
    except (ValueError, OverflowError):
        raise ValueError("is invalid") from None
    if at.replace(microsecond=0) in _BEGINNINGS or at.date() == date.min:
        return None
    if at > now + AHEAD:
        raise ValueError("is in the future")
    return at


def _read(value: object) -> datetime:
    if isinstance(value, datetime):
        at = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        at = _from_epoch(value)
    elif isinstance(value, str):
        at = _from_text(value.strip())
    else:
        raise ValueError
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _from_epoch(value: int | float) -> datetime:
    # 1e11 seconds is the year 5138; as milliseconds it is 1973. NaN fails every comparison.
    if not 0 < value < 1e20:
        raise ValueError
    unit = 1 if value < 1e11 else 1_000 if value < 1e14 else 1_000_000 if value < 1e17 else 1_000_000_000
    return _EPOCH + timedelta(seconds=value / unit)


def _from_text(text: str) -> datetime:
    if _DIGITS.fullmatch(text):
        return _from_epoch(float(text))
    found = _SPACED_ZONE.search(text)
    if found:
        return datetime.fromisoformat(text[: found.start()]).replace(tzinfo=zone(found["zone"]))
    return datetime.fromisoformat(text)
