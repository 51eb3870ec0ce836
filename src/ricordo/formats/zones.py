"""Time zones as people and programs name them beside a time: `CET`, `PST`, `GMT+2`, `+01:00`."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo

#: Hours ahead of UTC. `EST` and its like are those of North America, as in RFC 5322, and `BST` is British; names that
#: are used for several zones in equal measure, such as `IST`, are not here.
_HOURS = {
    **{"Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2},
    **{"EET": 2, "EEST": 3, "MSK": 3, "SAST": 2, "SGT": 8, "HKT": 8, "AWST": 8, "JST": 9, "KST": 9},
    **{"AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "BRT": -3, "ART": -3, "AST": -4, "ADT": -3},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7},
    **{"AKST": -9, "AKDT": -8, "HST": -10},
}
_NAMES = "|".join(sorted(_HOURS, key=len, reverse=True))

#: A zone, to be put into a pattern.
ZONE = rf"(?:[+-]\d{{2}}:?\d{{2}}|(?:UTC|GMT)\s?[+-]\d{{1,2}}(?::?\d{{2}})?|(?:{_NAMES})(?![A-Za-z]))"

_OFFSET = re.compile(r"(?:UTC|GMT)?\s?(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?")


def zone(text: str | None) -> tzinfo:
    """The zone that `text`, which `ZONE` matched, names; UTC for None."""
    if text is None:
        return UTC
    if text in _HOURS:
        return timezone(timedelta(hours=_HOURS[text])) if _HOURS[text] else UTC
    found = _OFFSET.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a time zone")
    ahead = timedelta(hours=int(found["hours"]) % 24, minutes=int(found["minutes"] or 0) % 60)
    return timezone(-ahead if found["sign"] == "-" else ahead)
