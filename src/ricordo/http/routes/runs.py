"""Runs of agents: what they saw, read and wrote."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Items, Limit
from ricordo.nouns import Access, Event, Run

router = guarded(tags=["runs"])


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
