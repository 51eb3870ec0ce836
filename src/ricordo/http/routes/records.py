"""What is recorded of the memory itself: activity, costs, background work, and proofs."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from fastapi import Path, Query, Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Cursor, Done, Items, Limit, Since, Until
from ricordo.http.routes.operations import accepted
from ricordo.models import (
    Absence,
    Chain,
    CostEstimate,
    EventCategory,
    EventPage,
    EventType,
    Job,
    JobState,
    ModelCall,
    ModelPrice,
    Operation,
    Overview,
    Usage,
)

router = guarded(tags=["records"])

_JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


class AbsenceQuery(Body):
    """A text that should be nowhere."""

    text: str = Field(examples=["my old address"])


class Price(Body):
    """What a model costs, in US dollars for a million tokens."""

    model: str
    input: Decimal = Field(examples=["0.15"])
    output: Decimal = Field(examples=["0.60"])


@router.get("/activity")
async def list_activity(
    who: Who,
    type: Annotated[
        list[EventType | EventCategory] | None, Query(description="Types or categories, such as memory_mined.")
    ] = None,
    agent: str | None = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> EventPage:
    """What happened, newest first."""
    return await who.memory.activity.list(type, agent=agent, since=since, until=until, limit=limit, cursor=cursor)


@router.get("/overview")
async def get_overview(who: Who) -> Overview:
    """How much is stored, and what needs attention: jobs by state, and writes held for review."""
    return await who.memory.activity.overview()


@router.get("/usage")
async def get_usage(
    who: Who, by: Literal["source", "model", "day"] = "source", since: Since = None, until: Until = None
) -> Usage:
    """What calls of models took and cost, and this month beside its cap."""
    return await who.memory.usage.report(by, since=since, until=until)


@router.get("/usage/calls")
async def list_calls(who: Who, limit: Limit = 100) -> Items[ModelCall]:
    """The newest calls of models, newest first."""
    return Items(items=await who.memory.usage.calls(limit))


@router.get("/usage/estimate")
async def estimate_extraction(who: Who, conversation: str | None = None) -> CostEstimate:
    """What it would cost at most to let the LLM read a conversation, or all of them, as far as none has."""
    return await who.memory.usage.estimate_extraction(conversation)


@router.get("/prices")
async def list_prices(who: Who) -> Items[ModelPrice]:
    """What the user has set; other models cost what their providers publish, as far as that is known."""
    return Items(items=await who.memory.usage.prices())


@router.put("/prices")
async def set_price(body: Price, who: Who) -> ModelPrice:
    """Let a model cost so many US dollars for a million tokens, from its next call on."""
    return await who.memory.usage.set_price(body.model, input=body.input, output=body.output)


@router.delete("/prices")
async def remove_price(model: str, who: Who) -> Done:
    """Go back to the published price of a model."""
    return Done(done=await who.memory.usage.remove_price(model))


@router.get("/jobs")
async def list_jobs(who: Who, state: JobState | None = None, limit: Limit = 100) -> Items[Job]:
    """Background work that waits, runs or is dead."""
    return Items(items=await who.memory.jobs.list(state, limit))


@router.get("/jobs/{job}")
async def get_job(job: _JobId, who: Who) -> Job:
    """A job; one that is done is not found any more."""
    return await who.memory.jobs.get(job)


@router.post("/jobs/{job}/retry")
async def retry_job(job: _JobId, who: Who) -> Job:
    """Let a dead job be tried again at once."""
    return await who.memory.jobs.retry(job)


@router.post("/jobs/retry")
async def retry_jobs(who: Who) -> dict[str, int]:
    """Let every dead job be tried again at once; `retried` counts them."""
    return {"retried": await who.memory.jobs.retry_all()}


@router.get("/audit/chain", **access("owner", walks=True))
async def verify_chain(who: Who) -> Chain:
    """Whether the access log is whole."""
    return await who.memory.audit.verify()


@router.post("/audit/soundness", status_code=202)
async def examine_tables(who: Who, response: Response) -> Operation:
    """Start to examine whether the tables of the user's memory fit together; the operation's result lists what does
    not. While an examination is under way, the same operation is returned again."""
    return accepted(response, await who.memory.operations.examine())


@router.post("/audit/seal", **access("owner", walks=True))
async def seal_chain(who: Who) -> dict[str, int]:
    """Cover the accesses that no seal covers yet; `sealed` counts them."""
    return {"sealed": await who.memory.audit.seal()}


@router.post("/audit/absence", **access("owner", reads=True, walks=True))
async def prove_absence(body: AbsenceQuery, who: Who) -> Absence:
    """Look for a text in all that is stored of the user; the search itself is not recorded."""
    return await who.memory.audit.absent(body.text)
