"""Memories of every kind: how they are written, indexed by keyword, and queued for their vectors."""

from ricordo.entries.ids import new_id
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
    "NewMemory",
    "add",
    "add_vectors",
    "claim_unembedded",
    "memory_terms",
    "model_number",
    "new_id",
    "pending",
    "turn_keys",
]
