"""A turn as extraction reads it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Said:
    """One turn: who says it, in which part, and when.

    `role` is a message's role: what an assistant, a system or a tool says is searched for names, never for facts.
    `speaker` is the speaker's name, or the role where there is none.
    """

    speaker: str
    role: str
    text: str
    at: datetime
