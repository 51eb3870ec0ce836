"""What each signal adds, by small examples."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest
from pytest import approx

from ricordo.accounts import Corpus
from ricordo.blocking import Memory
from ricordo.recall.lexical import Lexical, lexical
from ricordo.recall.question import parse
from ricordo.recall.ranking import WEIGHTS, companions, dated, of_message, signals, totals
from ricordo.recall.store import ROOM, Details, Postings
from ricordo.recall.time_rules import Span
from ricordo.settings import Settings
from ricordo.text.terms import term_hash

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
        asks=np.zeros(count, np.int32),
        speakers=np.full(count, "Mara", object),
    )
    return replace(plain, **{name: np.array(values) for name, values in columns.items()})


def of(given: dict[str, np.ndarray], index: int) -> dict[str, float]:
    return {name: float(values[index]) for name, values in given.items()}


def test_no_known_word_gives_no_lexical_score() -> None:
    assert lexical(BOAT, {}, CORPUS) is None
    assert lexical(parse("", ("en",), date(2026, 7, 15)), {}, CORPUS) is None


def test_a_turn_and_its_neighbors_have_the_word_and_other_turns_have_not() -> None:
    first, far = ROOM + 5, 2 * ROOM + 5
    keyword, neighbors = found(first).of(np.array([first - 2, first - 1, first, first + 1, first + 2, far]))
    assert (keyword > 0).tolist() == [False, False, True, False, False, False]
    assert (neighbors > 0).tolist() == [False, True, True, True, False, False]


def test_two_forms_of_one_word_count_as_one_word() -> None:
    place = ROOM + 1
    both = parse("batteries", ("en",), date(2026, 7, 15))
    [forms] = both.words.values()
    assert len(forms) == 2
    words = lexical(both, {form: postings(place) for form in forms}, CORPUS)
    assert words is not None
    once = found(place)
    assert words.of(np.array([place]))[0] > once.of(np.array([place]))[0]


def test_a_room_counts_by_its_three_best_turns_for_every_related_turn_of_it() -> None:
    # Beside the words, in another room with one turn of as much weight, and in the first room without any relation.
    five = details(ROOM + 1, ROOM + 2, ROOM + 3, ROOM + 9, 2 * ROOM + 1)
    given = signals(BOAT, five, found(ROOM + 1, ROOM + 2, ROOM + 3, 2 * ROOM + 1))
    room = given.pop("conversation")
    own = np.sum(list(given.values()), axis=0)
    assert room[:3] == pytest.approx(np.full(3, WEIGHTS["conversation"] * own[:3].mean()), rel=1e-5)
    assert room[3] == 0
    assert room[4] == pytest.approx(WEIGHTS["conversation"] * own[4] / 3, rel=1e-5)


def test_a_person_who_is_named_is_preferred_to_others_of_the_room_by_any_part_of_the_name_in_any_spelling() -> None:
    asked = parse("What does zoe say of the assistant's boat?", ("en",), date(2026, 7, 15))
    four = details(ROOM + 1, ROOM + 2, 2 * ROOM + 3, 2 * ROOM + 4, cosine=[0.5] * 4)
    given = signals(asked, replace(four, speakers=np.array(["Zoë Lind", "Ben", "user", "assistant"], object)), None)
    assert given["speaker"] == pytest.approx(WEIGHTS["speaker"] * np.array([1, 0, 0.5, 0.5]))
    assert not signals(BOAT, four, None)["speaker"].any()


def test_who_answers_a_question_about_the_matter_is_found_by_it() -> None:
    four = details(ROOM + 1, ROOM + 2, ROOM + 3, ROOM + 4, asks=[1, 1, 0, 0], cosine=[0.5, 0.3, 0.3, 0.3])
    given = signals(BOAT, replace(four, speakers=np.array(["Mara", "Mara", "Ben", "Mara"], object)), found(ROOM + 2))
    assert (given["reply"] > 0).tolist() == [False, False, True, False]
    about = given["keyword"][1] + given["semantic"][1]
    assert given["reply"][2] == pytest.approx(WEIGHTS["reply"] * about, rel=1e-5)


def test_a_preference_counts_as_near_as_it_is_to_what_is_asked_and_only_where_the_texts_are_there() -> None:
    two = details(ROOM + 1, 2 * ROOM + 1, 3 * ROOM + 1, cosine=[0.7, 0.35, 0.7])
    given = signals(BOAT, replace(two, texts=np.array(["I prefer oak.", "I love pine.", "Oak is wood."], object)), None)
    assert given["preference"][0] == pytest.approx(2 * given["preference"][1])
    assert given["preference"].tolist()[2] == 0 and given["preference"][0] > 0
    assert not signals(BOAT, two, None)["preference"].any()


def test_every_signal_keeps_to_its_weight() -> None:
    asked = parse("boat on 1 January 1970", ("en",), date(2026, 7, 15))
    words = lexical(asked, {term_hash("boat"): postings(ROOM + 1)}, CORPUS)
    given = of(signals(asked, details(ROOM + 1, cosine=[1.0], room_cosine=[1.0], characters=[9999]), words), 0)
    assert set(given) == set(WEIGHTS)
    assert given["substance"] == pytest.approx(WEIGHTS["substance"])
    assert given["temporal"] == pytest.approx(WEIGHTS["temporal"])
    assert given["semantic"] == pytest.approx(WEIGHTS["semantic"] / 0.7)
    assert given["topic"] == pytest.approx(WEIGHTS["topic"] / 0.7)
    assert 0 < given["keyword"] <= 1.6 * WEIGHTS["keyword"]


def test_a_turn_with_neither_a_word_nor_a_likeness_gets_nothing() -> None:
    asked = parse("boat on 1 January 1970", ("en",), date(2026, 7, 15))
    words = lexical(asked, {term_hash("boat"): postings(ROOM + 1)}, CORPUS)
    given = signals(asked, details(ROOM + 9, ROOM + 8, cosine=[0.1, np.nan], room_cosine=[1.0, 1.0]), words)
    assert not np.any(list(given.values()))


def test_an_assistants_turn_counts_half_unless_it_is_asked_for() -> None:
    two = details(ROOM + 1, ROOM + 11, by_assistant=[0, 1], cosine=[0.5, 0.5])
    words = found(ROOM + 1, ROOM + 11)
    given = signals(BOAT, two, words)
    own = given.keys() - {"conversation"}
    assert [of(given, 1)[name] for name in own] == pytest.approx([of(given, 0)[name] / 2 for name in own])
    asked = parse("Which boat did you suggest?", ("en",), date(2026, 7, 15))
    assert asked.of_assistant
    given = signals(asked, two, words)
    assert given["keyword"][1] == pytest.approx(given["keyword"][0] * 0.9)


def test_a_turn_without_a_vector_or_a_negative_likeness_has_no_semantic_part() -> None:
    given = signals(BOAT, details(ROOM + 1, ROOM + 5, cosine=[np.nan, -0.5]), found(ROOM + 1, ROOM + 5))
    assert given["semantic"].tolist() == [0, 0]
    assert all(np.isfinite(values).all() for values in given.values())


def test_nearness_in_time_is_by_the_day_in_utc() -> None:
    asked = parse("the boat in May 2026", ("en",), date(2026, 7, 15))
    times = [datetime(2026, month, day, 23, 59, tzinfo=UTC).timestamp() for month, day in ((4, 30), (5, 1), (1, 1))]
    given = signals(
        asked,
        details(ROOM + 1, ROOM + 2, ROOM + 3, said_at=np.array(times).astype(int)),
        lexical(asked, {term_hash("boat"): postings(ROOM + 1, ROOM + 2, ROOM + 3)}, CORPUS),
    )
    near, inside, far = given["temporal"] / WEIGHTS["temporal"]
    assert (inside, far) == (1, 0) and 0.8 < near < 1


def test_no_candidates_are_no_trouble() -> None:
    given = signals(BOAT, details(), None)
    assert {len(values) for values in given.values()} == {0}


def test_an_event_that_the_question_tells_the_time_by_is_dated_by_the_turn_that_tells_of_it() -> None:
    asked = parse("What did we eat after the boat race?", ("en",), date(2026, 7, 15))
    day = int(datetime(2026, 5, 1, tzinfo=UTC).timestamp())
    three = details(ROOM + 1, ROOM + 9, 2 * ROOM + 1, cosine=[0.5] * 3, said_at=np.array([0, day, day + 5 * 86_400]))
    terms = {term_hash("boat"): postings(ROOM + 9), term_hash("race"): postings(ROOM + 9)}
    resolved = dated(asked, three, terms, CORPUS)
    assert resolved.span == Span(date(2026, 5, 1), date(2026, 5, 15))
    given = signals(resolved, three, None)
    assert given["temporal"] == pytest.approx(WEIGHTS["temporal"] * 0.6 * np.array([0, 1, 1]))
    nowhere = {term_hash("boat"): postings(ROOM + 9)}
    half = dated(parse("after the boat race in the far north", ("en",), date(2026, 7, 15)), three, nowhere, CORPUS)
    assert half.span is None
    assert dated(asked, details(), terms, CORPUS).span is None
    assert dated(BOAT, three, terms, CORPUS) is BOAT


def test_newer_turns_count_more_where_the_present_is_asked_for() -> None:
    asked = parse("Where does the boat lie now?", ("en",), date(2026, 7, 15))
    times = [datetime(year, 7, 15, tzinfo=UTC).timestamp() for year in (2026, 2025, 2027)]
    three = details(ROOM + 1, ROOM + 2, ROOM + 3, cosine=[0.5] * 3, said_at=np.array(times).astype(int))
    assert signals(asked, three, None)["recent"] == pytest.approx(WEIGHTS["recent"] * np.array([1, 0.5, 1]))
    assert not signals(BOAT, three, None)["recent"].any()


def test_what_has_little_to_do_with_the_question_is_worth_no_line() -> None:
    four = details(ROOM + 1, 2 * ROOM + 1, 3 * ROOM + 1, 4 * ROOM + 2, cosine=[0.3, 0.21, 0.0, np.nan])
    given = signals(BOAT, four, found(3 * ROOM + 1, 4 * ROOM + 1))
    assert all(np.sum(list(given.values()), axis=0) > 0)
    assert (totals(BOAT, four, given) > 0).tolist() == [True, False, True, True]


def test_where_a_time_is_all_that_is_told_what_was_said_then_is_brought_back_and_nothing_else() -> None:
    asked = parse("What did I do yesterday?", ("en",), date(2026, 7, 15))
    day = int(datetime(2026, 7, 14, 12, tzinfo=UTC).timestamp())
    two = details(ROOM + 1, 2 * ROOM + 1, cosine=[0.1, 0.6], said_at=np.array([day, day - 90 * 86_400]))
    given = signals(asked, two, None)
    assert (totals(asked, two, given) > 0).tolist() == [True, False]


def test_the_event_that_told_the_time_is_not_looked_for_where_nothing_else_is_told() -> None:
    asked = replace(parse("What did I do after the boat race?", ("en",), date(2026, 7, 15)), span=None)
    one = details(ROOM + 1, cosine=[0.3])
    assert signals(asked, one, found(ROOM + 1))["keyword"].any()
    resolved = replace(asked, span=Span(date(1970, 1, 1), date(1970, 1, 15)))
    given = signals(resolved, one, found(ROOM + 1))
    assert not given["keyword"].any() and given["temporal"].any()


MESSAGE = parse("I mended the boat on Monday. What is the next step for the boat?", ("en",), date(2026, 7, 15))


def test_a_message_counts_an_assistant_s_recent_and_long_turns_for_more() -> None:
    day = int(datetime(2026, 7, 15, tzinfo=UTC).timestamp())
    first = ROOM + 5
    places = (first, first + 10, first + 20, first + 30)
    had = details(
        *places,
        by_assistant=[0, 1, 0, 0],
        said_at=[0, 0, day - 20 * 86_400, 0],
        characters=[200, 200, 200, 3_000],
        cosine=[0.5] * 4,
    )
    before = signals(MESSAGE, had, None)
    after = of_message(MESSAGE, had, before)
    assert MESSAGE.is_message
    plain, assistant, recent, long = (of(after, index) for index in range(4))
    assert plain["semantic"] == of(before, 0)["semantic"]
    assert assistant["semantic"] == pytest.approx(0.9 * plain["semantic"], rel=1e-3)
    assert plain["recent"] == pytest.approx(0, abs=1e-3)
    assert recent["recent"] == pytest.approx(0.25 * (recent["semantic"] + recent["substance"]), rel=1e-3)
    assert long["substance"] - plain["substance"] == pytest.approx(0.2 * np.log(15), rel=1e-3)


def test_a_message_gets_more_for_the_two_best_other_turns_of_a_room() -> None:
    rooms = np.array([1, 1, 1, 1, 2, 3, 3, 4])
    scores = np.array([4, 3, 2, 1, 5, 2, 6, 0], np.float32)
    got = companions(rooms, scores)
    best_others = [(3, 2), (4, 2), (4, 3), (4, 3), (0, 0), (6, 0), (2, 0), (0, 0)]
    assert got == approx([0.3 * first + 0.18 * second for first, second in best_others])
    shuffled = np.array([6, 2, 0, 4, 7, 5, 3, 1])
    assert companions(rooms[shuffled], scores[shuffled]) == approx(got[shuffled])
    assert len(companions(rooms[:0], scores[:0])) == 0


def test_a_message_brings_the_conversation_with_more_of_its_matter_first(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        plan = ["The trip to Porto takes four days.", "We fly to Porto on the ninth.", "The hotel in Porto is paid."]
        aside = ["Somebody flew to Porto once, and the next plan was a trip by train."]
        for name, texts in {"plan": plan, "aside": aside}.items():
            memory.mine([{"role": "user", "content": text} for text in texts], conversation=name)
        memory.embed_pending()
        message, question = "I booked the flight to Porto. What is next for the trip?", "When do we fly to Porto?"
        found, asked = (
            {hit.conversation: hit.signals["conversation"] for hit in reversed(list(memory.recall(each)))}
            for each in (message, question)
        )
    assert found["plan"] > found["aside"] + 0.5
    assert found["plan"] > 1.5 * asked["plan"]
