"""The form that a reply is asked for: strict in what is asked, forgiving in what is taken."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)


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

    @field_validator("*", mode="wrap")
    @classmethod
    def _usable(cls, value: Any, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        """Of a list the elements that are as they should be: one that is not must not cost the others. Where none is, a
        list that a reply may leave out is left out, and another one fails."""
        kept: list[Any] = []
        for each in value if isinstance(value, list) else []:
            with suppress(ValidationError):
                kept += validate([each])
        may_miss = cls.model_fields[info.field_name or ""].default_factory is list
        return kept if kept or may_miss else validate(value)
