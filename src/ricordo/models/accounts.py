"""Settings, API keys and events of a user."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from ricordo.models.agents import Crossing, Handling, ReviewPolicy
from ricordo.models.base import ApiModel
from ricordo.models.usage import UnreadTurns

#: Who caused an event: an agent, the user, or the system.
EventCategory = Literal["agent_action", "user_action", "system"]
#: What happened.
EventType = Literal[
    "memory_mined", "memory_extracted", "memory_injected", "memory_committed", "memory_dropped", "run_failed",
    "run_cancelled", "proposals_made", "memory_redacted", "memory_forgotten", "settings_changed", "agent_created",
    "agent_changed", "agent_deleted", "proposal_accepted", "proposal_rejected", "proposal_undone", "chats_imported",
    "entities_merged", "entities_parted", "key_created", "key_revoked", "memory_held",
    "held_write_accepted", "held_write_rejected", "memory_expired", "memory_reembedded",
    "palace_edited", "entity_changed", "relation_entered", "relation_ended",
    "fact_confirmed", "fact_corrected", "fact_rejected", "fact_decision_undone",
]  # fmt: skip


class UserSettings(ApiModel):
    """A user's settings. A change takes effect at the next turn."""

    #: Whether memory is on. When off, recall returns nothing, and nothing is mined automatically.
    enabled: bool = True
    #: Number of results that a recall returns by default.
    top_k: int = 5
    #: Whether an LLM reranks the best 20 candidates.
    rerank: bool = False
    #: LLM for reranking; by default the one that the process is configured with.
    rerank_model: str | None = None
    #: LLM for extracting entities and facts; by default the one that the process is configured with.
    extract_model: str | None = None
    #: Embedding model for the user's first vectors; by default the store's default model or the best installed one.
    embedding_model: str | None = None
    #: Whether finished conversations are mined automatically.
    auto_mine: bool = True
    #: Maximum cost of paid calls in one conversation, in US dollars; by default there is no cap.
    cap_conversation: Decimal | None = None
    #: Maximum cost of paid calls in one month, in US dollars; by default there is no cap.
    cap_month: Decimal | None = None
    #: What to do with secrets (keys, tokens, passwords) in new memories: `store` or `redact` them, or `reject` the
    #: whole memory.
    secrets: Handling = "store"
    #: What to do with personal data (cards, accounts, addresses, phone numbers, national ids) in new memories: `store`
    #: or `redact` it, or `reject` the whole memory.
    personal_data: Handling = "store"
    #: Whose writes are held for review before they are stored: `nothing`, `tools`, or `agents` (and tools).
    review: ReviewPolicy = "nothing"
    #: What a project gets from outside. `nothing`; `personal`: About and conversations that belong to no project;
    #: `everything`: the same and other projects.
    across_projects: Crossing = "personal"
    #: Time zone of the user, such as Europe/Berlin; by default the one that the process is configured with.
    time_zone: str | None = None


class ApiKey(ApiModel):
    """An API key for access to a user's memory, without its secret token."""

    id: UUID
    #: Whose memory it opens.
    user: str
    #: Who holds it.
    name: str
    #: The one agent that it reaches; None is all that is the user's.
    agent_id: UUID | None = None
    #: Whether an agent's key may recall from the user's palace and mine into it.
    palace: bool = False
    read_only: bool = False
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    #: To the minute.
    last_used_at: datetime | None = None


class NewKey(ApiModel):
    """A newly created API key with its token."""

    key: ApiKey
    #: The token that clients send. It is not stored.
    token: str


class Event(ApiModel):
    """An event in the user's memory. It contains ids and counts, but no memory content; `text` adds names."""

    id: UUID
    event: str
    category: EventCategory = "agent_action"
    agent_id: UUID | None = None
    run_id: UUID | None = None
    conversation_id: str | None = None
    payload: dict[str, Any] = Field(default_factory=dict)
    created_at: datetime
    #: The event in words, with the present names of what its ids stand for.
    text: str = ""


class Overview(ApiModel):
    """How much is stored for a user, and what needs attention."""

    conversations: int = 0
    turns: int = 0
    #: Entries, journal and core memories of agents.
    memories: int = 0
    entities: int = 0
    agents: int = 0
    #: When the oldest and the newest stored turn were written.
    first_at: datetime | None = None
    last_at: datetime | None = None
    #: Jobs by state, without those scheduled for later. Failed ones wait until they are retried.
    jobs_waiting: int = 0
    jobs_running: int = 0
    jobs_failed: int = 0
    #: Writes in the review queue.
    held: int = 0
    #: Memories without a vector yet.
    pending: int = 0
    #: Turns that no LLM has read yet, with the reason.
    unread: UnreadTurns = UnreadTurns()
    #: Why recall uses only keywords, such as a missing embedding model; None if one is available.
    keywords_only: str | None = None


class DeletedUser(ApiModel):
    """The result of deleting a user: the number of deleted rows by table, including tables without any."""

    user: str
    user_id: UUID
    removed: dict[str, int]

    @property
    def rows(self) -> int:
        return sum(self.removed.values())
