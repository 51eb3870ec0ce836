"""A project's decisions that a request may have to follow, whatever its words: "all printed documents are made with
typst" with "Doctors want to print a vaccination certificate".

Turns that decide something are known by a term of the keyword index (`ricordo.text.decisions`). Of a project's newest,
those come that are near to the request, together with the turns that they answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ricordo.database import Transaction
from ricordo.models import Hit
from ricordo.recall import store
from ricordo.recall.instructions import FIRST, placed
from ricordo.recall.standing import Fetch, place_of
from ricordo.recall.store import Meant, Narrowing
from ricordo.text import DECISION, term_hash
from ricordo.text.coding_words import own_terms

#: The newest decisions that are compared, and the nearest that are read; how many come if the first is so near, and how
#: much less near the others may be. Chosen by `bench assistants`.
_NEWEST, _READ, _MOST, _NEAR, _LESS = 300, 12, 6, 0.28, 0.15
#: What each word adds that a decision has in common with the request, and how many count.
_WORD, _COUNTED = 0.05, 3
#: The first hits keep their places, and so do those that are likelier to answer.
_FIRST, _LIKELY = 4, 0.05


async def with_decisions(
    tx: Transaction, question: str, meant: Meant | None, narrowing: Narrowing, hits: Sequence[Hit], fetch: Fetch,
    keep: int,
) -> list[Hit]:  # fmt: skip
    """At most `keep` hits with the decisions that are near to the request, each of them marked. Where only words are
    compared there are none."""
    term = term_hash(DECISION)
    found = (await store.postings(tx, [term], narrowing)).get(term) if meant is not None else None
    if found is None:
        return list(hits[:keep])
    near = await _near(tx, found.places[-_NEWEST:], meant, narrowing)
    best = sorted(near, key=lambda place: (-near[place], -place))[:_READ]
    if not best or near[best[0]] < _NEAR - _COUNTED * _WORD:
        return list(hits[:keep])
    known = {place_of(hit): hit for hit in hits}
    places = [divmod(place, store.ROOM) for place in best]
    known |= await fetch(missing) if (missing := [place for place in places if place not in known]) else {}
    own = own_terms(question)
    read = [(near[place] + _WORD * min(_COUNTED, len(own & own_terms(hit.text))), hit)
            for place, at in zip(best, places, strict=True) if (hit := known.get(at)) is not None]  # fmt: skip
    read.sort(key=lambda pair: -pair[0])
    if not read or read[0][0] < _NEAR:
        return list(hits[:keep])
    coming = [hit.model_copy(update={"decision": True}) for likeness, hit in read[:_MOST] if likeness >= _NEAR - _LESS]
    marked = {hit.pointer: hit for hit in coming}
    staying = max(sum((hit.confidence or 0.0) >= _LIKELY for hit in hits[:keep]), min(len(hits), _FIRST))
    all = placed(hits, coming, keep, max(0, min(keep, FIRST) - staying), "decision")
    return [hit.model_copy(update={"decision": hit.pointer in marked}) for hit in all]


async def _near(tx: Transaction, places: np.ndarray, meant: Meant | None, narrowing: Narrowing) -> dict[int, float]:
    """How near each of these turns is to the request, together with the turn before it, which may say what is decided
    on."""
    likeness = await store.likeness(tx, np.union1d(places, places - 1).tolist(), meant, narrowing)
    decided = [place for place in places.tolist() if place in likeness]
    return {place: (likeness[place] + likeness.get(place - 1, likeness[place])) / 2 for place in decided}
