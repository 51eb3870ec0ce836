"""Users and what belongs to them: agents, settings, API keys, activity, usage and caps."""

from ricordo.accounts.activity_store import events, tell
from ricordo.accounts.agent_store import (
    Owned,
    add_agent,
    agent,
    agents,
    change_agent,
    grant,
    grants,
    is_granted,
    owner_of,
    reaches,
    remove_agent,
    revoke,
)
from ricordo.accounts.deletion import delete_user
from ricordo.accounts.keys import create_key, key_of_token, keys, keys_exist, revoke_key
from ricordo.accounts.overview_store import overview
from ricordo.accounts.settings import reset_settings, update_settings, user_settings
from ricordo.accounts.settings_store import zone
from ricordo.accounts.store import (
    CORPUS,
    Account,
    Corpus,
    add_terms,
    advance,
    corpus,
    corpus_of,
    ensure,
    keep_names,
    lock,
    name_of,
    take_wing,
    user_id_of,
)
from ricordo.accounts.usage import Planned, begin_call, next_month, remove_price, set_price, usage
from ricordo.accounts.usage_store import add_call, calls, end_call, price, prices
from ricordo.accounts.versions import require_version

__all__ = [
    "CORPUS",
    "Account",
    "Corpus",
    "Owned",
    "Planned",
    "add_agent",
    "add_call",
    "add_terms",
    "advance",
    "agent",
    "agents",
    "begin_call",
    "calls",
    "change_agent",
    "corpus",
    "corpus_of",
    "create_key",
    "delete_user",
    "end_call",
    "ensure",
    "events",
    "grant",
    "grants",
    "is_granted",
    "keep_names",
    "key_of_token",
    "keys",
    "keys_exist",
    "lock",
    "name_of",
    "next_month",
    "overview",
    "owner_of",
    "price",
    "prices",
    "reaches",
    "remove_agent",
    "remove_price",
    "require_version",
    "reset_settings",
    "revoke",
    "revoke_key",
    "set_price",
    "take_wing",
    "tell",
    "update_settings",
    "usage",
    "user_id_of",
    "user_settings",
    "zone",
]
