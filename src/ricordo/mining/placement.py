"""Where turns go in the palace, by local rules: which wing, where a room ends, which closets it has.

Nothing here looks at what else stands in the palace: a conversation is placed alike in whichever order talks are mined.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from ricordo.mining.phrases import phrases
from ricordo.mining.topics import Talk, segments, subject, topics
from ricordo.palace import AND, Subject, others_of, slug
from ricordo.text import NAMELESS, detect, fold, terms

#: A pause that ends a room, and the most drawers that one has.
_PAUSE = timedelta(hours=8)
_LARGEST = 400
#: Closets are found in so many drawers at a time, so that a room that grows costs the same at each step.
PAGE = 100
_PARTS_OF_DAY = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
#: In a title, what comes after these is what it is about, and after those only where it is.
_ABOUT = frozenset(
    [
        "about",
        "for",
        "with",
        "to",
        "of",
        "from",
        "uber",
        "fur",
        "zu",
        "zum",
        "zur",
        "nach",
        "pour",
        "sur",
        "para",
        "sobre",
        "per",
        "su",
        "over",
        "voor",
    ]
)
#: So many people at most talk in a wing of their names, where no title says what about.
_GROUP = 4
_WHERE = frozenset(
    ["in", "on", "at", "behind", "near", "under", "auf", "an", "am", "im", "bei", "in", "dans", "chez", "en", "a"]
)

#: What is done about a subject, and no part of its name: "Lisbon trip" is about Lisbon.
_OCCASIONS = frozenset(
    ["trip", "trips", "visit", "holiday", "holidays", "vacation", "update", "updates", "notes", "reise", "urlaub"]
)


def subject_of(
    title: str | None,
    project: str | None,
    speakers: Sequence[str],
    texts: Sequence[str],
    language: str,
    own: Sequence[str],
) -> Subject:
    """The wing of a conversation.

    `own` are the names of the user. A project that the source names comes first; then the people who talk with
    the user, where they are few; else the topic of the title, or of the conversation where the title names none. Banter
    has no topic: it goes to whom it is with, or to the wing "Conversations".
    """
    if project:
        return Subject("project", project, slug(project))
    people = {name for name in speakers if name not in ("user", "assistant")}
    if people and len(set(speakers)) > 1 and "assistant" not in speakers:
        others = others_of(people, own)
        if len(others) <= (2 if title else _GROUP):
            name = AND.join(others)
            return Subject("person", name, slug(name))
    talk = Talk.of(texts, language, speakers)
    name = _topic(title or "", talk, language) or subject(talk) or "Conversations"
    name = name[:1].upper() + name[1:]
    return Subject("topic", name, slug(name))


def rooms_of(times: Sequence[datetime], last: datetime | None, drawers: int) -> list[tuple[range, bool]]:
    """Cut turns into rooms: where a pause of eight hours lies between two, or a room is full.

    `last` is the time of the conversation's newest stored turn, None where there is none, and `drawers` the
    size of its room. Each range comes with whether it goes on in that room; only the first one can.
    """
    cuts: list[int] = []
    size, before = drawers, last
    for index, time in enumerate(times):
        if before is None or abs(time - before) > _PAUSE or size >= _LARGEST:
            cuts.append(index)
            size = 0
        size, before = size + 1, time
    edges = [*cuts, len(times)] if cuts[:1] == [0] else [0, *cuts, len(times)]
    return [(range(first, end), first not in cuts) for first, end in pairwise(edges)]


def room_name(at: datetime, title: str | None) -> str:
    """Such as "2026-04-30 evening session" or "2026-04-30 evening: Battery talk"."""
    part = next(name for hour, name in _PARTS_OF_DAY if at.hour < hour)
    return f"{at:%Y-%m-%d} {part}" + (f": {title}" if title else " session")


def closets_of(texts: Sequence[str], speakers: Sequence[str], title: str | None) -> list[tuple[str, range]]:
    """The topics of a piece of conversation in their order, each with the turns that are about it."""
    language = detect(texts)
    wing, _, subject = (title or "").rpartition(":")
    said, titled = (
        frozenset(word.stem for each in phrases(part, language) for word in each.phrase) for part in (wing, subject)
    )
    talk = Talk.of(texts, language, speakers)
    return topics(talk, segments([terms(text, language) for text in texts]), said, titled - said)


def _topic(title: str, talk: Talk, language: str) -> str | None:
    """What a title is about: what stands before its colon, if that names something; there a name first, else what
    comes after "about", "for" and the like, else the first thing that it names."""
    head, colon, _ = title.partition(":")
    found = list(phrases(head, language)) if colon else []
    found = found or list(phrases(title, language))
    if not found:
        doing = title.split()[0] if title.split() else ""
        return doing if language == "en" and doing.endswith("ing") and fold(doing) not in NAMELESS else None

    def rank(index: int) -> tuple[int, int]:
        each = found[index]
        word = each.phrase[-1]
        if index and (each.before in _WHERE or word.surface.isupper()):
            return 3, index
        if any(part.stem in talk.names or (part.capital and each.before) for part in each.phrase):
            return 0, index
        return (1, -index) if each.before in _ABOUT else (2, index)

    best = [word.surface for word in found[min(range(len(found)), key=rank)].phrase]
    bare = [each for each in best if fold(each) not in _OCCASIONS]
    return " ".join(bare or best)
