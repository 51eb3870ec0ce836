"""The words of a question → how well turns match them, by BM25 over a turn and over a turn with those beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ricordo.accounts import Corpus
from ricordo.blas import one_thread
from ricordo.recall.question import Question
from ricordo.recall.store import Postings

#: BM25's saturation and length normalisation (Robertson & Zaragoza, 2009).
K1, B = 1.2, 0.75
#: A match of rare words may exceed the question's own weight by so much.
_CAP = 1.6
#: Where more turns than this hold a word of the question, only so many are scored to the end.
_MANY, _PROMISING = 10_000, 2_000

#: For each word of a question where its forms stand.
_Columns = Sequence[Sequence[Postings]]


@dataclass(frozen=True)
class Lexical:
    """BM25 of turns that hold a word of the question, or stand beside one that does."""

    places: np.ndarray
    keyword: np.ndarray
    neighbors: np.ndarray

    def of(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(keyword, neighbors) at these places, 0 where nothing is known of them."""
        return _look_up(self.places, self.keyword, places), _look_up(self.places, self.neighbors, places)


@one_thread
def lexical(
    question: Question, found: Mapping[int, Postings], corpus: Corpus, at: np.ndarray | None = None
) -> Lexical | None:
    """Score by words, every turn or only those at the places `at`; None where no word of the question is known."""
    columns = _columns(question, found)
    if not any(len(each.places) for column in columns for each in column):
        return None
    mean = max(1.0, corpus.terms / max(1, corpus.memories))
    counts = np.array([_count(each) for each in columns])
    if at is not None:
        columns = _near(columns, at)
    own = union(*(each.places for column in columns for each in column))
    places = union(own - 1, own, own + 1)
    frequencies = np.zeros((len(places), len(columns)), np.float32)
    lengths = np.zeros(len(places), np.float32)
    for number, column in enumerate(columns):
        for each in column:
            rows = np.searchsorted(places, each.places)
            frequencies[rows, number] += each.frequencies
            lengths[rows] = each.lengths
    rarity = _rarity(counts, max(corpus.memories, len(own)))
    ceiling = float(rarity.sum())
    lengths[lengths == 0] = mean
    wide_frequencies, wide_lengths = _widened(places, frequencies, lengths, mean)
    return Lexical(
        places,
        np.minimum(_bm25(frequencies, lengths[:, None], mean) @ rarity / ceiling, _CAP),
        np.minimum(_bm25(wide_frequencies, wide_lengths[:, None], 3 * mean) @ rarity / ceiling, _CAP),
    )


def best(
    question: Question, found: Mapping[int, Postings], corpus: Corpus, limit: int
) -> tuple[np.ndarray, Lexical | None]:
    """The places of the turns that match best by themselves and with those beside them, in no order; and the scores of
    all, or None where only the most promising were looked at, or no word is known."""
    columns = _columns(question, found)
    many = sum(len(each.places) for column in columns for each in column) > _MANY
    matched = lexical(question, found, corpus, _promising(columns, corpus) if many else None)
    if matched is None:
        return np.empty(0, np.int64), None
    places = matched.places
    if len(places) > limit:
        places = places[np.argpartition(-(matched.keyword + matched.neighbors), limit)[:limit]]
    return places, None if many else matched


def _columns(question: Question, found: Mapping[int, Postings]) -> _Columns:
    """Where the forms of each word stand; nowhere for common words that stand beside others, but how often they do."""
    columns = [[found[term] for term in forms if term in found] for forms in question.words.values()]
    common = [any(each.common for each in column) for column in columns]
    if not any(column and not is_common for column, is_common in zip(columns, common, strict=True)):
        return columns
    return [
        [
            replace(each, places=each.places[:0], frequencies=each.frequencies[:0], lengths=each.lengths[:0])
            for each in column
        ]
        if is_common
        else column
        for column, is_common in zip(columns, common, strict=True)
    ]


def _promising(columns: _Columns, corpus: Corpus) -> np.ndarray:
    """Where words weigh most, in the turn and right beside it; in rising order."""
    mean = max(1.0, corpus.terms / max(1, corpus.memories))
    rarity = _rarity(np.array([_count(each) for each in columns]), corpus.memories)
    every = [(each, weight) for column, weight in zip(columns, rarity, strict=True) for each in column]
    places = np.concatenate([each.places for each, _ in every])
    weights = np.concatenate([_bm25(each.frequencies, each.lengths, mean) * weight for each, weight in every])
    order = np.argsort(places, kind="stable")  # they are runs in order, which a stable sort merges
    places = places[order]
    starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
    places, sums = places[starts], np.add.reduceat(weights[order], starts)
    beside = places[1:] == places[:-1] + 1
    total = sums.copy()
    total[:-1] += sums[1:] * beside
    total[1:] += sums[:-1] * beside
    if len(places) <= _PROMISING:
        return places
    return np.sort(places[np.argpartition(-total, _PROMISING)[:_PROMISING]])


def _near(columns: _Columns, at: np.ndarray) -> list[list[Postings]]:
    """What stands at these places and up to two turns from them, which is what they are scored by."""
    wanted = union(*(at + off for off in range(-2, 3)))
    kept: list[list[Postings]] = []
    for column in columns:
        kept.append([])
        for each in column:
            rows = np.searchsorted(each.places, wanted)
            inside = rows < len(each.places)
            rows = rows[inside][each.places[rows[inside]] == wanted[inside]]
            kept[-1].append(Postings(each.places[rows], each.frequencies[rows], each.lengths[rows], each.common))
    return kept


def _count(forms: Sequence[Postings]) -> int:
    """How many turns hold a word in any of its forms."""
    if any(each.common for each in forms):
        return max(each.common or len(each.places) for each in forms)
    if len(forms) < 2:
        return len(forms[0].places) if forms else 0
    return len(union(*(each.places for each in forms)))


def union(*places: np.ndarray) -> np.ndarray:
    """Each of these places once, in rising order. np.union1d, which keeps a table of them, takes ten times as long, and
    once in a process 20 ms more, for numpy.ma."""
    ordered = np.sort(np.concatenate(places))
    distinct: np.ndarray = ordered[np.diff(ordered, prepend=ordered[:1] - 1) > 0]
    return distinct


def _rarity(counts: np.ndarray, memories: int) -> np.ndarray:
    rarity: np.ndarray = np.log1p((np.maximum(memories, counts) - counts + 0.5) / (counts + 0.5)).astype(np.float32)
    return rarity


def _widened(
    places: np.ndarray, frequencies: np.ndarray, lengths: np.ndarray, mean: float
) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and lengths of each turn together with the ones before and after it.

    A neighbor without a word of the question is not known; it counts as long as the mean turn.
    """
    wide_frequencies, wide_lengths = frequencies.copy(), lengths + 2 * mean
    beside = np.flatnonzero(places[1:] == places[:-1] + 1)
    for here, there in ((beside, beside + 1), (beside + 1, beside)):
        wide_frequencies[here] += frequencies[there]
        wide_lengths[here] += lengths[there] - mean
    return wide_frequencies, wide_lengths


def _bm25(frequencies: np.ndarray, lengths: np.ndarray, mean: float) -> np.ndarray:
    score: np.ndarray = frequencies * (K1 + 1) / (frequencies + K1 * (1 - B + B * lengths / mean))
    return score


def _look_up(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    if not len(keys):
        return np.zeros(len(wanted), values.dtype)
    at = np.searchsorted(keys, wanted)
    at[at == len(keys)] = 0
    return np.where(keys[at] == wanted, values[at], 0)
