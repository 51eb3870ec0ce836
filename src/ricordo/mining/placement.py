"""Where turns go in the palace, by local rules: which wing, where a room ends, which closets it has."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from ricordo.entries.terms import fold
from ricordo.mining.topics import chunks, name_of, segments, slug, vocabulary
from ricordo.palace import Subject, WingRow

#: A pause that ends a room, and the most drawers that one has.
_PAUSE = timedelta(hours=8)
_LARGEST = 400
_PARTS_OF_DAY = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))


def subject_of(
    title: str | None,
    project: str | None,
    speakers: Sequence[str],
    texts: Sequence[str],
    language: str,
    own: Sequence[str],
    wings: Sequence[WingRow],
) -> Subject:
    """The wing of a conversation.

    `own` are the names of the user. A project that the source names comes first; then the people who talk with
    the user; then a wing that stands already and is named by the title; else the topic of the title and the text.
    """
    if project:
        return Subject("project", project, slug(project))
    people = [name for name in dict.fromkeys(speakers) if name not in ("user", "assistant")]
    if people and "assistant" not in speakers:
        others = [name for name in people if not any(fold(each) in (fold(name), *fold(name).split()) for each in own)]
        if len(others) <= 2:
            name = " & ".join(others or people)
            return Subject("person", name, slug(name))
    return _known(title, language, wings) or _topic(title, texts, language)


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


def closets_of(texts: Sequence[str], terms: Sequence[Sequence[str]], language: str) -> list[tuple[str, range]]:
    """The topics of a room in their order, each with the turns that are about it."""
    whole = vocabulary(texts, language)
    return [
        (name_of([texts[index] for index in segment], whole, language) or "General", segment)
        for segment in segments(terms)
    ]


def _known(title: str | None, language: str, wings: Sequence[WingRow]) -> Subject | None:
    """The wing with the longest name whose every word stands in the title."""
    if not title:
        return None
    said = set(slug(title, language).split("-")) | set(slug(title).split("-"))
    named = [wing for wing in wings if set(wing.slug.split("-")) <= said]
    best = max(named, key=lambda wing: len(wing.slug), default=None)
    return Subject(best.kind, best.name, best.slug) if best else None


def _topic(title: str | None, texts: Sequence[str], language: str) -> Subject:
    """The part of the title that holds the talk's commonest word, of equal ones the last, as titles begin with
    what is done about a thing; without a title that names something, the talk's own words."""
    talk = vocabulary(texts, language)
    candidates = [chunk[:3] for chunk in chunks(title or "", language)]
    if candidates:
        best = max(reversed(candidates), key=lambda chunk: max(talk[word.stem] for word in chunk))
        name = " ".join(word.surface for word in best)
    else:
        name = name_of(texts, talk, language) or "Conversations"
    name = name[:1].upper() + name[1:]
    return Subject("topic", name, slug(name, language))
