"""What agents and tools wrote and the user has not let in yet."""

from __future__ import annotations

from uuid import UUID

from ricordo.http.access import Who, guarded
from ricordo.http.routes.bodies import Items, Limit
from ricordo.models import Entry, Quarantined

router = guarded(prefix="/quarantine", tags=["quarantine"])


@router.get("")
async def list_quarantined(who: Who, limit: Limit = 100) -> Items[Quarantined]:
    """What waits for a review, oldest first."""
    return Items(items=[*await who.memory.quarantine.list(limit)])


@router.get("/{held}")
async def get_quarantined(held: UUID, who: Who) -> Quarantined:
    """What waits under the id that the memory will have."""
    return await who.memory.quarantine.get(held)


@router.post("/{held}/accept")
async def accept_quarantined(held: UUID, who: Who) -> Entry:
    """Remember it, under its id and in its writer's name."""
    return await who.memory.quarantine.accept(held)


@router.post("/{held}/reject")
async def reject_quarantined(held: UUID, who: Who) -> Quarantined:
    """Drop it for good."""
    return await who.memory.quarantine.reject(held)
