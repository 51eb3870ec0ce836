"""Users, who own every row: their agents, their settings, and what happened."""

from ricordo.accounts.activity_store import events, tell
from ricordo.accounts.agent_store import add_agent, agent, agents, change_agent, grant, grants, remove_agent, revoke
from ricordo.accounts.settings import reset_settings, update_settings, user_settings
from ricordo.accounts.store import Account, Corpus, advance, corpus, ensure, lock, take_wing, user_id_of

__all__ = [
    "Account",
    "Corpus",
    "add_agent",
    "advance",
    "agent",
    "agents",
    "change_agent",
    "corpus",
    "ensure",
    "events",
    "grant",
    "grants",
    "lock",
    "remove_agent",
    "reset_settings",
    "revoke",
    "take_wing",
    "tell",
    "update_settings",
    "user_id_of",
    "user_settings",
]
