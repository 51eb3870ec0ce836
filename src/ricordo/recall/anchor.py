"""Times told by an event: "since I moved", "after the race", "two weeks before the trip", "nach dem Umzug".

Here is only what the words say. Which day the event was on is looked up in what was said (ricordo.recall.ranking).
English and German, on folded text (ricordo.text.terms.fold).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from ricordo.recall.time_rules import COUNT, DAYS, Span, number_of

#: How long after an event "after" reaches, and before it "before"; and how exact "two weeks before" is, in days.
_NEAR, _SLACK = 14, 4
_SINCE, _AFTER = ("since", "seit", "seitdem"), ("after", "nachdem", "nach")
_TOLD = re.compile(
    # Not the verbs "look after", "name after", "take after".
    r"(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )(?<!take )(?<!takes )"
    rf"(?:\b{COUNT}\s+(day|week|month|year)s?\s+)?"
    r"\b(?:(since|after|before|until|till|nachdem|bevor|seitdem|seit)|(nach|vor)(?=\s+(?:de[mnr]|unser|mein|sein|ihr)))\s+"
    # What follows: not the pronoun or adverb that stands for a whole sentence ("after that", "before long").
    r"(?!(?:that|this|then|long|all|now|today|when|dann|dem\s*$)\b)([^?.!,;]{3,80}?)"
    # It ends where the question itself goes on: "after the race did you …".
    r"(?=\s+(?:did|do|does)\b|[?.!,;]|$)"
)


@dataclass(frozen=True)
class Anchor:
    """A time that is told by an event."""

    #: The words that tell the event.
    event: str
    side: str
    #: How far from the event, in days; None where the question does not say.
    days: float | None

    def span(self, day: date, today: date) -> Span:
        """The days that are meant, where the event was on this day. Raises OverflowError outside the calendar."""
        later = self.side in _SINCE or self.side in _AFTER
        if self.days is not None:
            middle = day + timedelta(days=self.days if later else -self.days)
            return Span(middle - timedelta(days=_SLACK), middle + timedelta(days=_SLACK))
        if self.side in _SINCE:
            return Span(day, max(today, day))
        if later:
            return Span(day, day + timedelta(days=_NEAR))
        return Span(day - timedelta(days=_NEAR), day)


def anchor_of(question: str) -> Anchor | None:
    """The event by which a question, folded, tells its time; None where it does not."""
    match = _TOLD.search(question)
    if match is None:
        return None
    count, unit, side, german, event = match.groups()
    return Anchor(event, side or german, number_of(count) * DAYS[unit] if unit else None)
