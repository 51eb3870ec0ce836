"""Pointers as they are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.blocking import Memory
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


def test_an_error_about_a_pointer_names_the_argument(memory: Memory) -> None:
    memory.mine([{"role": "user", "content": "We take the Lindner pack."}], conversation="c")
    palace = memory.palace
    for field, call in (
        ("room", lambda: memory.recall("Which pack?", room="nope")),
        ("room", lambda: palace.rename_closet("nope", 1, "Packs")),
        ("room", lambda: palace.merge_closets("nope", 1, 2)),
        ("room", lambda: palace.move_room("nope", "Packs")),
        ("room", lambda: palace.closets("nope")),
        ("room", lambda: palace.drawers("nope")),
        ("wing", lambda: palace.unmerge_wing("nope")),
        ("drawers", lambda: palace.move_drawers(["nope"], 1)),
        ("pointer", lambda: palace.show("nope")),
        ("pointer", lambda: palace.around("nope")),
    ):
        with pytest.raises(InvalidInput) as raised:
            call()
        assert raised.value.field == field, call
