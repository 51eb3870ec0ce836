"""Agents' own memories: journal, core memories, proposals and whiteboards."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from ricordo.models.agents import Entry
from ricordo.models.base import ApiModel

#: How long a journal entry is in prompts, from its creation (seed 002).
JOURNAL_WEEK = timedelta(weeks=1)

JournalKind = Literal["journal", "core"]
Decision = Literal["proposed", "accepted", "rejected", "undone"]


class JournalEntry(Entry):
    """A journal entry or core memory, and whether it has expired."""

    expired: bool = False

    @property
    def fades_at(self) -> datetime | None:
        """When a journal entry leaves the prompts; None for core, which never does."""
        return self.created_at + JOURNAL_WEEK if self.kind == "journal" else None


class Proposal(ApiModel):
    """A proposal to turn journal entries into a core memory, and the decision."""

    id: UUID
    agent_id: UUID
    #: The journal entries that it comes from, newest first.
    memory_ids: tuple[UUID, ...]
    #: What the core memory would say: the newest entry, word for word.
    content: str
    reason: str
    status: Decision = "proposed"
    #: The core memory that accepting it made, or that waits for review; None if core says the same already. It is gone
    #: again where the status is `undone`.
    core_id: UUID | None = None
    created_at: datetime
    decided_at: datetime | None = None


class Whiteboard(ApiModel):
    """Notes that selected agents share."""

    id: UUID
    name: str
    #: The agents that may read and write it.
    agents: tuple[UUID, ...]
    created_at: datetime
