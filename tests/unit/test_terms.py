"""Which words become one term, and which stay apart, in scripts of all kinds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ricordo.text.stopwords import ENGLISH, NAMELESS
from ricordo.text.terms import STEMMED, fold, memory_terms, stem, term_hash, terms, variants, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("Müller", "muller"),
        ("café", "cafe\u0301"),
        ("İstanbul", "istanbul"),
        ("Łódź", "lodz"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﬁne", "FINE"),
        ("ℋello", "hello"),
        ("ΣΊΣΥΦΟΣ", "σισυφος"),
        ("Ёлка", "елка"),
        ("Việt", "viet"),
        ("ﾈｺ", "ネコ"),
        ("שָׁלוֹם", "שלום"),
        ("أحمد", "احمد"),
    ],
)
def test_case_accents_and_width_do_not_matter(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("がき", "かき"), ("мой", "мои"), ("कि", "की"), ("ข้าว", "ขาว")])
def test_marks_that_make_another_letter_do_matter(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't panic, it's 42.5°!", ["don", "t", "panic", "it", "s", "42", "5"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("東京都", ["東京", "京都"]),
        ("猫", ["猫"]),
        ("iPhoneを買った15日", ["iphone", "を買", "買っ", "った", "15", "日"]),
        ("한국어 책", ["한국", "국어", "책"]),
        ("人々", ["人々"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("தமிழ்", ["தமிழ்"]),
        ("\ud800 \0 🔋 _ …", []),
        ("", []),
    ],
)
def test_words_of_every_script(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_a_single_character_is_found_inside_unspaced_writing() -> None:
    for text, asked in (("猫が好きです", "猫"), ("집에 있어요", "집"), ("我的车坏了", "车")):
        assert asked in terms(text, "")
        assert set(words(text)) < set(terms(text, ""))
    assert terms("猫", "ja") == ["猫"]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ("battery", "batteries")),
        ("de", ("Häuser", "Hauses")),
        ("fr", ("chevaux", "cheval")),
        ("es", ("canción", "canciones")),
        ("it", ("gatto", "gatti")),
        ("ru", ("красный", "красного")),
        ("sv", ("bilen", "bilar")),
    ],
)
def test_forms_of_one_word_have_one_stem(language: str, forms: tuple[str, str]) -> None:
    one, other = (terms(form, language) for form in forms)
    assert one == other != []
    assert terms(forms[0], "") != terms(forms[1], "")


def test_every_language_has_a_stemmer() -> None:
    assert all(stem("ab", code) for code in STEMMED)
    assert stem("batteries", "") == stem("batteries", "xx") == "batteries"


def test_function_words_of_english_are_no_terms_but_of_other_texts_are() -> None:
    assert terms("What was the battery?", "en") == [stem("battery", "en")]
    assert "was" in terms("Was ist das?", "de")


def test_function_words_are_folded_as_terms_are() -> None:
    assert {each for each in NAMELESS if list(words(each)) != [each]} == set()
    assert ENGLISH < NAMELESS


def test_a_question_is_looked_for_in_every_language_of_the_user() -> None:
    assert variants("häuser", ()) == {"häuser"}
    assert variants("hauser", ("de", "en")) >= {"hauser", stem("hauser", "de")}


def test_the_speaker_and_the_day_can_be_asked_for() -> None:
    found = memory_terms("Hello there", "Will Müller", datetime(2026, 5, 4, tzinfo=UTC), "en")
    assert {"will", stem("muller", "en"), "4", stem("may", "en"), "2026"} <= set(found)


def test_hashes_are_postgres_integers_and_differ() -> None:
    hashes = {term_hash(f"term{index}") for index in range(2_000)}
    assert len(hashes) == 2_000
    assert all(-(2**31) <= each < 2**31 for each in hashes)
    assert term_hash("") == -(2**31)
