"""What is known about an entity now: the About page."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from ricordo.models.base import ApiModel
from ricordo.models.graph import EntityKind, Finder

Topic = Literal["basics", "home", "work", "people", "health", "project", "things", "likes", "other"]


class AboutFact(ApiModel):
    """One fact with the turns that state it."""

    id: UUID
    topic: Topic
    #: The fact in words, such as "lives in Bristol" or "sister: Ana".
    text: str
    subject_id: UUID
    subject: str
    predicate: str
    #: None where the object is a plain value.
    object_id: UUID | None = None
    object: str
    #: When it began to be true; None if unknown.
    since: datetime | None = None
    #: Until when it was or will be true; None while no end is known.
    until: datetime | None = None
    #: When it was last stated.
    stated_at: datetime
    found_by: Finder
    #: Whether a person confirmed or corrected it.
    confirmed: bool = False
    #: The pointers of the turns that state it; none for what a person entered.
    sources: tuple[str, ...] = ()


class AboutChange(ApiModel):
    """A fact that ended lately, and the one that replaced it."""

    at: datetime
    old: AboutFact
    #: None where it ended without a successor.
    new: AboutFact | None = None


class About(ApiModel):
    """What is known about a person, project or thing: what fits the token budget, the most important first."""

    #: None while nothing is known about the user.
    entity_id: UUID | None = None
    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()
    #: Whether it is about the user.
    is_user: bool = False
    #: What is true now, topic by topic.
    facts: tuple[AboutFact, ...] = ()
    #: What changed in the last 90 days, newest first.
    changes: tuple[AboutChange, ...] = ()
    #: Facts that cannot all be true, in groups. Neither time nor tense resolves them.
    contradictions: tuple[tuple[AboutFact, ...], ...] = ()
    #: What begins later, soonest first.
    plans: tuple[AboutFact, ...] = ()
    #: Lines that did not fit.
    left_out: int = 0
    #: All of this as Markdown, and its tokens.
    text: str
    tokens: int
