"""What agents and tools wrote and the user has not let in yet."""

from __future__ import annotations

from uuid import UUID

from ricordo.http.access import Who, guarded
from ricordo.http.routes.bodies import Items, Limit
from ricordo.models import Entry, HeldWrite

router = guarded(prefix="/review", tags=["review queue"])


@router.get("")
async def list_held_writes(who: Who, limit: Limit = 100) -> Items[HeldWrite]:
    """What waits for a review, oldest first."""
    return Items(items=[*await who.memory.review.list(limit)])


@router.get("/{held}")
async def get_held_write(held: UUID, who: Who) -> HeldWrite:
    """What waits under the id that the memory will have."""
    return await who.memory.review.get(held)


@router.post("/{held}/accept")
async def accept_held_write(held: UUID, who: Who) -> Entry:
    """Remember it, under its id and in its writer's name."""
    return await who.memory.review.accept(held)


@router.post("/{held}/reject")
async def reject_held_write(held: UUID, who: Who) -> HeldWrite:
    """Drop it for good."""
    return await who.memory.review.reject(held)
