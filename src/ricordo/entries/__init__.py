"""Memories of every kind: profiles, writing, reading, editing, redaction, the record of accesses, search terms."""

from ricordo.entries import (
    documents,
    journal,
    notes,
    proposals,
    quarantine,
    rules,
    space_store,
    vector_store,
    whiteboards,
)
from ricordo.entries.absence import absence
from ricordo.entries.access import (
    Actor,
    accesses_of_memory,
    accesses_of_run,
    log,
    log_read,
    seal,
    verify,
)
from ricordo.entries.ids import new_id
from ricordo.entries.loose_store import Chosen, count, select
from ricordo.entries.memories import (
    REDACTED,
    as_of,
    edit,
    forget,
    get,
    history,
    index_waiting,
    look_up,
    loose_terms,
    read,
    redact,
    write,
)
from ricordo.entries.near_index import LARGE, tend_near_index
from ricordo.entries.near_index_store import usable as near_index_of
from ricordo.entries.policies import policies, screen_for, screen_of_run
from ricordo.entries.profile_store import of_agent as profiles_of
from ricordo.entries.profiles import (
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
from ricordo.entries.recalled import without_recalled
from ricordo.entries.session import Held, Sessions
from ricordo.entries.space_store import Space, Spaces, spaces
from ricordo.entries.store import Indexed, NewMemory, add, add_postings, counted, turn_keys, turns
from ricordo.entries.terms import memory_terms
from ricordo.entries.vector_store import Unembedded, pending

__all__ = [
    "LARGE",
    "REDACTED",
    "Actor",
    "Chosen",
    "Held",
    "Indexed",
    "NewMemory",
    "Sessions",
    "Space",
    "Spaces",
    "Unembedded",
    "absence",
    "accesses_of_memory",
    "accesses_of_run",
    "add",
    "add_postings",
    "as_of",
    "change_agent",
    "change_profile",
    "count",
    "counted",
    "create_agent",
    "create_profile",
    "default_profile",
    "delete_agent",
    "delete_profile",
    "documents",
    "edit",
    "forget",
    "get",
    "get_profile",
    "get_profile_and_agent",
    "history",
    "index_waiting",
    "journal",
    "log",
    "log_read",
    "look_up",
    "loose_terms",
    "memory_terms",
    "near_index_of",
    "new_id",
    "notes",
    "pending",
    "policies",
    "profiles_of",
    "proposals",
    "quarantine",
    "read",
    "read_entries",
    "redact",
    "rules",
    "screen_for",
    "screen_of_run",
    "seal",
    "select",
    "space_store",
    "spaces",
    "summarize",
    "tend_near_index",
    "turn_keys",
    "turns",
    "vector_store",
    "verify",
    "whiteboards",
    "without_recalled",
    "write",
    "write_entry",
]  # fmt: skip
