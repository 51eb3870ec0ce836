"""Mining histories over a tiny alphabet, so that repetition is the rule: what is stored is exactly the history."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ricordo.mining.alignment import Batch, Known, plan, text_hash
from ricordo.mining.turns import Turn

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
WHOLE = Batch("whole")
said = st.lists(st.sampled_from(["ok", "a", "b"]), min_size=1, max_size=8)


@dataclass(frozen=True)
class Line:
    """One turn of a history: what it says, and what its source may tell of it."""

    speaker: str
    text: str
    minute: int
    id: str

    def turn(self, index: int, timed: bool, has_id: bool) -> Turn:
        at = BEGIN + timedelta(minutes=self.minute) if timed else None
        return Turn(index, "user", self.speaker, self.text, at, self.id if has_id else None)


@st.composite
def histories(draw: st.DrawFn) -> list[Line]:
    """Turns with repetitions, of which several may fall into one minute."""
    minute, lines = 0, []
    for number in range(draw(st.integers(1, 12))):
        minute += draw(st.integers(0, 1))
        speaker, text = draw(st.sampled_from(["user", "Ben"])), draw(st.sampled_from(["ok", "yes", "why?"]))
        lines.append(Line(speaker, text, minute, f"m{number}"))
    return lines


class Store:
    """The turns of one conversation as they are stored."""

    def __init__(self) -> None:
        self.known: list[Known] = []
        self.texts: list[tuple[str, str]] = []

    def mine(self, turns: list[Turn], batch: Batch, piece: int = 1000) -> int:
        """Mine in pieces, as ricordo.mining.mine does, and how many were stored."""
        before = len(self.known)
        while True:
            found = plan([replace(each, index=index) for index, each in enumerate(turns)], self.known, batch)
            for turn, key in found.new[:piece]:
                assert key not in {each.key for each in self.known}
                self.known.append(
                    Known(key, turn.role, turn.speaker, text_hash(turn.content), turn.at, turn.id is not None)
                )
                self.texts.append((turn.speaker, turn.content))
            assert not found.edited
            if len(found.new) <= piece:
                return len(self.known) - before


def spoken(history: list[Line]) -> list[tuple[str, str]]:
    return [(each.speaker, each.text) for each in history]


flags = st.tuples(st.booleans(), st.booleans())


@given(histories(), st.lists(st.integers(0, 12)), flags, st.booleans())
def test_exchange_by_exchange_the_store_holds_exactly_the_history(
    history: list[Line], cuts: list[int], told: tuple[bool, bool], keyed: bool
) -> None:
    store = Store()
    edges = sorted({0, len(history), *(each for each in cuts if each < len(history))})
    turns = [line.turn(index, *told) for index, line in enumerate(history)]
    for number, (first, last) in enumerate(pairwise(edges)):
        for _ in range(2 if keyed or told[1] else 1):  # a retry
            store.mine(turns[first:last], Batch("append", str(number) if keyed else None))
    assert store.texts == spoken(history)


@given(
    histories(),
    st.lists(st.tuples(st.integers(1, 12), flags), min_size=1, max_size=5),
    st.sampled_from([Batch(), WHOLE]),
    st.integers(1, 13),
)
def test_in_growing_wholes_the_store_holds_exactly_the_history(
    history: list[Line], growth: list[tuple[int, tuple[bool, bool]]], batch: Batch, piece: int
) -> None:
    store = Store()
    for length, told in [*sorted(growth), (len(history), growth[-1][1])]:
        turns = [line.turn(index, *told) for index, line in enumerate(history[:length])]
        store.mine(turns, batch, piece)
        assert store.texts == spoken(history[:length])
        assert store.mine(turns, batch, piece) == 0


@given(st.permutations([4, 5, 7, 8, 12]), flags, st.integers(1, 13))
def test_wholes_that_come_in_another_order_than_they_were_sent_add_up_to_the_longest(
    lengths: list[int], told: tuple[bool, bool], piece: int
) -> None:
    history = [
        Line("user", "ok" if number % 3 == 2 else f"line {number}", number, f"m{number}") for number in range(12)
    ]
    store = Store()
    for length in lengths:
        turns = [line.turn(index, *told) for index, line in enumerate(history[:length])]
        before = len(store.texts)
        assert store.mine(turns, Batch(), piece) == max(0, length - before)
    assert store.texts == spoken(history)


@given(said.filter(lambda texts: len(texts) < 4))
def test_an_exchange_that_was_had_at_the_beginning_may_come_again(exchange: list[str]) -> None:
    store = Store()
    first = [*_bare(exchange), *_bare(["something else", "between"])]
    store.mine(first, Batch())
    store.mine(_bare(exchange), Batch())
    assert [text for _, text in store.texts] == [*exchange, "something else", "between", *exchange]


@given(histories(), st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=5), flags)
def test_windows_with_ids_add_what_is_new(
    history: list[Line], windows: list[tuple[int, int]], told: tuple[bool, bool]
) -> None:
    turns = [line.turn(index, told[0], has_id=True) for index, line in enumerate(history)]
    store = Store()
    seen: dict[str, tuple[str, str]] = {}
    for start, width in windows:
        window = turns[start : start + width]
        store.mine(window, Batch())
        for turn in window:
            seen.setdefault(turn.id or "", (turn.speaker, turn.content))
        assert store.texts == list(seen.values())


@given(said, st.lists(st.tuples(said, st.integers(1, 8)), max_size=4))
def test_windows_of_the_last_turns_add_as_little_as_explains_them(
    first: list[str], windows: list[tuple[list[str], int]]
) -> None:
    store = Store()
    store.mine(_bare(first), Batch())
    for more, width in windows:
        stored = [text for _, text in store.texts]
        came = stored[-width:] + more
        overlap = max(k for k in range(1, len(came) + 1) if stored[-k:] == came[:k] and k <= len(stored))
        store.mine(_bare(came), Batch())
        assert [text for _, text in store.texts] == stored + came[overlap:]


@given(st.lists(said, min_size=1, max_size=5), st.sampled_from([Batch(), WHOLE]), st.integers(1, 8))
def test_mining_the_same_again_adds_nothing_whatever_came_before(
    lists: list[list[str]], batch: Batch, piece: int
) -> None:
    store = Store()
    for each in lists:
        store.mine(_bare(each), batch, piece)
        assert store.mine(_bare(each), batch, piece) == 0


@given(st.lists(said, min_size=1, max_size=5))
def test_each_turn_is_stored_as_often_as_it_stands_in_the_file_that_has_it_most(lists: list[list[str]]) -> None:
    store = Store()
    most: Counter[str] = Counter()
    for each in lists:
        store.mine(_bare(each), WHOLE)
        most |= Counter(each)
    assert Counter(text for _, text in store.texts) == most


def _bare(texts: list[str]) -> list[Turn]:
    return [Turn(index, "user", "user", text, None, None) for index, text in enumerate(texts)]
