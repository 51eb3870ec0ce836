"""Whose memory it is, as the one sees it who asks; and removing all of it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import BaseModel, Field

from ricordo.errors import InvalidInput
from ricordo.http.access import Who, access, guarded
from ricordo.models import DeletedUser

router = guarded(tags=["user"])


class Rights(BaseModel):
    """What the key, token or session that a request came with reaches."""

    user: str
    agent: UUID | None = Field(description="The one agent that the key reaches; null for the user's own.")
    palace: bool = Field(description="Whether recall, mining and the palace are open.")
    read_only: bool
    makes_keys: bool = Field(description="Whether it is no key, but a person who signed in.")


@router.get("/user", **access("any"))
async def get_rights(who: Who) -> Rights:
    """Who asks, and how far that reaches."""
    holder = who.holder
    return Rights(
        user=holder.user,
        agent=holder.agent,
        palace=holder.palace,
        read_only=holder.read_only,
        makes_keys=not holder.is_key,
    )


@router.delete("/user")
async def delete_user(
    who: Who, name: Annotated[str, Query(description="The user's name once more, since this cannot be undone.")]
) -> DeletedUser:
    """Remove the user with everything that is theirs, keys too; answers how many rows of each table that were."""
    if name != who.holder.user:
        raise InvalidInput("name", "does not match the user of this key; nothing was deleted")
    return await who.memory.delete_user()
