"""A question → memories that stand in no room: entries, journal, core and notes, by words and by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np

from ricordo import accounts, audit
from ricordo.audit import Actor
from ricordo.database import Transaction
from ricordo.keywords import index_waiting
from ricordo.memories import Chosen, count, select
from ricordo.models import Entry
from ricordo.recall import ranking, store
from ricordo.recall.lexical import lexical
from ricordo.recall.meaning import Meaning
from ricordo.recall.question import parse_search
from ricordo.recall.store import Narrowing

#: The signals that mean something for memories that have no neighbors and no room.
_SIGNALS = ("keyword", "semantic", "temporal")
_CANDIDATES = 300
#: How many terms a memory of these kinds has, by which BM25 tells a long one.
TYPICAL_TERMS = 12


@dataclass(frozen=True)
class Match:
    """A memory that was found, and what each signal gave it."""

    entry: Entry
    score: float
    signals: dict[str, float]


async def search(
    tx: Transaction,
    user_id: UUID,
    query: str,
    meant: Meaning,
    chosen: Chosen,
    limit: int,
    actor: Actor,
) -> list[Match]:
    """The chosen memories that answer a query best, best first, with one `read` in the log that names them all."""
    matches = await find(tx, user_id, query, meant, chosen, limit)
    await record(tx, user_id, actor, matches)
    return matches


async def record(
    tx: Transaction, user_id: UUID, actor: Actor, matches: Sequence[Match], context: Mapping[str, Any] | None = None
) -> None:
    """Note that these were read. To be told later why a run saw them, what each signal gave is noted too."""
    told: dict[str, Any] = {"search": True, **(context or {})}
    if actor.run_id is not None:
        told["chosen"] = {str(each.entry.id): each.signals for each in matches}
    await audit.log(tx, user_id, actor, "read", [each.entry.id for each in matches], told)


async def find(tx: Transaction, user_id: UUID, query: str, meant: Meaning, chosen: Chosen, limit: int) -> list[Match]:
    """The same, unlogged: whoever shows them notes which (`record`)."""
    await index_waiting(tx, user_id)
    corpus = await accounts.corpus(tx, user_id)
    question = parse_search(query, corpus.languages)
    narrowing = Narrowing.of_loose(chosen)
    terms = [term for forms in question.words.values() for term in forms]
    found = await store.postings(tx, terms, narrowing)
    memories = max(1, await count(tx, replace(chosen, text=None)))
    corpus = replace(corpus, memories=memories, terms=TYPICAL_TERMS * memories)
    words = lexical(question, found, corpus)
    worded = words.places if words else np.empty(0, np.int64)
    near = store.near_to(meant, _CANDIDATES)
    details = await store.details(tx, user_id, worded, near, narrowing)
    signals = ranking.signals(question, details, words)
    return await _matches(tx, details.places, {name: signals[name] for name in _SIGNALS}, chosen, limit)


async def _matches(
    tx: Transaction, places: np.ndarray, signals: dict[str, np.ndarray], chosen: Chosen, limit: int
) -> list[Match]:
    """The best of these places as memories."""
    if not len(places):
        return []
    total = np.sum(list(signals.values()), axis=0)
    order = [int(each) for each in np.lexsort((-places, -total))[:limit] if total[each] > 0]
    ids = await store.ids_at(tx, [int(places[each]) for each in order])
    read = await select(tx, replace(chosen, ids=list(ids.values())), "newest", None)
    by_id = {each.id: each for each in read}
    found = {place: by_id[id] for place, id in ids.items() if id in by_id}
    matches = []
    for each in order:
        entry = found.get(int(places[each]))
        if entry is not None:  # it may have gone since it was ranked
            given = {name: round(float(value[each]), 4) for name, value in signals.items()}
            matches.append(Match(entry, round(sum(given.values()), 4), given))
    return matches
