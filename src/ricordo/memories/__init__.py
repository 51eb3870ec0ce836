"""Memories of every kind and the profiles they belong to: writing, reading, editing, redacting, forgetting."""

from ricordo.memories.arriving import Arrival, Edition, arrive, editions
from ricordo.memories.drawer_store import (
    Edited,
    NewMemory,
    StoredTurn,
    add,
    conversations_that_begin,
    keys_elsewhere,
    known_turns,
    part_with_redacted,
    turn_count,
    turns,
)
from ricordo.memories.forgetting_store import Going, Wanted
from ricordo.memories.loose_store import Chosen, Reach, count, select
from ricordo.memories.memory import REDACTED, as_of, forget, get, history, locked, look_up, redact, remark, versions
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
from ricordo.memories.turn_edits import TurnVersion, edit_turns, unite_turns, united
from ricordo.memories.writing import edit

__all__ = [
    "REDACTED",
    "TASKS",
    "Arrival",
    "Chosen",
    "Edited",
    "Edition",
    "Going",
    "Held",
    "NewMemory",
    "Reach",
    "Sessions",
    "StoredTurn",
    "TurnVersion",
    "Wanted",
    "add",
    "arrive",
    "as_of",
    "change_agent",
    "change_profile",
    "changed",
    "conversations_that_begin",
    "count",
    "create_agent",
    "create_profile",
    "default_profile",
    "delete_agent",
    "delete_profile",
    "edit",
    "edit_turns",
    "editions",
    "forget",
    "get",
    "get_profile",
    "get_profile_and_agent",
    "history",
    "keys_elsewhere",
    "known_turns",
    "locked",
    "look_up",
    "part_with_redacted",
    "profiles_of",
    "read_entries",
    "redact",
    "remark",
    "select",
    "summarize",
    "turn_count",
    "turns",
    "unite_turns",
    "united",
    "versions",
    "write_entry",
]
