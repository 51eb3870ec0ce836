"""How to ask an endpoint: what some know and others refuse is found out once for each model, by what they refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ricordo.llm.form import Form


@dataclass(frozen=True)
class Dialect:
    """What an endpoint understands of OpenAI's chat completions
    (https://platform.openai.com/docs/api-reference/chat/create)."""

    #: How a reply's form can be asked for: by its JSON schema, as some JSON object, or in words alone.
    form: Literal["schema", "object", "words"] = "schema"
    #: The name of the most tokens of a reply: newer models refuse the older one, older servers do not know the newer.
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    #: Whether the temperature may be chosen.
    temperature: bool = True

    def arguments(self, schema: type[Form] | None, tokens: int) -> dict[str, Any]:
        """The fields of a request beside model and messages."""
        fields: dict[str, Any] = {self.limit: tokens}
        if self.temperature:
            fields["temperature"] = 0
        if schema is not None and self.form == "schema":
            form = {"name": schema.__name__.lower().strip("_"), "strict": True, "schema": schema.model_json_schema()}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema is not None and self.form == "object":
            fields["response_format"] = {"type": "json_object"}
        return fields

    def simpler(self, refusal: str, with_schema: bool) -> Dialect | None:
        """Another way to ask, after the endpoint refused this one with these words; None where there is none."""
        if "max_tokens" in refusal and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in refusal and self.temperature:
            return replace(self, temperature=False)
        if not with_schema or self.form == "words":
            return None
        steps: Mapping[str, Literal["object", "words"]] = {"schema": "object", "object": "words"}
        return replace(self, form=steps[self.form])
