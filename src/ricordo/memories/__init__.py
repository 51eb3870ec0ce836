"""Memories of every kind and the profiles they belong to: writing, reading, editing, redacting, forgetting."""

from ricordo.memories.drawer_store import NewMemory, StoredTurn, add, turn_keys, turns
from ricordo.memories.loose_store import Chosen, count, select
from ricordo.memories.memory import as_of, forget, get, history, locked, look_up, redact, versions
from ricordo.memories.profile_store import of_agent as profiles_of
from ricordo.memories.profiles import (
    change_agent,
    change_profile,
    create_agent,
    create_profile,
    default_profile,
    delete_agent,
    delete_profile,
    get_profile,
    get_profile_and_agent,
    read_entries,
    summarize,
    write_entry,
)
from ricordo.memories.session import Held, Sessions, changed
from ricordo.memories.tasks import TASKS
from ricordo.memories.writing import edit

__all__ = [
    "TASKS",
    "Chosen",
    "Held",
    "NewMemory",
    "Sessions",
    "StoredTurn",
    "add",
    "as_of",
    "change_agent",
    "change_profile",
    "changed",
    "count",
    "create_agent",
    "create_profile",
    "default_profile",
    "delete_agent",
    "delete_profile",
    "edit",
    "forget",
    "get",
    "get_profile",
    "get_profile_and_agent",
    "history",
    "locked",
    "look_up",
    "profiles_of",
    "read_entries",
    "redact",
    "select",
    "summarize",
    "turn_keys",
    "turns",
    "versions",
    "write_entry",
]
