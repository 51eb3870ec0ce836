"""Time expressions in a question → the span of days that it asks about, and how near a moment is to it.

English, German, French and Spanish expressions, anchored to the moment when the question is asked. A span says where
the conversation about a thing is likely to stand: people tell of an event on the day or within some days after it. What
is vague ("recently") or can be read in two ways (6/3/2025) names no time.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import islice

from ricordo.recall.time_rules import COUNT, DAYS, RULES, UNIT, WEEKDAY, Span, number_of
from ricordo.text import fold
from ricordo.text.calendar_words import TO_ENGLISH

__all__ = ["Span", "moments", "span_of"]

#: The most expressions of one kind that are looked at.
_MATCHES = 20
#: How far back "before" and "until" reach, in days.
_LONG_AGO = 3652
_DAY = timedelta(days=1)
#: What stands before a time that is open to one side, or that another time is told from ("the week before …").
_OPENED = re.compile(
    rf"(?:(?:\b{COUNT}\s+)?\b({UNIT}|{WEEKDAY})s?\s+)?"
    r"\b(since|after|before|until|till|by)\s+(?:(?:the|on|last|this|early|mid|late|year|end of)[\s-]+)*$"
)
#: What is a time only as a whole, or next to a word that tells.
_PHRASES = [
    (re.compile(rf"\b{pattern}\b"), english)
    for pattern, english in (
        ("ein paar", "a few"),
        ("fin de semana", "weekend"),
        ("fines de semana", "weekends"),
        ("week-end", "weekend"),
        ("avant[ -]hier", "the day before yesterday"),
        ("hier soir", "last night"),
        ("aujourd'hui", "today"),
        ("il y a", "before"),
        (r"(?<!\ble )(?<!\bles )(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)", r"on \1"),
        ("el (?=lunes|martes|miercoles|jueves|viernes|sabado|domingo)", "on "),
        ("sept(?= (?:jours|semaines|mois|ans))", "seven"),
        ("(en|depuis|avant|apres|debut|fin|de|mois de|\\d\\d?) mars", r"\1 march"),
        ("(?:a|en|por) (?=(?:noel|navidad|nochevieja))", "at "),
    )
]
_FRENCH = re.compile(r"\b(?:qu|que|qui|quoi|quel|quelle|je|j|ai|nous|vous|on|est|avons|avez|il|elle)\b")
#: Other languages' order of words as English has it.
_ORDER = [
    (re.compile(rf"\b({COUNT}) last ({UNIT})"), r"last \1 \3"),
    (re.compile(rf"\b({UNIT}|{WEEKDAY}|spring|summer|autumn|winter) last\b"), r"last \1"),
    (re.compile(r"\b(?:the )?(week|weekend|month) before last\b"), r"two \1s ago"),
    (re.compile(r"\bvorletzte[mnrs]? (week|weekend|month)\b"), r"two \1s ago"),
    (re.compile(r"\bvorletzte[mnrs]? year\b"), "year before last"),
]


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
            exact = [span.exact for span, _ in found]
            named = min(first for first, _ in exact), max(last for _, last in exact)
            return Span(min(span.first for span, _ in found), max(span.last for span, _ in found), named)
    return None


def moments(first: date, last: date, zone: tzinfo) -> tuple[datetime, datetime]:
    """When the first of some days begins in a zone and the last one ends, within what any zone can tell."""
    first, last = max(first, date.min + _DAY), min(last, date.max - 2 * _DAY)
    return datetime.combine(first, time.min, zone), datetime.combine(last + _DAY, time.min, zone)


def _plain(question: str, today: date) -> str:
    """The question folded, in English words, with years by their numbers."""
    text = " ".join(fold(question).replace("’", "'").split())
    for pattern, english in _PHRASES:
        text = pattern.sub(english, text)
    if _FRENCH.search(text):  # in German it means "here"
        text = re.sub(r"\bhier\b", "yesterday", text)
    text = re.sub(r"[a-z]+", lambda word: TO_ENGLISH.get(word[0], word[0]), text)
    for pattern, english in _ORDER:
        text = pattern.sub(english, text)
    text = re.sub(r"\byear before last\b", f"year {today.year - 2}", text)
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
        return Span(span.first, max(today, span.first), (span.exact[0], max(today, span.exact[0])))
    return Span(_moved(span.first, -_LONG_AGO), _moved(span.first, -1) if side == "before" else span.last)


def _moved(day: date, days: float) -> date:
    """So many days later, within the calendar."""
    return date.fromordinal(min(max(day.toordinal() + round(days), 1), date.max.toordinal()))
