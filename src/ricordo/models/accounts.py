"""Settings, API keys and events of a user."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from ricordo.models.agents import Handling, ReviewPolicy
from ricordo.models.base import ApiModel
from ricordo.models.usage import UnreadTurns

#: Who brought an event about: agents and what works for them, the user, or the system by itself.
EventCategory = Literal["agent_action", "user_action", "system"]
#: What is told of.
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

    #: Off: recall brings nothing back, and nothing is mined automatically.
    enabled: bool = True
    #: How many results a recall returns by default.
    top_k: int = 5
    #: Whether an LLM puts the best 20 candidates in order.
    rerank: bool = False
    #: The models for that and for extraction; None leaves it to how this process was set up.
    rerank_model: str | None = None
    extract_model: str | None = None
    #: The embedding model whose vectors are compared; None is the installed one.
    embedding_model: str | None = None
    #: Whether finished conversations are mined without being asked for.
    auto_mine: bool = True
    #: The most US dollars that paid calls may cost in one conversation, and in one month; None for no cap.
    cap_conversation: Decimal | None = None
    cap_month: Decimal | None = None
    #: What is done with secrets (keys, tokens, passwords) and with personal data (cards, accounts, addresses, phones,
    #: national ids) in what is to be remembered: kept as it is, redacted, or the whole refused.
    secrets: Handling = "store"
    personal_data: Handling = "store"
    #: Whose writes wait for a review before they are remembered.
    review: ReviewPolicy = "nothing"
    #: The time zone whose days are the user's, such as Europe/Berlin; None leaves it to how this process was set up.
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
    #: What its holder sends; it is kept nowhere.
    token: str


class Event(ApiModel):
    """An event in the user's memory. It contains ids and counts, but no memory content."""

    id: UUID
    event: str
    category: EventCategory = "agent_action"
    agent_id: UUID | None = None
    run_id: UUID | None = None
    conversation_id: str | None = None
    payload: dict[str, Any] = Field(default_factory=dict)
    created_at: datetime


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
    #: Jobs by state. Failed ones wait until somebody retries them.
    jobs_waiting: int = 0
    jobs_running: int = 0
    jobs_failed: int = 0
    #: Writes in the review queue.
    held: int = 0
    #: Memories without a vector yet.
    pending: int = 0
    #: Turns that no LLM has read yet, and why.
    unread: UnreadTurns = UnreadTurns()
    #: Why recall finds keywords only, such as that no embedding model is installed; None where one is available.
    keywords_only: str | None = None


class DeletedUser(ApiModel):
    """The result of deleting a user: the number of deleted rows by table, including tables without any."""

    user: str
    user_id: UUID
    removed: dict[str, int]

    @property
    def rows(self) -> int:
        return sum(self.removed.values())
