"""Users, who own every row, and their agents."""

from ricordo.accounts.agent_store import add_agent, agent, agents, change_agent, grant, grants, remove_agent, revoke
from ricordo.accounts.store import Account, Corpus, advance, corpus, ensure, lock, user_id_of

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
    "grant",
    "grants",
    "lock",
    "remove_agent",
    "revoke",
    "user_id_of",
]
