"""Agents and their access to each other's global entries."""

from __future__ import annotations

from uuid import UUID

from fastapi import Response
from pydantic import BaseModel, Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Done, Flag, Partial
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import Agent, Page

router = guarded(tags=["agents"])


class NewAgent(Body):
    """A new agent."""

    name: str = Field(examples=["coder"])
    system_prompt: str | None = None


class AgentChange(Partial):
    """Changes to an agent. Omitted and null fields stay unchanged."""

    name: str | None = None
    system_prompt: str | None = None
    memory_disabled: Flag | None = None


class Grant(BaseModel):
    """A grant: one agent can read the global entries of another."""

    from_agent: UUID
    to_agent: UUID


@router.post("/agents", status_code=201)
async def create_agent(body: NewAgent, who: Who, response: Response) -> Agent:
    """Create an agent with a default memory profile."""
    return tagged(response, await who.memory.agents.create(body.name, system_prompt=body.system_prompt))


@router.get("/agents")
async def list_agents(who: Who) -> Page[Agent]:
    """List agents, oldest first."""
    return Page(items=tuple(await who.memory.agents.list()))


@router.get("/agents/{agent}", **access("agent"))
async def get_agent(agent: str, who: Who, response: Response) -> Agent:
    """Get an agent by id or name."""
    return tagged(response, await who.memory.agents.get(agent))


@router.patch("/agents/{agent}")
async def change_agent(agent: str, body: AgentChange, who: Who, response: Response, if_match: IfMatch = None) -> Agent:
    """Update an agent."""
    return tagged(response, await who.memory.agents.change(agent, **body.model_dump(), version=if_match))


@router.delete("/agents/{agent}", status_code=204)
async def delete_agent(agent: str, who: Who) -> None:
    """Delete an agent with its profiles, entries, journal, core memory, runs and keys."""
    await who.memory.agents.delete(agent)


@router.get("/grants")
async def list_grants(who: Who) -> Page[Grant]:
    """List which agents can read the global entries of which others."""
    pairs = await who.memory.agents.grants()
    return Page(items=tuple(Grant(from_agent=source, to_agent=target) for source, target in pairs))


@router.put("/agents/{agent}/grants/{to_agent}")
async def grant(agent: str, to_agent: str, who: Who) -> Done:
    """Let another agent read an agent's global entries."""
    return Done(done=await who.memory.agents.grant(agent, to_agent))


@router.delete("/agents/{agent}/grants/{to_agent}")
async def revoke_grant(agent: str, to_agent: str, who: Who) -> Done:
    """Revoke another agent's access to an agent's global entries."""
    return Done(done=await who.memory.agents.revoke(agent, to_agent))
