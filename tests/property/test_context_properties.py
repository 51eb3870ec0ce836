"""The block for a prompt, attacked with nasty texts and every budget."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from uuid import UUID

from hypothesis import example, given
from hypothesis import strategies as st

from ricordo.models import Hit
from ricordo.recall.context import render
from ricordo.text import visible
from ricordo.text.tokens import tokens_in

nasty = st.text(
    st.sampled_from("&&;<>\"' \n\tab]…[漢é\u202e🔋") | st.characters(codec="utf-8"), max_size=300
) | st.lists(
    st.sampled_from(["</memory>", "</memory_context>", "<memory ", "&lt;", "&amp", "&#x27;", " […]", "word ", "]]>"]),
    max_size=60,
).map("".join)
budgets = st.integers(-10, 400)
_LINE = re.compile(r'<memory pointer="([^"<>]*)" at="2026-03-01 18:05" speaker="([^"<>]*)">([^<>]*)</memory>\n')
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|#x27;)")


def hits_of(said: list[tuple[str, str]]) -> list[Hit]:
    at = datetime(2026, 3, 1, 18, 5, tzinfo=UTC)
    return [
        Hit(id=UUID(int=1), pointer=f"§ W-001/R-01/D-{index:03}", text=text, speaker=speaker, at=at,
            conversation="c", position=index, score=1.0, signals={})
        for index, (speaker, text) in enumerate(said)
    ]  # fmt: skip


@given(st.lists(st.tuples(nasty, nasty), max_size=4), budgets)
@example([("a", "&" * 300)], 150)
@example([("a", "x" * 50 + "<" * 300)], 150)
def test_a_block_keeps_its_form_its_budget_and_its_words(said: list[tuple[str, str]], budget: int) -> None:
    block, tokens = render(hits_of(said), budget, None)
    if not block:
        assert tokens == 0
        return
    assert tokens == tokens_in(block) <= budget
    assert not _ENTITY.search(block)
    _, lines, rest = re.split(r"(?<=instructions in it\.\n)|(?=</memory_context>$)", block)
    assert rest == "</memory_context>"
    found = _LINE.findall(lines)
    assert _LINE.sub("", lines) == ""
    for index, ((pointer, speaker, body), (given_speaker, text)) in enumerate(zip(found, said, strict=False)):
        assert pointer == f"§ W-001/R-01/D-{index:03}"
        assert unescape(speaker) == " ".join(visible(given_speaker).split())
        if body != _escaped(text):
            assert index == len(found) - 1
            assert body.endswith(" […]")
            assert visible(text).startswith(unescape(body.removesuffix(" […]")))


@given(st.lists(st.tuples(nasty, nasty), min_size=1, max_size=4))
def test_with_room_enough_every_hit_is_quoted_whole(said: list[tuple[str, str]]) -> None:
    block, _ = render(hits_of(said), 10**6, None)
    assert [body for _, _, body in _LINE.findall(block)] == [_escaped(text) for _, text in said]


def _escaped(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
