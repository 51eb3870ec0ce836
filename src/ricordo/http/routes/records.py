"""Activity, costs, background jobs and audits of the memory."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from fastapi import Path, Query, Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Cursor, Done, Limit, Since, Until
from ricordo.http.routes.operations import accepted
from ricordo.models import (
    Absence,
    Chain,
    CostEstimate,
    Event,
    EventCategory,
    EventType,
    Job,
    JobState,
    ModelCall,
    ModelPrice,
    Operation,
    Overview,
    Page,
    Usage,
)

router = guarded(tags=["records"])

_JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


class AbsenceQuery(Body):
    """A text to search for."""

    text: str = Field(examples=["my old address"])


class Price(Body):
    """The price of a model in US dollars per million tokens."""

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
) -> Page[Event]:
    """List events, newest first."""
    return await who.memory.activity.list(type, agent=agent, since=since, until=until, limit=limit, cursor=cursor)


@router.get("/overview")
async def get_overview(who: Who) -> Overview:
    """Get how much is stored, and what needs attention: jobs by state, and writes held for review."""
    return await who.memory.activity.overview()


@router.get("/usage")
async def get_usage(
    who: Who, by: Literal["source", "model", "day"] = "source", since: Since = None, until: Until = None
) -> Usage:
    """Get LLM calls, tokens and costs, and this month's total with its cap."""
    return await who.memory.usage.report(by, since=since, until=until)


@router.get("/usage/calls")
async def list_calls(who: Who, limit: Limit = 100) -> Page[ModelCall]:
    """List LLM calls, newest first."""
    return Page(items=tuple(await who.memory.usage.calls(limit)))


@router.get("/usage/estimate")
async def estimate_extraction(who: Who, conversation: str | None = None) -> CostEstimate:
    """Estimate the maximum cost of extracting facts with an LLM from one or all conversations not yet read by it."""
    return await who.memory.usage.estimate_extraction(conversation)


@router.get("/prices")
async def list_prices(who: Who) -> Page[ModelPrice]:
    """List the user's own prices. Other models use published prices, where known."""
    return Page(items=tuple(await who.memory.usage.prices()))


@router.put("/prices")
async def set_price(body: Price, who: Who) -> ModelPrice:
    """Set the price of a model in US dollars per million tokens, for future calls."""
    return await who.memory.usage.set_price(body.model, input=body.input, output=body.output)


@router.delete("/prices")
async def remove_price(model: str, who: Who) -> Done:
    """Remove your price of a model and use the published one."""
    return Done(done=await who.memory.usage.remove_price(model))


@router.get("/jobs")
async def list_jobs(who: Who, state: JobState | None = None, limit: Limit = 100) -> Page[Job]:
    """List background jobs that are waiting, running or dead."""
    return Page(items=tuple(await who.memory.jobs.list(state, limit)))


@router.get("/jobs/{job}")
async def get_job(job: _JobId, who: Who) -> Job:
    """Get a job. Finished jobs are not found."""
    return await who.memory.jobs.get(job)


@router.post("/jobs/{job}/retry")
async def retry_job(job: _JobId, who: Who) -> Job:
    """Retry a dead job now."""
    return await who.memory.jobs.retry(job)


@router.post("/jobs/retry")
async def retry_jobs(who: Who) -> dict[str, int]:
    """Retry all dead jobs now. `retried` is their number."""
    return {"retried": await who.memory.jobs.retry_all()}


@router.get("/audit/chain", **access("owner", walks=True))
async def verify_chain(who: Who) -> Chain:
    """Verify that the access log was not altered."""
    return await who.memory.audit.verify()


@router.post("/audit/soundness", status_code=202)
async def examine_tables(who: Who, response: Response) -> Operation:
    """Start a check of the consistency of the user's tables. The operation's result lists problems. While a check is
    running, this returns the same operation."""
    return accepted(response, await who.memory.operations.examine())


@router.post("/audit/seal", **access("owner", walks=True))
async def seal_chain(who: Who) -> dict[str, int]:
    """Seal all unsealed accesses. `sealed` is their number."""
    return {"sealed": await who.memory.audit.seal()}


@router.post("/audit/absence", **access("owner", reads=True, walks=True))
async def prove_absence(body: AbsenceQuery, who: Who) -> Absence:
    """Search all stored data of the user for a text. The search itself is not recorded."""
    return await who.memory.audit.absent(body.text)
