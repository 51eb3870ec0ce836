"""Runs of agents: what they saw, read and wrote."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Items, Limit, Reason, Whole
from ricordo.models import Access, Event, Replay, Run, RunEnd

router = guarded(tags=["runs"])


class NewRun(Body):
    """A run to be."""

    template: str = Field(description="What the agent is asked; what it remembers is put ahead of it.")
    conversation: str | None = None
    profile: UUID | None = Field(default=None, description="None is the agent's default one.")
    max_tokens: Whole | None = Field(default=None, description="Of the block of what it remembers.")


class Output(Body):
    """What a node put out."""

    node: str = Field(examples=["summary"])
    payload: Any = Field(examples=[{"__lf_memory_writes": [{"content": "Deploys happen on Thursdays."}]}])


class Failure(Body):
    """Why a run failed."""

    reason: str


@router.post("/agents/{agent}/runs", status_code=201, **access("agent"))
async def start_run(agent: str, body: NewRun, who: Who) -> Run:
    """Begin a run: send its `prompt` to the model."""
    asked = body.model_dump(exclude={"template", "conversation"})
    return await who.memory.runs.start(agent, body.template, body.conversation, **asked)


@router.post("/runs/{run}/outputs", status_code=204, **access("agent"))
async def hold_output(run: UUID, body: Output, who: Who) -> None:
    """Hold what a node's output asks to remember (`__lf_memory_writes`) until the run ends."""
    await who.memory.runs.output(run, body.node, body.payload)


@router.post("/runs/{run}/complete", **access("agent"))
async def complete_run(run: UUID, who: Who) -> RunEnd:
    """End a run as completed, and write what it asked to remember: all, or nothing where there are problems."""
    return await who.memory.runs.complete(run)


@router.post("/runs/{run}/fail", **access("agent"))
async def fail_run(run: UUID, body: Failure, who: Who) -> RunEnd:
    """End a run as failed; nothing of its writes stays."""
    return await who.memory.runs.fail(run, body.reason)


@router.post("/runs/{run}/cancel", **access("agent"))
async def cancel_run(run: UUID, body: Reason, who: Who) -> RunEnd:
    """End a run as cancelled; nothing of its writes stays."""
    return await who.memory.runs.cancel(run, body.reason)


@router.get("/runs")
async def list_runs(who: Who, agent: str | None = None, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> Items[Run]:
    """The newest runs, newest first."""
    return Items(items=[*await who.memory.runs.list(agent, limit)])


@router.get("/agents/{agent}/runs", **access("agent"))
async def list_runs_of_agent(agent: str, who: Who, limit: Limit = 50) -> Items[Run]:
    """An agent's newest runs, newest first."""
    return Items(items=[*await who.memory.runs.list(agent, limit)])


@router.get("/runs/{run}", **access("agent"))
async def get_run(run: UUID, who: Who) -> Run:
    """A run, with what it saw, word for word."""
    return await who.memory.runs.get(run)


@router.get("/runs/{run}/events", **access("agent"))
async def list_run_events(run: UUID, who: Who, limit: Limit = 100) -> Items[Event]:
    """The newest events of a run, oldest first."""
    await who.memory.runs.get(run)
    return Items(items=[*await who.memory.runs.events(run, limit=limit)])


@router.get("/runs/{run}/accesses", **access("agent"))
async def list_run_accesses(run: UUID, who: Who) -> Items[Access]:
    """Which memories a run read, and which it wrote."""
    await who.memory.runs.get(run)
    return Items(items=await who.memory.audit.of_run(run))


@router.get("/runs/{run}/replay", **access("agent"))
async def replay_run(run: UUID, who: Who) -> Replay:
    """What a run saw, word for word as it was then, and why each memory was chosen."""
    return await who.memory.runs.replay(run, agent=who.agent)
