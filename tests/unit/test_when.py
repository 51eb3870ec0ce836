"""Which days a question asks about: plain English and German, asked on Wednesday 15 July 2026 unless said."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import grows_gently
from ricordo.recall.time_rules import Span
from ricordo.recall.when import span_of

TODAY = date(2026, 7, 15)


def days(question: str, today: date = TODAY) -> str | None:
    """The span as "first … last"."""
    span = span_of(question, today)
    return span and f"{span.first} … {span.last}"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I eat 3 days ago?", "2026-07-11 … 2026-07-13"),
        ("What did I say two weeks ago?", "2026-06-28 … 2026-07-04"),
        ("a couple of months ago", "2026-05-02 … 2026-05-30"),
        ("a year ago", "2025-05-16 … 2025-09-13"),
        ("an hour ago", "2026-07-14 … 2026-07-15"),
        ("Where were we two weekends ago?", "2026-07-03 … 2026-07-06"),
        ("in the last few days", "2026-07-11 … 2026-07-15"),
        ("over the past couple of weeks", "2026-06-30 … 2026-07-15"),
        ("the last three months", "2026-04-14 … 2026-07-15"),
        ("over the last weeks", "2026-06-23 … 2026-07-15"),
        ("last Tuesday", "2026-07-13 … 2026-07-15"),
        ("on Wednesday", "2026-07-07 … 2026-07-09"),
        ("today", "2026-07-15 … 2026-07-15"),
        ("What did Ada say this morning?", "2026-07-15 … 2026-07-15"),
        ("yesterday", "2026-07-13 … 2026-07-15"),
        ("last night", "2026-07-13 … 2026-07-15"),
        ("the day before yesterday", "2026-07-12 … 2026-07-14"),
        ("earlier this week", "2026-07-08 … 2026-07-15"),
        ("last week", "2026-07-01 … 2026-07-15"),
        ("last weekend", "2026-07-06 … 2026-07-14"),
        ("this month", "2026-07-01 … 2026-07-15"),
        ("last month", "2026-05-31 … 2026-07-15"),
        ("last year", "2025-01-01 … 2026-01-10"),
        ("last year's plan", "2025-01-01 … 2026-01-10"),
    ],
)
def test_times_told_from_today(question: str, expected: str) -> None:
    assert days(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("in May", "2026-05-01 … 2026-06-10"),
        ("What happened in July?", "2026-07-01 … 2026-08-10"),
        ("In December", "2025-12-01 … 2026-01-10"),
        ("the April meeting", "2026-04-01 … 2026-05-10"),
        ("in Feb", "2026-02-01 … 2026-03-10"),
        ("Jan 2025", "2025-01-01 … 2025-02-10"),
        ("in March last year", "2025-03-01 … 2025-04-10"),
        ("last year in March", "2025-03-01 … 2025-04-10"),
        ("in April and May", "2026-04-01 … 2026-06-10"),
        ("between November and February", "2025-11-01 … 2026-03-10"),
        ("from March until May", "2026-03-01 … 2026-06-10"),
        ("in early March", "2026-03-01 … 2026-03-22"),
        ("mid-May", "2026-05-08 … 2026-06-01"),
        ("late April", "2026-04-19 … 2026-05-10"),
        ("June 3", "2026-06-01 … 2026-06-13"),
        ("the 3rd of June", "2026-06-01 … 2026-06-13"),
        ("June 3rd, 2025", "2025-06-01 … 2025-06-13"),
        ("3 June 2025", "2025-06-01 … 2025-06-13"),
        ("on Monday, June 1", "2026-05-30 … 2026-06-11"),
        ("from June 3 to June 10, 2025", "2025-06-01 … 2025-06-20"),
        ("2025-06-03", "2025-06-01 … 2025-06-13"),
        ("in 2025-06", "2025-06-01 … 2025-07-10"),
        ("on 03.06.2025", "2025-06-01 … 2025-06-13"),
        ("Feb 29, 2024", "2024-02-27 … 2024-03-10"),
        ("on February 29", "2024-02-27 … 2024-03-10"),
        ("in 2024", "2024-01-01 … 2025-01-10"),
        ("Q1 2025", "2025-01-01 … 2025-04-10"),
        ("in Q3", "2026-07-01 … 2026-10-10"),
        ("the second quarter of 2025", "2025-04-01 … 2025-07-10"),
        ("in the summer", "2026-06-01 … 2026-09-10"),
        ("last summer", "2025-06-01 … 2025-09-10"),
        ("last winter", "2025-12-01 … 2026-03-10"),
        ("winter 2024", "2024-12-01 … 2025-03-10"),
        ("around Christmas", "2025-12-20 … 2026-01-01"),
        ("Christmas 2024", "2024-12-20 … 2025-01-01"),
    ],
)
def test_times_with_names(question: str, expected: str) -> None:
    assert days(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("since March", "2026-03-01 … 2026-07-15"),
        ("since yesterday", "2026-07-13 … 2026-07-15"),
        ("since Tuesday", "2026-07-13 … 2026-07-15"),
        ("since last year", "2025-01-01 … 2026-07-15"),
        ("after last Christmas", "2025-12-20 … 2026-07-15"),
        ("before May", "2016-05-01 … 2026-04-30"),
        ("until May", "2016-05-01 … 2026-06-10"),
        ("before last weekend", "2016-07-06 … 2026-07-05"),
    ],
)
def test_open_spans_reach_to_today_or_ten_years_back(question: str, expected: str) -> None:
    assert days(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("the week before June 3, 2025", "2025-05-25 … 2025-06-13"),
        ("two weeks before June 3", "2026-05-18 … 2026-06-13"),
        ("on the Sunday before June 3", "2026-05-25 … 2026-06-13"),
        ("a month after Christmas", "2025-12-20 … 2026-01-31"),
        ("in der Woche vor dem 3. Juni", "2026-05-25 … 2026-06-13"),
    ],
)
def test_a_time_told_from_another_lies_near_it(question: str, expected: str) -> None:
    assert days(question) == expected


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Was habe ich gestern gesagt?", "yesterday"),
        ("vorgestern", "the day before yesterday"),
        ("letzte Woche", "last week"),
        ("vor zwei Wochen", "two weeks ago"),
        ("vor ein paar Tagen", "a few days ago"),
        ("vor einem Monat", "a month ago"),
        ("in den letzten drei Tagen", "in the last three days"),
        ("im März", "in March"),
        ("Anfang Mai", "early May"),
        ("am 3. Juni 2025", "on June 3, 2025"),
        ("letzten Dienstag", "last Tuesday"),
        ("am Freitag", "on Friday"),
        ("letztes Jahr", "last year"),
        ("im Sommer", "in the summer"),
        ("seit Mai", "since May"),
        ("bis März", "until March"),
        ("an Weihnachten", "at Christmas"),
    ],
)
def test_german_is_understood_as_english_is(question: str, same: str) -> None:
    assert days(question) == days(same) is not None


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Qu'est-ce que j'ai fait hier ?", "yesterday"),
        ("avant-hier", "the day before yesterday"),
        ("hier soir on a mangé quoi ?", "last night"),
        ("la semaine dernière", "last week"),
        ("le week-end dernier", "last weekend"),
        ("le mois passé", "last month"),
        ("l'année dernière", "last year"),
        ("l'été dernier", "last summer"),
        ("lundi dernier", "last Monday"),
        ("il y a trois jours", "three days ago"),
        ("il y a sept semaines", "seven weeks ago"),
        ("les trois derniers mois", "the last three months"),
        ("en mars", "in March"),
        ("en août 2025", "in August 2025"),
        ("depuis mars", "since March"),
        ("le 3 juin 2025", "June 3, 2025"),
        ("à Noël", "at Christmas"),
        ("¿Qué hice ayer?", "yesterday"),
        ("anteayer", "the day before yesterday"),
        ("anoche", "last night"),
        ("la semana pasada", "last week"),
        ("el fin de semana pasado", "last weekend"),
        ("el mes pasado", "last month"),
        ("el año pasado", "last year"),
        ("el martes pasado", "last Tuesday"),
        ("hace dos semanas", "two weeks ago"),
        ("hace un año", "a year ago"),
        ("los últimos tres meses", "the last three months"),
        ("en enero", "in January"),
        ("desde mayo", "since May"),
        ("el 3 de junio de 2025", "June 3, 2025"),
        ("vorletzte Woche", "two weeks ago"),
        ("the weekend before last", "two weekends ago"),
        ("the year before last", "in 2024"),
    ],
)
def test_french_spanish_and_the_one_before_last_are_understood_too(question: str, same: str) -> None:
    assert days(question) == days(same) is not None


@pytest.mark.parametrize(
    "question",
    [
        "Was steht hier?",
        "¿Qué hace María?",
        "Que s'est-il passé ?",
        "J'ai été malade ?",
        "life on Mars",
        "more mayo please",
        "May I ask what the pack is called?",
        "We march on",
        "the march of the penguins",
        "Is the second pack here?",
        "What did April say?",
        "How many days ago did I go to Lisbon?",
        "How long ago was that?",
        "1.5 years ago",
        "in the last days of the war",
        "What happens on Sundays?",
        "next Tuesday",
        "30 February 2025",
        "31.06.2025",
        "2025-13-01",
        "6/3/2025",
        "What do you know of Spring Boot?",
        "summer shoes",
        "Christmas presents",
        "in room 2024",
        "recently",
        "lately",
        "Dec said hello",
        "",
        "🔋\ud800\0",
    ],
)
def test_what_is_no_time_or_none_for_sure(question: str) -> None:
    assert days(question) is None


@pytest.mark.parametrize(
    ("today", "question", "expected"),
    [
        (date(2026, 1, 5), "in December", "2025-12-01 … 2026-01-10"),
        (date(2026, 1, 5), "in January", "2026-01-01 … 2026-02-10"),
        (date(2026, 1, 5), "January 10", "2025-01-08 … 2025-01-20"),
        (date(2026, 1, 5), "last month", "2025-11-21 … 2026-01-05"),
        (date(2026, 1, 5), "this winter", "2025-12-01 … 2026-03-10"),
        (date(2026, 1, 5), "last winter", "2024-12-01 … 2025-03-10"),
        (date(2026, 1, 5), "since October", "2025-10-01 … 2026-01-05"),
        (date(2026, 1, 1), "yesterday", "2025-12-30 … 2026-01-01"),
        (date(2026, 11, 28), "last summer", "2026-06-01 … 2026-09-10"),
        (date(2026, 7, 12), "two weekends ago", "2026-06-26 … 2026-06-29"),
        (date(2028, 2, 29), "on February 29", "2028-02-27 … 2028-03-10"),
        (date(2028, 2, 29), "a year ago", "2026-12-31 … 2027-04-30"),
    ],
)
def test_the_day_of_asking_decides(today: date, question: str, expected: str) -> None:
    assert days(question, today) == expected


words = st.sampled_from(
    [
        "999",
        "0",
        "3",
        "the",
        "last",
        "since",
        "before",
        "until",
        "ago",
        "years",
        "after",
        "weekend",
        "may",
        "30",
        "2025",
        "vor",
    ]
)


@given(st.text(st.sampled_from("0123456789-/. ")) | st.lists(words).map(" ".join), st.dates())
@example("last 0 weekends", date(2000, 1, 1))
def test_nothing_makes_it_raise_and_spans_go_forward(question: str, today: date) -> None:
    span = span_of(question, today)
    assert span is None or span.first <= span.last


@pytest.mark.parametrize("words", ["may ", "in may ", "last ", "3 june 2025 ", "9" * 10, "before the "])
def test_eight_thousand_characters_of_times_are_read_at_once(words: str) -> None:
    assert grows_gently(lambda characters: span_of(words * (characters // len(words)), TODAY), 8_000)


def test_nearness_is_one_inside_and_falls_outside() -> None:
    month = Span(date(2026, 5, 1), date(2026, 5, 29))
    inside, near, far = date(2026, 5, 1), date(2026, 6, 2), date(2026, 6, 20)
    assert [month.nearness(day) for day in (inside, near, far)] == [1.0, pytest.approx(1 - 4 / 7), 0.0]
    day = Span(TODAY, TODAY)
    assert [round(day.nearness(TODAY + timedelta(days=off)), 2) for off in (-3, -1, 0, 1, 3)] == [0, 0.67, 1, 0.67, 0]


def test_nearness_falls_within_a_quarter_outside_of_long_spans() -> None:
    decade = Span(date(2016, 1, 1), date(2025, 12, 31))
    assert decade.nearness(date(2026, 5, 1)) == 0
