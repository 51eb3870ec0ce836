"""Events in words, with the names of what they are about, which several packages keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from uuid import UUID

from ricordo import accounts, facts
from ricordo.accounts import Names
from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.facts import walking
from ricordo.models import Event
from ricordo.palace import branches

#: The day that the name of a room begins with, which stands for a conversation without a title.
_DAY = re.compile(r"^\d{4}-\d\d-\d\d \w+: ")


async def in_words(tx: Transaction, events: Sequence[Event]) -> list[Event]:
    """The events, each with its sentence."""
    ids = [each.conversation_id for each in events if each.conversation_id]
    about = [id for each in events if (id := _entity(each))]
    stored = await branches.conversations(tx, ids, len(ids)) if ids else []
    titles = {each.conversation: _DAY.sub("", each.title) for each in stored}
    entities = await facts.names_of(tx, about) if about else {}
    statements = await _statements(tx, {id for each in events if "fact" in each.payload and (id := _entity(each))})
    agents = {each.id: each.name for each in await accounts.agents(tx)} if any(each.agent_id for each in events) else {}
    keyed = any("key" in each.payload for each in events)
    keys = {str(each.id): each.name for each in await accounts.keys(tx)} if keyed else {}

    def told(event: Event) -> Event:
        entity = _entity(event)
        names = Names(
            agent=agents.get(event.agent_id) if event.agent_id else None,
            conversation=titles.get(event.conversation_id) if event.conversation_id else None,
            entity=entities.get(entity) if entity else None,
            fact=statements.get(event.payload.get("fact", "")),
            corrected=statements.get(event.payload.get("corrected", "")),
            key=keys.get(event.payload.get("key", "")),
        )
        return event.model_copy(update={"text": accounts.sentence(event, names)})

    return [told(each) for each in events]


async def _statements(tx: Transaction, entities: Iterable[UUID]) -> dict[str, str]:
    """The facts about these entities in words, by their ids, with the rejected ones; none of an entity that is gone."""
    stated: dict[str, str] = {}
    for entity in entities:
        with suppress(NotFound):
            found = [*await walking.rejected(tx, entity), *await walking.relations(tx, entity)]
            stated |= {str(each.id): each.text for each in found}
    return stated


def _entity(event: Event) -> UUID | None:
    """The entity that an event is about; after a merge the one that stays."""
    id = event.payload.get("into") or event.payload.get("entity")
    return UUID(id) if id else None
