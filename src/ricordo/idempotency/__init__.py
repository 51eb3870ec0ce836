"""Requests that are done once, however often they are sent."""

from ricordo.idempotency.claims import Answer, Claimed, begin_effect, claim, keep_answer, note_done, release

__all__ = [
    "Answer",
    "Claimed",
    "begin_effect",
    "claim",
    "keep_answer",
    "note_done",
    "release",
]
