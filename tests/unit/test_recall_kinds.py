"""Kinds of questions that words and meaning alone miss, asked of a real store by words only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ricordo.blocking import Memory
from ricordo.errors import InvalidInput
from ricordo.settings import Settings
from stores import copy_of, settings_for
from talks import mine_days

ASKED = datetime(2026, 7, 15, 9, tzinfo=UTC)  # a Wednesday
TALK = {
    "2026-07-11": "We paddled a kayak to the lighthouse.",
    "2026-07-14": "The dentist found no cavity.",
    "2026-06-20": "I told my brother yesterday that the accordion is out of tune.",
    "2025-07-12": "Anna and Tom played chess on the porch.",
    "2026-03-22": "Today our trip to the Dolomites begins.",
    "2026-03-08": "Dr. Salomon gave me the second injection.",
    "2026-05-01": "The class UserSerializer maps lastLoginAt; the flag is enableDarkCheckout, the wifi Fuchsbau24.",
    "2026-05-02": "My policy number is HX-77312-B, my flight LH 2047.",
    "2026-05-03": "Norrland Freight hired me for the summer.",
}


@pytest.fixture(scope="module")
def told(server_home: Path) -> Settings:
    """A store with the conversation, to be copied."""
    settings = settings_for(server_home, user="ada")
    with Memory(settings=settings) as memory:
        mine_days(memory, TALK)
    return settings


@pytest.fixture
def filled(told: Settings) -> Iterator[Memory]:
    with Memory(settings=copy_of(told)) as memory:
        yield memory


def days(memory: Memory, question: str) -> list[str]:
    """The conversations that come back, best first."""
    return [hit.conversation for hit in memory.recall(question, now=ASKED).results]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I do last weekend?", ["2026-07-11"]),
        ("What did I do yesterday?", ["2026-07-14"]),
        ("Was habe ich gestern gemacht?", ["2026-07-14"]),
        ("Qu'est-ce que j'ai fait hier ?", ["2026-07-14"]),
        ("¿Qué hice el fin de semana pasado?", ["2026-07-11"]),
        ("What happened a year ago?", ["2025-07-12"]),
        ("What happened three years ago?", []),
    ],
)
def test_what_there_was_at_a_time_is_found_by_the_time_alone(
    filled: Memory, question: str, expected: list[str]
) -> None:
    assert days(filled, question)[:1] == expected


def test_what_lies_far_from_that_time_is_not_brought_back(filled: Memory) -> None:
    assert days(filled, "What did I do last weekend?") == ["2026-07-11", "2026-07-14"]  # a day or two off may be meant


def test_what_there_was_at_a_time_told_by_an_event_is_found_by_the_time(filled: Memory) -> None:
    assert "2026-03-08" in days(filled, "What did I do two weeks before the trip to the Dolomites?")


def test_a_time_narrowed_to_nothing_leaves_the_words(filled: Memory) -> None:
    found = filled.recall("What did I do last weekend?", now=ASKED, until=datetime(2026, 1, 1, tzinfo=UTC))
    assert [hit.conversation for hit in found.results] == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("acordion", "2026-06-20"),
        ("acccordion", "2026-06-20"),
        ("Norland Frieght", "2026-05-03"),
        ("user serializer", "2026-05-01"),
        ("enable_dark_checkout", "2026-05-01"),
        ("last_login_at", "2026-05-01"),
        ("Fuchsbau 24", "2026-05-01"),
        ("HX77312B", "2026-05-02"),
        ("LH2047", "2026-05-02"),
    ],
)
def test_a_slip_or_another_way_to_write_a_name_finds_it(filled: Memory, question: str, expected: str) -> None:
    assert days(filled, question)[:1] == [expected]


def test_a_word_that_was_said_is_taken_as_it_is_though_the_filters_leave_it_out(filled: Memory) -> None:
    filled.mine([{"role": "user", "content": "The batter is in the bowl."}], conversation="batter")
    filled.mine([{"role": "user", "content": "A better oven."}], conversation="oven")
    since = datetime(2026, 7, 20, tzinfo=UTC)
    assert days(filled, "batter") == ["batter"]
    assert [hit.conversation for hit in filled.recall("better", since=since)] == ["oven"]
    assert filled.recall("chess", since=since).results == ()


@pytest.mark.parametrize("question", ["🍣", "?!", "\0"])
def test_signs_alone_bring_back_nothing_though_an_embedding_model_makes_a_vector_of_them(
    with_vectors: Settings, question: str
) -> None:
    with Memory(settings=replace(with_vectors, user="ada")) as memory:
        memory.mine([{"role": "user", "content": "แมวของฉันชื่อถั่วดำ 🐈"}], conversation="cat")
        memory.embed_pending()
        assert memory.recall("แมว").results
        assert not memory.recall(question).results


def test_a_word_that_the_embedding_model_knows_is_no_slip_of_another(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada")) as memory:
        memory.mine([{"role": "user", "content": "I tried the accordion."}], conversation="music")
        memory.embed_pending()
        assert [hit.signals["keyword"] > 0 for hit in memory.recall("acordion")] == [True]
        assert not any(hit.signals["keyword"] for hit in memory.recall("tired"))


def test_what_was_said_often_takes_one_line_and_no_others_place(memory: Memory) -> None:
    often = ["The lighthouse is shut."] * 30
    others = ["The lighthouse has a red door.", "We saw the lighthouse at night.", "A lighthouse needs a keeper."]
    memory.mine([{"role": "user", "content": text, "at": ASKED} for text in often + others], conversation="c")
    for wanted in (2, 4, 10):
        told = [hit.text for hit in memory.recall("lighthouse shut?", top_k=wanted, now=ASKED).results]
        assert len(told) == len(set(told)) == min(wanted, 4)
        assert told[0] == often[0]


@pytest.mark.parametrize(
    "question",
    [
        "When do Ines and I travel to Lisbon?",
        "When are me and Ines in Lisbon?",
        "Wann reisen Ines und ich nach Lisbon?",
    ],
)
def test_a_name_beside_the_asker_s_own_tells_not_who_said_it(memory: Memory, question: str) -> None:
    said = [
        ("Ines", "Lisbon. I wanted to travel there since mum told us of it."),
        ("Mara", "Lisbon is from 14 to 19 May."),
    ]
    memory.mine([{"role": "user", "name": name, "content": text, "at": ASKED} for name, text in said], conversation="c")
    for other in ("Ines wants a goose.", "Ines has a daughter."):
        memory.mine([{"role": "user", "name": "Mara", "content": other, "at": ASKED}], conversation=other)
    hits = {hit.speaker: hit.signals["speaker"] for hit in memory.recall(question, now=ASKED).results}
    assert hits == {"Ines": 0, "Mara": 0}
    told = memory.recall("When does Ines travel to Lisbon?", now=ASKED).results
    assert {hit.speaker: hit.signals["speaker"] for hit in told}["Ines"] > 0


PLAN = "Here is your regatta plan: rowing on Monday, intervals on Wednesday, a long tour on Sunday. " * 3
MESSAGE = (
    "I did it! The week was stressful and I finally finished the report for work, which feels great. "
    "By the way, following the regatta plan, could you move the intervals to Friday?"
)


def spoken(memory: Memory, day: str, *turns: tuple[str, str]) -> None:
    at = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    memory.mine([{"role": role, "content": text, "at": at} for role, text in turns], conversation=day)


@pytest.fixture
def planned(memory: Memory) -> Memory:
    for day in ("2026-05-10", "2026-06-20", "2026-07-01"):
        spoken(memory, day, ("user", f"The report for work of {day} feels stressful, I finally finished a part of it."))
    spoken(memory, "2026-03-01", ("user", "Make me a regatta plan."), ("assistant", PLAN))
    spoken(
        memory, "2026-07-10", ("user", "Please renew the regatta plan."), ("assistant", PLAN.replace("Sun", "Satur"))
    )
    return memory


def test_a_long_message_finds_the_agent_s_turn_that_one_sentence_refers_to(planned: Memory) -> None:
    found = planned.recall(MESSAGE, now=ASKED).results
    assert [(hit.conversation, hit.speaker) for hit in found[:1]] == [("2026-07-10", "assistant")]
    assert found[0].signals["recent"] > 0
    assert ("2026-03-01", 1) in [(hit.conversation, hit.position) for hit in found]


def test_a_question_gives_nothing_for_being_recent(planned: Memory) -> None:
    found = planned.recall("When are the intervals in the regatta plan?", now=ASKED).results
    assert found and all(hit.signals["recent"] == 0 for hit in found)
    assert all(hit.signals["substance"] <= 0.3 for hit in found)


def test_a_message_brings_back_nothing_that_has_nothing_to_do_with_it(planned: Memory) -> None:
    assert not planned.recall("I bought saffron. Which dish suits it?", now=ASKED).results


def test_the_turn_before_says_what_a_message_refers_back_to(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        for day, text in TALK.items():
            spoken(memory, day, ("user", text))
        memory.embed_pending()
        message = "That sounds good to me. Let us go on with it, what comes next?"
        before = "Shall I ask the tuner about your brother's accordion?"
        assert days(memory, message)[:1] != ["2026-06-20"]
        found = memory.recall(message, now=ASKED, context=before).results
        assert [hit.conversation for hit in found[:1]] == ["2026-06-20"]
        with pytest.raises(InvalidInput, match="context"):
            memory.recall(message, context=["a"])  # type: ignore[arg-type]
