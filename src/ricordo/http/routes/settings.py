"""What the user has chosen, and the user's keys."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from fastapi import Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Items, Moment, Partial, Whole
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import ApiKey, Handling, NewKey, ReviewPolicy, UserSettings

router = guarded(tags=["settings and keys"])


class SettingsChange(Partial):
    """What changes; what is not given stays, null takes a model or a cap away."""

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
    time_zone: str | None = Field(default=None, examples=["Europe/Berlin"])


class KeyRequest(Body):
    """A key to be."""

    name: str = Field(description="Who holds it.", examples=["notebook"])
    agent: str | None = Field(default=None, description="The one agent that it reaches.")
    palace: Flag = Field(default=False, description="Open recall and mining to an agent's key too.")
    read_only: Flag = False
    expires_at: Moment | None = None


@router.get("/settings")
async def get_settings(who: Who, response: Response) -> UserSettings:
    """The settings as they are now."""
    return tagged(response, await who.memory.settings.get())


@router.patch("/settings")
async def change_settings(body: SettingsChange, who: Who, response: Response, if_match: IfMatch = None) -> UserSettings:
    """Change what is given."""
    return tagged(response, await who.memory.settings.update(version=if_match, **body.given()))


@router.delete("/settings")
async def reset_settings(who: Who, response: Response) -> UserSettings:
    """Go back to the defaults."""
    return tagged(response, await who.memory.settings.reset())


@router.get("/keys")
async def list_keys(who: Who) -> Items[ApiKey]:
    """Every key of the user, oldest first, without its secret."""
    return Items(items=[*await who.memory.keys.list()])


@router.post("/keys", status_code=201, **access("person", secret=True))
async def create_key(body: KeyRequest, who: Who) -> NewKey:
    """A new key; its `token` is shown here and never again, so that a repetition under an Idempotency-Key gets 409."""
    fields = body.model_dump()
    return await who.memory.keys.create(fields.pop("name"), **fields)


@router.delete("/keys/{key}", **access("person"))
async def revoke_key(key: UUID, who: Who) -> ApiKey:
    """Let a key open nothing from now on."""
    return await who.memory.keys.revoke(key)
