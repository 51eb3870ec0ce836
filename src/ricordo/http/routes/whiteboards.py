"""Notes that chosen agents share."""

from __future__ import annotations

from uuid import UUID

from fastapi import Response
from pydantic import Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Done, Items, Limit, Many
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import Agent, Entry, Whiteboard, WriteReceipt

router = guarded(tags=["whiteboards"])


class NewWhiteboard(Body):
    """A whiteboard, and the agents that share it."""

    name: str = Field(examples=["launch"])
    agents: Many[str] = Field(description="By id or name.")


class NewNotice(Body):
    """What an agent writes on it."""

    content: str
    run: UUID | None = None


@router.post("/whiteboards", status_code=201)
async def create_whiteboard(body: NewWhiteboard, who: Who) -> Whiteboard:
    """A new whiteboard."""
    return await who.memory.whiteboards.create(body.name, body.agents)


@router.get("/whiteboards")
async def list_whiteboards(who: Who) -> Items[Whiteboard]:
    """Every whiteboard, oldest first."""
    return Items(items=[*await who.memory.whiteboards.list()])


@router.delete("/whiteboards/{whiteboard}")
async def delete_whiteboard(whiteboard: str, who: Who) -> dict[str, int]:
    """Remove a whiteboard; `removed` counts its notes."""
    return {"removed": await who.memory.whiteboards.delete(whiteboard)}


@router.get("/whiteboards/{whiteboard}/agents")
async def list_members(whiteboard: str, who: Who) -> Items[Agent]:
    """The agents that share it."""
    return Items(items=[*await who.memory.whiteboards.members(whiteboard)])


@router.put("/whiteboards/{whiteboard}/agents/{agent}")
async def add_member(whiteboard: str, agent: str, who: Who) -> Done:
    """Open it to an agent."""
    return Done(done=await who.memory.whiteboards.add_agent(whiteboard, agent))


@router.delete("/whiteboards/{whiteboard}/agents/{agent}")
async def remove_member(whiteboard: str, agent: str, who: Who) -> Done:
    """Close it to an agent, whose notes stay."""
    return Done(done=await who.memory.whiteboards.remove_agent(whiteboard, agent))


@router.get("/whiteboards/{whiteboard}/notes")
async def look_at_whiteboard(whiteboard: str, who: Who, limit: Limit = 100, text: str | None = None) -> Items[Entry]:
    """The newest notes, newest first, for the user."""
    return Items(items=[*await who.memory.whiteboards.read(whiteboard, None, limit, text)])


@router.post(
    "/whiteboards/{whiteboard}/agents/{agent}/notes",
    status_code=201,
    responses=of_receipt(WriteReceipt),
    **access("agent"),
)
async def write_on_whiteboard(
    whiteboard: str, agent: str, body: NewNotice, who: Who, response: Response
) -> WriteReceipt:
    """Add a note in the name of one of its agents."""
    return answered(response, await who.memory.whiteboards.write(whiteboard, body.content, agent, run=body.run))


@router.get("/whiteboards/{whiteboard}/agents/{agent}/notes", **access("agent"))
async def read_whiteboard(
    whiteboard: str, agent: str, who: Who, limit: Limit = 100, text: str | None = None, run: UUID | None = None
) -> Items[Entry]:
    """The newest notes, newest first, as one of its agents reads them."""
    return Items(items=[*await who.memory.whiteboards.read(whiteboard, agent, limit, text, run=run)])
