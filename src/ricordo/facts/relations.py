"""Assertions → relations: what held between whom, from when to when.

The facts are the record; how long something held follows from all of them together, in the order in which they
were said. So the order in which talk is mined, the redaction of a drawer and the joining of entities need no repair.

- A predicate with one value at a time (`SINGLE_VALUED`) is closed by the next fact of another value, from the
  moment since when that holds; others hold side by side.
- Two values that one turn states, or two rooms for one and the same moment, contradict each other: both are kept, with
  their sources.
- The same value stated again is one relation with several sources.
- A statement that something is over closes it; one about a span that is over ("from 2015 to 2019") closes nothing.
- What a person decided goes before all of this: a rejected value is not there, and a confirmed one has no rival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from uuid import UUID

from ricordo.facts import instructions
from ricordo.facts.topics import relative
from ricordo.models import Decision, Finder
from ricordo.text import fold, lazy, stem, words
from ricordo.text.attributes import has_one_value

#: Predicates of which one value holds at a time, for one subject.
SINGLE_VALUED = frozenset(
    [
        "age", "birthday", "boss", "born_in", "diet", "email", "employer", "gender", "height", "home", "husband", "job",
        "lives_in", "located_in", "manager", "married_to", "name", "nationality", "native_language", "occupation",
        "partner", "phone", "price", "profession", "relationship_status", "role", "spouse", "status", "title", "wife",
        "works_as", "works_at", "runs_on", "built_with", "goes_through", "goes_to", "stored_in", "provided_by",
        "studies", "comes_from", "favourite", "favorite",
    ]
)  # fmt: skip
#: Relatives of whom one has one at a time: what is told of "my wife" is told of one person.
_ONLY = frozenset(
    ["wife", "husband", "partner", "mother", "father", "girlfriend", "boyfriend", "fiance", "boss", "landlord"]
)
#: Attributes by their last word of which several may hold: who has a cat may have two, and two numbers.
_SEVERAL = frozenset(
    ["coach", "teacher", "mentor", "roommate", "flatmate", "hobby", "language", "goal", "project", "customer"]
)


#: Predicates that name one slot, by the one that stands for it.
_ONE_SLOT = {"manager": "boss", "supervisor": "boss", "line_manager": "boss"}
#: By which a value is given up or taken up without a word about what it is of: "I swapped the Pixel for an iPhone".
_GENERAL = frozenset(["owns", "uses"])
#: Predicates whose value is what somebody does.
_DOINGS = frozenset(["does", "habit", "goes"])
#: What follows the verb in predicates of where or with whom somebody does something, and days.
_AT_PLACES = frozenset(["at", "with"])
_BY_DAY = lazy(r"(?:day|weekend|morning|evening|afternoon|night)s?\b")


def slot_of(predicate: str) -> str:
    """The slot that a predicate states: the predicate, or the one by which several that mean the same go."""
    predicate = predicate.replace("favourite", "favorite").replace("colour", "color")
    return _ONE_SLOT.get(predicate, predicate)


def single_valued(predicate: str) -> bool:
    """Whether one value of a predicate holds at a time, for one subject: named ones, and attributes such as "quota"."""
    if predicate in SINGLE_VALUED:
        return True
    of = relative(predicate)
    if of is not None:
        return of[0] in _ONLY and single_valued(of[1])
    return has_one_value(predicate) and predicate.rpartition("_")[2] not in _SEVERAL


@dataclass(frozen=True)
class StatedFact:
    """That `subject` and `object` (numbers of entities; no object where `value` is plain) are related so."""

    id: UUID
    subject: int
    predicate: str
    object: int | None
    value: str
    said_at: datetime
    since: datetime | None
    until: datetime | None
    ended: bool
    found_by: Finder
    #: Where it stands; None where a person entered it.
    room: int | None
    drawer: int | None
    #: What a person decided about it, and when.
    decision: Decision | None = None
    decided_at: datetime | None = None

    @property
    def what(self) -> tuple[int | None, str]:
        """What two facts of the same thing have in common, beside subject and predicate."""
        return (self.object, "" if self.object is not None else " ".join(self.value.casefold().split()))


@dataclass
class Span:
    """A relation in the making: one value of one predicate, and from when to when it held (None: not known)."""

    valid_from: datetime | None
    valid_to: datetime | None = None
    said: list[StatedFact] = field(default_factory=list)
    #: Which standing instructions are about the same, so that a later one replaces an earlier; None for other facts.
    matter: int | None = None

    @property
    def slot(self) -> tuple[int, str, int | None]:
        """What those spans have in common of which one may replace another."""
        return self.said[0].subject, slot_of(self.said[0].predicate), self.matter

    @property
    def is_exclusive(self) -> bool:
        """Whether one value of its slot holds at a time."""
        return self.matter is not None or single_valued(self.said[0].predicate)

    @property
    def what(self) -> tuple[int | None, str]:
        """What it tells of its subject."""
        return self.said[0].what

    @property
    def is_confirmed(self) -> bool:
        """Whether a person confirmed it."""
        return any(each.decision == "confirmed" for each in self.said)


def spans(facts: Iterable[StatedFact]) -> list[Span]:
    """The relations that follow from facts, in the order of their beginning."""
    groups: defaultdict[tuple[int, str, tuple[int | None, str] | None], list[StatedFact]] = defaultdict(list)
    told: defaultdict[int, list[StatedFact]] = defaultdict(list)
    for each in _with_activities(_with_whole_names(as_decided(facts))):
        if each.predicate == instructions.PREDICATE:
            told[each.subject].append(each)
            continue
        single = single_valued(each.predicate)
        groups[each.subject, slot_of(each.predicate), None if single else each.what].append(each)
    found: list[Span] = []
    for group in groups.values():
        found += _chain(sorted(group, key=_said))
    for several in told.values():
        found += _of_instructions(sorted(several, key=_said))
    return sorted(found, key=_begins)


def _of_instructions(told: Sequence[StatedFact]) -> Iterator[Span]:
    """The spans of one person's instructions: those about the same follow one another."""
    matters = instructions.matters([each.value for each in told])
    for matter in sorted(set(matters)):
        for span in _chain([each for each, its in zip(told, matters, strict=True) if its == matter]):
            span.matter = matter
            yield span


def as_decided(facts: Iterable[StatedFact]) -> list[StatedFact]:
    """The facts without those that a person rejected, and without those that a decision overrules, in whatever turn
    they stand: nobody decided about them yet, since they were found later, or were named a little differently."""
    facts = list(facts)
    decided: defaultdict[tuple[int, str], list[StatedFact]] = defaultdict(list)
    for each in facts:
        if each.decision is not None:
            decided[each.subject, slot_of(each.predicate)].append(each)
    return [
        each
        for each in facts
        if each.decision == "confirmed"
        or (each.decision is None and not _is_overruled(each, decided[each.subject, slot_of(each.predicate)]))
    ]


def _is_overruled(fact: StatedFact, decided: Sequence[StatedFact]) -> bool:
    """Whether a decision about the same slot speaks against a fact: that it is rejected, as far as it was stated before
    the decision; or that another value was confirmed for the moment at which it was stated."""
    confirmed = [each for each in decided if each.decision == "confirmed"]
    if any(each.what == fact.what for each in confirmed):
        return False
    for each in decided:
        if each.decision == "rejected" and each.decided_at is not None:
            if _is_alike(each, fact) and fact.said_at <= max(each.decided_at, each.said_at):
                return True
        elif single_valued(fact.predicate) and each.said_at == fact.said_at and not fact.ended:
            return True
    return False


def _is_alike(one: StatedFact, other: StatedFact) -> bool:
    """Whether two facts state the same value, in the same words or in more or fewer: "Lisbon", "Lisbon, Portugal"."""
    if one.what == other.what:
        return True
    these, those = frozenset(words(one.value)), frozenset(words(other.value))
    return bool(these) and bool(those) and (these <= those or those <= these)


def _with_whole_names(facts: list[StatedFact]) -> list[StatedFact]:
    """The facts, where what ends is named as it was when it began: who owns a VW Polo sells "the Polo". Where it began
    as the value of a slot, such as a phone, what the same turn takes up in its place is the slot's new value."""
    begun: defaultdict[int, list[StatedFact]] = defaultdict(list)
    for each in facts:
        if not each.ended:
            begun[each.subject].append(each)
    ends = {each.id: whole for each in facts if each.ended and (whole := _begun_as(each, begun[each.subject]))}
    named = [
        replace(each, predicate=whole.predicate, value=whole.value, object=whole.object)
        if (whole := ends.get(each.id))
        else each
        for each in facts
    ]
    slots = {_taken_up(each, begun[each.subject]): ends[each.id].predicate for each in facts if each.id in ends}
    return [replace(each, predicate=slots[each.id]) if each.id in slots else each for each in named]


def _begun_as(end: StatedFact, begun: Sequence[StatedFact]) -> StatedFact | None:
    """The fact that began what ends, where that is named otherwise: by its predicate, else by that of a slot."""
    before = [each for each in begun if each.said_at <= end.said_at]
    same = [each for each in before if each.predicate == end.predicate]
    said = frozenset(words(end.value))
    if not said or any(each.what == end.what for each in same):
        return None
    if found := _whole(said, same):
        return found
    if end.predicate not in _GENERAL:
        return None
    of_slots = [each for each in before if each.said_at < end.said_at and single_valued(each.predicate)]
    return _whole(said, of_slots)


def _whole(said: frozenset[str], begun: Sequence[StatedFact]) -> StatedFact | None:
    """The one fact whose value holds these words."""
    alike = {(each.predicate, each.what): each for each in begun if said <= frozenset(words(each.value))}
    return next(iter(alike.values())) if len(alike) == 1 else None


def _taken_up(end: StatedFact, begun: Sequence[StatedFact]) -> UUID | None:
    """The id of the one fact that the turn states in place of what it ends."""
    place = end.room, end.drawer, end.predicate
    several = [each.id for each in begun if (each.room, each.drawer, each.predicate) == place]
    return several[0] if len(several) == 1 else None


def _with_activities(facts: list[StatedFact]) -> list[StatedFact]:
    """The facts, and the end of all that somebody did of what they gave up: "I don't swim any more" also ends "swims on
    Tuesdays"."""
    given_up = [each for each in facts if each.ended and each.predicate in _DOINGS and " " not in each.value]
    ends: dict[tuple[UUID, str, tuple[int | None, str]], StatedFact] = {}
    for end in given_up:
        activity = stem(fold(end.value), "en")
        for each in facts:
            if (
                each.subject == end.subject
                and not each.ended
                and each.said_at < end.said_at
                and (each.predicate, each.what) != (end.predicate, end.what)
                and _activity(each) == activity
            ):
                begun = replace(end, predicate=each.predicate, value=each.value, object=each.object)
                ends[end.id, each.predicate, each.what] = begun
    return [*facts, *ends.values()]


def _activity(fact: StatedFact) -> str:
    """What somebody does at some time or place, by the stem of its verb: of "swims on Tuesdays", "goes swimming"; empty
    for other facts, such as "draws a pension", "runs on Ubuntu"."""
    verb, _, where = fact.predicate.partition("_")
    if not where and verb in _DOINGS:
        verb = fact.value.partition(" ")[0]
    elif where not in _AT_PLACES and not (where == "on" and _BY_DAY.search(fact.value)):
        return ""
    return stem(fold(verb), "en")


def contradictions(found: Sequence[Span]) -> defaultdict[UUID, list[UUID]]:
    """For each span, by the id of its first fact, those that state another value for the same time, where only
    one can hold."""
    groups: defaultdict[tuple[int, str], list[Span]] = defaultdict(list)
    for each in found:
        if single_valued(each.said[0].predicate):
            groups[each.said[0].subject, slot_of(each.said[0].predicate)].append(each)
    against: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for group in groups.values():
        for one, other in combinations(group, 2):
            if one.what != other.what and _overlap(one, other):
                against[one.said[0].id].append(other.said[0].id)
                against[other.said[0].id].append(one.said[0].id)
    return against


def _overlap(one: Span, other: Span) -> bool:
    """Whether there is a moment at which both held; ends are not part of them."""
    begins = max((each.valid_from for each in (one, other) if each.valid_from is not None), default=None)
    ends = min((each.valid_to for each in (one, other) if each.valid_to is not None), default=None)
    return begins is None or ends is None or begins < ends


def _chain(said: Sequence[StatedFact]) -> list[Span]:
    """The spans of one predicate of one subject (and, where several hold side by side, of one value)."""
    open_: list[Span] = []
    closed: list[Span] = []
    for each in said:
        same = next((span for span in open_ if _is_same(span, each)), None)
        if each.until is not None and not each.ended:
            closed.append(Span(each.since, each.until, [each]))
        elif each.ended:
            span = same or Span(each.since)
            span.said.append(each)
            span.valid_to = _not_before(each.until or each.said_at, span.valid_from)
            closed.append(span)
            if same:
                open_.remove(same)
        elif same:
            same.said.append(each)
            if each.since and same.valid_from and each.since < same.valid_from:
                same.valid_from = each.since
        else:
            begins = each.since or each.said_at
            for span in [span for span in open_ if not _contradicts(span, each)]:
                follows = span.valid_from is None or begins > span.valid_from
                span.valid_to = begins if follows else _not_before(each.said_at, span.valid_from)
                closed.append(span)
                open_.remove(span)
            open_.append(Span(begins, None, [each]))
    return closed + open_


def _is_same(span: Span, each: StatedFact) -> bool:
    """Whether a fact states the value of a span, in the same words or in more or fewer: "Postgres 16"."""
    if span.what == each.what or (each.ended and each.predicate == instructions.PREDICATE):
        return True
    if each.predicate in ("role", "title", "job", "position", "occupation"):
        return False  # a senior engineer was an engineer before
    return _is_alike(span.said[-1], each) and frozenset(words(span.said[-1].value)) != frozenset(words(each.value))


def _contradicts(span: Span, each: StatedFact) -> bool:
    """Whether a fact states another value for the moment at which this one was last stated, in the same breath
    or in another talk; a later turn of one conversation corrects the earlier."""
    last = span.said[-1]
    return last.said_at == each.said_at and (last.room != each.room or last.drawer == each.drawer)


def _said(each: StatedFact) -> tuple[datetime, int, int, bool, str]:
    """The order of saying. What a person entered counts as said after what was said at that moment; of one turn, what
    it ends comes before what it begins."""
    last = 2**31
    return (each.said_at, last if each.room is None else each.room, each.drawer or 0, not each.ended, each.value)


def _begins(span: Span) -> tuple[bool, float, str, str]:
    first, begins = span.said[0], span.valid_from
    return (begins is not None, begins.timestamp() if begins else 0.0, first.predicate, first.value)


def _not_before(moment: datetime, start: datetime | None) -> datetime:
    return max(moment, start) if start else moment
