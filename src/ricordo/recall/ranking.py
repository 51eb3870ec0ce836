"""Signals → one order. Every signal has a fixed scale of its own, never one that depends on the other hits.

What each signal adds to a turn's score (the weights were found on conversations of LoCoMo and LongMemEval that
`docs/performance.md` names):

keyword       BM25 of the turn, its speaker and its day, as a share of what the question's words can weigh
neighbours    the same over the turn and the ones before and after it
conversation  the same over the whole room
semantic      cosine similarity of the question to the turn
topic         cosine similarity of the question to all that people said in the room
substance     longer turns tell more, up to 30 words or so
temporal      nearness to the time that the question names

A turn of an assistant counts half, unless the question asks for what the assistant said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ricordo.accounts import Corpus
from ricordo.recall.question import Question
from ricordo.recall.store import Details, Postings

#: BM25's saturation and length normalisation (Robertson & Zaragoza, 2009).
K1, B = 1.2, 0.75
WEIGHTS = {
    "keyword": 1.0,
    "neighbours": 1.0,
    "conversation": 0.4,
    "semantic": 1.0,
    "topic": 0.2,
    "substance": 0.3,
    "temporal": 0.6,
}
#: A match of rare words may exceed the question's own weight by so much.
_LEXICAL_CAP = 1.6
#: The cosine that counts as 1: two tellings of one thing by this kind of encoder.
_COSINE_SCALE = 0.7
_CHARACTERS = 200
_ASSISTANT, _ASSISTANT_ASKED = 0.5, 0.9
#: Below this similarity, and without a common word nearby, a turn has nothing to do with the question.
_UNRELATED = 0.2


@dataclass(frozen=True)
class Lexical:
    """BM25 of every turn that holds a word of the question, or stands beside one that does."""

    places: np.ndarray
    keyword: np.ndarray
    neighbours: np.ndarray
    #: Rooms in rising order; how often each word stands in them (rooms × words); the words' weights.
    rooms: np.ndarray
    room_frequencies: np.ndarray
    weights: np.ndarray
    ceiling: float

    def of(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(keyword, neighbours) at these places, 0 where nothing is known of them."""
        return _look_up(self.places, self.keyword, places), _look_up(self.places, self.neighbours, places)

    def conversation(self, details: Details, corpus: Corpus) -> np.ndarray:
        """BM25 of the candidates' rooms, each room one text."""
        mean = corpus.terms / max(1, corpus.rooms)
        rooms = details.places >> 32
        row = np.searchsorted(self.rooms, rooms)
        row[row == len(self.rooms)] = 0
        frequencies = self.room_frequencies[row]
        frequencies[self.rooms[row] != rooms] = 0
        scores = _bm25(frequencies, details.room_terms.astype(np.float32), max(mean, 1.0)) @ self.weights
        capped: np.ndarray = np.minimum(scores / self.ceiling, _LEXICAL_CAP)
        return capped


def lexical(question: Question, found: Mapping[int, Postings], corpus: Corpus) -> Lexical | None:
    """Score by words; None where no word of the question is known."""
    columns = [[found[term] for term in forms if term in found] for forms in question.words.values()]
    if not any(columns):
        return None
    words = len(columns)
    own = np.unique(np.concatenate([each.places for column in columns for each in column]))
    places = np.unique(np.concatenate([own - 1, own, own + 1]))
    frequencies = np.zeros((len(places), words), np.float32)
    lengths = np.zeros(len(places), np.float32)
    for column, postings in enumerate(columns):
        for each in postings:
            at = np.searchsorted(places, each.places)
            frequencies[at, column] += each.frequencies
            lengths[at] = each.lengths
    mean = max(1.0, corpus.terms / max(1, corpus.memories))
    count = np.count_nonzero(frequencies, axis=0)
    rarity = np.log1p((max(corpus.memories, len(own)) - count + 0.5) / (count + 0.5)).astype(np.float32)
    ceiling = float(rarity.sum())
    lengths[lengths == 0] = mean
    wide_frequencies, wide_lengths = _widened(places, frequencies, lengths, mean)
    rooms, row = np.unique(places >> 32, return_inverse=True)
    room_frequencies = np.zeros((len(rooms), words), np.float32)
    np.add.at(room_frequencies, row, frequencies)
    return Lexical(
        places,
        np.minimum(_bm25(frequencies, lengths, mean) @ rarity / ceiling, _LEXICAL_CAP),
        np.minimum(_bm25(wide_frequencies, wide_lengths, 3 * mean) @ rarity / ceiling, _LEXICAL_CAP),
        rooms,
        room_frequencies,
        rarity,
        ceiling,
    )


def signals(question: Question, details: Details, words: Lexical | None, corpus: Corpus) -> dict[str, np.ndarray]:
    """What each signal adds to the score of each candidate."""
    nothing = np.zeros(len(details.places), np.float32)
    keyword, neighbours = words.of(details.places) if words else (nothing, nothing)
    raw = {
        "keyword": keyword,
        "neighbours": neighbours,
        "conversation": words.conversation(details, corpus) if words else nothing,
        "semantic": _similarity(details.cosine),
        "topic": _similarity(details.room_cosine),
        "substance": np.minimum(details.characters, _CHARACTERS) / _CHARACTERS,
        "temporal": _temporal(question, details.said_at),
    }
    assistant = _ASSISTANT_ASKED if question.of_assistant else _ASSISTANT
    factor = np.where(details.by_assistant == 1, assistant, 1.0)
    related = (keyword > 0) | (neighbours > 0) | (np.nan_to_num(details.cosine) >= _UNRELATED)
    return {name: (WEIGHTS[name] * value * factor * related).astype(np.float32) for name, value in raw.items()}


def _temporal(question: Question, said_at: np.ndarray) -> np.ndarray:
    if question.span is None:
        return np.zeros(len(said_at), np.float32)
    days, row = np.unique(said_at // 86_400, return_inverse=True)
    dates = [datetime.fromtimestamp(int(day) * 86_400, UTC).date() for day in days]
    return np.array([question.span.nearness(each) for each in dates], np.float32)[row]


def _similarity(cosine: np.ndarray) -> np.ndarray:
    similarity: np.ndarray = np.clip(np.nan_to_num(cosine), 0, 1) / _COSINE_SCALE
    return similarity


def _widened(
    places: np.ndarray, frequencies: np.ndarray, lengths: np.ndarray, mean: float
) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and lengths of each turn together with the ones before and after it.

    A neighbour without a word of the question is not known; it counts as long as the mean turn.
    """
    wide_frequencies, wide_lengths = frequencies.copy(), lengths + 2 * mean
    beside = np.flatnonzero(places[1:] == places[:-1] + 1)
    for here, there in ((beside, beside + 1), (beside + 1, beside)):
        wide_frequencies[here] += frequencies[there]
        wide_lengths[here] += lengths[there] - mean
    return wide_frequencies, wide_lengths


def _bm25(frequencies: np.ndarray, lengths: np.ndarray, mean: float) -> np.ndarray:
    damping = K1 * (1 - B + B * lengths / mean)
    return frequencies * (K1 + 1) / (frequencies + damping[:, None])


def _look_up(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    at = np.searchsorted(keys, wanted)
    at[at == len(keys)] = 0
    return np.where(keys[at] == wanted, values[at], 0)
