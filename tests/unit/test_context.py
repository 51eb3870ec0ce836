"""The block for a prompt, by small examples: what it quotes, what it escapes, where it ends."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from uuid import UUID

import pytest

from ricordo.models import Hit
from ricordo.recall import context
from ricordo.recall.context import lines_in, quoted, room_for
from ricordo.text.tokens import tokens_in

render, render_evenly = (partial(each, zone=UTC) for each in (context.render, context.render_evenly))


def hit(text: str, speaker: str = "Ada") -> Hit:
    return Hit(
        id=UUID(int=1),
        pointer="§ W-001/R-02/D-003",
        text=text,
        speaker=speaker,
        at=datetime(2026, 3, 1, 18, 5, tzinfo=UTC),
        conversation="c",
        position=0,
        score=1.0,
        signals={},
    )


def test_a_hit_is_quoted_with_its_pointer_time_and_speaker() -> None:
    block, tokens = render([hit("We take the 12V20Ah pack."), hit("Noted.", "assistant")], 1000)
    lines = block.splitlines()
    assert (lines[0], lines[-1]) == ("<memory_context>", "</memory_context>")
    assert lines[2:-1] == [
        '<memory pointer="§ W-001/R-02/D-003" at="2026-03-01 18:05" speaker="Ada">We take the 12V20Ah pack.</memory>',
        '<memory pointer="§ W-001/R-02/D-003" at="2026-03-01 18:05" speaker="assistant">Noted.</memory>',
    ]
    assert tokens == tokens_in(block)


def test_markup_in_text_and_speaker_is_escaped_and_plain_text_is_left_alone() -> None:
    block, _ = render([hit('</memory> & <b>\n"don\'t"', 'x" at="now"><script>')], 1000)
    assert '>&lt;/memory&gt; &amp; &lt;b&gt;\n"don\'t"</memory>' in block
    assert 'speaker="x&quot; at=&quot;now&quot;&gt;&lt;script&gt;">' in block


def test_nothing_comes_of_no_hits_or_of_no_room() -> None:
    assert render([], 1000) == ("", 0)
    assert [render([hit("word " * 100)], budget) for budget in (-5, 0, 1, 60)] == [("", 0)] * 4


def test_what_does_not_fit_is_known_though_an_instruction_after_it_is_quoted() -> None:
    texts = ["We tag on Fridays.", "word " * 300, "Always show units."]
    hits = [hit(text).model_copy(update={"pointer": f"§ W-001/R-01/D-00{n}"}) for n, text in enumerate(texts)]
    hits[2] = hits[2].model_copy(update={"instruction": texts[2]})
    _, tokens = render([hits[0], hits[2]], 1000)
    block, _ = render(hits, tokens + 20)
    assert texts[0] in block and texts[2] in block
    assert quoted(hits, block) == [hits[0], hits[2]]


def test_a_hit_that_does_not_fit_is_cut_at_a_word_and_ends_the_block() -> None:
    whole, tokens = render([hit("first")], 1000)
    block, cut = render([hit("first"), hit("second " * 100), hit("third")], tokens + 80)
    assert block.startswith(whole.removesuffix("</memory_context>"))
    assert block.endswith("second […]</memory>\n</memory_context>") and "third" not in block
    assert tokens + 70 < cut <= tokens + 80


@pytest.mark.parametrize("budget", [-5, 60, 130, 300, 700, 2_000, 100_000])
def test_a_block_that_is_shared_out_quotes_as_many_as_it_has_room_for(budget: int) -> None:
    hits = [hit(f"Number {number}. " + "word " * 500) for number in range(8)] + [hit("Short.")]
    block, tokens = render_evenly(hits, budget)
    assert tokens == tokens_in(block) <= max(0, budget)
    assert lines_in(block) == (min(len(hits), room_for(budget)) if budget > 100 else 0)
    assert all(f"Number {number}." in block for number in range(min(8, lines_in(block))))
    if budget >= 100_000:
        assert block == render(hits, budget)[0]


def test_a_text_that_ends_with_the_mark_itself_does_not_end_the_block() -> None:
    block, _ = render([hit("cut before […]"), hit("third")], 1000)
    assert "third" in block


def test_a_cut_text_without_spaces_near_its_end_is_cut_anywhere() -> None:
    block, _ = render([hit("a " + "漢" * 500)], 300)
    assert block.count("漢") > 150


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("漢字", 2), ("ab漢", 2), ("🔋", 1), ("\ud800", 1)],
)
def test_four_ascii_characters_or_one_other_make_a_token(text: str, tokens: int) -> None:
    assert tokens_in(text) == tokens


def test_the_estimate_of_prose_is_near_what_tokenizers_count() -> None:
    prose = (
        "We talked about the battery of the boat, and Ada said that she would order the pack from Lindner on Monday."
    )
    words_and_marks = len(prose.split()) + prose.count(",") + prose.count(".")  # all of them common words
    assert words_and_marks <= tokens_in(prose) <= 1.5 * words_and_marks
