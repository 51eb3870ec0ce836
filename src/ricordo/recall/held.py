"""A question → texts that are held in this process and stored nowhere: the session's memories.

Their scores have the scale of stored ones, so that both make one order. Words and time count by the very formulas of
ricordo.recall.ranking. Held texts have no vectors; where stored ones go by meaning too, what a held text has instead is
the share of the question's words in it, rare words weighing more: all of them count as much as a cosine that says
"the same thing told twice". A text that holds the question only as part of other words is found too, behind all others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ricordo.accounts import Corpus
from ricordo.blas import one_thread
from ricordo.memories import Held
from ricordo.recall import ranking
from ricordo.recall.lexical import lexical
from ricordo.recall.loose import TYPICAL_TERMS, Match
from ricordo.recall.question import Question, parse_search
from ricordo.recall.store import Details, Postings
from ricordo.text import fold

#: The cosine of one thing told twice (ricordo.recall.ranking).
_THE_SAME = 0.7
_SIGNALS = ("keyword", "semantic", "temporal")


def search_held(query: str, held: Sequence[Held], stored: int, by_meaning: bool) -> list[Match]:
    """The held memories that have to do with a query, in no order.

    `stored` is how many stored memories are searched beside them, by which rare words are known; `by_meaning`
    says whether these go by meaning too.
    """
    if not held:
        return []
    question = parse_search(query, ())
    memories = stored + len(held)
    corpus = Corpus(memories, TYPICAL_TERMS * memories, languages=(), pending=0)
    found = _postings(question, held)
    words = lexical(question, found, corpus)
    phrase = fold(" ".join(query.split()))
    whole = np.array([phrase in each.folded for each in held])
    share = _shares(question, found, len(held), corpus.memories)
    cosine = np.where(by_meaning, _THE_SAME * share, np.nan).astype(np.float32)
    given = ranking.signals(question, _details(held, cosine), words)
    matches = []
    for row in np.flatnonzero((share > 0) | whole).tolist():
        signals = {name: round(float(given[name][row]), 4) for name in _SIGNALS}
        matches.append(Match(held[row].entry, round(sum(signals.values()), 4), signals))
    return matches


def _place(row: int) -> int:
    """Where ranking sees the memory in this row: no two stand beside one another."""
    return 2 * row + 1


def _postings(question: Question, held: Sequence[Held]) -> dict[int, Postings]:
    """Where the forms of the question's words stand."""
    wanted = frozenset().union(*question.words.values())
    rows: dict[int, list[tuple[int, int, int]]] = {}
    for row, each in enumerate(held):
        for term in wanted & each.terms.keys():
            rows.setdefault(term, []).append((_place(row), each.terms[term], each.length))
    return {term: Postings(*np.array(each, np.int64).T) for term, each in rows.items()}


@one_thread
def _shares(question: Question, found: dict[int, Postings], rows: int, memories: int) -> np.ndarray:
    """For each held memory the share of the question's words in it, from 0 to 1, by how rare the words are here."""
    present = np.zeros((rows, len(question.words)), bool)
    for column, forms in enumerate(question.words.values()):
        for term in forms & found.keys():
            present[found[term].places // 2, column] = True
    counts = present.sum(axis=0)
    rarity = np.log1p((memories - counts + 0.5) / (counts + 0.5))
    shares: np.ndarray = present @ rarity / max(float(rarity.sum()), 1e-9)
    return shares


def _details(held: Sequence[Held], cosine: np.ndarray) -> Details:
    nothing = np.zeros(len(held), np.int64)
    return Details(
        places=np.array([_place(row) for row in range(len(held))], np.int64),
        by_assistant=nothing,
        said_at=np.array([int(each.entry.created_at.timestamp()) for each in held], np.int64),
        characters=np.array([len(each.entry.content) for each in held], np.int64),
        cosine=cosine,
        room_cosine=np.full(len(held), np.nan, np.float32),
        asks=nothing,
        speakers=np.full(len(held), ""),
    )
