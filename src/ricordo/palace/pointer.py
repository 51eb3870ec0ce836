"""Pointers: the short name of a place in the palace, such as `§ W-042/R-11/D-007`, the same for ever.

Each device of a synced memory has numbers of its own. Another device's pointer begins with its name, such as
`§ laptop/W-042/R-11/D-007`.

W counts a user's wings and R a user's rooms, each in the order in which they were made; D counts the turns of
a room in theirs. Source of the form: the contract's seed 003.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ricordo.errors import InvalidInput

_FORM = re.compile(
    r"§?\s*(?:([^/§\n]{1,200}?)\s*/\s*)?W-?(\d{1,9})(?:\s*/\s*R-?(\d{1,9})(?:\s*/\s*D-?(\d{1,9}))?)?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class Pointer:
    """A wing, a room of it, or a drawer of that; the parts that are not named are None."""

    wing: int
    room: int | None = None
    drawer: int | None = None
    #: The device of a synced memory whose numbers these are; None for this one.
    device: str | None = None

    def __str__(self) -> str:
        text = f"§ {self.device}/W-{self.wing:03}" if self.device else f"§ W-{self.wing:03}"
        if self.room is not None:
            text += f"/R-{self.room:02}"
        if self.drawer is not None:
            text += f"/D-{self.drawer:03}"
        return text

    @classmethod
    def parse(cls, text: str, argument: str = "pointer") -> Pointer:
        """Read a pointer; the § and leading zeros may be left out. Raises InvalidInput, which names the argument."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise InvalidInput(
                argument, f"invalid pointer {text[:80]!r}: expected a pointer such as § W-042/R-11/D-007 or W-042/R-11"
            )
        device, *numbers = match.groups()
        wing, room, drawer = (int(part) if part else None for part in numbers)
        assert wing is not None
        return cls(wing, room, drawer, device)
