"""The SQL of postings: one row for each term of each memory, and the queue of memories that have none yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol
from uuid import UUID

import numpy as np

from ricordo.database import Transaction
from ricordo.text import DECISION, loose_terms, term_count, term_hash

LARGEST_SMALLINT = 32767
#: The term that marks a decision. It does not count as a word.
_MARK = term_hash(DECISION)
#: Memories that get their terms in one transaction.
_BATCH = 1000


class Found(Protocol):
    """What postings need of a memory: its place and its terms (with repetition)."""

    @property
    def room(self) -> int: ...
    @property
    def drawer(self) -> int: ...
    @property
    def terms(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class Indexed:
    """A memory that is to be found: its place and its terms (with repetition)."""

    room: int
    drawer: int
    terms: Sequence[str]


def counted(terms: Sequence[str]) -> tuple[dict[int, int], int]:
    """How often each term stands in a memory, by its hash, and how many it has: as postings hold them."""
    frequencies = {term: min(times, LARGEST_SMALLINT) for term, times in Counter(map(term_hash, terms)).items()}
    if _MARK in frequencies:
        frequencies[_MARK] = 0
    return frequencies, min(term_count(terms), LARGEST_SMALLINT)


async def add_postings(tx: Transaction, user_id: UUID, memories: Sequence[Found]) -> None:
    """Let memories be found by their terms."""
    terms = np.fromiter(map(term_hash, chain.from_iterable(each.terms for each in memories)), np.int64)
    if not len(terms):
        return
    counts = np.array([len(each.terms) for each in memories], np.int64)
    lengths = np.array([term_count(each.terms) for each in memories], np.int64)
    # Term by term, so that neighbors in the index are written one after the other.
    pairs, frequencies = np.unique(terms * len(memories) + np.arange(len(memories)).repeat(counts), return_counts=True)
    found, which = np.divmod(pairs, len(memories))
    frequencies[found == _MARK] = 0
    rooms, drawers = np.array([(each.room, each.drawer) for each in memories], np.int32).T
    await tx.execute(
        "INSERT INTO postings SELECT %s, * FROM unnest(%s, %s, %s, %s, %s)",
        [
            user_id,
            found.astype(np.int32),
            rooms[which],
            drawers[which],
            *(each.clip(max=LARGEST_SMALLINT).astype(np.int16) for each in (frequencies, lengths[which])),
        ],
    )


async def claim_unindexed(tx: Transaction, limit: int) -> list[tuple[int, int, str]]:
    """(room, drawer, content) of memories that wait for their terms, taken off that queue; those that another
    transaction is about to index are waited for."""
    cursor = await tx.execute(
        """
        WITH claimed AS (
            SELECT user_id, room, drawer FROM unindexed ORDER BY room, drawer LIMIT %s FOR UPDATE
        ), gone AS (
            DELETE FROM unindexed u USING claimed c
            WHERE (u.user_id, u.room, u.drawer) = (c.user_id, c.room, c.drawer) RETURNING u.user_id, u.room, u.drawer
        )
        SELECT room, drawer, content FROM gone JOIN memories m USING (user_id, room, drawer)
        """,
        [limit],
    )
    return await cursor.fetchall()


async def index_waiting(tx: Transaction, user_id: UUID) -> int:
    """Make the terms of up to 1,000 memories that were written by SQL and have none yet; returns of how many."""
    waiting = await claim_unindexed(tx, _BATCH)
    if not waiting:
        return 0
    indexed = [Indexed(room, drawer, loose_terms(text)) for room, drawer, text in waiting]
    await add_postings(tx, user_id, indexed)
    return len(waiting)
