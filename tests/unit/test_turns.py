"""What callers give as messages, from plain to broken, and which turns come of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import InvalidInput
from ricordo.mining.turns import LONGEST, Turn, accept
from ricordo.nouns import Message

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def accepted(message: Any) -> Turn:
    turns, rejections = accept([message], NOW)
    assert rejections == []
    [turn] = turns
    return turn


def reason(message: Any) -> str:
    turns, rejections = accept([message], NOW)
    assert turns == []
    [rejection] = rejections
    return rejection.reason


def test_a_message_and_its_mapping_give_the_same_turn() -> None:
    fields = {"role": "assistant", "name": "Ada", "content": " Hello ", "at": "2026-02-01T10:00:00Z", "id": "7"}
    turn = Turn(0, "assistant", "Ada", " Hello ", datetime(2026, 2, 1, 10, tzinfo=UTC), "7")
    assert accepted(fields) == accepted(Message.model_validate(fields)) == turn


def test_the_role_stands_in_for_a_missing_name() -> None:
    assert [accepted({"content": "x", "name": name}).speaker for name in (None, "", "  ", " Ada ")] == [
        "user",
        "user",
        "user",
        "Ada",
    ]


def test_openai_parts_are_joined_and_pictures_passed_over() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {"url": "x"}}, "two"]
    assert accepted({"role": "user", "content": parts}).content == "one\ntwo"


@pytest.mark.parametrize("content", [None, "", " \n\t", [], [{"type": "image_url"}], [None, 5]])
def test_where_nothing_was_said_there_is_no_turn_and_no_rejection(content: object) -> None:
    assert accept([{"role": "assistant", "content": content, "tool_calls": [{"id": "1"}]}], NOW) == ([], [])


def test_indices_are_those_of_the_list_that_was_given() -> None:
    turns, rejections = accept([{"content": ""}, {"content": "a"}, {"content": 5}, {"content": "b"}], NOW)
    assert [turn.index for turn in turns] == [1, 3]
    assert [rejection.index for rejection in rejections] == [2]


def test_a_time_is_kept_in_utc_whatever_zone_it_came_in() -> None:
    told = ["2026-02-01T10:00:00Z", "2026-02-01T10:00:00", "2026-02-01T11:00:00+01:00", "2026-02-01T05:00:00-05:00"]
    assert {str(accepted({"content": "x", "at": at}).at) for at in told} == {"2026-02-01 10:00:00+00:00"}


def test_a_clock_may_run_ahead_by_a_day_and_no_more() -> None:
    assert accepted({"content": "x", "at": NOW + timedelta(hours=23)}).at
    assert "lies in the future" in reason({"content": "x", "at": NOW + timedelta(hours=25)})
    assert "lies in the future" in reason({"content": "x", "at": (NOW + timedelta(hours=25)).replace(tzinfo=None)})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "system", "content": "Be brief."}, "system message is no talk"),
        ({"role": "tool", "content": "42"}, "tool message is no talk"),
        ({"role": "bard", "content": "x"}, "role: "),
        ({"role": 5, "content": "x"}, "role: "),
        ({"content": 5}, "content: "),
        ({"content": {"text": "x"}}, "content: "),
        ({"content": b"x"}, "content: holds bytes"),
        ({"content": "x", "id": 5}, "id: "),
        ({"content": "x", "at": "yesterday"}, "at: "),
        ({"content": "x", "at": 1e300}, "at: "),
        ({"content": "x", "at": "0001-01-01T00:00:00+05:00"}, "at: 0001-01-01 00:00:00+05:00 lies outside"),
        ({"content": "x", "at": "9999-12-31T23:00:00-05:00"}, "at: 9999-12-31 23:00:00-05:00 lies outside"),
        ({"content": "a\0b"}, "content holds a NUL"),
        ({"content": "x", "name": "\0"}, "name holds a NUL"),
        ({"content": "x", "id": "\0"}, "id holds a NUL"),
        ({"content": "\ud83d x"}, "content holds half of a surrogate pair"),
        ({"content": "x", "name": "\udc00"}, "name holds half of a surrogate pair"),
        ({"content": "x", "id": "\udc00"}, "id holds half of a surrogate pair"),
        ({"content": "x", "name": "n" * 201}, "name has more than 200"),
        ({"content": "x" * (LONGEST + 1)}, "content has 1,000,001 characters"),
        ("hello", "not str"),
        (None, "not NoneType"),
        (["user", "hello"], "not list"),
    ],
)
def test_what_cannot_be_stored_is_rejected_with_its_reason(message: object, expected: str) -> None:
    assert expected in reason(message)


def test_the_longest_turn_is_accepted() -> None:
    assert len(accepted({"content": "x" * LONGEST}).content) == LONGEST


@pytest.mark.parametrize("nothing", ["hello", b"hello", {"role": "user"}, None, 5, {1, 2}, (each for each in "ab")])
def test_something_else_than_a_list_is_refused(nothing: Any) -> None:
    with pytest.raises(InvalidInput, match="messages: must be a list"):
        accept(nothing, NOW)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9) | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "type"]), inner),
    max_leaves=4,
)


@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "name", "at", "id", "x"]), anything) | anything))
def test_no_message_makes_it_raise_and_each_is_judged_once(messages: list[Mapping[str, Any]]) -> None:
    turns, rejections = accept(messages, NOW)
    judged = [each.index for each in turns] + [each.index for each in rejections]
    assert len(judged) == len(set(judged)) <= len(messages)
    for turn in turns:
        assert turn.content.strip()
        turn.content.encode()
