"""Notes that selected agents share."""

from __future__ import annotations

from uuid import UUID

from fastapi import Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Done, Limit, Many
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import Agent, Entry, Page, Whiteboard, WriteReceipt

router = guarded(tags=["whiteboards"])


class NewWhiteboard(Body):
    """A new whiteboard and the agents that share it."""

    name: str = Field(examples=["launch"])
    agents: Many[str] = Field(description="Ids or names of agents.")


class NewNotice(Body):
    """A note of an agent."""

    content: str
    run: UUID | None = None


@router.post("/whiteboards", status_code=201)
async def create_whiteboard(body: NewWhiteboard, who: Who) -> Whiteboard:
    """Create a whiteboard."""
    return await who.memory.whiteboards.create(body.name, body.agents)


@router.get("/whiteboards")
async def list_whiteboards(who: Who) -> Page[Whiteboard]:
    """List whiteboards, oldest first."""
    return Page(items=tuple(await who.memory.whiteboards.list()))


@router.delete("/whiteboards/{whiteboard}")
async def delete_whiteboard(whiteboard: str, who: Who) -> dict[str, int]:
    """Delete a whiteboard. `removed` is the number of its notes."""
    return {"removed": await who.memory.whiteboards.delete(whiteboard)}


@router.get("/whiteboards/{whiteboard}/agents")
async def list_members(whiteboard: str, who: Who) -> Page[Agent]:
    """List the agents that share a whiteboard."""
    return Page(items=tuple(await who.memory.whiteboards.members(whiteboard)))


@router.put("/whiteboards/{whiteboard}/agents/{agent}")
async def add_member(whiteboard: str, agent: str, who: Who) -> Done:
    """Share a whiteboard with an agent."""
    return Done(done=await who.memory.whiteboards.add_agent(whiteboard, agent))


@router.delete("/whiteboards/{whiteboard}/agents/{agent}")
async def remove_member(whiteboard: str, agent: str, who: Who) -> Done:
    """Stop sharing a whiteboard with an agent. The agent's notes stay."""
    return Done(done=await who.memory.whiteboards.remove_agent(whiteboard, agent))


@router.get("/whiteboards/{whiteboard}/notes")
async def look_at_whiteboard(whiteboard: str, who: Who, limit: Limit = 100, text: str | None = None) -> Page[Entry]:
    """List the notes of a whiteboard, newest first."""
    return Page(items=tuple(await who.memory.whiteboards.read(whiteboard, None, limit, text)))


@router.post(
    "/whiteboards/{whiteboard}/agents/{agent}/notes",
    status_code=201,
    responses=of_receipt(WriteReceipt),
    **access("agent"),
)
async def write_on_whiteboard(
    whiteboard: str, agent: str, body: NewNotice, who: Who, response: Response
) -> WriteReceipt:
    """Add a note as one of the whiteboard's agents."""
    return answered(response, await who.memory.whiteboards.write(whiteboard, body.content, agent, run=body.run))


@router.get("/whiteboards/{whiteboard}/agents/{agent}/notes", **access("agent"))
async def read_whiteboard(
    whiteboard: str, agent: str, who: Who, limit: Limit = 100, text: str | None = None, run: UUID | None = None
) -> Page[Entry]:
    """List the notes of a whiteboard as one of its agents, newest first."""
    return Page(items=tuple(await who.memory.whiteboards.read(whiteboard, agent, limit, text, run=run)))
