"""What is so: extraction of facts from turns, entities, and relations in time."""

from ricordo.facts.about import about
from ricordo.facts.entity_store import OTHER_NAMES, names_of
from ricordo.facts.graph_store import ANY_INSTRUCTIONS, Stated, stated_at
from ricordo.facts.graphing import Graphing, NewTurn
from ricordo.facts.identity import slug_of
from ricordo.facts.instructions import PREDICATE as INSTRUCTION
from ricordo.facts.instructions import understood
from ricordo.facts.known import Known
from ricordo.facts.local import extract
from ricordo.facts.reading import ReadWindows, estimate_extraction, extract_conversation
from ricordo.facts.reading_store import external_id as conversation_to_read
from ricordo.facts.reading_store import queue as queue_reading
from ricordo.facts.reading_store import read_anew
from ricordo.facts.said import Said
from ricordo.facts.standing import Slots, Standing, instructions, standing
from ricordo.facts.unread import queue_unread, unread_turns
from ricordo.facts.walking import dictionary

__all__ = [
    "ANY_INSTRUCTIONS",
    "INSTRUCTION",
    "OTHER_NAMES",
    "Graphing",
    "Known",
    "NewTurn",
    "ReadWindows",
    "Said",
    "Slots",
    "Standing",
    "Stated",
    "about",
    "conversation_to_read",
    "dictionary",
    "estimate_extraction",
    "extract",
    "extract_conversation",
    "instructions",
    "names_of",
    "queue_reading",
    "queue_unread",
    "read_anew",
    "slug_of",
    "standing",
    "stated_at",
    "understood",
    "unread_turns",
]
