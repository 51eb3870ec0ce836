"""The review queue: writes of agents and tools that wait for the user's decision."""

from __future__ import annotations

from uuid import UUID

from ricordo.http.access import Who, guarded
from ricordo.http.routes.bodies import Limit
from ricordo.models import Entry, HeldWrite, Page

router = guarded(prefix="/review", tags=["review queue"])


@router.get("")
async def list_held_writes(who: Who, limit: Limit = 100) -> Page[HeldWrite]:
    """List the writes in the review queue, oldest first."""
    return Page(items=tuple(await who.memory.review.list(limit)))


@router.get("/{held}")
async def get_held_write(held: UUID, who: Who) -> HeldWrite:
    """Get a write in the review queue by the id of the future memory."""
    return await who.memory.review.get(held)


@router.post("/{held}/accept")
async def accept_held_write(held: UUID, who: Who) -> Entry:
    """Accept a write: store it under its id, with its original author."""
    return await who.memory.review.accept(held)


@router.post("/{held}/reject")
async def reject_held_write(held: UUID, who: Who) -> HeldWrite:
    """Reject a write: delete it permanently."""
    return await who.memory.review.reject(held)
