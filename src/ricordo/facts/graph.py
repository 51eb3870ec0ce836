"""Entities and facts: writing what drawers name and state, taking it away, joining and parting entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID, uuid5

from ricordo import ids, rules
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound, quoted
from ricordo.facts import entity_store, graph_store
from ricordo.facts.entity_store import EntityRow, Named
from ricordo.facts.graph_store import Stated
from ricordo.facts.identity import changed_merges, slug_of
from ricordo.models import SELF, EntityKind, Extraction, Fact
from ricordo.text import term_hash, variants

_LONGEST_NAME = 200
#: The name space of the ids of facts that turns state.
_FACTS = UUID("6b1f0c52-5f5c-4b0a-9a57-0c2e7d1f8a34")


@dataclass(frozen=True)
class Source:
    """A drawer that an extraction read: its place, when it was said, and the language of its conversation."""

    room: int
    drawer: int
    said_at: datetime


async def record(
    tx: Transaction,
    user_id: UUID,
    readings: Iterable[tuple[Sequence[Source], Extraction]],
    found_by: Literal["rules", "model"],
    own_names: Iterable[str],
    first_time: bool = False,
    beside: Extraction | None = None,
) -> set[str]:
    """Let drawers mention and state what was found in them, and nothing else; returns the names (slugs) that are new.
    `first_time` says that nobody has read any of these drawers yet.

    An extraction counts turns by their index in its sources; `own_names` are what the user is called in talk with
    assistants. What a model found in a drawer stays when rules are asked again, and what a person decided stays
    always; `beside` is what stays of what rules found in the drawers of the one reading by a model. The user's account
    must be locked.
    """
    readings = list(readings)
    places = [(each.room, each.drawer) for sources, _ in readings for each in sources]
    keep = await graph_store.read_by_model(tx, places) if found_by == "rules" and not first_time else set()
    if found_by == "model":
        await graph_store.mark_read(tx, user_id, places)
    named: list[Named] = []
    stated: list[Stated] = []
    for sources, found in readings:
        rows = _rows(sources, found, found_by, keep)
        named += rows[0]
        stated += rows[1]
    by_rules: list[Named] = []
    if beside is not None:
        [(sources, _)] = readings
        by_rules, further = _rows(sources, beside, "rules", set())
        told = {(each.room, each.drawer, each.slug) for each in named}
        by_rules = [each for each in by_rules if (each.room, each.drawer, each.slug) not in told]
        stated += further
    touched: list[str] = []
    if not first_time:
        read = [place for place in places if place not in keep]
        touched, _, _ = await graph_store.clear(tx, read, decided=False)
        stated = await _undecided(tx, read, stated)
    every = [*named, *by_rules]
    known = await entity_store.known_slugs(tx, {each.slug for each in every}) if every else {}
    first = {each.slug: each for each in reversed(every) if each.slug not in known}
    if first:
        await entity_store.add_entities(tx, user_id, [ids.new_id() for _ in first], list(first.values()))
    if named:
        await graph_store.add_mentions(tx, user_id, named, found_by)
    if by_rules:
        await graph_store.add_mentions(tx, user_id, by_rules, "rules")
    if stated:
        await graph_store.add_facts(tx, user_id, stated)
    slugs = sorted({each.slug for each in every} | set(touched))
    _, gone = await entity_store.sweep(tx, touched) if touched else (0, 0)
    if slugs:
        await entity_store.show_again(tx, slugs)
        await identify(tx, own_names, None if gone else slugs)
    return set(first)


async def forget(tx: Transaction, drawer: UUID, own_names: Iterable[str]) -> dict[str, int]:
    """Take away what a drawer mentions and states, and the names and entities that only it accounts for; returns how
    many of each went. The user's account must be locked."""
    place = await graph_store.place_of(tx, drawer)
    return await forget_places(tx, [place] if place else [], own_names)


async def forget_places(tx: Transaction, places: Sequence[tuple[int, int]], own_names: Iterable[str]) -> dict[str, int]:
    """The same for the drawers at these (room, drawer)."""
    if not places:
        return {}
    touched, mentions, facts = await graph_store.clear(tx, places, decided=True)
    names, entities = await entity_store.sweep(tx, touched)
    # Whom a name went from goes by another, which may be one of those that are merged into it.
    await entity_store.show_again(tx, None if names else touched)
    if names:
        await identify(tx, own_names)
    removed = {"mentions": mentions, "facts": facts, "names": names, "entities": entities}
    return {place: count for place, count in removed.items() if count}


async def identify(tx: Transaction, own_names: Iterable[str], touched: Iterable[str] | None = None) -> None:
    """Bring merges and what is shown in line with the names that there are; of all, or of those that have to do with
    names (slugs) that were touched: rules go by the user's own names, and by a name's first word."""
    names = [*own_names, *await graph_store.called(tx, SELF)]
    first_words = None
    if touched is not None:
        first_words = {slug.partition("-")[0] for slug in (*touched, SELF, *map(slug_of, names))}
    rows = await entity_store.entity_rows(tx, first_words)
    changed = changed_merges(rows, names)
    if changed:
        await entity_store.set_merges(tx, changed)
        await entity_store.show_again(tx, None if touched is None else [slug for each in rows for slug in each.slugs])


async def merge(tx: Transaction, this: UUID, into: UUID, own_names: Iterable[str]) -> None:
    """Say that two entities are one; `into` is how it goes on. Raises NotFound and InvalidInput."""
    one, other = await found(tx, this), await found(tx, into)
    if one.root == other.root:
        raise InvalidInput("into", f"{one.name!r} and {other.name!r} are already the same entity")
    # The whole of what `this` stands for goes, so that no chain turns back on itself.
    root = next(each for each in await entity_store.entity_rows(tx) if each.entity == one.root)
    await entity_store.set_merges(tx, {root.entity: (other.root, "manual", other.root)})
    await identify(tx, own_names)
    await entity_store.show_again(tx)


async def unmerge(tx: Transaction, this: UUID, own_names: Iterable[str]) -> None:
    """Part an entity from the one that it was merged into, by a person or by rules, and keep it apart.

    Raises NotFound, and InvalidInput where it was merged into none.
    """
    one = await found(tx, this)
    if one.merged_into is None:
        raise InvalidInput("entity", f"{one.name!r} was not merged into another entity")
    await entity_store.set_merges(tx, {one.entity: (None, "manual", one.entity)})
    await identify(tx, own_names)
    await entity_store.show_again(tx)


async def rename(
    tx: Transaction, user_id: UUID, this: UUID, name: str | None, kind: EntityKind | None, own_names: Iterable[str]
) -> None:
    """Show an entity under another name or as another kind. The name finds it too. Raises NotFound and InvalidInput."""
    one = await found(tx, this)
    if name is not None:
        name = _name("name", name)
        await add_alias(tx, user_id, this, name, own_names)
    await entity_store.choose(tx, one.root, name, kind)


async def add_alias(tx: Transaction, user_id: UUID, this: UUID, name: str, own_names: Iterable[str]) -> None:
    """Let an entity have another name too. Raises NotFound, and InvalidInput where another entity has that name."""
    one = await found(tx, this)
    name = _name("name", name)
    await _own(tx, one, name)
    if slug_of(name) not in await entity_store.known_slugs(tx, [slug_of(name)]):
        await entity_store.add_aliases(tx, user_id, [(slug_of(name), one.root, name)])
        await identify(tx, own_names)


async def state(
    tx: Transaction, user_id: UUID, subject: str, predicate: str, value: str, *, object_kind: EntityKind | None,
    since: datetime | None, ended: datetime | None, own_names: Iterable[str],
) -> None:  # fmt: skip
    """Enter a fact by hand: from `since` (else now) on, or that it has `ended`. Names that are not known become
    entities: the subject a topic. Raises InvalidInput."""
    now = datetime.now(UTC)
    subject = _name("subject", subject)
    if slug_of(subject) not in await entity_store.known_slugs(tx, [slug_of(subject)]):
        first = Named(0, 0, slug_of(subject), subject, "topic")
        await entity_store.add_entities(tx, user_id, [ids.new_id()], [first])
    value, object = await named_object(tx, user_id, value, object_kind)
    await graph_store.add_facts(tx, user_id, [Stated(
        ids.new_id(), None, None, slug_of(subject), predicate_of(predicate), object, value, now,
        None if ended else since, ended, ended is not None, "manual",
    )])  # fmt: skip
    await identify(tx, own_names)


async def named_object(tx: Transaction, user_id: UUID, value: str, kind: EntityKind | None) -> tuple[str, str | None]:
    """The object of a fact that a person enters: as it is shown, and its slug where it is an entity, which it becomes
    with a kind. Raises InvalidInput."""
    value = _name("object", value)
    slug = slug_of(value)
    is_known = slug in await entity_store.known_slugs(tx, [slug])
    if not is_known and kind is not None:
        await entity_store.add_entities(tx, user_id, [ids.new_id()], [Named(0, 0, slug, value, kind)])
    return value, slug if is_known or kind is not None else None


@dataclass(frozen=True)
class Entered:
    """A fact that was entered by hand on another device."""

    id: UUID
    subject: str
    predicate: str
    object: str | None
    value: str
    said_at: datetime
    since: datetime | None
    until: datetime | None
    ended: bool
    #: The names of its slugs, with their kinds.
    names: Mapping[str, tuple[str, EntityKind]]


async def put(tx: Transaction, user_id: UUID, entered: Entered, own_names: Iterable[str]) -> None:
    """Enter a fact as another device has it. Names that are not known become entities."""
    names = entered.names
    await name_entities(tx, user_id, names)
    await graph_store.add_facts(tx, user_id, [Stated(
        entered.id, None, None, entered.subject, entered.predicate, entered.object, entered.value, entered.said_at,
        entered.since, entered.until, entered.ended, "manual",
    )])  # fmt: skip
    await identify(tx, own_names)


async def name_entities(tx: Transaction, user_id: UUID, names: Mapping[str, tuple[str, EntityKind]]) -> None:
    """Let each of these slugs, with a name and a kind, be that of an entity."""
    known = await entity_store.known_slugs(tx, [*names])
    new = [Named(0, 0, slug, name, kind) for slug, (name, kind) in names.items() if slug not in known]
    if new:
        await entity_store.add_entities(tx, user_id, [ids.new_id() for _ in new], new)


def fact_id(stated: Stated) -> UUID:
    """The id of a fact that a turn states: the same each time that the turn is read, so that a person who looks at a
    fact can decide about it later."""
    since, until = (each and each.timestamp() for each in (stated.since, stated.until))
    told = (
        stated.room, stated.drawer, stated.subject, stated.predicate, stated.object, stated.value, since, until,
        stated.ended,
    )  # fmt: skip
    return uuid5(_FACTS, repr(told))


async def found(tx: Transaction, id: UUID) -> EntityRow:
    """The entity of this id. Raises NotFound."""
    row = await entity_store.entity_row(tx, id)
    if row is None:
        raise NotFound(f"entity {id} not found: list entities with `ricordo entity list`")
    return row


def predicate_of(text: str) -> str:
    """A predicate in its form: lower case with underscores. Raises InvalidInput."""
    predicate = "_".join(text.lower().replace("_", " ").split())
    if not predicate or len(predicate) > 60 or not predicate.replace("_", "").isalnum():
        raise InvalidInput(
            "predicate", f"invalid predicate {text[:50]!r}: expected 1 to 60 letters, digits and _, such as lives_in"
        )
    return predicate


async def blocks_naming(
    tx: Transaction, slugs: Iterable[str], languages: Sequence[str], block: int, limit: int
) -> set[tuple[int, int]]:
    """(conversation, number of its block of `block` turns) of drawers that hold all words of one of these names, up
    to `limit` drawers a name. A name that became known is looked for in what was mined before."""
    blocks = set()
    for slug in slugs:
        forms = [[term_hash(form) for form in variants(word, languages)] for word in slug.split("-")]
        blocks |= {(talk, position // block) for talk, position in await graph_store.drawers_naming(tx, forms, limit)}
    return blocks


def _rows(
    sources: Sequence[Source], found: Extraction, found_by: Literal["rules", "model"], keep: set[tuple[int, int]]
) -> tuple[list[Named], list[Stated]]:
    """What is to be written: for each drawer and name one mention, in the spelling that it has most often there; a
    statement mentions its subject and its object."""
    spelt: defaultdict[tuple[int, str], Counter[tuple[str, EntityKind]]] = defaultdict(Counter)
    for each in found.mentions:
        spelt[each.turn, slug_of(each.name)][each.name, each.kind] += 1
    stated: dict[UUID, Stated] = {}
    for fact in found.facts:
        source = sources[fact.turn]
        if (source.room, source.drawer) in keep or not slug_of(fact.subject):
            continue
        for name, kind in ((fact.subject, fact.subject_kind), (fact.object, fact.object_kind)):
            if kind is not None and slug_of(name) and not spelt[fact.turn, slug_of(name)]:
                spelt[fact.turn, slug_of(name)][name, kind] += 1
        made = _stated(source, fact, found_by)
        stated.setdefault(made.id, made)
    named = [
        Named(source.room, source.drawer, slug, *min(spellings, key=lambda each: (-spellings[each], each)))
        for (turn, slug), spellings in spelt.items()
        if slug and spellings and ((source := sources[turn]).room, source.drawer) not in keep
    ]
    return [each for each in named if len(each.name) <= _LONGEST_NAME], [*stated.values()]


async def _undecided(tx: Transaction, places: Sequence[tuple[int, int]], stated: Sequence[Stated]) -> list[Stated]:
    """What is to be written, without what a person decided about: that is still there."""
    known, told = await graph_store.decided(tx, places)
    return [
        each
        for each in stated
        if each.id not in known
        and (each.room, each.drawer, each.subject, each.predicate, each.object, each.value) not in told
    ]


def _stated(source: Source, fact: Fact, found_by: Literal["rules", "model"]) -> Stated:
    object = slug_of(fact.object) or None if fact.object_kind else None
    stated = Stated(
        _FACTS, source.room, source.drawer, slug_of(fact.subject), fact.predicate, object, fact.object, source.said_at,
        fact.since, fact.until, fact.ended, found_by,
    )  # fmt: skip
    return replace(stated, id=fact_id(stated))


async def _own(tx: Transaction, one: EntityRow, name: str) -> None:
    """Raise InvalidInput where a name belongs to another entity."""
    known = await entity_store.known_slugs(tx, [slug_of(name)])
    rows = {each.entity: each for each in await entity_store.entity_rows(tx)}
    for number in known.values():
        if rows[number].root != one.root:
            raise InvalidInput(
                "name",
                f"{name!r} is already a name of {rows[rows[number].root].name!r}: merge the two entities instead",
            )


def _name(field: str, text: str) -> str:
    clean = " ".join(text.split()) if isinstance(text, str) else ""
    if not slug_of(clean) or len(clean) > _LONGEST_NAME:
        raise InvalidInput(
            field, f"invalid name {quoted(text)}: expected 1 to 200 characters with at least one letter or digit"
        )
    rules.text(field, clean)
    return clean
