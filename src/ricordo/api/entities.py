"""`memory.entities`: people, projects, places and things in conversations, and facts about them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

from ricordo import accounts, idempotency, review
from ricordo.api.checking import checked
from ricordo.database import Transaction
from ricordo.errors import InvalidInput
from ricordo.facts import graph, slug_of, walking
from ricordo.models import Entity, EntityKind, EventType, MergedEntity, Relation
from ricordo.opened import Opened


@checked
class Entities:
    """People, organizations, projects, items, places, events and topics. Identify an entity by id or name.

    Names and relations are extracted from turns; `found_by` shows how. Your own changes take precedence over everything
    that is extracted, also later.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(
        self, *, kind: EntityKind | None = None, search: str | None = None, limit: int = 50, offset: int = 0
    ) -> Sequence[Entity]:
        """List entities, the most mentioned first. You can filter by kind and by a part of a name (`search`).

        Raises InvalidInput.
        """
        _check(limit, offset)
        async with self._opened.transaction() as tx:
            return await walking.entities(tx, kind, search, limit, offset)

    async def get(self, entity: UUID | str) -> Entity:
        """Get an entity, or the one that it was merged into. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await walking.entity(tx, await walking.id_of(tx, entity))

    async def relations(
        self, entity: UUID | str | None = None, *, predicate: str | None = None, as_of: datetime | None = None
    ) -> Sequence[Relation]:
        """List relations of all entities or of one, oldest first. With `as_of`, only those true at that time. Raises
        NotFound."""
        async with self._opened.transaction() as tx:
            about = None if entity is None else await walking.id_of(tx, entity)
            found = await walking.relations(tx, about, as_of)
        return [each for each in found if predicate in (None, each.predicate)]

    async def neighbors(self, entity: UUID | str, *, as_of: datetime | None = None) -> Sequence[Entity]:
        """List the entities related to an entity, now or at a given time. Raises NotFound."""
        async with self._opened.transaction() as tx:
            about = await walking.id_of(tx, entity)
            return await walking.neighbors(tx, about, as_of)

    async def merged(self, entity: UUID | str) -> Sequence[MergedEntity]:
        """List the entities merged into an entity, by a person or by rules. `unmerge` undoes it. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await walking.merged(tx, await walking.id_of(tx, entity))

    async def merge(self, entity: UUID | str, into: UUID | str) -> Entity:
        """Merge an entity into another one and return the result. `unmerge` undoes it.

        Raises NotFound, and InvalidInput if they are already the same entity.
        """
        async with self._changing() as (tx, names):
            goes, stays = await walking.id_of(tx, entity), await walking.id_of(tx, into)
            await graph.merge(tx, goes, stays, names)
            await accounts.tell(
                tx, self._opened.user_id, "entities_merged", {"entity": str(goes), "into": str(stays)}, "user_action"
            )
            return await walking.entity(tx, stays)

    async def unmerge(self, entity: UUID | str) -> Entity:
        """Undo the merge of an entity, by a person or by rules, keep it separate, and return it. Raises NotFound, and
        InvalidInput if it was not merged."""
        async with self._changing() as (tx, names):
            parted = await walking.id_of(tx, entity)
            await graph.unmerge(tx, parted, names)
            await accounts.tell(tx, self._opened.user_id, "entities_parted", {"entity": str(parted)}, "user_action")
            return await walking.entity(tx, parted)

    async def change(
        self, entity: UUID | str, *, name: str | None = None, kind: EntityKind | None = None, alias: str | None = None
    ) -> Entity:
        """Change the name or kind of an entity, or add an alias, and return it.

        Raises NotFound, and InvalidInput if another entity has that name.
        """
        async with self._changing() as (tx, names):
            changed = await walking.id_of(tx, entity)
            screen = await review.screen_for(tx)
            alias = None if alias is None else screen.text("alias", alias)
            name = None if name is None else screen.text("name", name)
            if alias is not None:
                await graph.add_alias(tx, self._opened.user_id, changed, alias, names)
            if name is not None or kind is not None:
                await graph.rename(tx, self._opened.user_id, changed, name, kind, names)
            given = {"name": name, "kind": kind, "alias": alias}
            fields = sorted(each for each, value in given.items() if value is not None)
            told = {"entity": str(changed), "fields": fields}
            await accounts.tell(tx, self._opened.user_id, "entity_changed", told, "user_action")
            return await walking.entity(tx, changed)

    async def add_relation(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        object_kind: EntityKind | None = None,
        since: datetime | None = None,
    ) -> Sequence[Relation]:
        """Add a relation that began at `since` (default: now). Returns the subject's relations with this predicate.

        The object is an entity if it is known or `object_kind` is given, otherwise a plain value. If a predicate has
        one value at a time (such as lives_in), the previous relation ends. Raises InvalidInput.
        """
        return await self._state(subject, predicate, object, object_kind, since, None)

    async def end_relation(
        self, subject: str, predicate: str, object: str, *, at: datetime | None = None
    ) -> Sequence[Relation]:
        """End a relation at `at` (default: now). Returns the subject's relations with this predicate.

        Raises InvalidInput.
        """
        return await self._state(subject, predicate, object, None, None, at or datetime.now(UTC))

    async def _state(
        self,
        subject: str,
        predicate: str,
        object: str,
        kind: EntityKind | None,
        since: datetime | None,
        ended: datetime | None,
    ) -> Sequence[Relation]:
        async with self._changing() as (tx, names):
            screen = await review.screen_for(tx)
            subject, object = screen.text("subject", subject), screen.text("object", object)
            await graph.state(
                tx, self._opened.user_id, subject, predicate, object,
                object_kind=kind, since=since, ended=ended, own_names=names,
            )  # fmt: skip
            of = await walking.id_of(tx, subject)
            wanted = graph.predicate_of(predicate)
            found = [each for each in await walking.relations(tx, of) if each.predicate == wanted]
            event: EventType = "relation_entered" if ended is None else "relation_ended"
            facts = [str(each.id) for each in found if slug_of(each.object) == slug_of(object)]
            told = {"entity": str(of)} | ({"fact": facts[-1]} if facts else {})
            await accounts.tell(tx, self._opened.user_id, event, told, "user_action")
        return found

    @asynccontextmanager
    async def _changing(self) -> AsyncIterator[tuple[Transaction, Sequence[str]]]:
        """A transaction that no miner of this user runs beside, and what the user is called."""
        async with self._opened.transaction() as tx:
            account = await accounts.lock(tx, self._opened.user_id, self._opened.user)
            yield tx, [self._opened.user, *account.names]
            await idempotency.note_done(tx)


def _check(limit: int, offset: int) -> None:
    for field, number, least, most in (("limit", limit, 1, 10_000), ("offset", offset, 0, 10_000_000)):
        if not least <= number <= most:
            raise InvalidInput(field, f"must be a whole number from {least} to {most:,}, not {number:,}")
