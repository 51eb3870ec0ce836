"""Time expressions in a question → the span of days that it asks about, and how near a moment is to it.

English and German expressions, anchored to the moment when the question is asked. A span says where the talk
about a thing is likely to stand: people tell of an event on the day or within some days after it. What is
vague ("recently") or can be read in two ways (6/3/2025) names no time.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import islice

from ricordo.entries.terms import fold
from ricordo.recall.calendar_words import FROM_GERMAN
from ricordo.recall.time_rules import COUNT, DAYS, RULES, UNIT, WEEKDAY, Span, number_of

__all__ = ["Span", "span_of"]

#: The most expressions of one kind that are looked at.
_MATCHES = 20
#: How far back "before" and "until" reach, in days.
_LONG_AGO = 3652
#: What stands before a time that is open to one side, or that another time is told from ("the week before …").
_OPENED = re.compile(
    rf"(?:(?:\b{COUNT}\s+)?\b({UNIT}|{WEEKDAY})s?\s+)?"
    r"\b(since|after|before|until|till|by)\s+(?:(?:the|last|this|early|mid|late|year|end of)[\s-]+)*$"
)


def span_of(question: str, today: date) -> Span | None:
    """The span that a question asks about; None where it names no time.

    Raises nothing: an impossible date (31 June) is no time.
    """
    text = _plain(question, today)
    for pattern, rule in RULES:
        found = []
        for match in islice(pattern.finditer(text), _MATCHES):
            before = text[max(0, match.start() - 40) : match.start()]
            try:
                span = rule(match, before, today)
            except (ValueError, OverflowError):  # no such day, or before the calendar begins
                continue
            if span is not None:
                found.append((span, before))
        if len(found) == 1:
            return _opened(*found[0], today)
        if found:
            return Span(min(span.first for span, _ in found), max(span.last for span, _ in found))
    return None


def _plain(question: str, today: date) -> str:
    """The question folded, in English words, with years by their numbers."""
    text = " ".join(fold(question).replace("’", "'").split())
    text = re.sub(r"\bein paar\b", "a few", text)
    text = re.sub(r"[a-z]+", lambda word: FROM_GERMAN.get(word[0], word[0]), text)
    text = re.sub(r"\blast year\b", f"the year {today.year - 1}", text)
    return re.sub(r"\bthis year\b", f"the year {today.year}", text)


def _opened(span: Span, before: str, today: date) -> Span:
    """The span from or up to this one, or stretched by what is told from it, where the words before it say so."""
    match = _OPENED.search(before)
    if match is None:
        return span
    count, unit, side = match.groups()
    if unit and side in ("before", "after"):
        days = number_of(count or "one") * DAYS.get(unit, 7.0)
        earlier, later = (days, 0.0) if side == "before" else (0.0, days)
        return Span(_moved(span.first, -earlier), _moved(span.last, later))
    if side in ("since", "after"):
        return Span(span.first, max(today, span.first))
    return Span(_moved(span.first, -_LONG_AGO), _moved(span.first, -1) if side == "before" else span.last)


def _moved(day: date, days: float) -> date:
    """So many days later, within the calendar."""
    return date.fromordinal(min(max(day.toordinal() + round(days), 1), date.max.toordinal()))
