"""Requests that take effect once, however often they are sent."""

from ricordo.idempotency.claims import Claimed, KeptAnswer, begin_effect, claim, keep_answer, note_done, release

__all__ = [
    "Claimed",
    "KeptAnswer",
    "begin_effect",
    "claim",
    "keep_answer",
    "note_done",
    "release",
]
