"""BM25 on columns of numbers against BM25 as it is written in a book, on small corpora."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.accounts import Corpus
from ricordo.recall.lexical import K1, B, lexical
from ricordo.recall.question import parse
from ricordo.recall.store import ROOM, Postings
from ricordo.text.terms import term_hash

WORDS = ["boat", "mast", "sail", "cabin", "rudder"]
Rooms = list[list[list[str]]]
rooms_of_turns = st.lists(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=6), min_size=1, max_size=3
)
questions = st.lists(st.sampled_from([*WORDS, "anchor"]), min_size=1, max_size=3, unique=True)
_CAP = 1.6


def postings_of(turns: dict[int, list[str]]) -> dict[int, Postings]:
    at: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for place, words in sorted(turns.items()):
        for word in set(words):
            at[term_hash(word)].append((place, words.count(word), len(words)))
    return {term: Postings(*np.array(rows, np.int64).T) for term, rows in at.items()}


def reference(
    asked: list[str], turns: dict[int, list[str]], texts: dict[int, list[str]], times: int
) -> dict[int, float]:
    """BM25 of each text, as a share of what the words weigh; the mean text is `times` mean turns long."""
    mean = sum(map(len, turns.values())) / len(turns)
    rarity = {}
    for word in asked:
        holding = sum(word in words for words in turns.values())
        rarity[word] = math.log(1 + (len(turns) - holding + 0.5) / (holding + 0.5))
    scores = {}
    for place, words in texts.items():
        damping = K1 * (1 - B + B * len(words) / (times * mean))
        score = sum(rarity[word] * words.count(word) * (K1 + 1) / (words.count(word) + damping) for word in asked)
        scores[place] = min(_CAP, score / sum(rarity.values()))
    return scores


@given(rooms_of_turns, questions)
def test_keyword_is_bm25(rooms: Rooms, asked: list[str]) -> None:
    turns = {room * ROOM + drawer: words for room, said in enumerate(rooms, 1) for drawer, words in enumerate(said, 1)}
    found = lexical(
        parse(" ".join(asked), ("",), date(2026, 7, 15)),
        postings_of(turns),
        Corpus(len(turns), sum(map(len, turns.values())), ("",), 0),
    )
    expected = reference(asked, turns, turns, 1)
    places = np.array(list(expected), np.int64)
    if found is None:
        assert set(expected.values()) == {0.0}
        return
    assert found.of(places)[0].tolist() == pytest.approx(list(expected.values()), rel=1e-4)


@given(rooms_of_turns, questions)
def test_neighbors_are_bm25_over_three_turns(rooms: Rooms, asked: list[str]) -> None:
    """Where each turn has a word of the question, so that all lengths are known, and a turn on both sides."""
    rooms = [[[asked[0], *words] for words in [*said, *said, *said]] for said in rooms]
    turns = {room * ROOM + drawer: words for room, said in enumerate(rooms, 1) for drawer, words in enumerate(said, 1)}
    wide = {
        place: turns[place - 1] + words + turns[place + 1]
        for place, words in turns.items()
        if place - 1 in turns and place + 1 in turns
    }
    found = lexical(
        parse(" ".join(asked), ("",), date(2026, 7, 15)),
        postings_of(turns),
        Corpus(len(turns), sum(map(len, turns.values())), ("",), 0),
    )
    assert found is not None
    expected = reference(asked, turns, wide, 3)
    places = np.array(list(expected), np.int64)
    assert found.of(places)[1].tolist() == pytest.approx(list(expected.values()), rel=1e-4)
