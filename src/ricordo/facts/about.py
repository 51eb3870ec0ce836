"""What is known about an entity now: its current facts, what changed lately, what contradicts, and plans ahead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from ricordo import accounts
from ricordo.database import Transaction
from ricordo.facts import about_page, entity_store, graph_store
from ricordo.facts.about_page import Line, Page
from ricordo.facts.graph_store import Cited
from ricordo.facts.identity import slug_of
from ricordo.facts.relations import Span, StatedFact, contradictions, single_valued, spans
from ricordo.facts.topics import in_words, is_of_thing, is_verb, joins, topic_of
from ricordo.facts.walking import unknown
from ricordo.models import SELF, About, AboutChange, AboutFact, Entity, EntityKind, Topic
from ricordo.palace import Pointer

#: How long ago a change may be to count as a recent one.
_LATELY = timedelta(days=90)

#: A room and the number of a drawer in it.
_Place = tuple[int, int]


async def about(
    tx: Transaction, name: str | None, own_names: Sequence[str], now: datetime, max_tokens: int
) -> tuple[About, list[UUID]]:
    """What is known about the entity of a name or id, or about the user, and the ids of the turns that are cited.

    Raises NotFound.
    """
    me = await _user(tx, own_names)
    root = me if name is None else await _named(tx, name, me)
    if root is None:
        empty = about_page.made(Page(SELF, "person", (), is_user=True), [], max_tokens, await accounts.zone(tx))
        return empty, []
    [(_, entity)] = await entity_store.entities(tx, None, None, [root], 1, 0)
    rows = [each for each in await graph_store.facts(tx, [root]) if each.said_at <= now]
    cited = await graph_store.cited(tx, [(each.room, each.drawer) for each in rows if each.room and each.drawer])
    rows = [each for each in rows if each.room is None or (each.room, each.drawer) in cited]
    told = await _Told.of(tx, rows, root, entity.name, cited)
    lines = _lines(told, [each for each in spans(rows) if told.concerns(each)], now)
    page = Page(entity.name, entity.kind, _other_names(entity), root == me, entity.id)
    made = about_page.made(page, lines, max_tokens, await accounts.zone(tx))
    return made, _ids(made, cited)


async def _user(tx: Transaction, own_names: Sequence[str]) -> int | None:
    """The user's own entity: who speaks with assistants, else whoever has one of the user's names."""
    known = await entity_store.roots_named(tx, [SELF, *map(slug_of, own_names)])
    return next((known[slug] for slug in (SELF, *map(slug_of, own_names)) if slug in known), None)


async def _named(tx: Transaction, name: str, me: int | None) -> int | None:
    """The entity of a name or id. "me" is the user, unless something is called so. Raises NotFound."""
    slug = slug_of(name)
    root = (await entity_store.roots_named(tx, [slug])).get(slug)
    if root is not None:
        return root
    try:
        row = await entity_store.entity_row(tx, UUID(name))
    except ValueError:
        row = None
    if row is not None:
        return row.root
    if slug == "me":
        return me
    raise await unknown(tx, name)


def _other_names(entity: Entity) -> tuple[str, ...]:
    return tuple(each for each in entity.aliases if each not in (entity.name, SELF))


@dataclass(frozen=True)
class _Told:
    """Spans as facts to show: with the names of what they are about, and their sources."""

    root: int
    name: str
    shown: Mapping[int, tuple[UUID, str, EntityKind]]
    cited: Mapping[_Place, Cited]

    @classmethod
    async def of(
        cls, tx: Transaction, rows: Iterable[StatedFact], root: int, name: str, cited: Mapping[_Place, Cited]
    ) -> _Told:
        numbers = {number for each in rows for number in (each.subject, each.object) if number is not None}
        return cls(root, name, await entity_store.shown(tx, numbers), cited)

    def concerns(self, span: Span) -> bool:
        """Whether a span is about the entity. What was said of two who turned out to be one says nothing."""
        first = span.said[0]
        return self.root in (first.subject, first.object) and first.subject != first.object

    def fact(self, span: Span) -> AboutFact:
        """A span as a fact to show."""
        first, last = span.said[0], span.said[-1]
        subject_id, subject, _ = self.shown[first.subject]
        object_id, object, _ = (None, last.value, None) if first.object is None else self.shown[first.object]
        return AboutFact(
            id=first.id,
            topic=self._topic(first),
            text=self._text(first, subject, object),
            subject_id=subject_id,
            subject=subject,
            predicate=first.predicate,
            object_id=object_id,
            object=object,
            since=span.valid_from,
            until=span.valid_to,
            stated_at=last.said_at,
            found_by=first.found_by,
            confirmed=span.is_confirmed,
            sources=self._sources(span),
        )

    def _topic(self, fact: StatedFact) -> Topic:
        """The topic of a fact. Of what is said of somebody else, only kinship is about this one too."""
        topic = topic_of(fact.predicate)
        return topic if fact.subject == self.root or topic == "people" else "other"

    def _text(self, fact: StatedFact, subject: str, object: str) -> str:
        words = in_words(fact.predicate, "" if fact.subject == self.root else subject)
        role = words.removesuffix(" of")  # of "friend of", the one whom it is said of is the friend
        verbal = is_verb(fact.predicate) or is_of_thing(fact.predicate) or joins(fact.predicate)
        if fact.subject == self.root:
            return f"{words} {object}" if verbal or role != words else f"{words}: {object}"
        subject = "the user" if subject == SELF else subject
        if is_verb(fact.predicate):
            return f"{subject} {words} {object}"
        return f"{words} of {subject}" if role == words else f"{role}: {subject}"

    def _sources(self, span: Span) -> tuple[str, ...]:
        places = dict.fromkeys((each.room, each.drawer) for each in span.said)
        return tuple(
            str(Pointer(self.cited[room, drawer].wing, room, drawer))
            for room, drawer in places
            if room is not None and drawer is not None
        )


def _lines(told: _Told, derived: Sequence[Span], now: datetime) -> list[Line]:
    """What there is to show of an entity, line by line."""
    held = [each for each in derived if _holds(each, now)]
    against = contradictions(held)
    lines: list[Line] = []
    slots: defaultdict[tuple[int, str], list[Span]] = defaultdict(list)
    for each in held:
        first = each.said[0]
        if against.get(first.id):
            slots[first.subject, first.predicate].append(each)
        else:
            lines.append(Line("facts", told.fact(each), _weight(each, told.root, now)))
    lines += [Line("contradictions", tuple(map(told.fact, group)), 10.0) for group in slots.values()]
    for each in derived:
        if each.valid_from is not None and each.valid_from > now and (each.valid_to is None or each.valid_to > now):
            lines.append(Line("plans", told.fact(each), 9.0))
        elif each.valid_to is not None and now - _LATELY < each.valid_to <= now and not _is_past_only(each):
            new = _successor(each, derived)
            change = AboutChange(at=each.valid_to, old=told.fact(each), new=told.fact(new) if new else None)
            lines.append(Line("changes", change, 9.0 - (now - each.valid_to) / _LATELY))
    return lines


def _holds(span: Span, now: datetime) -> bool:
    return (span.valid_from is None or span.valid_from <= now) and (span.valid_to is None or now < span.valid_to)


def _is_past_only(span: Span) -> bool:
    """Whether nothing but an end was stated, such as "I sold the piano": nobody said before that there was one."""
    return all(each.ended for each in span.said) and span.valid_from is None


def _successor(span: Span, derived: Sequence[Span]) -> Span | None:
    """The span of another value that began when this one ended, in a slot that has one value at a time."""
    if not span.is_exclusive:
        return None
    following = [
        each
        for each in derived
        if each is not span
        and each.slot == span.slot
        and each.valid_from is not None
        and span.valid_to is not None
        and each.valid_from >= span.valid_to
    ]
    return min(following, key=lambda each: each.valid_from or datetime.max, default=None)


def _weight(span: Span, root: int, now: datetime) -> float:
    """How much a current fact matters: its topic first, then how often and how lately it was stated."""
    first, last = span.said[0], span.said[-1]
    age = now - last.said_at
    weight = about_page.WEIGHTS[topic_of(first.predicate)] if first.subject == root else 2.0
    weight += 1.0 if single_valued(first.predicate) else 0.0
    weight += 1.0 if span.is_confirmed else 0.0
    weight += 0.25 * min(len(span.said), 4)
    return weight + (1.0 if age < timedelta(days=90) else 0.5 if age < timedelta(days=365) else 0.0)


def _ids(made: About, cited: Mapping[_Place, Cited]) -> list[UUID]:
    """The turns that a page cites."""
    facts = [*made.facts, *made.plans, *(each for group in made.contradictions for each in group)]
    facts += [each for change in made.changes for each in (change.old, change.new) if each is not None]
    pointers = {pointer for each in facts for pointer in each.sources}
    return [each.id for (room, drawer), each in cited.items() if str(Pointer(each.wing, room, drawer)) in pointers]
