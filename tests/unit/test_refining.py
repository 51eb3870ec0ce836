"""What the best candidates get when they are read once more: by what they tell, and by whether they only ask."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from ricordo.embedding.tokens import DIMENSIONS, packed
from ricordo.recall.question import parse
from ricordo.recall.refining import COMMON, NAMES, NUMBERS, TIMES, WORDING, asked_before, focus, telling, wording

DAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sounds good to me.", 0),
        ("We met Ines.", NAMES / 3),
        ("With Ines, Jonas, Derek and Priya.", NAMES),
        ("That cost 40 euros.", NUMBERS),
        ("I started last Monday.", NAMES / 3 + TIMES),
        ("Great! Lovely. Thanks", 0),
        ("YESTERDAY I ran.", TIMES / 2),
    ],
)
def test_names_numbers_and_times_tell_something(text: str, expected: float) -> None:
    assert telling([text], np.array([len(text)])) == pytest.approx([expected])


def test_what_a_long_turn_tells_counts_less() -> None:
    short, long = telling(["It cost 40 euros."] * 2, np.array([17, 1000]))
    assert (short, long) == pytest.approx((NUMBERS, NUMBERS / 4))
    assert len(telling([], np.array([], np.int64))) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Where does my sloop lie?",
        "Hey, where does my sloop lie again?",
        "In which harbour does my sloop lie?",
        "Where did I say my sloops lay? Where?",
        "where does the sloop lie ？",
    ],
)
def test_an_earlier_asking_counts_half(text: str) -> None:
    question = parse("Where does my sloop lie?", ("en",), DAY)
    assert asked_before(question, [text], ("en",)) == pytest.approx([0.5])


@pytest.mark.parametrize(
    "text",
    [
        "My sloop lies in Vlissingen.",
        "My sloop lies in Vlissingen. Where is yours?",
        "Does my sloop lie in Vlissingen?",
        "Does my sloop lie at berth 12?",
        "I'm planning to move the sloop before the storm, can you find a harbour with a crane?",
        "Sloop!",
        "",
    ],
)
def test_a_turn_that_tells_something_counts_whole(text: str) -> None:
    question = parse("Where does my sloop lie?", ("en",), DAY)
    assert asked_before(question, [text], ("en",)) == pytest.approx([1.0])


def test_a_long_message_is_read_less_closely_than_a_short_question() -> None:
    pack = "The pack of sixteen cells arrived; should the welder balance them before "
    long = pack + "the charger, the fuse and the relay go in?"
    assert focus(parse("Where does my sloop lie?", ("en",), DAY)) == 1
    assert focus(parse(long, ("en",), DAY)) == pytest.approx(10 / len(parse(long, ("en",), DAY).words))
    assert focus(parse(long, ("en",), DAY)) < 1
    assert focus(parse("", ("en",), DAY)) == 1


def test_where_advice_is_asked_for_the_wording_of_the_request_does_not_count() -> None:
    assert focus(parse("Can you suggest a hotel for my trip to Miami?", ("en",), DAY)) == 0
    assert focus(parse("Which hotel did I book in Miami?", ("en",), DAY)) == 1


EAST, NORTH, OTHER = np.eye(DIMENSIONS, dtype=np.float32)[:3, None]
#: Turns apart from one another.
APART = np.arange(0, 60, 10)


def turn(*pieces: np.ndarray) -> bytes:
    return packed(np.concatenate(pieces))


def test_the_same_match_counts_less_in_a_turn_of_many_words() -> None:
    whole = 2 * WORDING * (1 - COMMON)
    turns = [turn(EAST, *[OTHER] * more) for more in (0, 23, 95)]
    short, usual, long = wording(EAST, turns, APART[:3])
    assert (short, usual) == pytest.approx((whole, whole), rel=0.01)
    assert long == pytest.approx(whole - 0.1 * np.log(4), rel=0.01)
    assert wording(EAST, [turn(*[OTHER] * 128), None], APART[:2]) == pytest.approx([0, 0], abs=0.01)
    assert wording(None, turns, APART[:3]) == pytest.approx([0, 0, 0])
    assert len(wording(EAST, [], APART[:0])) == 0


def test_a_turn_is_read_with_a_short_one_before_it() -> None:
    question = np.concatenate([EAST, NORTH])
    half, whole = WORDING * (0.5 - COMMON), WORDING * (1 - COMMON)
    asks, answers = turn(EAST), turn(NORTH)
    # By place and not by rank: the answer stands first here.
    assert wording(question, [answers, asks], np.array([8, 7])) == pytest.approx([half + whole, 2 * half], rel=0.01)
    assert wording(question, [answers, asks], np.array([7, 9])) == pytest.approx([2 * half, 2 * half], rel=0.01)
    # A long turn has something of anything.
    long = turn(EAST, *[OTHER] * 24)
    assert wording(question, [answers, long], np.array([8, 7]))[0] == pytest.approx(2 * half, rel=0.01)
    assert wording(question, [answers, None], np.array([8, 7])) == pytest.approx([2 * half, 0], rel=0.01)
