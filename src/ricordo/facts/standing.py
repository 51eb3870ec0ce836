"""Which turns still hold: for drawers, whether the facts that they state stand at a moment or were replaced, and where.

Facts are compared within a slot: one subject and one predicate. Two more comparisons are made between drawers that a
recall found together, since talk rarely names a slot twice in the same words: "the quota" replaces "the API quota", and
"we switched from diesel to sqlx" replaces whatever was said to be diesel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ricordo.database import Transaction
from ricordo.facts import graph_store
from ricordo.facts.relations import Span, StatedFact, as_decided, single_valued, spans
from ricordo.text import stem, words
from ricordo.text.attributes import ATTRIBUTES
from ricordo.text.english import word_set

#: A drawer: its room and its number there.
Place = tuple[int, int]
#: Predicates of things whose value may be a tool or a host: giving up that tool ends them, whatever they are called.
_OF_TOOLS = frozenset(["runs_on", "built_with", "goes_through", "goes_to", "stored_in", "provided_by", "uses"])
_TOOLS = word_set("host database db queue cache layer framework stack provider backend frontend library")
#: Attributes of people's things: selling "the Astra" ends that the car is an Opel Astra.
_BELONGINGS = word_set("owns car bike phone laptop computer camera")


@dataclass(frozen=True)
class Slots:
    """What a question asks for: of these subjects (slugs) these predicates; any other predicate by `asks_for`; and its
    words, folded. Where it asks of "my sister", who that is follows from the predicate in `relatives` of the `own`."""

    subjects: Sequence[str]
    predicates: Sequence[str]
    asks_for: Callable[[str], bool]
    words: frozenset[str] = frozenset()
    relatives: Sequence[str] = ()
    own: Sequence[str] = ()


@dataclass(frozen=True)
class Standing:
    """How what a drawer states stands: it holds, or another drawer replaced it at a moment."""

    holds: bool
    #: Since when that holds or held.
    since: datetime
    #: What the drawers of one slot have in common.
    slot: object = None
    replaced_by: Place | None = None
    replaced_at: datetime | None = None
    #: Whether that is about what the question asks for.
    asked: bool = False


@dataclass(frozen=True)
class _Stated:
    """A fact of a drawer: since when it holds, and which drawer's fact replaced it when."""

    said: StatedFact
    since: datetime
    slot: object
    over: bool = False
    by: StatedFact | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class _Known:
    """What is asserted, and of whom: the slug and kind of each fact's subject, its wing and who said it."""

    said: Sequence[StatedFact]
    subjects: Mapping[object, tuple[str, str, int | None, str | None]]

    def is_person(self, each: StatedFact) -> bool:
        return self.subjects[each.id][1] == "person"

    def together(self, one: StatedFact, other: StatedFact) -> bool:
        """Whether two facts are of one subject, in one wing or said by one person: likely of the same matter."""
        (*_, wing, speaker), (*_, other_wing, other_speaker) = self.subjects[one.id], self.subjects[other.id]
        return one.subject == other.subject or wing == other_wing or speaker == other_speaker

    def relatives(self, slots: Slots) -> Iterator[int | None]:
        """Who stands to the asker as those that a question asks of."""
        for each in self.said:
            if each.predicate in slots.relatives and not each.ended and self.subjects[each.id][0] in slots.own:
                yield each.object

    def qualifiers(self, each: StatedFact) -> frozenset[str]:
        """The words that say which quota it is: of a thing's name, and of the predicate before its last word."""
        slug, kind, *_ = self.subjects[each.id]
        named = [] if kind == "person" else slug.split("-")
        return frozenset(stem(word, "en") for word in (*named, *each.predicate.split("_")[:-1]))


async def standing(
    tx: Transaction, places: Sequence[Place], slots: Slots, moment: datetime
) -> tuple[dict[Place, Standing], list[Place]]:
    """How each of the drawers stands that states a fact; and the drawers that state what holds now in the slots that
    are asked for, the first predicate's first. What was said after `moment` is left out."""
    subjects = slots.subjects if not slots.relatives else [*slots.subjects, *slots.own]
    predicates = [*slots.predicates, *slots.relatives]
    told = await graph_store.slots(tx, places, subjects, predicates, slots.subjects)
    rows = [row for row in told if row[0].said_at <= moment]
    if not rows:
        return {}, []
    known = _Known(as_decided(row[0] for row in rows), {row[0].id: row[2:] for row in rows})
    asked = {row[0].subject for row in rows if row[1]} | {*known.relatives(slots)}
    stated = _stated(known.said, moment)
    here = {place: stated[place] for place in places if place in stated}
    _compare(here, known, moment)
    found = ((place, _standing(facts, slots)) for place, facts in here.items())
    return {place: each for place, each in found if each is not None}, _holding(stated, slots, asked)


async def instructions(tx: Transaction, subjects: Sequence[str], moment: datetime) -> dict[Place, str]:
    """The standing instructions that one person, known by these slugs, has given and that hold at a moment: the drawer
    that states each and its words, the newest first."""
    told = [each for each in await graph_store.instructions(tx, subjects) if each.said_at <= moment]
    found: dict[Place, str] = {}
    for span in sorted(spans(told), key=lambda span: span.said[-1].said_at, reverse=True):
        last = span.said[-1]
        if last.room is None or last.drawer is None or last.ended:
            continue
        if (span.valid_from is None or span.valid_from <= moment) and (span.valid_to is None or span.valid_to > moment):
            place = last.room, last.drawer
            found[place] = f"{found[place]}. {last.value}" if place in found else last.value
    return found


def _stated(said: Sequence[StatedFact], moment: datetime) -> dict[Place, list[_Stated]]:
    """The facts of each drawer, with what became of them."""
    groups: defaultdict[tuple[int, str, int | None], list[Span]] = defaultdict(list)
    for span in spans(said):
        groups[span.slot].append(span)
    found: defaultdict[Place, list[_Stated]] = defaultdict(list)
    for slot, group in groups.items():
        for span in group:
            over = span.valid_to is not None and span.valid_to <= moment
            for each in span.said:
                if each.room is None or each.drawer is None or each.ended:
                    continue
                by = _closing(span, each, group) if over else None
                since = span.valid_from or each.said_at
                found[each.room, each.drawer].append(
                    _Stated(each, since, slot, over, by, span.valid_to if over else None)
                )
    return found


def _closing(span: Span, said: StatedFact, group: Sequence[Span]) -> StatedFact | None:
    """The fact that ended a span: one of another value, or that it is over."""
    after = [
        each
        for other in group
        for each in other.said
        if each.said_at >= said.said_at and each.id != said.id and (each.ended if other is span else not each.ended)
    ]
    if not span.is_exclusive:
        after = [each for each in after if each.ended]
    # What is over and by what it was replaced may be told in two turns: the value tells more.
    return min(after, key=lambda each: (each.ended, each.said_at), default=None)


def _compare(here: Mapping[Place, list[_Stated]], known: _Known, moment: datetime) -> None:
    """Note what drawers replaced by the value that they end, or by another name for the same slot."""
    ends = [each for each in known.said if each.ended and each.room is not None]
    newer = [each.said for stated in here.values() for each in stated]
    for stated in here.values():
        for at, each in enumerate(stated):
            if each.over:
                continue
            by = next(_replacing(each.said, ends, newer, known), None)
            if by is None:
                continue
            when = by.since or by.until or by.said_at
            if when <= moment:
                stated[at] = _Stated(each.said, each.since, each.slot, True, by, when)


def _replacing(
    said: StatedFact, ends: Sequence[StatedFact], newer: Sequence[StatedFact], known: _Known
) -> Iterator[StatedFact]:
    yield from (end for end in ends if _ends(end, said, known))
    yield from (new for new in newer if _replaces(new, said, known))


def _ends(end: StatedFact, said: StatedFact, known: _Known) -> bool:
    """Whether a drawer that says that a tool or a belonging is given up means this one, which it names alike."""
    if end.said_at <= said.said_at or (end.room, end.drawer) == (said.room, said.drawer):
        return False
    one, other = _value(end), _value(said)
    if not one or not other or not (one <= other or other <= one):
        return False
    head = said.predicate.rpartition("_")[2]
    if end.predicate in _OF_TOOLS:
        return (said.predicate in _OF_TOOLS or head in _TOOLS) and known.together(end, said)
    return end.predicate == "owns" and head in _BELONGINGS and end.subject == said.subject


def _replaces(new: StatedFact, old: StatedFact, known: _Known) -> bool:
    """Whether a newer drawer states another value of what an older one calls by a longer or shorter name."""
    if new.ended or new.said_at <= old.said_at or (new.room, new.drawer) == (old.room, old.drawer):
        return False
    if _value(new) == _value(old) or (new.subject, new.predicate) == (old.subject, old.predicate):
        return False
    if new.predicate == "version" and known.qualifiers(new) and not _figures(new) <= _figures(old):
        named = _value(old) - _figures(old)
        if named and named == known.qualifiers(new):
            return True  # "we use Postgres 15", and then "Postgres is at 17"
    head = new.predicate.rpartition("_")[2]
    if head != old.predicate.rpartition("_")[2] or head not in ATTRIBUTES or bool(_figures(new)) != bool(_figures(old)):
        return False
    one, other = known.qualifiers(new), known.qualifiers(old)
    if new.subject == old.subject:
        return (one < other or other < one) and bool(_figures(new))
    # "The quota" of whoever speaks, and the quota of a thing; never the dentists of two people.
    people = known.is_person(new) + known.is_person(old)
    if not known.together(new, old):
        return False
    return (people == 1 and (one <= other or other <= one)) or (
        people == 0 and bool(one & other) and (one < other or other < one)
    )


def _value(said: StatedFact) -> frozenset[str]:
    return frozenset(stem(word, "en") for word in words(said.value))


def _figures(said: StatedFact) -> frozenset[str]:
    return frozenset(word for word in words(said.value) if any(map(str.isdigit, word)))


def _standing(stated: Sequence[_Stated], slots: Slots) -> Standing | None:
    """How a drawer stands: by what the question asks for where it states that, else by all that it states."""
    asked = [each for each in stated if _is_asked(each.said, slots)]
    # "Who owns the importer?" is not about who owns the API.
    meant = [each for each in asked if _value(each.said) and _value(each.said) <= slots.words]
    judged = meant or asked or stated
    over = [each for each in judged if each.over]
    if len(over) < len(judged):
        each = next(each for each in judged if not each.over)
        return Standing(True, each.since, each.slot, asked=bool(asked))
    each = next((each for each in over if each.by is not None), over[0])
    place = (each.by.room, each.by.drawer) if each.by is not None else None
    if place is None or place[0] is None or place[1] is None or place == (each.said.room, each.said.drawer):
        return Standing(False, each.since, each.slot, asked=bool(asked))
    return Standing(False, each.since, each.slot, (place[0], place[1]), each.at, bool(asked))


def _is_asked(said: StatedFact, slots: Slots) -> bool:
    return said.predicate in slots.predicates or slots.asks_for(said.predicate)


def _holding(stated: Mapping[Place, Sequence[_Stated]], slots: Slots, subjects: Collection[int | None]) -> list[Place]:
    """The drawers that state what holds in the slots that are asked for by name, of these subjects."""
    found: list[tuple[int, float, Place]] = []
    for place, several in stated.items():
        for each in several:
            asked = each.said.predicate in slots.predicates and each.said.subject in subjects
            if asked and not each.over and single_valued(each.said.predicate):
                rank = list(slots.predicates).index(each.said.predicate)
                found.append((rank, -each.said.said_at.timestamp(), place))
    return [place for _, _, place in sorted(found)]
