"""The form that a reply is asked for: strict in what is asked, forgiving in what is taken."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


def _strict(schema: dict[str, Any]) -> None:
    """Every field required and no other allowed, as the strict mode of the protocol wants it; with no prose in it."""
    schema["additionalProperties"] = False
    schema["required"] = list(schema["properties"])
    for each in schema["properties"].values():
        each.pop("default", None)
        each.pop("title", None)
    schema.pop("description", None)


class Form(BaseModel):
    """A JSON object that an LLM is asked for. Fields that nobody asked for are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_strict)
