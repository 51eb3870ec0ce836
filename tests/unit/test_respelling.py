"""What may have been meant by a word that nobody ever said."""

from __future__ import annotations

import pytest

from ricordo.recall.respelling import _parts, _slips


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("acordion", "accordion"),
        ("commmittee", "committee"),
        ("frieght", "freight"),
        ("ukelele", "ukulele"),
        ("piramesi", None),
        ("wich", None),
        ("hund3", None),
        ("müsik", None),
    ],
)
def test_slips_that_are_tried(written: str, meant: str | None) -> None:
    tried = [each for kind in _slips(written) for each in kind]
    assert written not in tried
    assert meant in tried if meant else "pyramesi" not in tried


def test_likelier_slips_come_first_and_the_first_letter_is_right() -> None:
    likely, vowels, dropped = _slips("whipet")
    assert "whippet" in likely and "whipat" in vowels and "whiet" in dropped
    assert all(each.startswith("w") for each in likely | vowels | dropped)
    assert "whipe" not in dropped  # its end is left to the stemmer


@pytest.mark.parametrize("word", ["a" * 25, "abcd", "a1b2c3", "", "ñandúes"])
def test_what_is_too_long_too_short_or_no_word_has_no_slip(word: str) -> None:
    assert _slips(word) == []


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("nextInvoiceNumber", ["next", "invoice", "number"]),
        ("HTTPServerFactory", ["http", "server", "factory"]),
        ("HX77312B", ["hx", "77312"]),
        ("LH2047", ["lh", "2047"]),
    ],
)
def test_a_name_of_several_parts_is_split_where_case_or_kind_changes(written: str, parts: list[str]) -> None:
    assert _parts(f"where is {written}?", frozenset([written.lower()])) == {written.lower(): parts}
    assert _parts(f"where is {written}?", frozenset(["where"])) == {}
