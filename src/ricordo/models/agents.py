"""Agents, their profiles and entries, their runs, and the access log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from ricordo.models.base import ApiModel
from ricordo.subagents import is_subagent

Kind = Literal["drawer", "entry", "journal", "core", "note", "document"]
Scope = Literal["project", "conversation", "global"]
Source = Literal["user", "agent", "tool", "eval", "manual"]
Retention = Literal["short_term", "medium_term", "long_term"]
Isolation = Literal["private", "shared"]
Strategy = Literal["top_confidence", "recent", "relevant"]
RunStatus = Literal["running", "completed", "failed", "cancelled"]
#: What to do with secrets or personal data in new memories.
Handling = Literal["store", "redact", "reject"]
#: Whose writes are held for the user's review: no one's, those of tools, or those of agents and tools.
ReviewPolicy = Literal["nothing", "tools", "agents"]
#: What a project gets from outside: nothing, what belongs to no project, or that and other projects.
Crossing = Literal["nothing", "personal", "everything"]


class Agent(ApiModel):
    """An agent of the user."""

    id: UUID
    #: `PARENT/NAME` for a subagent, whose writes wait for its parent's review.
    name: str
    system_prompt: str | None = None
    #: Whether recall is off for this agent. Its conversations are still stored.
    memory_disabled: bool = False
    created_at: datetime

    @property
    def is_subagent(self) -> bool:
        """Whether this is a subagent."""
        return is_subagent(self.name)


class SeedEntry(ApiModel):
    """An entry that is written when its profile is created."""

    content: str
    scope: Scope | None = None
    source: Source = "manual"
    confidence: float = 0.5


class Profile(ApiModel):
    """How an agent's entries are stored, and which of them are added to its runs."""

    id: UUID
    agent_id: UUID
    name: str
    #: The scope of entries that are written without one.
    scope: Scope = "project"
    #: Seconds until an entry expires, and the maximum number of entries; None for no limit.
    retention_seconds: int | None = None
    max_entries: int | None = None
    #: `private`: only its own agent reads it; `shared`: every agent of the user.
    isolation: Isolation = "private"
    #: Which entries a run receives first, how many, and of which scopes.
    injection_strategy: Strategy = "top_confidence"
    injection_limit: int = 5
    injection_scopes: tuple[Scope, ...] = ("project",)
    seed_entries: tuple[SeedEntry, ...] = ()
    #: What is done with secrets and with personal data in what is written, and whose writes wait for a review; None
    #: is as the user's settings say.
    secrets: Handling | None = None
    personal_data: Handling | None = None
    review: ReviewPolicy | None = None
    is_default: bool = False
    created_at: datetime


class Entry(ApiModel):
    """A stored memory of any kind except drawers. Fields that do not apply to its kind are None."""

    id: UUID
    kind: Kind
    content: str
    agent_id: UUID | None = None
    profile_id: UUID | None = None
    whiteboard_id: UUID | None = None
    scope: Scope | None = None
    source: str | None = None
    #: How sure its writer is, 0 to 1.
    confidence: float | None = None
    #: 1 to 10.
    importance: int | None = None
    retention: Retention | None = None
    expires_at: datetime | None = None
    #: The run that wrote it.
    run_id: UUID | None = None
    conversation_id: str | None = None
    project_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)
    is_redacted: bool = False
    created_at: datetime
    updated_at: datetime | None = None


class HeldWrite(ApiModel):
    """A write in the review queue."""

    #: The id that the memory will have.
    id: UUID
    kind: Kind
    content: str
    #: The fields that it will have, as JSON (see Entry).
    fields: dict[str, Any] = Field(default_factory=dict)
    speaker: str
    #: Who wrote it, such as `agent:coder`, and in which run.
    actor: str
    run_id: UUID | None = None
    agent_id: UUID | None = None
    created_at: datetime


class Version(ApiModel):
    """One version of a memory's text and when it was valid. `valid_to` is None for the current version."""

    version: int
    content: str
    fields: dict[str, Any]
    valid_from: datetime
    valid_to: datetime | None = None
    #: Who ended this version; None for the current one.
    actor: str | None = None


class RemovalReceipt(ApiModel):
    """The result of redacting or forgetting a memory: the number of deleted rows by place."""

    id: UUID
    action: Literal["redact", "forget"]
    #: False where there was nothing left to do.
    done: bool
    reason: str | None = None
    removed: dict[str, int]
    #: Rows left in each place that could still contain it, which should be 0.
    checked: dict[str, int] = Field(default_factory=dict)
    #: Rows by `table.column` that still contain five or more consecutive words of it, because they were quoted or
    #: repeated. They stay. Empty for agents.
    quoted: dict[str, int] = Field(default_factory=dict)
    #: What the store cannot reach at once.
    remains: tuple[str, ...] = ()


class Forgotten(ApiModel):
    """What forgetting many memories at once did, or with `dry_run` would do."""

    #: False where nothing was forgotten.
    done: bool
    dry_run: bool = False
    reason: str | None = None
    #: How many memories, by kind (`held` are writes in the review queue), and of how many conversations.
    memories: dict[str, int] = Field(default_factory=dict)
    conversations: int = 0
    #: As of a Receipted.
    removed: dict[str, int] = Field(default_factory=dict)
    checked: dict[str, int] = Field(default_factory=dict)
    quoted: dict[str, int] = Field(default_factory=dict)
    remains: tuple[str, ...] = ()


class Access(ApiModel):
    """An access to memories: who, what, when, in which run, and which memories."""

    id: UUID
    action: str
    actor: str
    run_id: UUID | None = None
    context: dict[str, Any] = Field(default_factory=dict)
    accessed_at: datetime
    memory_ids: tuple[UUID, ...]


class Run(ApiModel):
    """A stored run of an agent. If its process died, its status stays `running`, and nothing was written."""

    id: UUID
    agent_id: UUID
    conversation_id: str | None = None
    status: RunStatus
    #: What the run saw, word for word, without text that was redacted later.
    prompt: str | None = None
    started_at: datetime
    ended_at: datetime | None = None


class SeenMemory(ApiModel):
    """A memory that a run read, with its text at that time and why it was chosen."""

    memory_id: UUID
    #: None for what is there no more.
    kind: Kind | None = None
    #: Word for word; `[redacted]` or `[forgotten]` where that was done since.
    text: str
    at: datetime
    #: Such as `injection` with its strategy, `context` or `recall`; the `rank` in its order, and the `signals` of a
    #: search, or what the strategy goes by.
    why: dict[str, Any]


class Replay(ApiModel):
    """What a run saw, and why."""

    #: Its `prompt` is what it was sent, word for word.
    run: Run
    seen: tuple[SeenMemory, ...]


class WriteProblem(ApiModel):
    """Why a write of a run was not stored. One problem discards all writes of the run."""

    #: The node whose output it is, and the place in its array; None where it is not about a single write.
    node: str | None = None
    index: int | None = None
    reason: str


class RunEnd(ApiModel):
    """The end of a run that was driven step by step."""

    run: Run
    #: The ids of the written memories, or why no memory was written.
    written: tuple[UUID, ...] = ()
    problems: tuple[WriteProblem, ...] = ()
    #: The ids of writes held for review, and of memories that were already stored with the same text.
    held: tuple[UUID, ...] = ()
    duplicates: tuple[UUID, ...] = ()
