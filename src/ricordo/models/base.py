"""The base class of all models."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel, ConfigDict


class ApiModel(BaseModel):
    """Base class of all models: immutable, and unknown fields are rejected, so that typos are noticed."""

    # Built when first used: a process needs few of them, and its start would pay for all.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def version_tag(self) -> str:
        """Tells this value from every other one: equal values have the same."""
        return hashlib.sha256(self.model_dump_json().encode(errors="replace")).hexdigest()[:32]
