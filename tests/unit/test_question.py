"""What is looked for: which words of a question, in which forms, and whose words are wanted."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import grows_gently
from ricordo.recall.question import Question, parse
from ricordo.text.terms import stem, term_hash

TODAY = date(2026, 7, 15)


def ask(text: str, *languages: str) -> Question:
    return parse(text, languages or ("en",), TODAY)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Anna tell you about the battery?", ["anna", "tell", "battery"]),
        ("Can you suggest some ideas for a dinner?", ["dinner"]),
        ("Any suggestions?", ["any", "suggestions"]),
        ("Who was it?", ["who", "was", "it"]),
        ("batteries and a Battery", ["batteries"]),
        ("Müller MULLER muller", ["muller"]),
        ("What did Will say, and did Don agree?", ["will", "say", "don", "agree"]),
        ("Will it rain? Don't know. may I", ["rain"]),
        ("猫はどこ", ["猫は", "はど", "どこ"]),
        ("猫", ["猫"]),
        ("🔋", []),
        ("\0\ud800 \udfff!?", []),
        ("", []),
    ],
)
def test_words_that_are_looked_for(question: str, expected: list[str]) -> None:
    assert list(ask(question).words) == expected


def test_a_word_is_looked_for_in_its_forms_of_all_languages() -> None:
    [forms] = ask("Häuser", "de", "fr").words.values()
    assert forms >= {term_hash("hauser"), term_hash(stem("hauser", "de")), term_hash(stem("hauser", "fr"))}


def test_two_spellings_of_one_word_are_one_word_with_the_forms_of_both() -> None:
    [forms] = ask("battery batteries").words.values()
    assert {term_hash("battery"), term_hash("batteries"), term_hash(stem("battery", "en"))} == forms


def test_no_language_is_needed() -> None:
    assert list(parse("the battery", (), TODAY).words) == ["battery"]


def test_words_that_may_be_one_have_its_forms_too() -> None:
    found = ask("Where is the user serializer of enable_dark_checkout?").words
    assert list(found) == ["user", "serializer", "enable", "dark", "checkout"]
    assert {term_hash("userserializer"), term_hash("serializer")} <= found["serializer"]
    assert term_hash("enabledarkcheckout") in found["dark"]
    assert term_hash("serializerof") not in found["serializer"]


def test_words_that_count_back_from_today_are_not_looked_for_beside_others() -> None:
    assert list(ask("What broke two weeks ago?").words) == ["broke"]
    assert list(ask("Was ging vor drei Tagen kaputt?").words) == ["ging", "vor", "kaputt"]
    assert list(ask("What broke two weeks before the trip?").words) == ["broke", "two", "weeks", "before", "trip"]
    assert list(ask("two sisters").words) == ["two", "sisters"]


@pytest.mark.parametrize(
    "question",
    [
        "What did I do last weekend?",
        "What happened two weeks ago?",
        "Anything new since yesterday?",
        "Where were we on New Year's Eve?",
        "What did we talk about in March?",
        "What did I do after the race?",
        "Was habe ich gestern gemacht?",
        "Que s'est-il passé en juin ?",
        "¿Qué hice el mes pasado?",
    ],
)
def test_questions_that_tell_only_a_time(question: str) -> None:
    assert ask(question).of_time


@pytest.mark.parametrize(
    "question",
    [
        "What did Anna do last weekend?",
        "What broke yesterday?",
        "What happened?",
        "How did Ben feel after the race?",
        "",
    ],
)
def test_questions_that_tell_more_or_no_time(question: str) -> None:
    assert not ask(question).of_time


def test_the_time_is_read_too() -> None:
    span = ask("What did I eat yesterday?").span
    assert span is not None and span.last == TODAY
    assert ask("What did I eat?").span is None


@pytest.mark.parametrize(
    "question",
    [
        "What did you suggest for the dinner?",
        "You mentioned a hotel in Lisbon, which one?",
        "Remind me what the hotel was called.",
        "Could you remind me of the hotel?",
        "What was the recipe you gave me?",
        "In our previous chat we spoke of hotels.",
        "What did the assistant recommend?",
        "Which hotel did you tell me about?",
        "Was hast du mir für Lissabon empfohlen?",
        "Welche Zellen hast du vorgeschlagen?",
    ],
)
def test_questions_for_the_words_of_an_assistant(question: str) -> None:
    assert ask(question).of_assistant


@pytest.mark.parametrize(
    "question",
    [
        "What did Anna tell you?",
        "What did I tell you about Anna?",
        "Can you suggest a hotel in Lisbon?",
        "Could you help me find my keys?",
        "Would you recommend the hotel that I stayed at?",
        "Remind me to call Anna.",
        "What did Anna suggest?",
        "Did Ben recommend a hotel?",
        "Was hat Anna empfohlen?",
        "Kannst du mir ein Hotel empfehlen?",
        "What is the battery called?",
    ],
)
def test_questions_for_the_words_of_people(question: str) -> None:
    assert not ask(question).of_assistant


@pytest.mark.parametrize("piece", ["word", "you suggest ", "hast du a ", "in May ", "猫", "Zürich ", "\n", "a.b-c "])
def test_a_hundred_kilobytes_are_read_at_once(piece: str) -> None:
    assert len(ask(piece * (100_000 // len(piece)) + " end").words) <= 48
    assert grows_gently(lambda characters: ask(piece * (characters // len(piece))), 100_000)


@given(st.text(st.characters()), st.lists(st.sampled_from(["en", "de", "ru", "ar", "", "xx"]), max_size=3))
def test_no_question_makes_it_raise(question: str, languages: list[str]) -> None:
    parsed = parse(question, tuple(languages), TODAY)
    assert all(forms for forms in parsed.words.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I booked the flight. What is next on our list?", True),
        ("Which flight did I book?", False),
        ("I'm off to Oslo next week. Any tips?", False),
        ("Can you list the order in which I brought up my plans, in order? Mention ONLY five items.", False),
    ],
)
def test_a_message_is_no_request_for_advice_and_no_question_of_order(text: str, expected: bool) -> None:
    assert ask(text).is_message == expected
