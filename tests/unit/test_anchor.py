"""Times that are told by an event: what the words say, and which days are meant once the event's day is known."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from growth import grows_gently
from ricordo.recall.anchor import Anchor, anchor_of
from ricordo.text.terms import fold

EVENT, TODAY = date(2026, 3, 10), date(2026, 7, 15)


@pytest.mark.parametrize(
    ("question", "event", "first", "last"),
    [
        ("What have I built since I moved to Oslo?", "i moved to oslo", EVENT, TODAY),
        ("How did Ben feel after the race?", "the race", EVENT, date(2026, 3, 24)),
        ("After the race, what did Ben eat?", "the race", EVENT, date(2026, 3, 24)),
        ("What did I buy after the race did not take place?", "the race", EVENT, date(2026, 3, 24)),
        ("Where did we live before the move?", "the move", date(2026, 2, 24), EVENT),
        ("What did I pack two weeks before the trip?", "the trip", date(2026, 2, 20), date(2026, 2, 28)),
        ("Who called 3 days after the accident?", "the accident", date(2026, 3, 9), date(2026, 3, 17)),
        ("Was habe ich nach dem Umzug gekauft?", "dem umzug gekauft", EVENT, date(2026, 3, 24)),
        ("Wo wohnte ich vor der Reise?", "der reise", date(2026, 2, 24), EVENT),
        ("Was ist neu, seit Jonas krank ist?", "jonas krank ist", EVENT, TODAY),
    ],
)
def test_the_event_and_the_days_it_stands_for(question: str, event: str, first: date, last: date) -> None:
    anchor = anchor_of(fold(question))
    assert anchor is not None and anchor.event == event
    span = anchor.span(EVENT, TODAY)
    assert (span.first, span.last) == (first, last)


@pytest.mark.parametrize(
    "question",
    [
        "What did I eat?",
        "Did Ben call after that?",
        "Who looked after him while I was away?",
        "Who is the street named after then?",
        "Was ist vor kurzem passiert?",
        "",
    ],
)
def test_questions_without_such_a_time(question: str) -> None:
    assert anchor_of(fold(question)) is None


def test_an_event_at_the_calendars_end_is_an_error_that_is_known() -> None:
    with pytest.raises(OverflowError):
        Anchor("the trip", "before", 400.0).span(date.min + timedelta(days=5), TODAY)


@pytest.mark.parametrize("piece", ["after ", "two weeks before the ", "since i ", "look after ", "x"])
def test_a_long_question_is_read_at_once(piece: str) -> None:
    assert grows_gently(lambda characters: anchor_of(piece * (characters // len(piece))), 8_000)
