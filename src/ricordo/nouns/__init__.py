"""What Ricordo talks about: frozen models that cross every boundary. They hold no rule and reach no store."""

from ricordo.nouns.agents import (
    Access,
    Agent,
    Entry,
    Event,
    Isolation,
    Kind,
    Profile,
    Receipted,
    Retention,
    Scope,
    SeedEntry,
    Source,
    Strategy,
    Version,
)
from ricordo.nouns.audit import Absence, Chain, Place
from ricordo.nouns.base import Noun
from ricordo.nouns.journal import Proposal, Remembered, Remembering, Whiteboard
from ricordo.nouns.palace import Closet, Drawer, Filters, Hit, Recalled, Room, Wing
from ricordo.nouns.talk import Conversation, Imported, Message, Problem, Receipt, Rejection

__all__ = [
    "Absence",
    "Access",
    "Agent",
    "Chain",
    "Closet",
    "Conversation",
    "Drawer",
    "Entry",
    "Event",
    "Filters",
    "Hit",
    "Imported",
    "Isolation",
    "Kind",
    "Message",
    "Noun",
    "Place",
    "Problem",
    "Profile",
    "Proposal",
    "Recalled",
    "Receipt",
    "Receipted",
    "Rejection",
    "Remembered",
    "Remembering",
    "Retention",
    "Room",
    "Scope",
    "SeedEntry",
    "Source",
    "Strategy",
    "Version",
    "Whiteboard",
    "Wing",
]
