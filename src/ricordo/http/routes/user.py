"""The current user: access of the key, and deletion."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import BaseModel, Field

from ricordo.errors import InvalidInput, quoted
from ricordo.http.access import Who, access, guarded
from ricordo.models import DeletedUser

router = guarded(tags=["user"])


class Rights(BaseModel):
    """The access of the key, token or session of a request."""

    user: str
    user_id: UUID = Field(description="The user's id in the database.")
    agent: UUID | None = Field(description="Agent that the key is limited to; null for a user's key.")
    palace: bool = Field(description="Whether the key has access to recall, mining and the palace.")
    read_only: bool
    makes_keys: bool = Field(description="Whether the caller is a signed-in person and can create keys.")


@router.get("/user", **access("any"))
async def get_rights(who: Who) -> Rights:
    """Get the current user and the access of the key."""
    holder = who.holder
    return Rights(
        user=holder.user,
        user_id=who.memory.user_id,
        agent=holder.agent,
        palace=holder.palace,
        read_only=holder.read_only,
        makes_keys=not holder.is_key,
    )


@router.delete("/user")
async def delete_user(
    who: Who, name: Annotated[str, Query(description="Name of the user, to confirm the deletion.")]
) -> DeletedUser:
    """Delete the user with all data and keys. This cannot be undone. Returns the number of deleted rows by table."""
    if name != who.holder.user:
        raise InvalidInput(
            "name",
            f"{quoted(name)} is not the user of this key; nothing was deleted. Pass the name that GET /v1/user returns",
        )
    return await who.memory.delete_user()
