"""Runs of agents: what they saw, read and wrote."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Limit, Reason, Whole
from ricordo.models import Access, Event, Page, Replay, Run, RunEnd

router = guarded(tags=["runs"])


class NewRun(Body):
    """A new run."""

    template: str = Field(description="Prompt of the agent. Its memories are added before it.")
    conversation: str | None = None
    profile: UUID | None = Field(default=None, description="Default: the agent's default profile.")
    max_tokens: Whole | None = Field(default=None, description="Maximum tokens of the memory block.")


class Output(Body):
    """The output of a node."""

    node: str = Field(examples=["summary"])
    payload: Any = Field(examples=[{"__lf_memory_writes": [{"content": "Deploys happen on Thursdays."}]}])


class Failure(Body):
    """Why a run failed."""

    reason: str


@router.post("/agents/{agent}/runs", status_code=201, **access("agent"))
async def start_run(agent: str, body: NewRun, who: Who) -> Run:
    """Start a run. Send the returned `prompt` to the model."""
    asked = body.model_dump(exclude={"template", "conversation"})
    return await who.memory.runs.start(agent, body.template, body.conversation, **asked)


@router.post("/runs/{run}/outputs", status_code=204, **access("agent"))
async def hold_output(run: UUID, body: Output, who: Who) -> None:
    """Collect the writes of a node's output (`__lf_memory_writes`). They are stored when the run completes."""
    await who.memory.runs.output(run, body.node, body.payload)


@router.post("/runs/{run}/complete", **access("agent"))
async def complete_run(run: UUID, who: Who) -> RunEnd:
    """Complete a run and store its writes: all of them, or none if there are problems."""
    return await who.memory.runs.complete(run)


@router.post("/runs/{run}/fail", **access("agent"))
async def fail_run(run: UUID, body: Failure, who: Who) -> RunEnd:
    """End a run as failed. Its writes are discarded."""
    return await who.memory.runs.fail(run, body.reason)


@router.post("/runs/{run}/cancel", **access("agent"))
async def cancel_run(run: UUID, body: Reason, who: Who) -> RunEnd:
    """Cancel a run. Its writes are discarded."""
    return await who.memory.runs.cancel(run, body.reason)


@router.get("/runs")
async def list_runs(who: Who, agent: str | None = None, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> Page[Run]:
    """List runs, newest first."""
    return Page(items=tuple(await who.memory.runs.list(agent, limit)))


@router.get("/agents/{agent}/runs", **access("agent"))
async def list_runs_of_agent(agent: str, who: Who, limit: Limit = 50) -> Page[Run]:
    """List an agent's runs, newest first."""
    return Page(items=tuple(await who.memory.runs.list(agent, limit)))


@router.get("/runs/{run}", **access("agent"))
async def get_run(run: UUID, who: Who) -> Run:
    """Get a run with its exact prompt."""
    return await who.memory.runs.get(run)


@router.get("/runs/{run}/events", **access("agent"))
async def list_run_events(run: UUID, who: Who, limit: Limit = 100) -> Page[Event]:
    """List the latest events of a run, oldest first."""
    await who.memory.runs.get(run)
    return Page(items=tuple(await who.memory.runs.events(run, limit=limit)))


@router.get("/runs/{run}/accesses", **access("agent"))
async def list_run_accesses(run: UUID, who: Who) -> Page[Access]:
    """List the memories that a run read and wrote."""
    await who.memory.runs.get(run)
    return Page(items=tuple(await who.memory.audit.of_run(run)))


@router.get("/runs/{run}/replay", **access("agent"))
async def replay_run(run: UUID, who: Who) -> Replay:
    """Get exactly what a run saw, and why each memory was chosen."""
    return await who.memory.runs.replay(run, agent=who.agent)
