"""The base of all nouns."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Noun(BaseModel):
    """A frozen value; unknown fields are refused, so that a misspelt one is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")
