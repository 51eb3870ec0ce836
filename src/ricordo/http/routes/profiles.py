"""Memory profiles and their entries."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Response
from pydantic import BeforeValidator, Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Many, Moment, Number, Partial, Whole, few_fields
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import (
    Entry,
    Handling,
    Isolation,
    Page,
    Profile,
    ReviewPolicy,
    Scope,
    SeedEntry,
    Source,
    Strategy,
    WriteReceipt,
)

router = guarded(tags=["profiles and entries"])


class NewProfile(Body):
    """A new profile; see Profile for the fields."""

    name: str = Field(examples=["research"])
    scope: Scope = "project"
    retention_seconds: Whole | None = None
    max_entries: Whole | None = None
    isolation: Isolation = "private"
    injection_strategy: Strategy = "top_confidence"
    injection_limit: Whole = 5
    injection_scopes: Many[Scope] = Field(default=["project"])
    seed_entries: Many[Annotated[SeedEntry, BeforeValidator(few_fields)]] = Field(default_factory=list)
    secrets: Handling | None = None
    personal_data: Handling | None = None
    review: ReviewPolicy | None = None
    is_default: Flag = False


class ProfileChange(Partial):
    """Changes to a profile. Omitted fields stay unchanged; null removes a limit."""

    name: str = ""
    scope: Scope = "project"
    retention_seconds: Whole | None = None
    max_entries: Whole | None = None
    isolation: Isolation = "private"
    injection_strategy: Strategy = "top_confidence"
    injection_limit: Whole = 5
    injection_scopes: Many[Scope] = Field(default_factory=list)
    secrets: Handling | None = None
    personal_data: Handling | None = None
    review: ReviewPolicy | None = None
    is_default: Flag = True


class NewEntry(Body):
    """A new entry."""

    content: str = Field(examples=["Deploys happen on Thursdays."])
    scope: Scope | None = Field(default=None, description="Default: the profile's scope.")
    source: Source = "agent"
    confidence: Number = 0.5
    expires_at: Moment | None = None
    conversation: str | None = None
    metadata: dict[str, Any] | None = None
    run: UUID | None = None


@router.post("/agents/{agent}/profiles", status_code=201)
async def create_profile(agent: str, body: NewProfile, who: Who, response: Response) -> Profile:
    """Create a profile of an agent with its seed entries."""
    fields = body.model_dump()
    return tagged(response, await who.memory.profiles.create(agent, fields.pop("name"), **fields))


@router.get("/agents/{agent}/profiles", **access("agent"))
async def list_profiles(agent: str, who: Who) -> Page[Profile]:
    """List an agent's profiles, the default one first."""
    return Page(items=tuple(await who.memory.profiles.list(agent)))


@router.get("/profiles/{profile}", **access("agent"))
async def get_profile(profile: UUID, who: Who, response: Response) -> Profile:
    """Get a profile."""
    return tagged(response, await who.memory.profiles.get(profile, agent=who.agent))


@router.patch("/profiles/{profile}")
async def change_profile(
    profile: UUID, body: ProfileChange, who: Who, response: Response, if_match: IfMatch = None
) -> Profile:
    """Update a profile. Set `is_default` to make it the default."""
    return tagged(response, await who.memory.profiles.change(profile, version=if_match, **body.given()))


@router.delete("/profiles/{profile}", status_code=204)
async def delete_profile(profile: UUID, who: Who) -> None:
    """Delete a profile with its entries."""
    await who.memory.profiles.delete(profile)


@router.post("/profiles/{profile}/entries", status_code=201, responses=of_receipt(WriteReceipt), **access("agent"))
async def write_entry(profile: UUID, body: NewEntry, who: Who, response: Response) -> WriteReceipt:
    """Write an entry. The receipt contains the stored entry as `memory`."""
    fields = body.model_dump()
    return answered(response, await who.memory.entries.write(profile, fields.pop("content"), **fields, agent=who.agent))


@router.get("/profiles/{profile}/entries", **access("agent"))
async def read_entries(
    profile: UUID,
    who: Who,
    scope: Scope | None = None,
    conversation: str | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    run: UUID | None = None,
) -> Page[Entry]:
    """List a profile's active entries, highest confidence first. For pages, use `GET /v1/memories`."""
    found = await who.memory.entries.read(
        profile, scope=scope, conversation=conversation, limit=limit, agent=who.agent, run=run
    )
    return Page(items=tuple(found))


@router.get("/profiles/{profile}/summary", **access("agent"))
async def summarize_profile(profile: UUID, who: Who, dry_run: bool = False) -> dict[str, Any]:
    """Get `count`, `scopes` and `last_written_at` of a profile's entries. With an LLM, also get `summary` and
    `proposed_duplicates`, or with `dry_run` an `estimate` of their cost."""
    return await who.memory.entries.summarize(profile, dry_run=dry_run, agent=who.agent)
