"""Memories of every kind: profiles, writing, reading, editing, redaction, the record of accesses, search terms."""

from ricordo.entries import journal, notes, proposals, rules, whiteboards
from ricordo.entries.absence import absence
from ricordo.entries.access import (
    Actor,
    accesses_of_memory,
    accesses_of_run,
    log,
    relaxed,
    seal,
    verify,
)
from ricordo.entries.ids import new_id
from ricordo.entries.loose_store import Chosen, count, select
from ricordo.entries.memories import REDACTED, as_of, edit, forget, get, history, index_waiting, read, redact, write
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
from ricordo.entries.session import Held, Sessions
from ricordo.entries.store import (
    NewMemory,
    add,
    add_vectors,
    claim_unembedded,
    model_number,
    pending,
    turn_keys,
)
from ricordo.entries.terms import memory_terms

__all__ = [
    "REDACTED",
    "Actor",
    "Chosen",
    "Held",
    "NewMemory",
    "Sessions",
    "absence",
    "accesses_of_memory",
    "accesses_of_run",
    "add",
    "add_vectors",
    "as_of",
    "change_agent",
    "change_profile",
    "claim_unembedded",
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
    "index_waiting",
    "journal",
    "log",
    "memory_terms",
    "model_number",
    "new_id",
    "notes",
    "pending",
    "profiles_of",
    "proposals",
    "read",
    "read_entries",
    "redact",
    "relaxed",
    "rules",
    "seal",
    "select",
    "summarize",
    "turn_keys",
    "verify",
    "whiteboards",
    "write",
    "write_entry",
]  # fmt: skip
