"""The palace and the results of a recall."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal
from uuid import UUID

from ricordo.models.base import ApiModel


class ImportedTurns(ApiModel):
    """An import of chats, and what is left of it."""

    id: UUID
    imported_at: datetime
    conversations: int
    turns: int


class Hit(ApiModel):
    """One turn in the results of a recall."""

    id: UUID
    #: Its permanent place in the palace, such as `§ W-042/R-11/D-007`.
    pointer: str
    #: The turn, word for word.
    text: str
    speaker: str
    at: datetime
    #: The conversation's own id, as it was mined.
    conversation: str
    title: str | None = None
    #: 0-based place of the turn in its conversation.
    position: int
    #: Whom and what it names, and the day: `@p Derek`, `@l Hamburg`, `@e the launch`, `@i efoil`, `@t 2026-04-30`.
    tags: tuple[str, ...] = ()
    #: Whether a fact that the turn states holds at the moment of the recall.
    current: bool = False
    #: Pointer of the turn whose fact replaced this turn's, and since when; None if the fact still holds, or if the turn
    #: states no fact.
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    #: Standing instruction in the turn, such as "Always show units", if it is in force at the moment of the recall.
    instruction: str | None = None
    #: Whether the turn decides something for the project that the request may have to follow.
    decision: bool = False
    #: Probability that the turn answers the question, from 0 to 1; None if it was returned for another reason, as a
    #: standing instruction or a decision.
    confidence: float | None = None
    #: The sum of `signals`.
    score: float
    #: What each signal added to the score; see ricordo.recall.signals for their meaning.
    signals: dict[str, float]


class RecallResult(ApiModel):
    """The result of a recall: the hits, best first, and the context block for a prompt."""

    #: The `<memory_context>` block; empty when nothing matched or nothing fitted.
    context: str
    #: How many tokens `context` has, by the estimate of ricordo.text.tokens.
    tokens: int
    results: tuple[Hit, ...]
    #: Probability that some of the results answer the question, from 0 to 1.
    confidence: float = 0.0
    #: Turns of this user that have no vector yet, counted up to 1,000: they were matched by keyword only.
    pending: int = 0
    #: What the caller should know, such as that no embedding model is installed; mostly empty.
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:  # type: ignore[override]
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


class Filters(ApiModel):
    """Filters for a recall. A turn must match all that are set."""

    #: A wing's slug, name or pointer (`W-003`).
    wing: str | None = None
    #: A project: only its memories, and what the setting `across_projects` allows from outside.
    project: str | None = None
    #: A room's pointer (`W-003/R-002`).
    room: str | None = None
    #: A speaker's name or role, case ignored.
    speaker: str | None = None
    #: Only turns at or after this time, and before this time.
    since: datetime | None = None
    until: datetime | None = None
    #: The conversation as it stood at that moment: only what had been said by then.
    as_of: datetime | None = None


class Drawer(ApiModel):
    """One turn, word for word, with its place in the palace."""

    id: UUID
    pointer: str
    text: str
    speaker: str
    role: str
    at: datetime
    conversation: str
    position: int
    closet: str
    #: Whom and what it names, and the day (see Hit).
    tags: tuple[str, ...] = ()


class Closet(ApiModel):
    """A topic of a room."""

    #: Counts the room's closets.
    number: int
    name: str
    drawers: int


class Room(ApiModel):
    """A period of time in a wing, usually one conversation."""

    pointer: str
    name: str
    started_at: datetime
    drawers: int
    closet_count: int = 0
    #: Only where the tree was asked for as a whole.
    closets: tuple[Closet, ...] = ()


class Wing(ApiModel):
    """A subject: a person, a project, a topic or an agent."""

    pointer: str
    name: str
    kind: Literal["person", "project", "topic", "agent"]
    drawers: int
    #: Pointers of the wings that were merged into it.
    merged: tuple[str, ...] = ()
    room_count: int = 0
    #: When its newest turn was said; None while it is empty.
    last_at: datetime | None = None
    #: Only where the tree was asked for as a whole.
    rooms: tuple[Room, ...] = ()


#: How long the bars of a histogram are.
Span = Literal["day", "week", "month", "year"]


class Speaker(ApiModel):
    """A speaker and the number of their turns."""

    name: str
    drawers: int


class StoredConversation(ApiModel):
    """A stored conversation: what it is called, where it is in the palace, and how long it is."""

    #: Its ID, as the caller named it.
    conversation: str
    #: Its title, or the name of its first room.
    title: str
    #: Its first room.
    pointer: str
    #: The wing of its first room.
    wing: str
    turns: int
    #: When its first and its last turn were written.
    started_at: datetime
    ended_at: datetime
    #: When Ricordo first stored it.
    stored_at: datetime


class Bar(ApiModel):
    """The number of turns in one interval of a histogram, which begins at `start`."""

    start: datetime
    drawers: int


class Histogram(ApiModel):
    """The number of turns over time, in consecutive intervals of the user's time zone, oldest first. Weeks begin on
    Monday."""

    by: Span
    bars: tuple[Bar, ...]
