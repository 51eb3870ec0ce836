"""Messages to an agent: which texts are messages, where their sentences end, and what they are read with."""

from __future__ import annotations

import pytest

from growth import grows_gently
from ricordo.recall.message import is_message, sentences, with_context


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I did it! By the way, what was the plan?", ["I did it!", "By the way, what was the plan?"]),
        ("Ask Dr. Seuss of the U.S. embassy. J. R. Tolkien too.", 2),
        ("Would Tim read books by C. S. Lewis or John Greene?", 1),
        ("Both, e.g. the red one. Done.", 2),
        ("Am 3. Oktober ziehe ich um, z.B. mit Prof. Meier. Was war der Plan?", 2),
        ("J'ai réservé le vol. Et l'hôtel ?", ["J'ai réservé le vol.", "Et l'hôtel ?"]),
        ("¡Lo hice! ¿Qué sigue?", 2),
        ("我买了一个新手机。你记得我的旧手机吗？", ["我买了一个新手机。", "你记得我的旧手机吗？"]),
        ("新しい自転車を買いました。次の予定は何ですか？", 2),
        ("انتهيت من الخطة. ماذا بعد؟", 2),
        ("He said \"Go on.\" Then I left.", ["He said \"Go on.\"", "Then I left."]),
        ("1.  **Budget:** 300\n2.  **Days:** four", ["1.  **Budget:** 300", "2.  **Days:** four"]),
        ("Version 2.4.1 of app.js runs on v3.11 at 9.30", 1),
        ("", 0),
        (" . . . ", 3),
    ],
)  # fmt: skip
def test_sentences_end_where_a_reader_ends_them(text: str, expected: int | list[str]) -> None:
    found = sentences(text)
    assert (len(found) if isinstance(expected, int) else found) == expected


def test_sentences_of_a_long_text_take_time_in_proportion() -> None:
    assert len(sentences("Dr. " * 50_000)) == 1
    assert len(sentences("a. b? " * 20_000)) == 20_000


@pytest.mark.parametrize("marks", [".", "!?", "?!…"])
def test_a_row_of_marks_takes_time_in_proportion(marks: str) -> None:
    assert grows_gently(lambda size: len(sentences(marks * size)) == 1, 2_000)


@pytest.mark.parametrize(
    "text",
    [
        "I booked the flight. What is next on our list?",
        "Hi. Ready to push it. The budget is 300 euros, can you adjust the schedule?",
        "Ich habe den Flug gebucht. Was kommt als Nächstes?",
        "J'ai réservé le vol hier. Que reste-t-il ?",
        "我买了一个新手机。你记得我的旧手机吗？",
        "The plan from last week is done.\nWhat now?",
    ],
)
def test_a_text_that_tells_something_is_a_message(text: str) -> None:
    assert is_message(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which battery did we choose?",
        "Hi! Which battery did we choose?",
        "Would Caroline likely have Dr. Seuss books on her bookshelf?",
        "What did we choose? And why?",
        "Wo war ich am 3. Oktober?",
        "battery decision",
        "",
    ],
)
def test_a_text_that_only_asks_is_no_message(text: str) -> None:
    assert not is_message(text)


def test_only_the_end_of_the_turn_before_is_read() -> None:
    assert with_context("And then?", None) == "And then?"
    assert with_context("And then?", "  \n ") == "And then?"
    assert with_context("And then?", " We booked it. ") == "We booked it. And then?"
    assert with_context("And then?", "x" * 1000) == "x" * 200 + " And then?"


@pytest.mark.parametrize("text", ["When did she buy it?", "I like that. What now?", "Gut, machen wir so. Was kommt?"])
def test_a_short_text_that_refers_back_is_read_after_the_turn_before(text: str) -> None:
    assert with_context(text, "The loom is from Graz.") == f"The loom is from Graz. {text}"


@pytest.mark.parametrize(
    "text", ["Where does Ines live?", "Which battery did we choose?", "I finished the first chapter today. " * 8]
)
def test_a_text_that_says_what_it_is_about_is_read_by_itself(text: str) -> None:
    assert with_context(text, "The loom is from Graz.") == text
