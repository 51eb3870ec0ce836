"""A project's decisions that a request may have to follow, whatever its words: "all printed documents are made with
typst" with "Doctors want to print a vaccination certificate".

Turns that decide something are marked in the keyword index by a term of their own (`ricordo.text.decisions`). Of the
project's newest, those come that are near to the request, together with the turns that they answer. One that a newer
one gives up is marked as replaced and comes after it. A session of a coding assistant begins with the clearest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import log2

import numpy as np

from ricordo.database import Transaction
from ricordo.models import Hit
from ricordo.recall import store
from ricordo.recall.excerpts import MARK, clearest
from ricordo.recall.instructions import FIRST, placed
from ricordo.recall.standing import Fetch, Place, place_of
from ricordo.recall.store import Meant, Narrowing
from ricordo.text import (
    BINDS,
    DECISION,
    clearness_of,
    closest,
    decision_in,
    given_up,
    lazy,
    leaning_in,
    term_hash,
    terms,
    tokens_in,
)
from ricordo.text.coding_words import own_terms

#: The decisions stored last that are compared, the nearest of them that are read, and the most that come.
_NEWEST, _READ, _MOST = 600, 24, 9
#: The most that are listed without a request.
_LISTED = 160
#: How near to the request the nearest decision must be, and how much less near the others may be. Chosen by
#: `bench assistants`.
_NEAR, _LESS = 0.36, 0.15
#: What a turn's clearness adds above the least, how much of it counts, and what one gains that answers a question.
_CLEARER, _CLEAREST, _ANSWERS = 0.05, 2.0, 1.0
#: How much nearer a decision must be to odd jobs, and to requests in another language than English: to these, every
#: text in that language is near.
_ODD, _FOREIGN = 0.1, 0.12
#: Requests that rarely have to follow a decision, such as to explain, rename or run something.
_ODD_JOB = lazy(
    r"^(?:(?:please|ok|so|now|hey|hi|quick(?: question)?|and|can you|could you|would you|bitte|kannst du)[,:]? )*(?:"
    r"rename|explain|run|why|what|how|where|when|who|which|is|are|does|do|did|has|have|was|bump|commit|push|pull|"
    r"revert|undo|squash|rebase|merge|format|lint|move|delete|remove|fix|summari[sz]e|translate|tell|find|look|open|"
    r"list|grep|search|review|read|print|give me|write (?:an? |the |me an? )?(?:commit|changelog|docstring|comment|"
    r"regex)|upgrade|restart|start|stop|check|convert|sort|show me|my|the (?:test|build|ci|linter)\w*|warum|was|wie|wo|"
    r"welche\w*|erklär\w*|benenn\w*|führ\w*|lass|verschieb\w*|lösch\w*|sortier\w*|zeig\w*|korrigier\w*|prüf\w*)\b|"
    r"\?\s*$",
    re.IGNORECASE,
)
#: Of more turns than these, one is near by chance: for each doubling, the nearest must be so much nearer.
_FEW, _NEARER = 20, 0.035
#: What each word adds that a decision has in common with the request, and how many count.
_WORD, _COUNTED = 0.05, 3
#: The most tokens of what is quoted of a turn that decides, and of the sentence that decides if that alone has more.
_PASSAGE, _SENTENCE = 60, 100
#: The first hits keep their places, and so do those that are likelier to answer.
_FIRST, _LIKELY = 4, 0.05


async def decisions(
    tx: Transaction, question: str, meant: Meant | None, project: Narrowing, hits: Sequence[Hit], fetch: Fetch
) -> list[Hit]:
    """The project's decisions that are near to the request, the nearest first, each marked. Where only words are
    compared there are none. Turns that are not among the hits are fetched."""
    term = term_hash(DECISION)
    found = (await store.postings(tx, [term], project, _NEWEST)).get(term) if meant is not None else None
    if found is None:
        return []
    near = await _near(tx, found.places, meant, project)
    needed = _NEAR + _NEARER * log2(max(1.0, len(near) / _FEW)) + _ODD * (_ODD_JOB.search(question) is not None)
    needed += _FOREIGN * (closest(question) not in ("", "en"))
    best = sorted(near, key=lambda place: (-near[place], -place))[:_READ]
    if not best or near[best[0]] < needed - _COUNTED * _WORD:
        return []
    known = {place_of(hit): hit for hit in hits}
    places = [divmod(place, store.ROOM) for place in best]
    wanted = {*places, *map(_before, places)}
    known |= await fetch(missing) if (missing := [place for place in wanted if place not in known]) else {}
    own = own_terms(question)
    read = []
    for place, at in zip(best, places, strict=True):
        hit = known.get(at)
        if hit is not None and (clear := _clear(hit, known)) >= BINDS:
            common = min(_COUNTED, len(own & own_terms(deciding(hit.text))))
            near_to_it = near[place] + _WORD * common + _CLEARER * min(clear - BINDS, _CLEAREST)
            read.append((near_to_it, hit.model_copy(update={"decision": True})))
    read.sort(key=lambda pair: -pair[0])
    if not read or read[0][0] < needed:
        return []
    coming = [hit for likeness, hit in read[:_MOST] if likeness >= needed - _LESS]
    return _with_newer(coming, [hit for _, hit in read])[:_MOST]


def _before(place: Place) -> Place:
    room, drawer = place
    return room, drawer - 1


def _clear(hit: Hit, known: Mapping[Place, Hit]) -> float:
    """How clearly a turn settles something: what answers somebody else's question more likely does."""
    before = known.get(_before(place_of(hit)))
    answers = before is not None and before.speaker != hit.speaker and before.text.rstrip().endswith("?")
    return clearness_of(hit.text) + _ANSWERS * answers


def deciding(text: str, most: int = _PASSAGE) -> str:
    """The sentences of a turn that decide most clearly, as many as fit into so many tokens."""
    sentence = leaning_in(text) or ""
    needed = tokens_in(sentence) + 2 * tokens_in(f"  {MARK}  ")
    return clearest(text, clearness_of, max(most, min(needed, _SENTENCE)))


async def standing_decisions(tx: Transaction, project: Narrowing, fetch: Fetch) -> list[Hit]:
    """The project's newest turns that decide something or may, the clearest first, those marked that decide; none that
    a newer one gives up."""
    term = term_hash(DECISION)
    found = (await store.postings(tx, [term], project, _NEWEST)).get(term)
    if found is None:
        return []
    places = await store.latest(tx, found.places, _LISTED)  # what was stored last may have been said before
    told = [divmod(place, store.ROOM) for place in places]
    brought = await fetch([*{*told, *map(_before, told)}])
    rated = [(_clear(brought[place], brought), brought[place]) for place in told if place in brought]
    rated.sort(key=lambda pair: (pair[0], pair[1].at, pair[1].pointer), reverse=True)
    hits = [hit.model_copy(update={"decision": clear >= BINDS}) for clear, hit in rated]
    return [hit for hit in _with_newer(hits, hits) if hit.superseded_by is None]


def with_decisions(hits: Sequence[Hit], decided: Sequence[Hit], keep: int) -> list[Hit]:
    """At most `keep` hits with these decisions among the first ten, in their order. The first hits and likely answers
    keep their places."""
    marked = {hit.pointer: hit for hit in decided}
    others = [marked.get(hit.pointer, hit) for hit in hits if _is_likely(hit) or hit.pointer not in marked]
    staying = max(sum(map(_is_likely, others[:keep])), min(len(others), _FIRST))
    return placed(others, decided, keep, max(0, min(keep, FIRST) - staying), "decision")


def _is_likely(hit: Hit) -> bool:
    return (hit.confidence or 0.0) >= _LIKELY


def _with_newer(coming: Sequence[Hit], read: Sequence[Hit]) -> list[Hit]:
    """These decisions, each marked as replaced that a newer one of those read gives up, and after that one."""
    giving_up = [(hit, gone) for hit in read if (gone := _given_up(hit.text))]
    found = {hit.pointer: _marked(hit, giving_up) for hit in read}
    wanted = [each for hit in coming for each in (found[hit.pointer].superseded_by, hit.pointer) if each in found]
    return [found[pointer] for pointer in dict.fromkeys(wanted)]


def _marked(old: Hit, giving_up: Sequence[tuple[Hit, Sequence[frozenset[str]]]]) -> Hit:
    """A decision with what replaced it, of those that give something up."""
    said = frozenset(terms(old.text, "en")) if giving_up else frozenset()
    newer = [new for new, gone in giving_up if new.at > old.at and any(map(said.issuperset, gone))]
    if not newer or old.superseded_by is not None:
        return old
    last = max(newer, key=lambda new: new.at)
    return old.model_copy(update={"current": False, "superseded_by": last.pointer, "superseded_at": last.at})


def _given_up(text: str) -> list[frozenset[str]]:
    """The terms of each thing that a decision gives up, in the sentence that decides."""
    return [found for each in given_up(decision_in(text) or "") if (found := frozenset(terms(each, "en")))]


async def _near(tx: Transaction, places: np.ndarray, meant: Meant | None, project: Narrowing) -> dict[int, float]:
    """How near each of these turns is to the request, together with the turn before it, which may say what is decided
    on."""
    likeness = await store.likeness(tx, np.union1d(places, places - 1).tolist(), meant, project)
    decided = [place for place in places.tolist() if place in likeness]
    return {place: (likeness[place] + likeness.get(place - 1, likeness[place])) / 2 for place in decided}
