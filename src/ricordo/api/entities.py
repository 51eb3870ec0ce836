"""`memory.entities`: who and what the conversation is about, and how that changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

from ricordo import accounts, idempotency, review
from ricordo.api.checking import checked
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, quoted
from ricordo.facts import graph, walking
from ricordo.models import Entity, EntityKind, EventType, MergedEntity, Relation
from ricordo.opened import Opened


@checked
class Entities:
    """People, organizations, projects, items, places, events and topics. An entity is named by its id or a name of it.

    Names and relations are drawn from what was said (`found_by` tells how). What a person merges, parts or enters here
    stands above that, whatever is mined later.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    async def list(
        self, *, kind: EntityKind | None = None, search: str | None = None, limit: int = 50, offset: int = 0
    ) -> Sequence[Entity]:
        """Entities, those first that the most drawers name; of one kind, or with `search` in one of their names.

        Raises InvalidInput.
        """
        _check(limit, offset)
        async with self._opened.transaction() as tx:
            return await walking.entities(tx, kind, search, limit, offset)

    async def get(self, entity: UUID | str) -> Entity:
        """The entity, or the one that it turned out to be. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await walking.entity(tx, await walking.id_of(tx, entity))

    async def relations(
        self, entity: UUID | str | None = None, *, predicate: str | None = None, as_of: datetime | None = None
    ) -> Sequence[Relation]:
        """What held, of all or where one entity has a part, what began first coming first; with `as_of` what held at
        that moment. Raises NotFound."""
        async with self._opened.transaction() as tx:
            about = None if entity is None else await walking.id_of(tx, entity)
            found = await walking.relations(tx, about, as_of)
        return [each for each in found if predicate in (None, each.predicate)]

    async def timeline(self, entity: UUID | str) -> Sequence[Relation]:
        """All that was stated of an entity, and from when to when it held. Raises NotFound."""
        return await self.relations(entity)

    async def neighbours(self, entity: UUID | str, *, as_of: datetime | None = None) -> Sequence[Entity]:
        """The entities that one is related with, now or at a moment. Raises NotFound."""
        async with self._opened.transaction() as tx:
            about = await walking.id_of(tx, entity)
            return await walking.neighbours(tx, about, as_of)

    async def merged(self, entity: UUID | str) -> Sequence[MergedEntity]:
        """What was merged into an entity, by a person or by rules; `unmerge` parts it again. Raises NotFound."""
        async with self._opened.transaction() as tx:
            return await walking.merged(tx, await walking.id_of(tx, entity))

    async def merge(self, entity: UUID | str, into: UUID | str) -> Entity:
        """Say that two entities are one, which goes on as `into`; returns it. `unmerge` takes it back.

        Raises NotFound, and InvalidInput where they are one already.
        """
        async with self._changing() as (tx, names):
            goes, stays = await walking.id_of(tx, entity), await walking.id_of(tx, into)
            await graph.merge(tx, goes, stays, names)
            await accounts.tell(
                tx, self._opened.user_id, "entities_merged", {"entity": str(goes), "into": str(stays)}, "user_action"
            )
            return await walking.entity(tx, stays)

    async def unmerge(self, entity: UUID | str) -> Entity:
        """Part an entity, named by its id or by a name of its own, from the one that it was merged into by a person or
        by rules, and keep it apart; returns it. Raises NotFound, and InvalidInput where it was merged into none."""
        async with self._changing() as (tx, names):
            parted = await walking.id_of(tx, entity)
            await graph.unmerge(tx, parted, names)
            await accounts.tell(tx, self._opened.user_id, "entities_parted", {"entity": str(parted)}, "user_action")
            return await walking.entity(tx, parted)

    async def change(
        self, entity: UUID | str, *, name: str | None = None, kind: EntityKind | None = None, alias: str | None = None
    ) -> Entity:
        """Show an entity under another name or as another kind, or let it have another name too; returns it.

        Raises NotFound, and InvalidInput where another entity has that name.
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
        """Enter that something holds, from `since` (else now) on; returns the subject's relations of this predicate.

        The object is an entity where it is known as one or `object_kind` is given, else a plain value. A predicate with
        one value at a time (such as lives_in) closes the value before. Raises InvalidInput.
        """
        return await self._state(subject, predicate, object, object_kind, since, None)

    async def end_relation(
        self, subject: str, predicate: str, object: str, *, at: datetime | None = None
    ) -> Sequence[Relation]:
        """Enter that something holds no more, since `at` (else now); returns the subject's relations of this predicate.

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
            event: EventType = "relation_entered" if ended is None else "relation_ended"
            await accounts.tell(tx, self._opened.user_id, event, {"entity": str(of)}, "user_action")
            found = await walking.relations(tx, of)
        wanted = graph.predicate_of(predicate)
        return [each for each in found if each.predicate == wanted]

    @asynccontextmanager
    async def _changing(self) -> AsyncIterator[tuple[Transaction, Sequence[str]]]:
        """A transaction that no miner of this user runs beside, and what the user is called."""
        async with self._opened.transaction() as tx:
            account = await accounts.lock(tx, self._opened.user_id, self._opened.user)
            yield tx, [self._opened.user, *account.names]
            await idempotency.note_done(tx)


def _check(limit: int, offset: int) -> None:
    for field, number, least, most in (("limit", limit, 1, 10_000), ("offset", offset, 0, 10_000_000)):
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise InvalidInput(field, f"must be a whole number from {least} to {most:,}, not {quoted(number)}")
