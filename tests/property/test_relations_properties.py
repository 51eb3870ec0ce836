"""What follows from assertions, whatever their order, against a model that is short enough to be seen through."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from ricordo.facts.relations import Assertion, Span, spans

_START = datetime(2026, 1, 1, tzinfo=UTC)


def _day(number: int | None) -> datetime | None:
    return None if number is None else _START + timedelta(days=number)


@st.composite
def _assertions(draw: st.DrawFn) -> list[Assertion]:
    found = []
    for room in range(draw(st.integers(0, 8))):
        since = draw(st.none() | st.integers(0, 30))
        until = draw(st.none() | st.integers(since or 0, 30))
        found.append(
            Assertion(
                id=uuid4(), subject=draw(st.integers(1, 2)), predicate=draw(st.sampled_from(["lives_in", "owns"])),
                object=draw(st.integers(5, 7)), value="", said_at=_START + timedelta(days=draw(st.integers(0, 30))),
                since=_day(since), until=_day(until), ended=draw(st.booleans()), found_by="rules", room=room, drawer=1,
            )
        )  # fmt: skip
    return found


def _told(found: list[Span]) -> list[tuple[object, ...]]:
    return sorted(
        (each.said[0].subject, each.said[0].predicate, each.what, str(each.valid_from), str(each.valid_to),
         sorted(str(one.id) for one in each.said))
        for each in found
    )  # fmt: skip


@given(_assertions(), st.randoms())
def test_the_order_in_which_assertions_come_changes_nothing(assertions: list[Assertion], chance: object) -> None:
    shuffled = list(assertions)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _told(spans(shuffled)) == _told(spans(assertions))


@given(_assertions())
def test_each_assertion_is_a_source_of_one_relation_and_none_ends_before_it_begins(assertions: list[Assertion]) -> None:
    found = spans(assertions)
    assert sorted(str(one.id) for each in found for one in each.said) == sorted(str(each.id) for each in assertions)
    for each in found:
        assert each.valid_from is None or each.valid_to is None or each.valid_from <= each.valid_to
        assert len({(one.subject, one.predicate, one.what) for one in each.said}) == 1


@given(_assertions(), st.integers(0, 7))
def test_taking_an_assertion_away_and_back_leaves_no_trace(assertions: list[Assertion], index: int) -> None:
    before = _told(spans(assertions))
    if assertions:
        taken = assertions.pop(index % len(assertions))
        spans(assertions)
        assertions.append(taken)
    assert _told(spans(assertions)) == before


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(5, 7)), unique_by=lambda each: each[0], max_size=10))
def test_plain_statements_are_a_chain_like_the_models(stated: list[tuple[int, int]]) -> None:
    assertions = [
        Assertion(
            uuid4(), 1, "lives_in", object, "", _START + timedelta(days=day), None, None, False, "rules", day + 1, 1
        )
        for day, object in stated
    ]
    model: list[tuple[int, int, int | None]] = []  # object, from, to
    for day, object in sorted(stated):
        if model and model[-1][0] == object:
            continue
        if model:
            model[-1] = (*model[-1][:2], day)
        model.append((object, day, None))
    found = [(each.said[0].object, each.valid_from, each.valid_to) for each in spans(assertions)]
    assert found == [(object, _day(start), _day(end)) for object, start, end in model]
