"""Agents, and which of them may read another's global entries."""

from __future__ import annotations

from uuid import UUID

from fastapi import Response
from pydantic import BaseModel, Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Done, Flag, Items, Partial
from ricordo.http.versions import IfMatch, tagged
from ricordo.models import Agent

router = guarded(tags=["agents"])


class NewAgent(Body):
    """An agent to be."""

    name: str = Field(examples=["coder"])
    system_prompt: str | None = None


class AgentChange(Partial):
    """What changes of an agent; null and what is not given stay."""

    name: str | None = None
    system_prompt: str | None = None
    memory_disabled: Flag | None = None


class Grant(BaseModel):
    """An agent whose global entries another one may read."""

    from_agent: UUID
    to_agent: UUID


@router.post("/agents", status_code=201)
async def create_agent(body: NewAgent, who: Who, response: Response) -> Agent:
    """A new agent, with a default memory profile."""
    return tagged(response, await who.memory.agents.create(body.name, system_prompt=body.system_prompt))


@router.get("/agents")
async def list_agents(who: Who) -> Items[Agent]:
    """Every agent, oldest first."""
    return Items(items=await who.memory.agents.list())


@router.get("/agents/{agent}", **access("agent"))
async def get_agent(agent: str, who: Who, response: Response) -> Agent:
    """The agent of an id or a name."""
    return tagged(response, await who.memory.agents.get(agent))


@router.patch("/agents/{agent}")
async def change_agent(agent: str, body: AgentChange, who: Who, response: Response, if_match: IfMatch = None) -> Agent:
    """Change what is given."""
    return tagged(response, await who.memory.agents.change(agent, **body.model_dump(), version=if_match))


@router.delete("/agents/{agent}", status_code=204)
async def delete_agent(agent: str, who: Who) -> None:
    """Remove an agent with its profiles, entries, journal, core, runs and keys."""
    await who.memory.agents.delete(agent)


@router.get("/grants")
async def list_grants(who: Who) -> Items[Grant]:
    """Between which agents global entries are open."""
    pairs = await who.memory.agents.grants()
    return Items(items=[Grant(from_agent=source, to_agent=target) for source, target in pairs])


@router.put("/agents/{agent}/grants/{to_agent}")
async def grant(agent: str, to_agent: str, who: Who) -> Done:
    """Open an agent's global entries to another one."""
    return Done(done=await who.memory.agents.grant(agent, to_agent))


@router.delete("/agents/{agent}/grants/{to_agent}")
async def revoke_grant(agent: str, to_agent: str, who: Who) -> Done:
    """Close them again."""
    return Done(done=await who.memory.agents.revoke(agent, to_agent))
