"""The passage of a long turn that a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.recall.excerpts import MARK, excerpt
from ricordo.text import tokens_in

BEFORE = "We went to the market and bought bread. It rained all day. " * 8
TOLD = "The battery of the boat was replaced in May. It cost 300 francs."
AFTER = " The evening was quiet and nothing else happened." * 8


def test_a_short_text_is_left_alone() -> None:
    assert excerpt(TOLD, {"battery"}, 60) == TOLD


def test_the_sentences_with_the_wanted_words_are_quoted_word_for_word() -> None:
    passage = excerpt(BEFORE + TOLD + AFTER, {"batteries", "cost"}, 60)
    assert TOLD in passage
    assert passage.startswith(MARK) and passage.endswith(MARK)
    assert passage.removeprefix(MARK).removesuffix(MARK).strip() in BEFORE + TOLD + AFTER


def test_without_a_wanted_word_it_is_the_beginning() -> None:
    passage = excerpt(BEFORE + TOLD + AFTER, {"violin"}, 60)
    assert passage.startswith("We went to the market") and passage.endswith(MARK)


def test_lines_are_ends_as_sentences_are() -> None:
    listed = "\n".join(f"- item {number} of the list, which is long" for number in range(60))
    assert "item 37 of the list" in excerpt(listed, {"37"}, 60)


@given(st.text(max_size=600), st.sets(st.text(max_size=8), max_size=4), st.integers(60, 120))
@pytest.mark.parametrize("filler", ["x", "語", "a b. "])
def test_no_passage_is_longer_than_was_asked_for(filler: str, text: str, wanted: set[str], most: int) -> None:
    whole = text + filler * 400
    passage = excerpt(whole, wanted, most)
    assert tokens_in(passage) <= most
    assert passage.removeprefix(f"{MARK} ").removesuffix(f" {MARK}") in whole
