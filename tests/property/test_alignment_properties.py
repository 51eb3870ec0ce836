"""Mining lists of turns over a tiny alphabet, so that repetition is the rule, against plain models of a talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ricordo.mining.alignment import new_turns
from ricordo.mining.turns import Turn

talk = st.lists(st.sampled_from(["ok", "a", "b"]), max_size=8)
said = st.lists(st.sampled_from(["ok", "a", "b"]), min_size=1, max_size=8)


class Store:
    """The keys of one conversation, and what its turns say in the order in which they were stored."""

    def __init__(self) -> None:
        self.keys: dict[int, int] = {}
        self.contents: list[str] = []

    def mine(self, contents: Sequence[str], piece: int = 1000) -> list[str]:
        """Mine in growing pieces, as ricordo.mining.mine does; what was stored."""
        turns = [Turn(index, "user", "user", content, None, None) for index, content in enumerate(contents)]
        before = len(self.contents)
        for start in range(0, len(turns), piece):
            for turn, key in new_turns(turns[: start + piece], dict(self.keys)):
                assert key not in self.keys
                self.keys[key] = len(self.keys)
                self.contents.append(turn.content)
        return self.contents[before:]


@given(talk, talk)
def test_an_extension_adds_exactly_the_extension(first: list[str], more: list[str]) -> None:
    store = Store()
    store.mine(first)
    assert store.mine(first + more) == more
    assert store.contents == first + more


@given(talk, st.lists(st.tuples(talk, st.integers(1, 8)), max_size=4))
def test_windows_of_the_last_turns_add_as_little_as_explains_them(
    first: list[str], windows: list[tuple[list[str], int]]
) -> None:
    store = Store()
    store.mine(first)
    for more, width in windows:
        known = store.contents[-width:] if store.contents else []
        expected = _shortest_extension(list(store.contents), known + more)
        assert store.mine(known + more) == expected


@given(st.lists(said, min_size=1, max_size=5), st.integers(1, 8))
def test_mining_the_same_again_adds_nothing_whatever_came_before(lists: list[list[str]], piece: int) -> None:
    store = Store()
    for each in lists:
        store.mine(each, piece)
        assert store.mine(each, piece) == []


@given(st.lists(said, min_size=1, max_size=5))
def test_no_turn_is_lost_and_none_is_stored_more_often_than_it_was_said(lists: list[list[str]]) -> None:
    store = Store()
    for each in lists:
        before, came = Counter(store.contents), Counter(each)
        store.mine(each)
        after = Counter(store.contents)
        assert after >= came
        assert after <= before + came


@given(talk, talk, st.data())
def test_an_edited_turn_is_added_alone_and_the_talk_goes_on(
    rest: list[str], more: list[str], data: st.DataObject
) -> None:
    first = ["begin", *rest]
    edited = [*first]
    edited[data.draw(st.integers(0, len(first) - 1))] = "edited"
    store = Store()
    store.mine(first)
    assert store.mine(edited) == ["edited"]
    assert store.mine([*edited, "new"]) == ["new"]
    assert store.mine(["new", *more]) == more


def _shortest_extension(stored: list[str], came: list[str]) -> list[str]:
    """The least that must follow `stored` for `came` to be a part of it."""
    for length in range(len(came) + 1):
        more = came[len(came) - length :]
        whole = stored + more
        last = len(whole) - len(came)
        starts = range(last + 1) if not length else [last]
        if any(whole[start : start + len(came)] == came for start in starts if start >= 0):
            return more
    raise AssertionError("the whole list always follows")
