"""A tool for a language model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

#: An agent by id or name, or None where no agent speaks.
Speaker = UUID | str | None


@dataclass(frozen=True)
class Tool:
    """A tool: its description for the model, and its function.

    `parameters` is the JSON schema of its arguments, an object. `handler` receives the agent, the run and the
    arguments, whose names were checked against the schema. A RicordoError that it raises becomes `{"error": …}`.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    handler: Callable[[Speaker, UUID | None, Mapping[str, Any]], Awaitable[dict[str, Any]]]
    #: Other spellings of arguments, each with the name that it stands for.
    also: Mapping[str, str] = field(default_factory=dict)
    #: Arguments beside those of the schema, which the handler checks: they say what holds anyway.
    implied: frozenset[str] = frozenset()
