"""What a memory's fields may hold: each refusal names the field and the rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ricordo import rules
from ricordo.errors import InvalidInput

_CYCLE: dict[str, Any] = {}
_CYCLE["self"] = _CYCLE


def content(value: object) -> str:
    return rules.text("content", value, rules.LONGEST)


def _nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = {"inside": value}
    return value


@pytest.mark.parametrize(
    ("check", "value", "field", "rule"),
    [
        (content, "", "content", "blank"),
        (content, " \t\n\u3000", "content", "blank"),
        (content, "x" * 10_001, "content", "10,001 characters"),
        (content, "a\0b", "content", "NUL"),
        (content, "half \ud83d", "content", "surrogate"),
        (content, None, "content", "must be text"),
        (content, b"bytes", "content", "must be text"),
        (rules.confidence, 1.01, "confidence", "between 0 and 1"),
        (rules.confidence, -0.01, "confidence", "between 0 and 1"),
        (rules.confidence, float("nan"), "confidence", "number"),
        (rules.confidence, float("inf"), "confidence", "number"),
        (rules.confidence, "0.5", "confidence", "number"),
        (rules.confidence, True, "confidence", "number"),
        (rules.importance, 0, "importance", "from 1 to 10"),
        (rules.importance, 11, "importance", "from 1 to 10"),
        (rules.importance, 5.5, "importance", "whole number"),
        (rules.limit, 0, "limit", "from 1 to 1,000"),
        (rules.limit, 1001, "limit", "from 1 to 1,000"),
        (rules.scope, "galaxy", "scope", "project, conversation, global"),
        (rules.source, "rumour", "source", "user, agent, tool, eval, manual"),
        (rules.tags, "cells", "tags", "list"),
        (rules.tags, [f"tag {each}" for each in range(10_000)], "tags", "10,000"),
        (rules.tags, ["fine", ""], "tags", "printable"),
        (rules.tags, ["x" * 101], "tags", "1 to 100"),
        (rules.tags, [1], "tags", "printable"),
        (rules.metadata, [1], "metadata", "object"),
        (rules.metadata, _nested(33), "metadata", "32 levels"),
        (rules.metadata, _nested(100_000), "metadata", "32 levels"),
        (rules.metadata, _CYCLE, "metadata", "32 levels"),
        (rules.metadata, {"x": "y" * 100_000}, "metadata", "the maximum is 100,000"),
        (rules.metadata, {"x": float("nan")}, "metadata", "JSON"),
        (rules.metadata, {"x": object()}, "metadata", "JSON"),
        (rules.metadata, {"x": "\0"}, "metadata", "NUL"),
        (rules.metadata, {"x": ["\ud83d"]}, "metadata", "surrogate"),
    ],
)
def test_what_breaks_a_rule_is_refused(check: Callable[[Any], object], value: object, field: str, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule) as raised:
        check(value)
    assert raised.value.field == field
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    ("check", "value", "kept"),
    [
        (content, "  said \n", "said"),
        (content, "x" * 10_000, "x" * 10_000),
        (content, "\U0001f50b 電池", "\U0001f50b 電池"),
        (rules.confidence, 0, 0.0),
        (rules.confidence, 1, 1.0),
        (rules.importance, 1, 1),
        (rules.importance, 10.0, 10),
        (rules.limit, 1000, 1000),
        (rules.tags, ["b", " a ", "b"], ["b", "a"]),
        (rules.metadata, {"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
    ],
)
def test_what_keeps_the_rules_is_kept(check: Callable[[Any], object], value: object, kept: object) -> None:
    assert check(value) == kept


def test_metadata_may_be_32_levels_deep() -> None:
    assert rules.metadata(_nested(31)) == _nested(31)


def test_a_time_must_lie_ahead_and_is_utc_where_no_zone_is_given() -> None:
    later = datetime.now(UTC) + timedelta(minutes=1)
    assert rules.future("expires_at", later) == later
    assert rules.future("expires_at", later.replace(tzinfo=None)) == later
    for wrong in (datetime.now(UTC), later - timedelta(days=1), "2000-01-01", "soon", None):
        with pytest.raises(InvalidInput) as raised:
            rules.future("expires_at", wrong)
        assert raised.value.field == "expires_at"
