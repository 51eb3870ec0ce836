"""Row C8: a budget of tokens alone is filled with as many turns as it holds."""

from __future__ import annotations

import pytest

from ricordo.blocking import Memory
from ricordo.recall.context import lines_in

CITIES = [
    "Lisbon", "Porto", "Madrid", "Seville", "Lyon", "Nantes", "Turin", "Genoa", "Vienna", "Graz",
    "Prague", "Brno", "Gdansk", "Riga", "Tallinn", "Turku", "Malmo", "Aarhus", "Bergen", "Galway",
]  # fmt: skip
#: A turn of some 1,500 tokens that says one thing of the journey.
LONG = (
    "Then we cooked and talked until late. " * 80 + "On the journey we lost a suitcase in Zadar. " + "It rained. " * 250
)


@pytest.fixture
def travelled(memory: Memory) -> Memory:
    for index, city in enumerate(CITIES):
        said = [
            {"role": "user", "content": f"On our journey we stayed in {city} for {index + 2} nights."},
            {"role": "assistant", "content": "Thank you, noted."},
        ]
        memory.mine(said, conversation=f"day {index}")
    memory.mine([{"role": "user", "content": LONG}], conversation="long")
    return memory


def test_c8_a_budget_alone_is_filled(travelled: Memory) -> None:
    question = "Where did we stay on our journey?"
    assert len(travelled.recall(question)) == 5
    found = travelled.recall(question, max_tokens=2000)
    assert found.tokens <= 2000
    assert {city for city in CITIES if any(city in hit.text for hit in found)} == set(CITIES)
    assert len(found) == lines_in(found.context)
    assert all(hit.pointer in found.context for hit in found)


def test_c8_a_smaller_budget_holds_the_best_of_them(travelled: Memory) -> None:
    question = "Where did we stay on our journey?"
    many, few = (travelled.recall(question, max_tokens=most) for most in (2000, 300))
    assert 0 < len(few) < len(many) and few.tokens <= 300
    assert few.results == many.results[: len(few)]
    assert len(travelled.recall(question, max_tokens=1)) == 0


def test_c8_a_long_turn_leaves_room_for_the_others_and_tells_what_was_asked(travelled: Memory) -> None:
    found = travelled.recall("Where did we lose a suitcase on our journey?", max_tokens=1500)
    [long] = [hit for hit in found if hit.text == LONG]
    assert "we lost a suitcase in Zadar" in found.context and "[…]" in found.context
    assert len(found) > 10 and found.tokens <= 1500
    assert long.text not in found.context


def test_c8_a_number_of_turns_is_heeded_beside_a_budget(travelled: Memory) -> None:
    found = travelled.recall("Where did we stay on our journey?", top_k=3, max_tokens=2000)
    assert len(found) == 3


def test_c8_only_what_the_block_holds_counts_as_read(travelled: Memory) -> None:
    every = [hit.id for hit in travelled.recall("Where did we stay on our journey?", top_k=50)]
    before = {each: len(travelled.audit.of_memory(each)) for each in every}
    found = travelled.recall("Where did we stay on our journey?", max_tokens=300)
    read = {each for each in every if len(travelled.audit.of_memory(each)) > before[each]}
    assert read == {hit.id for hit in found} and len(read) < len(every)
