"""Where turns go in the palace, by local rules: which wing, where a room ends, which closets it has.

Nothing here looks at what else stands in the palace: a conversation is placed alike in whichever order talks are mined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise, takewhile

from ricordo.mining.phrases import Phrase, Word, phrases
from ricordo.mining.topics import Talk, balanced, segments, subject, topics
from ricordo.palace import AND, Subject, is_loud, others_of, slug
from ricordo.text import NAMELESS, detect, fold, terms
from ricordo.text.english import KIN, PRODUCTS
from ricordo.text.given_names import GIVEN
from ricordo.text.places import PLACES
from ricordo.text.spelled import has_own_spelling, spelled

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

#: What one wants of an assistant, and no subject: "Bug in the login flow" is about the login flow.
_TASKS = frozenset(
    [
        "bug", "bugs", "issue", "issues", "error", "errors", "problem", "problems", "fix", "fixes", "rewrite", "draft",
        "thoughts", "review", "feedback", "question", "questions", "idea", "ideas", "help", "fehler", "frage", "fragen",
    ]
)  # fmt: skip
#: What a title without a noun says has happened, by the name of what one does then.
_EVENTS = {"moved": "Moving"}
#: What people call their family, where they name no name.
_CALLED = frozenset(
    [
        "mum", "mom", "dad", "mama", "papa", "mummy", "daddy", "grandma", "grandpa", "granny", "nan", "oma", "opa",
        "mutti", "vati", "maman", "mamie", "papi", "abuela", "abuelo",
    ]
)  # fmt: skip
_JOINED = re.compile(r"\b([A-Z][a-z]+) (?:&|and|und) ([A-Z][a-z]+)(?:['’]s)?\b")
_PLACES = frozenset(fold(each) for each in PLACES)

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
    if project and not project.isspace():
        return Subject("project", project, slug(project))
    people = {name for name in speakers if name not in ("user", "assistant")}
    if people and len(set(speakers)) > 1 and "assistant" not in speakers:
        others = others_of(people, own)
        if len(others) <= (2 if title else _GROUP):
            name = AND.join(others)
            return Subject("person", name, slug(name))
    talk = Talk.of(texts, language, speakers)
    name = spelled(_couple(title or "") or _topic(title or "", talk, language) or subject(talk) or "Conversations")
    first, _, rest = name.partition(" ")
    if fold(first) in KIN and rest[:1].isupper():
        return Subject("person", rest, slug(rest))  # "Brother Torvin"
    return Subject("person" if _is_of_people(name) else "topic", name, slug(name))


def _couple(title: str) -> str | None:
    """The two people whom a title joins: "Ines & Paul's wedding" is about Ines & Paul."""
    match = _JOINED.search(title)
    if match is None or not all(fold(each) in GIVEN for each in match.groups()):
        return None
    return AND.join(sorted(match.groups()))


def _is_of_people(name: str) -> bool:
    """Whether a wing's name is that of people: given names that are no other words, or what one calls one's family."""
    return all(fold(each) in _CALLED or (fold(each) in GIVEN and fold(each) not in _PLACES) for each in name.split(AND))


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
    words = [terms(text, language) for text in texts]
    return balanced(talk, topics(talk, segments(words), said, titled - said), words, said)


def _topic(title: str, talk: Talk, language: str) -> str | None:
    """What a title is about: what stands before its colon, if that names something; there a name first, else what
    comes after "about", "for" and the like, else the first thing that it names."""
    head, colon, _ = title.partition(":")
    found = list(phrases(head, language)) if colon else []
    found = found or list(phrases(title, language))
    if not found:
        doing = _EVENTS.get(fold(title.split()[0].strip(",.!")), title.split()[0]) if title.split() else ""
        return doing if language == "en" and doing.endswith("ing") and fold(doing) not in NAMELESS else None

    def rank(index: int) -> tuple[int, int]:
        each = found[index]
        word = each.phrase[-1]
        if len(each.phrase) == 1 and len(found) > 1 and (fold(word.surface) in _TASKS or _is_doing(index, word)):
            return 4, index
        if index and (each.before in _WHERE or word.surface.isupper()):
            return 3, index
        if any(part.stem in talk.names or (part.capital and each.before) for part in each.phrase):
            return 0, index
        return (1, -index) if each.before in _ABOUT else (2, index)

    best = [word.surface for word in _name_in(found[min(range(len(found)), key=rank)].phrase, talk)]
    if language == "de" and best[0][:1].isupper():
        best = [*takewhile(lambda each: each[:1].isupper() or each[:1].isdigit(), best)]
    bare = [each for each in best if fold(each) not in _OCCASIONS | _TASKS]
    return " ".join(bare or best)


def _is_doing(index: int, word: Word) -> bool:
    """Whether a title begins with what somebody does: "Debugging the PDF worker"."""
    return index == 0 and word.surface.endswith("ing") and fold(word.surface) not in ("moving", "gardening")


def _name_in(phrase: Phrase, talk: Talk) -> Phrase:
    """The name at the beginning of a phrase, so that "Postgres upgrade" and "Postgres" are one subject; the phrase
    itself where it begins with none, or with letters that stand for other words: "PDF worker"."""
    name = tuple(takewhile(lambda word: _is_name(word, talk), phrase))
    return name if name and not is_loud(spelled(name[0].surface)) else phrase


def _is_name(word: Word, talk: Talk) -> bool:
    written = fold(word.surface)
    if written in _PLACES or written in PRODUCTS or has_own_spelling(written):
        return True
    return word.capital and word.stem in talk.names
