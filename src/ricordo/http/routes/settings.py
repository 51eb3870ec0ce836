"""The user's settings and API keys."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from fastapi import Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Moment, Partial, Whole
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import ApiKey, Crossing, Handling, NewKey, Page, ReviewPolicy, UserSettings

router = guarded(tags=["settings and keys"])


class SettingsChange(Partial):
    """Changes to settings. Omitted fields stay unchanged; null removes a model or a cap."""

    enabled: Flag = True
    top_k: Whole = 5
    rerank: Flag = False
    rerank_model: str | None = None
    extract_model: str | None = None
    embedding_model: str | None = None
    auto_mine: Flag = True
    cap_conversation: Decimal | None = None
    cap_month: Decimal | None = None
    secrets: Handling = "store"
    personal_data: Handling = "store"
    review: ReviewPolicy = "nothing"
    across_projects: Crossing = "personal"
    time_zone: str | None = Field(default=None, examples=["Europe/Berlin"])


class KeyRequest(Body):
    """A new API key."""

    name: str = Field(description="Name of the key, such as the program that uses it.", examples=["notebook"])
    agent: str | None = Field(default=None, description="Limit the key to this agent.")
    palace: Flag = Field(default=False, description="Also allow recall and mining with an agent's key.")
    read_only: Flag = False
    expires_at: Moment | None = None


@router.get("/settings")
async def get_settings(who: Who, response: Response) -> UserSettings:
    """Get the current settings."""
    return tagged(response, await who.memory.settings.get())


@router.patch("/settings")
async def change_settings(body: SettingsChange, who: Who, response: Response, if_match: IfMatch = None) -> UserSettings:
    """Update settings."""
    return tagged(response, await who.memory.settings.update(version=if_match, **body.given()))


@router.delete("/settings")
async def reset_settings(who: Who, response: Response) -> UserSettings:
    """Reset all settings to their defaults."""
    return tagged(response, await who.memory.settings.reset())


@router.get("/keys")
async def list_keys(who: Who) -> Page[ApiKey]:
    """List the user's keys, oldest first, without their secrets."""
    return Page(items=tuple(await who.memory.keys.list()))


@router.post("/keys", status_code=201, **access("person", secret=True))
async def create_key(body: KeyRequest, who: Who) -> NewKey:
    """Create an API key. Its `token` is shown only in this response, so a repeated Idempotency-Key gets 409."""
    fields = body.model_dump()
    return await who.memory.keys.create(fields.pop("name"), **fields)


@router.delete("/keys/{key}", **access("person"))
async def revoke_key(key: UUID, who: Who) -> ApiKey:
    """Revoke an API key, effective immediately."""
    return await who.memory.keys.revoke(key)
