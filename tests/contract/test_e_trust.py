"""Rows E of the contract, as far as they stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ricordo.blocking import Memory
from ricordo.settings import Settings
from talks import BATTERY, LISBON


def test_e1_a_receipt_tells_what_became_of_each_turn(memory: Memory) -> None:
    future = (datetime.now(UTC) + timedelta(days=30)).isoformat()
    bad = [
        {"role": "user", "content": " \n"},
        {"role": "user", "content": "x" * 1_000_001},
        {"role": "user", "content": "from the future", "at": future},
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "tool", "content": "{}"},
        {"role": "nobody", "content": "hello"},
        {"role": "user", "content": 42},
        "no mapping",
    ]
    receipt = memory.mine([*bad, *BATTERY], conversation="c")
    assert (receipt.status, receipt.stored, receipt.pending) == ("stored", 4, 4)
    assert [each.index for each in receipt.rejected] == list(range(len(bad)))
    assert all(each.reason for each in receipt.rejected)
    nothing = memory.mine(bad, conversation="d")
    assert (nothing.status, nothing.stored, nothing.id) == ("rejected", 0, None)
    assert nothing.reason
    assert memory.mine(BATTERY, conversation="c").status == "duplicate"


def test_e1_a_receipt_says_which_parts_of_a_turn_are_not_kept(memory: Memory) -> None:
    parts = [{"type": "text", "text": "Look at my cat"}, {"type": "image_url", "image_url": {"url": "data:…"}}]
    receipt = memory.mine([{"role": "user", "content": parts}], conversation="c")
    assert (receipt.stored, receipt.rejected) == (1, ())
    assert [(each.index, each.what) for each in receipt.left_out] == [(0, "image_url")]


def test_e1_recall_says_when_something_is_still_pending(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors, background=False) as memory:
        memory.mine(BATTERY, conversation="c")
        assert memory.recall("Lindner").pending == 4
        memory.embed_pending()
        assert memory.recall("Lindner").pending == 0


def test_e1_with_a_background_vectors_come_by_themselves(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        memory.mine(BATTERY, conversation="c")
    with Memory(settings=with_vectors, background=False) as memory:
        assert memory.pending() == 0  # closing finished the batch at hand


def test_e1_a_recall_right_after_a_mine_goes_by_meaning(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        memory.mine(LISBON, conversation="d")
        found = memory.recall("When do we travel to Portugal?")
    assert found.pending == 0 and found.results[0].conversation == "d"


def test_e4_recall_as_of_a_moment_knows_nothing_said_later(memory: Memory) -> None:
    memory.mine(BATTERY, conversation="c")
    memory.mine(LISBON, conversation="d")
    moment = datetime(2026, 3, 1, 18, 1, tzinfo=UTC)
    assert {hit.position for hit in memory.recall("pack cells flights", top_k=50, as_of=moment)} == {0, 1}


def test_e6_the_context_never_exceeds_its_budget(memory: Memory) -> None:
    memory.mine([{"role": "user", "content": "battery " * 3000}, *BATTERY], conversation="c")
    for budget in (1, 50, 100, 500, 5000):
        found = memory.recall("battery cells", max_tokens=budget)
        assert found.tokens <= budget
        assert (found.tokens == 0) == (found.context == "")
    assert "[…]" in memory.recall("battery", top_k=1, max_tokens=200).context


def test_e7_several_processes_worth_of_memories_share_one_store(settings: Settings) -> None:
    ada = replace(settings, user="ada")
    with Memory(settings=ada) as one, Memory(settings=ada) as two:
        one.mine(BATTERY, conversation="c")
        assert two.mine(BATTERY, conversation="c").status == "duplicate"
        assert len(two.recall("Lindner")) == len(one.recall("Lindner")) > 0
