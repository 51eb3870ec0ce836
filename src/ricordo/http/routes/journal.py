"""Journal and core of an agent, and what is proposed for core."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Response
from pydantic import BaseModel, Field

from ricordo.http.access import Who, access, guarded
from ricordo.http.routes.bodies import Body, Flag, Items, Limit, Many, Whole
from ricordo.http.routes.receipts import answered, of_receipt
from ricordo.models import Entry, JournalEntry, JournalKind, Proposal, WriteReceipt

router = guarded(tags=["journal and core"])


class NewJournalEntry(Body):
    """What to remember: 1 to 10,000 characters."""

    content: str = Field(examples=["Ada wants short answers."])
    run: UUID | None = None


class JournalSearch(Body):
    """What to look for among an agent's own memories."""

    query: str
    kinds: Many[JournalKind] = Field(default=["journal", "core"])
    limit: Whole = 10
    include_expired: Flag = True
    run: UUID | None = None


class JournalHit(BaseModel):
    """A memory that a search found."""

    entry: Entry
    score: float
    signals: dict[str, float]


class Prompt(BaseModel):
    """The block for an agent's prompt; null where it remembers nothing."""

    context: str | None


class Group(Body):
    """Who takes part in a group's talk, beside the agent."""

    participants: Many[str] | None = None
    max_tokens: Whole | None = Field(default=None, description="Of the memory's block.")
    run: UUID | None = None


class SystemMessage(BaseModel):
    """A message to begin with."""

    role: str
    content: str


class JournalExport(Body):
    """What was exported."""

    items: Many[dict[str, Any]]


@router.post("/agents/{agent}/journal", status_code=201, responses=of_receipt(WriteReceipt), **access("agent"))
async def save_to_journal(agent: str, body: NewJournalEntry, who: Who, response: Response) -> WriteReceipt:
    """Write into an agent's journal, which is in its prompts for a week."""
    return answered(response, await who.memory.journal.save(agent, body.content, run=body.run))


@router.post("/agents/{agent}/core", status_code=201, responses=of_receipt(WriteReceipt), **access("agent"))
async def save_to_core(agent: str, body: NewJournalEntry, who: Who, response: Response) -> WriteReceipt:
    """Write into an agent's core memory, which is always in its prompts."""
    return answered(response, await who.memory.core.save(agent, body.content, run=body.run))


@router.get("/agents/{agent}/journal", **access("agent"))
async def list_journal(
    agent: str,
    who: Who,
    kind: Annotated[list[JournalKind] | None, Query()] = None,
    limit: Limit = 100,
    include_expired: bool = True,
    text: str | None = None,
) -> Items[JournalEntry]:
    """The newest journal entries, with `kind` core memories too, newest first."""
    kinds = kind or ["journal"]
    return Items(items=await who.memory.journal.list(agent, limit, include_expired, text, kinds=kinds))


@router.get("/agents/{agent}/core", **access("agent"))
async def list_core(agent: str, who: Who, limit: Limit = 100, text: str | None = None) -> Items[JournalEntry]:
    """The newest core memories, newest first."""
    return Items(items=await who.memory.core.list(agent, limit, text))


@router.get("/agents/{agent}/counts", **access("agent"))
async def count_journal(agent: str, who: Who) -> dict[str, int]:
    """How many memories of each kind an agent has: `core` and `journal`."""
    return await who.memory.journal.counts(agent)


@router.get("/agents/{agent}/context", **access("agent"))
async def get_context(
    agent: str, who: Who, run: UUID | None = None, max_tokens: Annotated[int | None, Query(ge=1)] = None
) -> Prompt:
    """The block `# Your Private Memory` for an agent's prompt; with `max_tokens` only what has room."""
    return Prompt(context=await who.memory.journal.context(agent, max_tokens=max_tokens, run=run))


@router.post("/agents/{agent}/system-message", **access("agent", reads=True))
async def get_system_message(agent: str, body: Group, who: Who) -> SystemMessage:
    """The message that a conversation of the agent begins with: its prompt, its memory, and who takes part."""
    asked = body.model_dump(exclude={"participants"})
    made = await who.memory.journal.system_message(agent, body.participants, **asked)
    return SystemMessage(**made)


@router.post("/agents/{agent}/search", **access("agent", reads=True))
async def search_journal(agent: str, body: JournalSearch, who: Who) -> Items[JournalHit]:
    """An agent's own memories that answer a query, best first, with what each signal gave."""
    found = await who.memory.journal.search(
        agent, body.query, kinds=body.kinds, limit=body.limit, include_expired=body.include_expired, run=body.run
    )
    return Items(items=[JournalHit(entry=each.entry, score=each.score, signals=dict(each.signals)) for each in found])


@router.get("/agents/{agent}/export", **access("agent"))
async def export_journal(agent: str, who: Who) -> Items[dict[str, str]]:
    """An agent's journal and core, oldest first."""
    return Items(items=[*await who.memory.journal.export(agent)])


@router.post("/agents/{agent}/import", **access("agent"))
async def import_journal(agent: str, body: JournalExport, who: Who) -> dict[str, int]:
    """Write what an export gave; doing it again adds nothing. Answers `stored` and `duplicates`."""
    return await who.memory.journal.import_(agent, body.items, by_agent=who.agent is not None)


@router.post("/agents/{agent}/proposals")
async def propose(agent: str, who: Who) -> Items[Proposal]:
    """Look through an agent's journal for what could become core; nothing changes until a proposal is accepted."""
    return Items(items=[*await who.memory.proposals.propose(agent)])


@router.get("/agents/{agent}/proposals", **access("agent"))
async def list_proposals(
    agent: str, who: Who, status: Literal["proposed", "accepted", "rejected", "undone"] | None = None
) -> Items[Proposal]:
    """An agent's proposals, newest first."""
    return Items(items=[*await who.memory.proposals.list(agent, status)])


@router.post("/proposals/{proposal}/accept")
async def accept_proposal(proposal: UUID, who: Who) -> Proposal:
    """Make the core memory that is proposed."""
    return await who.memory.proposals.accept(proposal)


@router.post("/proposals/{proposal}/reject")
async def reject_proposal(proposal: UUID, who: Who) -> Proposal:
    """Decide against a proposal."""
    return await who.memory.proposals.reject(proposal)


@router.post("/proposals/{proposal}/undo")
async def undo_proposal(proposal: UUID, who: Who) -> Proposal:
    """Take an acceptance back."""
    return await who.memory.proposals.undo(proposal)
