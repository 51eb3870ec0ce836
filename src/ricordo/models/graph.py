"""Entities, relations between them, and what an extraction finds in turns."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from ricordo.models.base import ApiModel

EntityKind = Literal["person", "organization", "project", "item", "place", "event", "topic"]
#: The name that an extraction gives the user where a turn says "I" and tells no name.
SELF = "user"
#: Who found it: the rules of ricordo.facts, a language model, or a person.
Finder = Literal["rules", "model", "manual"]
#: What a person decided about a fact.
Decision = Literal["confirmed", "rejected"]


class Mention(ApiModel):
    """A part of a turn that names an entity."""

    #: Index of the turn among those that were read.
    turn: int
    #: The name as it should be shown, without articles and possessive endings.
    name: str
    kind: EntityKind
    #: Where it stands in the turn's text, as Python slices it.
    start: int
    end: int


class Fact(ApiModel):
    """A relation stated in a turn."""

    turn: int
    #: A name; the speaker's own where the turn says "I".
    subject: str
    subject_kind: EntityKind
    #: In lower case with underscores: `lives_in`, `works_at`.
    predicate: str
    object: str
    #: None where the object is a plain value, such as a date or a role, and no entity.
    object_kind: EntityKind | None = None
    #: When it began and ended, if the turn states it; otherwise it begins at the time of the turn.
    since: datetime | None = None
    until: datetime | None = None
    #: Whether the turn says that it holds no more ("I no longer work at Acme").
    ended: bool = False


class Extraction(ApiModel):
    """The mentions and facts of a part of a conversation."""

    mentions: tuple[Mention, ...] = ()
    facts: tuple[Fact, ...] = ()


class Entity(ApiModel):
    """A person or thing that conversations mention, with all its names."""

    id: UUID
    kind: EntityKind
    name: str
    aliases: tuple[str, ...] = ()
    #: How many drawers name it, and when the first and the last of them were said.
    mentions: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


class MergedEntity(ApiModel):
    """An entity that was merged into another one, by rules or by a person."""

    id: UUID
    kind: EntityKind
    name: str
    by: Literal["rules", "manual"]


class Relation(ApiModel):
    """A relation between an entity and another entity or a value, with the time in which it was true."""

    id: UUID
    subject_id: UUID
    subject: str
    subject_kind: EntityKind
    predicate: str
    #: None where the object is a plain value.
    object_id: UUID | None = None
    object: str
    object_kind: EntityKind | None = None
    #: The relation in words, such as "Ines lives in Porto".
    text: str
    #: None if the beginning is unknown.
    valid_from: datetime | None = None
    #: None while it holds.
    valid_to: datetime | None = None
    found_by: Finder
    #: Whether a person confirmed or corrected it.
    confirmed: bool = False
    #: The pointers of the drawers that say so; none for what a person entered.
    sources: tuple[str, ...] = Field(default=())
    #: Other facts that state another value for the same time, if only one can be true.
    contradicts: tuple[UUID, ...] = Field(default=())
