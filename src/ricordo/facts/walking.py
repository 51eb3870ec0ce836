"""Looking at the graph: entities, the relations that follow from what was said, and neighbors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import partial
from uuid import UUID

from anyio import to_thread

from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.facts import entity_store, graph_store
from ricordo.facts.graph import found
from ricordo.facts.identity import slug_of
from ricordo.facts.relations import Span, contradictions, spans
from ricordo.facts.topics import statement
from ricordo.models import SELF, Entity, EntityKind, MergedEntity, Relation
from ricordo.palace import Pointer, Scope
from ricordo.text import words

#: Names that are compared with one that is not known, and how many near ones an error gives.
_NAMES, _NEAR = 5_000, 3


async def dictionary(tx: Transaction, texts: Iterable[str]) -> list[tuple[str, EntityKind, list[str]]]:
    """(name, kind, every spelling) of each entity that may be named in these texts, those first that the most drawers
    name. A user may have ten thousand names, of which a conversation says a few."""
    return await entity_store.dictionary(tx, {word for text in texts for word in words(text)})


async def entities(
    tx: Transaction,
    kind: EntityKind | None = None,
    search: str | None = None,
    limit: int | None = None,
    offset: int = 0,
    scope: Scope | None = None,
) -> list[Entity]:
    """Entities under their current names, those named in most drawers first; with a scope, only those named within
    it."""
    wanted = slug_of(search) if search else None
    if wanted == "":
        return []  # signs alone are in no name
    rows = await entity_store.entities(tx, kind, wanted, await _within(tx, scope), limit, offset)
    return [entity for _, entity in rows]


async def _within(tx: Transaction, scope: Scope | None) -> list[int] | None:
    """The numbers of the entities named within a scope, or None for all."""
    if scope is None or scope.is_everything:
        return None
    return await entity_store.named_in(tx, scope.wing, scope.is_personal)


async def entity(tx: Transaction, id: UUID) -> Entity:
    """The entity of this id, or the one that it turned out to be. Raises NotFound."""
    row = await found(tx, id)
    [(_, entity)] = await entity_store.entities(tx, None, None, [row.root], 1, 0)
    return entity


async def is_named_in(tx: Transaction, id: UUID, scope: Scope) -> bool:
    """Whether an entity is named within a scope. Raises NotFound."""
    within = await _within(tx, scope)
    return within is None or (await found(tx, id)).root in within


async def merged(tx: Transaction, id: UUID) -> list[MergedEntity]:
    """What was merged into the entity of this id, or into the one that it turned out to be. Raises NotFound."""
    root = (await found(tx, id)).root
    return [
        MergedEntity(id=each.id, name=each.name, kind=each.kind, by="rules" if each.merged_by == "rules" else "manual")
        for each in await entity_store.entity_rows(tx)
        if each.root == root and each.entity != root
    ]


async def id_of(tx: Transaction, entity: UUID | str) -> UUID:
    """The id of an entity that is named by its id or one of its names. Raises NotFound, which suggests other names."""
    id = await id_named(tx, entity)
    if id is None:
        raise await unknown(tx, str(entity))
    return id


async def id_named(tx: Transaction, entity: UUID | str) -> UUID | None:
    """The id of an entity that is named by its id or one of its names; None for an unknown name."""
    if isinstance(entity, UUID):
        return entity
    id = await entity_store.id_named(tx, slug_of(entity))
    if id is not None:
        return id
    try:
        return UUID(entity)
    except ValueError:
        return None


async def unknown(tx: Transaction, name: str) -> NotFound:
    """The error for a name that no entity has. It suggests names that are spelled like this one, or hold it."""
    slug = slug_of(name)
    names = await entity_store.names_by_slug(tx, _NAMES)
    holding = [each for each in names if slug and slug in each]
    close = await to_thread.run_sync(partial(get_close_matches, slug, names, n=_NEAR, cutoff=0.6))
    found = dict.fromkeys(names[each] for each in [*close, *sorted(holding, key=len)] if names[each] != SELF)
    near = [repr(each) for each in found][:_NEAR]
    hint = f"did you mean {' or '.join(near)}?" if near else "list entities with `ricordo entity list`"
    return NotFound(f"entity {name[:100]!r} not found: {hint}")


async def relations(tx: Transaction, about: UUID | None = None, as_of: datetime | None = None) -> list[Relation]:
    """What held, with its sources, in the order of its beginning: of all, or where one entity has a part; with `as_of`
    only what held then. Raises NotFound."""
    root = None if about is None else (await found(tx, about)).root
    derived = spans(await graph_store.facts(tx, None if root is None else [root]))
    # What was said of two who turned out to be one says nothing of them.
    derived = [each for each in derived if each.said[0].subject != each.said[0].object]
    if root is not None:
        derived = [each for each in derived if root in (each.said[0].subject, each.said[0].object)]
    if as_of is not None:
        derived = [each for each in derived if _held(each, as_of)]
    return await _told(tx, derived)


async def rejected(tx: Transaction, about: UUID | None = None) -> list[Relation]:
    """The relations that a person rejected: of all, or where one entity has a part. Raises NotFound."""
    root = None if about is None else (await found(tx, about)).root
    facts = await graph_store.facts(tx, None if root is None else [root])
    gone = [replace(each, decision=None) for each in facts if each.decision == "rejected"]
    return await _told(tx, [each for each in spans(gone) if root in (None, each.said[0].subject, each.said[0].object)])


async def relation_of(tx: Transaction, fact: UUID, root: int) -> Relation:
    """The relation of an entity of which a fact is a source."""
    derived = spans(await graph_store.facts(tx, [root]))
    [told] = await _told(tx, [each for each in derived if fact in {said.id for said in each.said}])
    return told


async def neighbors(tx: Transaction, id: UUID, as_of: datetime | None = None) -> list[Entity]:
    """The entities that one is related with, now or at a moment. Raises NotFound."""
    root = (await found(tx, id)).root
    moment = as_of or datetime.now(UTC)
    near = set()
    for each in spans(await graph_store.facts(tx, [root])):
        first = each.said[0]
        if _held(each, moment) and root in (first.subject, first.object) and first.object is not None:
            near |= {first.subject, first.object} - {root}
    return [entity for _, entity in await entity_store.entities(tx, None, None, sorted(near), None, 0)] if near else []


def _held(span: Span, moment: datetime) -> bool:
    """Whether something held at a moment: from its beginning to its end, which is not part of it."""
    return (span.valid_from is None or span.valid_from <= moment) and (span.valid_to is None or moment < span.valid_to)


async def _told(tx: Transaction, derived: Sequence[Span]) -> list[Relation]:
    numbers = {
        number for each in derived for number in (each.said[0].subject, each.said[0].object) if number is not None
    }
    shown = await entity_store.shown(tx, numbers)
    rooms = {said.room for each in derived for said in each.said if said.room is not None}
    wings = await graph_store.wings_of_rooms(tx, rooms)
    against = contradictions(derived)
    told = []
    for each in derived:
        first = each.said[0]
        subject_id, subject, subject_kind = shown[first.subject]
        value = each.said[-1].value
        object_id, object, object_kind = (None, value, None) if first.object is None else shown[first.object]
        told.append(
            Relation(
                id=first.id,
                subject_id=subject_id,
                subject=subject,
                subject_kind=subject_kind,
                predicate=first.predicate,
                object_id=object_id,
                object=object,
                object_kind=object_kind,
                text=statement(subject, first.predicate, object),
                contradicts=tuple(against[first.id]),
                valid_from=each.valid_from,
                valid_to=each.valid_to,
                found_by=first.found_by,
                confirmed=each.is_confirmed,
                sources=tuple(
                    dict.fromkeys(
                        str(Pointer(wings[said.room], said.room, said.drawer))
                        for said in each.said
                        if said.room is not None
                    )
                ),
            )
        )
    return told
