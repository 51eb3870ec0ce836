"""How likely what was found answers a question, and that nothing comes back where that is unlikely."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import called
from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.recall.confidence import LEAST, confidence
from ricordo.settings import Settings

TALK = (
    "We chose the Lindner battery for the boat, because it is light.",
    "My sister Ines moved to Lisbon in March and works as a nurse there.",
    "The damp wall in the kitchen was dried with calcium silicate boards.",
    "I am allergic to walnuts, so no walnut bread for me.",
    "Our dog Biscuit has learned to open the fridge.",
    "The tax return is due at the end of July.",
    "On Saturday we repaired the fence with Tom.",
    "The piano tuner comes every second Tuesday.",
    "I read a novel about a lighthouse keeper in Norway.",
    "The bakery at the corner closes at noon on Sundays.",
    "My knee hurts since the half marathon.",
    "The router in the hall needs a restart once a week.",
)
ANSWERED = (
    "Which battery did we choose?", "Where does Ines live?", "What am I allergic to?", "When is the tax return due?",
    "What is our dog called?", "What hurts since the race?",
)  # fmt: skip
UNANSWERED = (
    "What is the capital of Mongolia?", "Which airline did Priya book?", "How much is the rent of the office?",
    "Who won the chess tournament?", "What colour is the new car?", "When does the choir rehearse?",
)  # fmt: skip


@pytest.fixture
def filled(with_vectors: Settings) -> Settings:
    with Memory(settings=with_vectors) as memory:
        for number, text in enumerate(TALK):
            at = datetime(2026, 3, 1 + number, tzinfo=UTC)
            memory.mine([{"role": "user", "content": text, "at": at}], conversation=str(number))
        memory.embed_pending()
    return with_vectors


@given(st.lists(st.floats(0, 6, width=32), min_size=1, max_size=40), st.floats(0, 1, width=32))
def test_it_is_a_probability_and_grows_with_the_best_score(scores: list[float], semantic: float) -> None:
    totals = np.sort(np.array(scores))[::-1]
    given = {"semantic": np.full(len(totals), semantic), "translation": totals * 0, "recent": totals * 0}
    sure = confidence(totals, given, 1.0).all
    better = confidence(np.concatenate([[totals[0] + 1], totals[1:]]), given, 1.0).all
    assert 0 <= sure <= better <= 1


def test_many_lines_that_are_as_good_as_the_best_lower_it() -> None:
    def sure(others: float) -> float:
        totals = np.array([4.0, *[others] * 20])
        return confidence(totals, {"semantic": totals / 8, "translation": totals * 0, "recent": totals * 0}, 1.0).all

    assert sure(1.0) > sure(2.0) > sure(4.0)


def test_questions_with_an_answer_are_surer_than_those_without(filled: Settings) -> None:
    with Memory(settings=filled) as memory:
        sure = {each: memory.recall(each).confidence for each in (*ANSWERED, *UNANSWERED)}
    assert min(sure[each] for each in ANSWERED) > max(sure[each] for each in UNANSWERED), sure
    assert min(sure[each] for each in ANSWERED) > LEAST, sure


def test_what_is_unlikely_to_answer_stays_away_unless_it_is_wanted(filled: Settings) -> None:
    with Memory(settings=filled) as memory:
        found = {each: memory.recall(each, min_confidence=0) for each in UNANSWERED}
        question = min((each for each in found if len(found[each])), key=lambda each: found[each].confidence)
        nothing = memory.recall(question)
        assert (nothing.results, nothing.context, nothing.confidence < LEAST) == ((), "", True)
        assert any("min_confidence" in note for note in nothing.notes)
        assert nothing.confidence == found[question].confidence
        right = memory.recall(ANSWERED[0])
        assert right.results[0].confidence == max(hit.confidence or 0 for hit in right)
        assert memory.recall(ANSWERED[0], min_confidence=1.0).results == ()


def test_what_was_said_at_a_time_answers_what_was_said_then(filled: Settings) -> None:
    with Memory(settings=filled) as memory:
        found = memory.recall("What did we talk about yesterday?", now=datetime(2026, 3, 5, 12, tzinfo=UTC))
    assert (found.confidence, [hit.text for hit in found]) == (1.0, [TALK[3]])


def test_a_fact_that_states_what_is_asked_makes_sure(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        for number, text in enumerate(("I live in Leeds.", *TALK)):
            memory.mine([{"role": "user", "content": text}], conversation=str(number))
        found = memory.recall("Where do I live?")
    assert found.results[0].text == "I live in Leeds." and found.confidence >= 0.9


@pytest.mark.parametrize("wrong", [-0.1, 1.5, True, "much", float("nan")])
def test_a_limit_that_is_no_probability_is_refused(memory: Memory, wrong: object) -> None:
    with pytest.raises(InvalidInput, match="min_confidence"):
        memory.recall("Which battery?", min_confidence=wrong)  # type: ignore[arg-type]


def test_the_command_line_tells_it_and_takes_the_limit(filled: Settings) -> None:
    told = json.loads(called(filled, "recall", ANSWERED[0], "--json").out)
    assert told["confidence"] > 0.5 and told["results"][0]["confidence"] > 0
    hidden = called(filled, "recall", ANSWERED[0], "--min-confidence", "1")
    assert hidden.out == "" and "unlikely to answer" in hidden.err
    refused = called(filled, "recall", ANSWERED[0], "--min-confidence", "2")
    assert (refused.code, "between 0 and 1" in refused.err) == (2, True)
