"""Which turns of a batch are new, known or edited: ids, times, repetition and edits, each by a small example."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ricordo.errors import InvalidInput
from ricordo.mining.alignment import Batch, Known, fingerprint, plan, text_hash
from ricordo.mining.turns import Turn

NOON, ONE = (datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (12, 13))
WHOLE, APPEND = Batch("whole"), Batch("append")


class Talk:
    """A conversation that is mined as ricordo.mining.mine does."""

    def __init__(self) -> None:
        self.stored: list[Known] = []
        self.texts: list[str] = []

    def mine(self, turns: list[Turn], batch: Batch | None = None) -> tuple[list[str], list[str]]:
        """What was added, and what stored turns say instead of what they said before."""
        numbered = [replace(each, index=index) for index, each in enumerate(turns)]
        found = plan(numbered, self.stored, batch or Batch())
        for each, key in found.new:
            assert key not in {known.key for known in self.stored}
            self.stored.append(
                Known(key, each.role, each.speaker, text_hash(each.content), each.at, each.id is not None)
            )
            self.texts.append(each.content)
        for each, key in found.edited:
            place = next(place for place, known in enumerate(self.stored) if known.key == key)
            self.stored[place] = replace(self.stored[place], text_hash=text_hash(each.content))
            self.texts[place] = each.content
        return [each.content for each, _ in found.new], [each.content for each, _ in found.edited]


def turn(content: str, id: str | None = None, at: datetime | None = None, speaker: str = "user") -> Turn:
    return Turn(0, "user", speaker, content, at, id)


def mined(*lists: list[Turn], batch: Batch | None = None) -> list[list[str]]:
    """What each of these lists, mined in their order, adds."""
    talk = Talk()
    return [talk.mine(turns, batch)[0] for turns in lists]


def says(text: str, at: datetime | None = None) -> list[Turn]:
    return [turn(each, at=at) for each in text.split()]


def test_a_first_mining_adds_everything_also_what_repeats() -> None:
    assert mined(says("hello ok ok")) == [["hello", "ok", "ok"]]


def test_nothing_comes_of_nothing() -> None:
    assert mined([], says("hello"), []) == [[], ["hello"], []]


def test_the_same_words_said_again_at_the_end_are_new() -> None:
    assert mined(says("ok x"), says("ok x ok"), says("x ok ok")) == [["ok", "x"], ["ok"], ["ok"]]


def test_a_question_that_comes_again_with_another_answer_is_new() -> None:
    assert mined(says("q a"), says("x y"), says("q b"), says("x y")) == [["q", "a"], ["x", "y"], ["q", "b"], ["x", "y"]]


def test_what_began_a_conversation_may_be_said_again_later() -> None:
    assert mined(says("hi hello"), says("q a"), says("hi hello"))[2] == ["hi", "hello"]


def test_a_batch_that_is_sent_twice_in_a_row_is_stored_once() -> None:
    assert mined(says("a b"), says("q a"), says("q a")) == [["a", "b"], ["q", "a"], []]


def test_an_append_stores_the_same_exchange_as_often_as_it_comes() -> None:
    assert mined(says("yes noted"), says("yes noted"), says("yes noted"), batch=APPEND) == [["yes", "noted"]] * 3


def test_an_append_with_a_key_is_stored_once() -> None:
    talk = Talk()
    first, second = Batch("append", "1"), Batch("append", "2")
    assert [talk.mine(says("yes yes"), each)[0] for each in (first, second, first, second)] == [
        ["yes", "yes"],
        ["yes", "yes"],
        [],
        [],
    ]
    with pytest.raises(InvalidInput, match="'1' was used with other messages"):
        talk.mine(says("no"), first)


def test_an_append_knows_ids() -> None:
    assert mined([turn("yes", "1")], [turn("yes", "1"), turn("yes", "2")], batch=APPEND) == [["yes"], ["yes"]]


def test_whole_conversations_go_on_after_appends() -> None:
    talk = Talk()
    talk.mine(says("yes noted"), APPEND)
    talk.mine(says("yes noted"), APPEND)
    assert talk.mine(says("yes noted yes noted yes ok"))[0] == ["yes", "ok"]


@pytest.mark.parametrize("batch", [Batch(), WHOLE], ids=["window", "whole"])
def test_turns_with_times_are_known_when_they_come_without_and_the_other_way_round(batch: Batch) -> None:
    at, bare = says("a ok b ok", NOON), says("a ok b ok")
    assert mined(at, bare, [*bare, turn("c")], [*at, turn("c", at=ONE)], batch=batch)[1:] == [[], ["c"], []]
    assert mined(bare, at, [*at, turn("ok", at=NOON)], [*bare, turn("ok")], batch=batch)[1:] == [[], ["ok"], []]


def test_times_tell_an_earlier_window_from_new_turns() -> None:
    first = [turn("ok", at=NOON), turn("fine", at=NOON), turn("ok", at=ONE), turn("bye", at=ONE)]
    assert mined(first, first[1:3], [turn("fine", at=ONE)]) == [["ok", "fine", "ok", "bye"], [], ["fine"]]


def test_turns_beside_one_with_an_id_are_known_too() -> None:
    first = [turn("yes"), turn("noted", "1"), turn("yes"), turn("done", "2")]
    assert mined(first, first[:2], [turn("yes"), turn("done", "3")])[1:] == [[], ["yes", "done"]]


def test_a_file_with_a_turn_edited_adds_that_turn_alone() -> None:
    lists = [says("a ok b"), says("A ok b"), says("A ok b"), says("A ok b ok c")]
    assert mined(*lists, batch=WHOLE) == [["a", "ok", "b"], ["A"], [], ["ok", "c"]]


def test_a_file_that_has_earlier_turns_too_adds_them_once() -> None:
    lists = [says("c d"), says("a b c d"), says("a b c d"), says("a b c d e")]
    assert mined(*lists, batch=WHOLE) == [["c", "d"], ["a", "b"], [], ["e"]]


def test_a_conversation_in_several_parts_of_a_file_says_the_same_again() -> None:
    talk = Talk()
    for _ in range(2):
        said: list[int] = []
        added = []
        for part in (says("q a"), says("q b"), says("q a")):
            added.append(talk.mine(part, Batch("whole", earlier=said))[0])
            said += [fingerprint(each) for each in part]
    assert talk.texts == ["q", "a", "q", "b", "q", "a"]
    assert added == [[], [], []]


def test_an_id_stands_for_one_turn_whatever_its_place() -> None:
    first = [turn("hello", "1"), turn("hello", "2")]
    again = [turn("hello", "2"), turn("hello", "1"), turn("bye", "3"), turn("bye", "3")]
    assert mined(first, again) == [["hello", "hello"], ["bye"]]


def test_an_id_is_not_mistaken_for_content() -> None:
    assert mined([turn("hello", "x")], [turn("x")]) == [["hello"], ["x"]]


@pytest.mark.parametrize("batch", [Batch(), WHOLE, APPEND], ids=["window", "whole", "append"])
def test_another_text_under_a_known_id_is_an_edit(batch: Batch) -> None:
    talk = Talk()
    talk.mine([turn("Tuesday", "1"), turn("Booking the", "2")], batch)
    edited = [turn("Thursday", "1"), turn("Booking the ferry", "2"), turn("ok", "3")]
    assert talk.mine(edited, batch) == (["ok"], ["Thursday", "Booking the ferry"])
    assert talk.mine(edited, batch) == ([], [])
    assert talk.texts == ["Thursday", "Booking the ferry", "ok"]


def test_of_an_id_that_comes_twice_in_one_call_the_last_text_stays() -> None:
    talk = Talk()
    growing = [turn("Boo", "1"), turn("Booking", "1"), turn("Booking it", "1")]
    assert talk.mine(growing) == (["Boo"], ["Booking", "Booking it"])
    assert talk.mine(growing) == ([], [])


def test_in_a_file_what_was_said_at_a_time_is_edited_by_what_stands_there_now() -> None:
    talk = Talk()
    talk.mine([turn("Tuesday", at=NOON, speaker="Ada"), turn("ok", at=NOON, speaker="Ben")], WHOLE)
    now = [turn("Thursday", at=NOON, speaker="Ada"), turn("ok", at=NOON, speaker="Ben"), turn("x", at=ONE)]
    assert talk.mine(now, WHOLE) == (["x"], ["Thursday"])


def test_in_a_file_that_has_ids_now_a_turn_that_was_edited_meanwhile_is_the_stored_one() -> None:
    talk = Talk()
    talk.mine([turn("Tuesday.", at=NOON), turn("Noted.", at=ONE)], WHOLE)
    edited = [turn("Thursday.", "m1", NOON), turn("Noted.", "m2", ONE)]
    assert talk.mine(edited, WHOLE) == ([], ["Thursday."])
    assert talk.mine(edited, WHOLE) == ([], [])
    assert talk.mine([turn("Friday.", "m1", NOON), *edited[1:]], WHOLE) == ([], ["Friday."])
    assert talk.texts == ["Friday.", "Noted."]


def test_another_time_or_speaker_makes_another_turn() -> None:
    first = [turn("ok", at=NOON)]
    assert mined(first, [turn("ok", at=NOON), turn("ok", at=ONE), turn("ok", at=NOON, speaker="Ben")]) == [
        ["ok"],
        ["ok", "ok"],
    ]


def test_what_is_redacted_is_known_whatever_it_said() -> None:
    talk = Talk()
    talk.mine([turn("a"), turn("secret", "1"), turn("b")])
    talk.stored[1] = replace(talk.stored[1], text_hash=None)
    assert talk.mine([turn("a"), turn("secret"), turn("b"), turn("c")]) == (["c"], [])
    assert talk.mine([turn("changed", "1")]) == ([], [])


def test_keys_fit_the_column_and_differ() -> None:
    turns = [replace(each, index=index) for index, each in enumerate(says("ok " * 500))]
    keys = [key for _, key in plan(turns, [], Batch()).new]
    assert len(set(keys)) == 500
    assert all(-(2**63) <= key < 2**63 for key in keys)


def test_an_edit_frees_no_key_that_is_in_use() -> None:
    talk = Talk()
    talk.mine([turn("ok", at=NOON), turn("ok", at=ONE)], WHOLE)
    talk.mine([turn("fine", at=NOON), turn("ok", at=ONE)], WHOLE)
    talk.mine([turn("fine", at=NOON), turn("ok", at=ONE), turn("ok", at=ONE), turn("fine", at=ONE)], WHOLE)
    assert talk.texts == ["fine", "ok", "ok", "fine"]
