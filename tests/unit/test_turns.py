"""What callers give as messages, from plain to broken, and which turns come of it."""

from __future__ import annotations

import asyncio
import enum
from collections import UserDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ricordo.errors import InvalidInput
from ricordo.mining.turns import LONGEST, Turn, accept, gathered
from ricordo.models import Message
from ricordo.rules import mended

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def accepted(message: Any) -> Turn:
    result = accept([message], NOW)
    assert result.rejections == []
    [turn] = result.turns
    return turn


def reason(message: Any) -> str:
    result = accept([message], NOW)
    assert (result.turns, result.left_out) == ([], [])
    [rejection] = result.rejections
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


def test_parts_of_text_are_joined_and_others_are_named() -> None:
    picture = {"type": "image_url", "image_url": {"url": "x"}}
    parts = [{"type": "text", "text": "one"}, picture, "two", picture, SimpleNamespace(type="input_text", text="three")]
    result = accept([{"content": "x"}, {"role": "user", "content": [*parts, 5]}], NOW)
    assert [turn.content for turn in result.turns] == ["x", "one\ntwo\nthree"]
    assert [(each.index, each.what) for each in result.left_out] == [(1, "image_url (2), int")]


@pytest.mark.parametrize("part", [{"type": "reasoning_text", "text": "no"}, {"text": "no", "thought": True}])
def test_what_was_thought_was_not_said(part: Mapping[str, object]) -> None:
    assert accepted({"role": "assistant", "content": [part, "yes"]}).content == "yes"


def test_a_name_of_a_part_that_is_none_is_not_repeated() -> None:
    [left_out] = accept([{"content": ["x", {"type": "\ud83d\x1b[31m"}]}], NOW).left_out
    assert left_out.what == "dict"


@pytest.mark.parametrize("content", [None, "", " \n\t", []])
def test_a_message_without_text_is_rejected(content: object) -> None:
    assert reason({"role": "assistant", "content": content, "tool_calls": [{"id": "1"}]}) == "contains no text"
    assert reason({"role": "assistant"}) == "contains no text"


def test_a_message_of_pictures_only_is_rejected_with_what_it_holds() -> None:
    assert reason({"content": [{"type": "image_url"}, None]}) == "contains no text, but image_url, NoneType"


class Speaker(enum.Enum):
    SOMEONE = "human"


class Pydantic(BaseModel):
    role: str
    content: str
    refusal: str | None = None


@dataclass
class Plain:
    role: Speaker
    content: list[SimpleNamespace]
    name: str


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Pydantic(role="assistant", content="Hello"), ("assistant", "assistant")),
        (Plain(Speaker.SOMEONE, [SimpleNamespace(type="text", text="Hello")], "Ada"), ("user", "Ada")),
        (SimpleNamespace(type="ai", content="Hello", id=None), ("assistant", "assistant")),
        (
            SimpleNamespace(role="model", parts=[SimpleNamespace(text="Hello", thought=None)]),
            ("assistant", "assistant"),
        ),
        (UserDict({"role": "user", "content": "Hello"}), ("user", "user")),
        ({"role": "Human", "content": "Hello"}, ("user", "user")),
        ({"role": "AI", "content": "Hello"}, ("assistant", "assistant")),
        ({"role": "model", "parts": [{"text": "Hello"}]}, ("assistant", "assistant")),
        ({"type": "message", "role": "assistant", "content": "Hello"}, ("assistant", "assistant")),
        ({"type": "message", "content": "Hello"}, ("user", "user")),
    ],
)
def test_messages_of_sdks_are_understood(message: object, expected: tuple[str, str]) -> None:
    turn = accepted(message)
    assert ((turn.role, turn.speaker), turn.content) == (expected, "Hello")


def test_indices_are_those_of_the_list_that_was_given() -> None:
    result = accept([{"content": ""}, {"content": "a"}, {"content": 5}, {"content": "b"}], NOW)
    assert [turn.index for turn in result.turns] == [1, 3]
    assert [rejection.index for rejection in result.rejections] == [0, 2]


def test_a_time_is_kept_in_utc_whatever_zone_it_came_in() -> None:
    told = ["2026-02-01T10:00:00Z", "2026-02-01T10:00:00", "2026-02-01T11:00:00+01:00", "2026-02-01T05:00:00-05:00"]
    assert {str(accepted({"content": "x", "at": at}).at) for at in told} == {"2026-02-01 10:00:00+00:00"}


def test_a_clock_may_run_ahead_by_a_day_and_no_more() -> None:
    assert accepted({"content": "x", "at": NOW + timedelta(hours=23)}).at
    assert "is in the future" in reason({"content": "x", "at": NOW + timedelta(hours=25)})
    assert "is in the future" in reason({"content": "x", "at": (NOW + timedelta(hours=25)).replace(tzinfo=None)})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "system", "content": "Be brief."}, "system message is not part of the conversation"),
        ({"role": "developer", "content": "Be brief."}, "system message is not part of the conversation"),
        ({"role": "tool", "content": "42"}, "tool message is not part of the conversation"),
        ({"role": "function", "content": "42"}, "tool message is not part of the conversation"),
        ({"role": "bard", "content": "x"}, "role: "),
        ({"role": 5, "content": "x"}, "role: "),
        ({"content": 5}, "content: "),
        ({"content": {"text": "x"}}, "content: "),
        ({"content": b"x"}, "content: contains bytes"),
        ({"content": "x", "id": 5}, "id: "),
        ({"content": "x", "at": "yesterday"}, "at: "),
        ({"content": "x", "at": 1e300}, "at: "),
        ({"content": "x", "at": "0001-01-01T00:00:00+05:00"}, "at: 0001-01-01 00:00:00+05:00 is outside"),
        ({"content": "x", "at": "9999-12-31T23:00:00-05:00"}, "at: 9999-12-31 23:00:00-05:00 is outside"),
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


async def _said(texts: str) -> AsyncIterator[str]:
    for each in texts:
        yield each


@pytest.mark.parametrize("messages", [["a", "b"], ("a", "b"), iter("ab"), (each for each in "ab"), _said("ab")])
def test_messages_come_from_whatever_gives_them_out(messages: Any) -> None:
    assert asyncio.run(gathered(messages)) == ["a", "b"]


ONE = Message(role="user", content="x")


@pytest.mark.parametrize("nothing", ["hello", b"hello", {"role": "user"}, None, 5, {1, 2}, ONE, Plain])
def test_what_gives_out_no_messages_in_order_is_refused(nothing: Any) -> None:
    with pytest.raises(InvalidInput, match="messages: must be a list of messages"):
        asyncio.run(gathered(nothing))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9) | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "type"]), inner),
    max_leaves=4,
)


@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "name", "at", "id", "x"]), anything) | anything))
def test_no_message_makes_it_raise_and_each_is_judged_once(messages: list[Mapping[str, Any]]) -> None:
    result = accept(messages, NOW)
    assert sorted(each.index for each in [*result.turns, *result.rejections]) == list(range(len(messages)))
    for turn in result.turns:
        assert turn.content.strip()
        turn.content.encode()


@pytest.mark.parametrize(
    ("field", "given", "stored"),
    [
        ("content", "a\0b", "a\ufffdb"),
        ("content", "\ud83d x", "\ufffd x"),
        ("content", "x \udc00\ud800", "x \ufffd\ufffd"),
        ("content", "two halves: \ud83d\ude00", "two halves: \U0001f600"),
        ("content", ["part \0", "part \ud800"], "part \ufffd\npart \ufffd"),
        ("name", "A\0da", "A\ufffdda"),
        ("id", "\udc00", "\ufffd"),
    ],
)
def test_what_cannot_be_stored_is_mended_and_told_as_in_files(field: str, given: object, stored: str) -> None:
    accepted = accept([{"content": "hello", field: given}], NOW)
    [turn] = accepted.turns
    assert {"content": turn.content, "name": turn.speaker, "id": turn.id}[field] == stored
    assert [each.what for each in accepted.left_out] == [
        "NUL characters or half surrogates, each of which became U+FFFD"
    ]
    assert mended(given if isinstance(given, str) else "\n".join(given)) == stored  # type: ignore[arg-type]
