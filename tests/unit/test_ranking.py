"""What each signal adds, by small examples."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

from ricordo.accounts import Corpus
from ricordo.entries.terms import term_hash
from ricordo.recall.question import parse
from ricordo.recall.ranking import WEIGHTS, Lexical, lexical, signals
from ricordo.recall.store import ROOM, Details, Postings

CORPUS = Corpus(memories=100, terms=1000, languages=("en",), pending=0)
BOAT = parse("boat", ("en",), date(2026, 7, 15))


def postings(*places: int) -> Postings:
    return Postings(np.array(places, np.int64), np.ones(len(places), np.int32), np.full(len(places), 10, np.int32))


def found(*places: int) -> Lexical:
    words = lexical(BOAT, {term_hash("boat"): postings(*places)}, CORPUS)
    assert words is not None
    return words


def details(*places: int, **columns: Any) -> Details:
    count = len(places)
    plain = Details(
        places=np.array(places, np.int64),
        by_assistant=np.zeros(count, np.int32),
        said_at=np.zeros(count, np.int64),
        characters=np.full(count, 100, np.int32),
        cosine=np.full(count, np.nan, np.float32),
        room_cosine=np.full(count, np.nan, np.float32),
        room_terms=np.full(count, 50, np.int32),
    )
    return replace(plain, **{name: np.array(values) for name, values in columns.items()})


def of(given: dict[str, np.ndarray], index: int) -> dict[str, float]:
    return {name: float(values[index]) for name, values in given.items()}


def test_no_known_word_gives_no_lexical_score() -> None:
    assert lexical(BOAT, {}, CORPUS) is None
    assert lexical(parse("", ("en",), date(2026, 7, 15)), {}, CORPUS) is None


def test_a_turn_and_its_neighbours_have_the_word_and_other_turns_have_not() -> None:
    first, far = ROOM + 5, 2 * ROOM + 5
    keyword, neighbours = found(first).of(np.array([first - 2, first - 1, first, first + 1, first + 2, far]))
    assert (keyword > 0).tolist() == [False, False, True, False, False, False]
    assert (neighbours > 0).tolist() == [False, True, True, True, False, False]


def test_two_forms_of_one_word_count_as_one_word() -> None:
    place = ROOM + 1
    both = parse("batteries", ("en",), date(2026, 7, 15))
    [forms] = both.words.values()
    assert len(forms) == 2
    words = lexical(both, {form: postings(place) for form in forms}, CORPUS)
    assert words is not None
    once = found(place)
    assert words.ceiling == once.ceiling
    assert words.of(np.array([place]))[0] > once.of(np.array([place]))[0]


def test_a_room_counts_for_every_turn_of_it_that_is_near_a_word() -> None:
    given = signals(BOAT, details(ROOM + 1, ROOM + 2, ROOM + 9, 2 * ROOM + 1), found(ROOM + 1), CORPUS)
    assert (given["conversation"] > 0).tolist() == [True, True, False, False]
    assert found(ROOM + 1).conversation(details(ROOM + 1, ROOM + 9), CORPUS).tolist()[1] > 0


def test_every_signal_keeps_to_its_weight() -> None:
    asked = parse("boat on 1 January 1970", ("en",), date(2026, 7, 15))
    words = lexical(asked, {term_hash("boat"): postings(ROOM + 1)}, CORPUS)
    given = of(signals(asked, details(ROOM + 1, cosine=[1.0], room_cosine=[1.0], characters=[9999]), words, CORPUS), 0)
    assert set(given) == set(WEIGHTS)
    assert given["substance"] == pytest.approx(WEIGHTS["substance"])
    assert given["temporal"] == pytest.approx(WEIGHTS["temporal"])
    assert given["semantic"] == pytest.approx(WEIGHTS["semantic"] / 0.7)
    assert given["topic"] == pytest.approx(WEIGHTS["topic"] / 0.7)
    assert 0 < given["keyword"] <= 1.6 * WEIGHTS["keyword"]


def test_a_turn_with_neither_a_word_nor_a_likeness_gets_nothing() -> None:
    asked = parse("boat on 1 January 1970", ("en",), date(2026, 7, 15))
    words = lexical(asked, {term_hash("boat"): postings(ROOM + 1)}, CORPUS)
    given = signals(asked, details(ROOM + 9, ROOM + 8, cosine=[0.1, np.nan], room_cosine=[1.0, 1.0]), words, CORPUS)
    assert not np.any(list(given.values()))


def test_an_assistants_turn_counts_half_unless_it_is_asked_for() -> None:
    two = details(ROOM + 1, ROOM + 11, by_assistant=[0, 1], cosine=[0.5, 0.5])
    words = found(ROOM + 1, ROOM + 11)
    given = signals(BOAT, two, words, CORPUS)
    assert [of(given, 1)[name] for name in given] == pytest.approx([of(given, 0)[name] / 2 for name in given])
    asked = parse("Which boat did you suggest?", ("en",), date(2026, 7, 15))
    assert asked.of_assistant
    given = signals(asked, two, words, CORPUS)
    assert given["keyword"][1] == pytest.approx(given["keyword"][0] * 0.9)


def test_a_turn_without_a_vector_or_a_negative_likeness_has_no_semantic_part() -> None:
    given = signals(BOAT, details(ROOM + 1, ROOM + 5, cosine=[np.nan, -0.5]), found(ROOM + 1, ROOM + 5), CORPUS)
    assert given["semantic"].tolist() == [0, 0]
    assert all(np.isfinite(values).all() for values in given.values())


def test_nearness_in_time_is_by_the_day_in_utc() -> None:
    asked = parse("the boat in May 2026", ("en",), date(2026, 7, 15))
    times = [datetime(2026, month, day, 23, 59, tzinfo=UTC).timestamp() for month, day in ((4, 30), (5, 1), (1, 1))]
    given = signals(
        asked,
        details(ROOM + 1, ROOM + 2, ROOM + 3, said_at=np.array(times).astype(int)),
        lexical(asked, {term_hash("boat"): postings(ROOM + 1, ROOM + 2, ROOM + 3)}, CORPUS),
        CORPUS,
    )
    near, inside, far = given["temporal"] / WEIGHTS["temporal"]
    assert (inside, far) == (1, 0) and 0.8 < near < 1


def test_no_candidates_are_no_trouble() -> None:
    given = signals(BOAT, details(), None, CORPUS)
    assert {len(values) for values in given.values()} == {0}
