"""A turn as extraction reads it, and the days that it names as moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from ricordo.models import Extraction
from ricordo.times import within


@dataclass(frozen=True)
class Said:
    """One turn: who says it, in which part, and when.

    `role` is a message's role: what an assistant, a system or a tool says is searched for names, never for facts.
    `speaker` is the speaker's name, or the role where there is none. `at` is what the user's clock showed, as a time
    of UTC: days that the turn names are counted from there, and are midnight UTC.
    """

    speaker: str
    role: str
    text: str
    at: datetime


class StoredTurn(Protocol):
    """A turn in the palace."""

    @property
    def speaker(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def said_at(self) -> datetime: ...


def as_said(turn: StoredTurn, zone: tzinfo) -> Said:
    """A stored turn as extraction reads it, by the days of a time zone."""
    return Said(turn.speaker, turn.role, turn.content, within(turn.said_at, zone).replace(tzinfo=UTC))


def in_order(found: Extraction, turns: Sequence[StoredTurn], zone: tzinfo) -> Extraction:
    """What was found, with each day that is past, or still to come, by the user's clock alone as midnight there: else a
    move "today" would be a plan for some hours."""
    facts = []
    for fact in found.facts:
        said_at = turns[fact.turn].said_at
        named = {"since": fact.since, "until": fact.until}
        update = {name: _in_order(day, said_at, zone) for name, day in named.items() if day is not None}
        facts.append(fact.model_copy(update=update) if update else fact)
    return found.model_copy(update={"facts": tuple(facts)})


def _in_order(day: datetime, said_at: datetime, zone: tzinfo) -> datetime:
    there = day.replace(tzinfo=zone)
    is_apart = day.tzinfo is UTC and (there <= said_at) != (day <= said_at)
    return there.astimezone(UTC) if is_apart else day
