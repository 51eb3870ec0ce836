"""What a write may contain and whether it waits: policies, screening, the review queue."""

from ricordo.review.policies import Policies, policies, screen_for, screen_of, screen_of_run, screened
from ricordo.review.queue import hold
from ricordo.review.recalled import hidden, sayable, without_recalled
from ricordo.review.screen import Screen, find, refusal, told

__all__ = [
    "Policies",
    "Screen",
    "find",
    "hidden",
    "hold",
    "policies",
    "refusal",
    "sayable",
    "screen_for",
    "screen_of",
    "screen_of_run",
    "screened",
    "told",
    "without_recalled",
]
