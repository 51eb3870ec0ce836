"""An agent's journal and core memory, and proposals for core memory."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Response
from pydantic import BaseModel, Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Limit, Many, Whole
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import Entry, JournalEntry, JournalKind, Page, Proposal, WriteReceipt

router = guarded(tags=["journal and core"])


class NewJournalEntry(Body):
    """A memory of 1 to 10,000 characters."""

    content: str = Field(examples=["Ada wants short answers."])
    run: UUID | None = None


class JournalSearch(Body):
    """A search of an agent's own memories."""

    query: str
    kinds: Many[JournalKind] = Field(default=["journal", "core"])
    limit: Whole = 10
    include_expired: Flag = True
    run: UUID | None = None


class JournalHit(BaseModel):
    """A search result."""

    entry: Entry
    score: float
    signals: dict[str, float]


class Prompt(BaseModel):
    """The memory block for an agent's prompt; null if the agent has no memories."""

    context: str | None


class Group(Body):
    """Participants of a group conversation, apart from the agent."""

    participants: Many[str] | None = None
    max_tokens: Whole | None = Field(default=None, description="Maximum tokens of the memory block.")
    run: UUID | None = None


class SystemMessage(BaseModel):
    """The first message of a conversation."""

    role: str
    content: str


class JournalExport(Body):
    """Exported memories."""

    items: Many[dict[str, Any]]


@router.post("/agents/{agent}/journal", status_code=201, responses=of_receipt(WriteReceipt), **access("agent"))
async def save_to_journal(agent: str, body: NewJournalEntry, who: Who, response: Response) -> WriteReceipt:
    """Add an entry to an agent's journal. It is in the agent's prompts for one week."""
    return answered(response, await who.memory.journal.save(agent, body.content, run=body.run))


@router.post("/agents/{agent}/core", status_code=201, responses=of_receipt(WriteReceipt), **access("agent"))
async def save_to_core(agent: str, body: NewJournalEntry, who: Who, response: Response) -> WriteReceipt:
    """Add an entry to an agent's core memory. It is always in the agent's prompts."""
    return answered(response, await who.memory.core.save(agent, body.content, run=body.run))


@router.get("/agents/{agent}/journal", **access("agent"))
async def list_journal(
    agent: str,
    who: Who,
    kind: Annotated[list[JournalKind] | None, Query()] = None,
    limit: Limit = 100,
    include_expired: bool = True,
    text: str | None = None,
) -> Page[JournalEntry]:
    """List journal entries, newest first. Use `kind` to include core memories."""
    kinds = kind or ["journal"]
    return Page(items=tuple(await who.memory.journal.list(agent, limit, include_expired, text, kinds=kinds)))


@router.get("/agents/{agent}/core", **access("agent"))
async def list_core(agent: str, who: Who, limit: Limit = 100, text: str | None = None) -> Page[JournalEntry]:
    """List core memories, newest first."""
    return Page(items=tuple(await who.memory.core.list(agent, limit, text)))


@router.get("/agents/{agent}/counts", **access("agent"))
async def count_journal(agent: str, who: Who) -> dict[str, int]:
    """Count an agent's memories by kind: `core` and `journal`."""
    return await who.memory.journal.counts(agent)


@router.get("/agents/{agent}/context", **access("agent"))
async def get_context(
    agent: str, who: Who, run: UUID | None = None, max_tokens: Annotated[int | None, Query(ge=1)] = None
) -> Prompt:
    """Get the block `# Your Private Memory` for an agent's prompt, limited to `max_tokens`."""
    return Prompt(context=await who.memory.journal.context(agent, max_tokens=max_tokens, run=run))


@router.post("/agents/{agent}/system-message", **access("agent", reads=True))
async def get_system_message(agent: str, body: Group, who: Who) -> SystemMessage:
    """Get the first message for a conversation of the agent: its prompt, memory and participants."""
    asked = body.model_dump(exclude={"participants"})
    made = await who.memory.journal.system_message(agent, body.participants, **asked)
    return SystemMessage(**made)


@router.post("/agents/{agent}/search", **access("agent", reads=True))
async def search_journal(agent: str, body: JournalSearch, who: Who) -> Page[JournalHit]:
    """Search an agent's own memories, best match first, with the signals of each result."""
    found = await who.memory.journal.search(
        agent, body.query, kinds=body.kinds, limit=body.limit, include_expired=body.include_expired, run=body.run
    )
    return Page(
        items=tuple(JournalHit(entry=each.entry, score=each.score, signals=dict(each.signals)) for each in found)
    )


@router.get("/agents/{agent}/export", **access("agent"))
async def export_journal(agent: str, who: Who) -> JournalExport:
    """Export an agent's journal and core memory, oldest first."""
    return JournalExport(items=[*await who.memory.journal.export(agent)])


@router.post("/agents/{agent}/import", **access("agent"))
async def import_journal(agent: str, body: JournalExport, who: Who) -> dict[str, int]:
    """Import exported memories. Importing them again adds nothing. Returns `stored` and `duplicates`."""
    return await who.memory.journal.import_(agent, body.items, by_agent=who.agent is not None)


@router.post("/agents/{agent}/proposals")
async def propose(agent: str, who: Who) -> Page[Proposal]:
    """Search an agent's journal for candidates for core memory. Nothing changes until you accept a proposal."""
    return Page(items=tuple(await who.memory.proposals.propose(agent)))


@router.get("/agents/{agent}/proposals", **access("agent"))
async def list_proposals(
    agent: str, who: Who, status: Literal["proposed", "accepted", "rejected", "undone"] | None = None
) -> Page[Proposal]:
    """List an agent's proposals, newest first."""
    return Page(items=tuple(await who.memory.proposals.list(agent, status)))


@router.post("/proposals/{proposal}/accept")
async def accept_proposal(proposal: UUID, who: Who) -> Proposal:
    """Accept a proposal: create the proposed core memory."""
    return await who.memory.proposals.accept(proposal)


@router.post("/proposals/{proposal}/reject")
async def reject_proposal(proposal: UUID, who: Who) -> Proposal:
    """Reject a proposal."""
    return await who.memory.proposals.reject(proposal)


@router.post("/proposals/{proposal}/undo")
async def undo_proposal(proposal: UUID, who: Who) -> Proposal:
    """Undo the acceptance of a proposal."""
    return await who.memory.proposals.undo(proposal)
