"""The schemas of the tools keep to what the models' makers take: Gemini refuses a property without a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from ricordo.mcp.tools import TOOLS

#: Keywords that the tools may use. Gemini's Schema type has all of them but `additionalProperties`.
_KNOWN = {
    "type", "description", "enum", "default", "properties", "required", "items", "additionalProperties", "minItems",
    "maxItems", "minLength", "maxLength", "minimum", "maximum",
}  # fmt: skip


def _all(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    for each in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from _all(each)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda each: each.name)
def test_each_schema_is_one_that_models_take(tool: Any) -> None:
    for each in _all(tool.schema):
        assert isinstance(each.get("type"), str), each
        assert each.keys() <= _KNOWN, each
        assert "enum" not in each or each["type"] == "string", each
        if each["type"] == "object":
            assert each["additionalProperties"] is False
            assert {*each.get("required", ())} <= {*each["properties"]}
        if each["type"] == "array":
            assert "items" in each
