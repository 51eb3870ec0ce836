"""The palace, entities and facts as a client that works on a project sees them.

As in a recall, it sees what belongs to the project and what the user's setting `across_projects` allows.
`ricordo.client.in_project` returns this view.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from ricordo import accounts, audit, palace
from ricordo.api.acting import actor_of
from ricordo.api.checking import checked
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.facts import deciding, walking
from ricordo.models import Entity, EntityKind, Hit, Relation, Wing
from ricordo.opened import Opened
from ricordo.recall import decided_in


@checked
class InProject:
    """A memory limited to a project, or the whole memory without one."""

    def __init__(self, opened: Opened, project: str | None) -> None:
        self._opened = opened
        self._project = project

    async def require_open(self, what: UUID | str) -> None:
        """Raise InvalidInput if a pointer, or the id of a turn or conversation, is outside of the project, or
        NotFound."""
        async with self._opened.transaction() as tx:
            if scope := await self._scope(tx):
                for wing in await _wings_of(tx, what):
                    scope.require(wing)

    async def follow(self, former: str | None) -> None:
        """Give the project what was stored under the `former` name of its repository, before this got a remote."""
        if former is None or self._project is None:
            return
        async with self._opened.transaction() as tx:
            if await palace.wing_left_at(tx, former, self._project) is None:
                return
        async with self._opened.transaction() as tx:
            user_id = self._opened.user_id
            await accounts.lock(tx, user_id, self._opened.user)
            if (wing := await palace.follow_project(tx, user_id, former, self._project)) is not None:
                told = {"action": "rename_wing", "pointer": wing.pointer}
                await accounts.tell(tx, user_id, "palace_edited", told)

    async def tree(self, wing: str | None) -> list[Wing]:
        """Visible wings, or one of them, like `palace.tree`. Raises NotFound, and InvalidInput for other wings."""
        async with self._opened.transaction() as tx:
            scope = await self._scope(tx)
            row = None if wing is None else await palace.find_wing(tx, wing)
            if scope and row:
                scope.require(row)
            found = await palace.tree(tx, None if row is None else row.wing)
        number = {each.pointer: palace.Pointer.parse(each.pointer).wing for each in found}
        return [each for each in found if scope is None or scope.holds(number[each.pointer], each.kind)]

    async def entities(self, kind: EntityKind | None, search: str | None, limit: int) -> list[Entity]:
        """The entities named within the project, like `entities.list`."""
        async with self._opened.transaction() as tx:
            return await walking.entities(tx, kind, search, limit, 0, await self._scope(tx))

    async def entity(self, name: str, as_of: datetime | None) -> tuple[Entity, Sequence[Relation]]:
        """An entity and the facts about it from turns within the project. Raises NotFound."""
        async with self._opened.transaction() as tx:
            scope = await self._scope(tx)
            if scope is None:
                id = await walking.id_of(tx, name)
                return await walking.entity(tx, id), await walking.relations(tx, id, as_of)
            # Names from elsewhere are not suggested.
            named = await walking.id_named(tx, name)
            if named is None or not await walking.is_named_in(tx, named, scope):
                raise NotFound(
                    f"entity {name[:100]!r} not found in the project: list entities with `ricordo entity list`"
                )
            entity, facts = await walking.entity(tx, named), await walking.relations(tx, named, as_of)
            return entity, await _within(tx, scope, facts)

    async def decisions(self, agent: UUID | None) -> list[Hit]:
        """The project's newest turns that decide something and still stand, or may do so, the clearest first; none
        without a project. Recorded as one `read` in the access log."""
        if self._project is None:
            return []
        async with self._opened.transaction() as tx:
            found = await decided_in(tx, self._project)
            if found:
                actor = await actor_of(tx, agent)
                await audit.log_read(tx, self._opened.user_id, actor, [each.id for each in found], {"recall": True})
            return found

    async def fact(self, fact: UUID) -> Relation:
        """A fact from the project, like `facts.get`. Raises NotFound, and InvalidInput for a fact from elsewhere."""
        async with self._opened.transaction() as tx:
            found = await deciding.get(tx, fact)
            scope = await self._scope(tx)
            if scope and not await _within(tx, scope, [found]):
                raise InvalidInput("id", f"fact {fact} is outside of the project: leave out `project`")
            return found

    async def _scope(self, tx: Transaction) -> palace.Scope | None:
        """The project's scope, or None if everything is visible."""
        if self._project is None:
            return None
        scope = await palace.scope_of(tx, self._project, (await accounts.user_settings(tx)).across_projects)
        return None if scope.is_everything else scope


async def _wings_of(tx: Transaction, what: UUID | str) -> Sequence[palace.WingRow]:
    """The wings of a turn or conversation by its id, or the one that a pointer is in. Raises NotFound."""
    try:
        return await palace.wings_of(tx, UUID(str(what)))
    except ValueError:
        place = await palace.located(tx, str(what))
    if place.room is not None:  # a pointer may name a wing that its room stood in once
        place = await palace.find_room(tx, place)
    return [await palace.find_wing(tx, str(palace.Pointer(place.wing)))]


async def _within(tx: Transaction, scope: palace.Scope, facts: Sequence[Relation]) -> list[Relation]:
    """The facts from visible turns, with only those turns as sources. Facts entered by a person are personal."""
    within = await palace.open_pointers(tx, scope, {source for each in facts for source in each.sources})
    kept = []
    for each in facts:
        sources = tuple(source for source in each.sources if source in within)
        if sources or (not each.sources and scope.is_personal):
            kept.append(each.model_copy(update={"sources": sources}))
    return kept
