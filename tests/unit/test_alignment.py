"""Which turns of a list are new: ids, times, repetition and edits, each by a small example."""

from __future__ import annotations

from datetime import UTC, datetime

from ricordo.mining.alignment import new_turns
from ricordo.mining.turns import Turn


def turn(content: str, id: str | None = None, at: datetime | None = None, speaker: str = "user") -> Turn:
    return Turn(0, "user", speaker, content, at, id)


def mined(*lists: list[Turn]) -> list[list[str]]:
    """What each of these lists, mined in their order, adds."""
    stored: dict[int, int] = {}
    added = []
    for turns in lists:
        fresh = new_turns(turns, dict(stored))
        for _, key in fresh:
            stored[key] = len(stored)
        added.append([each.content for each, _ in fresh])
    return added


def says(text: str) -> list[Turn]:
    return [turn(each) for each in text.split()]


def test_a_first_mining_adds_everything_also_what_repeats() -> None:
    assert mined(says("hello ok ok")) == [["hello", "ok", "ok"]]


def test_nothing_comes_of_nothing() -> None:
    assert mined([], says("hello"), []) == [[], ["hello"], []]


def test_the_same_words_said_again_at_the_end_are_new() -> None:
    assert mined(says("ok x"), says("ok x ok"), says("x ok ok")) == [["ok", "x"], ["ok"], ["ok"]]


def test_a_window_may_begin_in_the_middle_of_a_repetition() -> None:
    assert mined(says("ok ok x ok"), says("ok y")) == [["ok", "ok", "x", "ok"], ["y"]]


def test_a_turn_edited_at_the_beginning_is_added_once() -> None:
    assert mined(says("a ok b"), says("A ok b"), says("A ok b"), says("A ok b c")) == [
        ["a", "ok", "b"],
        ["A"],
        [],
        ["c"],
    ]


def test_turns_that_came_before_a_window_are_added_once() -> None:
    assert mined(says("c d"), says("a b c d"), says("a b c d"), says("a b c d e")) == [
        ["c", "d"],
        ["a", "b"],
        [],
        ["e"],
    ]


def test_windows_work_again_after_an_edit() -> None:
    lists = [says("a ok b"), says("A ok b"), says("A ok b c"), says("b c d"), says("c d ok"), says("d ok ok")]
    assert mined(*lists)[3:] == [["d"], ["ok"], ["ok"]]


def test_a_disjoint_window_is_added_whole() -> None:
    assert mined(says("a b"), says("x y")) == [["a", "b"], ["x", "y"]]


def test_an_id_stands_for_one_turn_whatever_its_place() -> None:
    first = [turn("hello", "1"), turn("hello", "2")]
    again = [turn("hello", "2"), turn("hello", "1"), turn("bye", "3"), turn("bye", "3")]
    assert mined(first, again) == [["hello", "hello"], ["bye"]]


def test_an_id_is_not_mistaken_for_content() -> None:
    assert mined([turn("hello", "x")], [turn("x")]) == [["hello"], ["x"]]


def test_another_time_or_speaker_makes_another_turn() -> None:
    noon, one = (datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (12, 13))
    first = [turn("ok", at=noon)]
    assert mined(first, [turn("ok", at=noon), turn("ok", at=one), turn("ok", at=noon, speaker="Ben")]) == [
        ["ok"],
        ["ok", "ok"],
    ]


def test_keys_fit_the_column_and_differ() -> None:
    keys = [key for _, key in new_turns(says("ok " * 500), {})]
    assert len(set(keys)) == 500
    assert all(-(2**63) <= key < 2**63 for key in keys)
