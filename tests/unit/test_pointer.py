"""Pointers as they are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import InvalidInput
from ricordo.palace import Pointer

number = st.integers(0, 999_999_999)
pointers = st.builds(Pointer, number) | st.builds(Pointer, number, number) | st.builds(Pointer, number, number, number)


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        (Pointer(42), "§ W-042"),
        (Pointer(42, 11), "§ W-042/R-11"),
        (Pointer(42, 11, 7), "§ W-042/R-11/D-007"),
        (Pointer(1234, 567, 8901), "§ W-1234/R-567/D-8901"),
    ],
)
def test_numbers_are_padded_and_never_cut(pointer: Pointer, text: str) -> None:
    assert str(pointer) == text


@given(pointers)
def test_what_is_written_is_read_back(pointer: Pointer) -> None:
    assert Pointer.parse(str(pointer)) == pointer


@pytest.mark.parametrize("text", ["W-42/R-11/D-7", "§W-042/R-11/D-007", " w42/r11/d7 ", "§ W-042 / R-11 / D-007"])
def test_signs_case_spaces_and_zeros_may_be_left_out(text: str) -> None:
    assert Pointer.parse(text) == Pointer(42, 11, 7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "§",
        "W",
        "W-",
        "42",
        "W--1",
        "W-1/D-1",
        "W-1/R-1/",
        "W-1/R-1/D-1/X-1",
        "W-1234567890",
        "R-1",
        "W-1\0",
        "W-٤",
    ],
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"pointer: .*W-042/R-11/D-007"):
        Pointer.parse(text)


def test_a_long_text_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidInput) as raised:
        Pointer.parse("x" * 100_000)
    assert len(str(raised.value)) < 250
