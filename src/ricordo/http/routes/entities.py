"""People, projects, places and things in conversations, and facts about them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import Field

from ricordo.http.access import Who, guarded
from ricordo.http.routes.bodies import Body, Limit, Moment, Partial
from ricordo.models import Decision, Entity, EntityKind, ExtractionReport, MergedEntity, Page, Relation, UnreadTurns

router = guarded(tags=["entities"])


class EntityChange(Partial):
    """Changes to an entity."""

    name: str | None = None
    kind: EntityKind | None = None
    alias: str | None = Field(default=None, description="Additional name.")


class SameAs(Body):
    """The entity to merge into."""

    into: str


class NewFact(Body):
    """A relation that began."""

    subject: str = Field(examples=["Ada"])
    predicate: str = Field(examples=["lives_in"])
    object: str = Field(examples=["Lisbon"])
    object_kind: EntityKind | None = None
    since: Moment | None = None


class RelationEnd(Body):
    """A relation that ended."""

    subject: str
    predicate: str
    object: str
    at: Moment | None = None


@router.get("/entities")
async def list_entities(
    who: Who,
    kind: EntityKind | None = None,
    search: str | None = None,
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Page[Entity]:
    """List entities, the most mentioned first."""
    return Page(items=tuple(await who.memory.entities.list(kind=kind, search=search, limit=limit, offset=offset)))


@router.get("/entities/{entity}")
async def get_entity(entity: str, who: Who) -> Entity:
    """Get an entity by id or name."""
    return await who.memory.entities.get(entity)


@router.patch("/entities/{entity}")
async def change_entity(entity: str, body: EntityChange, who: Who) -> Entity:
    """Change the name or kind of an entity, or add an alias."""
    return await who.memory.entities.change(entity, **body.model_dump())


@router.get("/entities/{entity}/neighbors")
async def list_neighbors(entity: str, who: Who, as_of: Moment | None = None) -> Page[Entity]:
    """List the entities related to an entity, now or at a given time."""
    return Page(items=tuple(await who.memory.entities.neighbors(entity, as_of=as_of)))


@router.get("/entities/{entity}/merged")
async def list_merged(entity: str, who: Who) -> Page[MergedEntity]:
    """List the entities that were merged into an entity, by a person or by rules."""
    return Page(items=tuple(await who.memory.entities.merged(entity)))


@router.post("/entities/{entity}/merge")
async def merge_entities(entity: str, body: SameAs, who: Who) -> Entity:
    """Merge an entity into another one."""
    return await who.memory.entities.merge(entity, body.into)


@router.post("/entities/{entity}/unmerge")
async def unmerge_entity(entity: str, who: Who) -> Entity:
    """Undo the merge of an entity."""
    return await who.memory.entities.unmerge(entity)


@router.get("/relations")
async def list_relations(
    who: Who, entity: str | None = None, predicate: str | None = None, as_of: Moment | None = None
) -> Page[Relation]:
    """List relations, of all entities or of one. With `as_of`, only those true at that time."""
    return Page(items=tuple(await who.memory.entities.relations(entity, predicate=predicate, as_of=as_of)))


@router.post("/relations", status_code=201)
async def add_relation(body: NewFact, who: Who) -> Page[Relation]:
    """Add a relation. Returns the subject's relations with this predicate."""
    fields = body.model_dump()
    said = [fields.pop(name) for name in ("subject", "predicate", "object")]
    return Page(items=tuple(await who.memory.entities.add_relation(*said, **fields)))


@router.post("/relations/end")
async def end_relation(body: RelationEnd, who: Who) -> Page[Relation]:
    """End a relation. Returns the subject's relations with this predicate."""
    found = await who.memory.entities.end_relation(body.subject, body.predicate, body.object, at=body.at)
    return Page(items=tuple(found))


class Correction(Partial):
    """The correct object of a fact, or since when it is true."""

    object: str | None = Field(default=None, examples=["Porto"])
    object_kind: EntityKind | None = None
    since: Moment | None = None


@router.get("/facts")
async def list_facts(who: Who, entity: str | None = None, decision: Decision | None = None) -> Page[Relation]:
    """List facts, of all entities or of one. `decision` keeps only confirmed facts, or lists the rejected ones."""
    return Page(items=tuple(await who.memory.facts.list(entity, decision=decision)))


@router.get("/facts/unread")
async def count_unread_turns(who: Who, conversation: str | None = None) -> UnreadTurns:
    """Count the turns of one or all conversations that no LLM has read yet, and get the reason."""
    return await who.memory.facts.unread(conversation)


@router.post("/facts/extract", status_code=202)
async def extract_facts(
    who: Who, conversation: str | None = None, retry: bool = False, dry_run: bool = False
) -> ExtractionReport:
    """Queue fact extraction with an LLM for the unread turns of one or all conversations. With `retry`, also ask again
    about turns for which it gave no usable reply. With `dry_run`, only count and estimate the maximum cost."""
    return await who.memory.facts.extract(conversation, retry=retry, dry_run=dry_run)


@router.get("/facts/{fact}")
async def get_fact(fact: UUID, who: Who) -> Relation:
    """Get a fact by id."""
    return await who.memory.facts.get(fact)


@router.patch("/facts/{fact}")
async def correct_fact(fact: UUID, body: Correction, who: Who) -> Relation:
    """Correct the object or the beginning of a fact. The corrected fact cites the same turns."""
    return await who.memory.facts.correct(fact, **body.model_dump())


@router.post("/facts/{fact}/confirm")
async def confirm_fact(fact: UUID, who: Who) -> Relation:
    """Confirm a fact, so that it stays even if its turns are read again."""
    return await who.memory.facts.confirm(fact)


@router.post("/facts/{fact}/reject")
async def reject_fact(fact: UUID, who: Who) -> Relation:
    """Reject a fact: it is no longer shown or used, and is not found again in earlier turns."""
    return await who.memory.facts.reject(fact)


@router.post("/facts/{fact}/undo")
async def undo_fact_decision(fact: UUID, who: Who) -> Relation:
    """Undo the last decision about a fact."""
    return await who.memory.facts.undo(fact)
