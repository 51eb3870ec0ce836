"""What a coding assistant puts into the user's mouth, taken off what the user typed before or after it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Injected:
    """The marks of one program. `tags` is a pattern for the names of its elements, such as `ide_\\w+`; `notes` one for
    how its own sentences begin, which take the whole text."""

    tags: str
    notes: str

    def without(self, text: str) -> str:
        """What is left when the program's elements at both ends are taken off; '' where nothing was typed."""
        left = text.strip()
        while True:
            if self._note.match(left):
                return ""
            found = self._ahead.match(left)
            if found is not None:
                left = left[found.end() :].lstrip()
                continue
            if self._begins.match(left):
                return ""  # an element that does not end
            found = self._behind.search(left) if left.endswith(">") else None
            if found is None:
                return text if left == text.strip() else left
            left = left[: found.start()].rstrip()

    @cached_property
    def _note(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.notes})")

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        return re.compile(rf"<(?:{self.tags})(?:\s[^<>]*)?/?>", re.IGNORECASE)

    @cached_property
    def _ahead(self) -> re.Pattern[str]:
        return re.compile(rf"<(?P<tag>{self.tags})(?:\s[^<>]*)?(?:/>|>.*?</(?P=tag)\s*>)", re.IGNORECASE | re.DOTALL)

    @cached_property
    def _behind(self) -> re.Pattern[str]:
        # The last element: between its tags no other of its name begins.
        return re.compile(
            rf"<(?P<tag>{self.tags})(?:\s[^<>]*)?>(?:(?!<(?P=tag)\b).)*</(?P=tag)\s*>\Z", re.IGNORECASE | re.DOTALL
        )
