"""What follows from facts, whatever their order, against a model that is short enough to be seen through."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from ricordo.facts.relations import Span, StatedFact, spans
from ricordo.models import Decision

_START = datetime(2026, 1, 1, tzinfo=UTC)


def _day(number: int | None) -> datetime | None:
    return None if number is None else _START + timedelta(days=number)


@st.composite
def _facts(draw: st.DrawFn) -> list[StatedFact]:
    found = []
    for room in range(draw(st.integers(0, 8))):
        since = draw(st.none() | st.integers(0, 30))
        until = draw(st.none() | st.integers(since or 0, 30))
        found.append(
            StatedFact(
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


@given(_facts(), st.randoms())
def test_the_order_in_which_facts_come_changes_nothing(facts: list[StatedFact], chance: object) -> None:
    shuffled = list(facts)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _told(spans(shuffled)) == _told(spans(facts))


@given(_facts(), st.lists(st.sampled_from(["confirmed", "rejected", None]), min_size=8, max_size=8), st.randoms())
def test_decisions_hold_whatever_else_is_found_and_in_whatever_order(
    facts: list[StatedFact], decisions: list[Decision | None], chance: object
) -> None:
    decided = [
        replace(each, decision=decision, decided_at=_day(15) if decision else None)
        for each, decision in zip(facts, decisions, strict=False)
    ]
    found = spans(decided)
    shown = {one.id for each in found for one in each.said}
    assert {each.id for each in decided if each.decision == "confirmed"} <= shown
    rejected = [each for each in decided if each.decision == "rejected"]
    assert not shown & {each.id for each in rejected}
    confirmed = {(each.subject, each.predicate, each.what) for each in decided if each.decision == "confirmed"}
    for each in decided:
        slot = (each.subject, each.predicate, each.what)
        older = any(
            slot == (one.subject, one.predicate, one.what)
            and each.said_at <= max(_START + timedelta(days=15), one.said_at)
            for one in rejected
        )
        if each.decision is None and older and slot not in confirmed:
            assert each.id not in shown
    chance.shuffle(decided)  # type: ignore[attr-defined]
    assert _told(spans(decided)) == _told(found)


@given(_facts())
def test_each_fact_is_a_source_of_one_relation_and_none_ends_before_it_begins(facts: list[StatedFact]) -> None:
    found = spans(facts)
    assert sorted(str(one.id) for each in found for one in each.said) == sorted(str(each.id) for each in facts)
    for each in found:
        assert each.valid_from is None or each.valid_to is None or each.valid_from <= each.valid_to
        assert len({(one.subject, one.predicate, one.what) for one in each.said}) == 1


@given(_facts(), st.integers(0, 7))
def test_taking_a_fact_away_and_back_leaves_no_trace(facts: list[StatedFact], index: int) -> None:
    before = _told(spans(facts))
    if facts:
        taken = facts.pop(index % len(facts))
        spans(facts)
        facts.append(taken)
    assert _told(spans(facts)) == before


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(5, 7)), unique_by=lambda each: each[0], max_size=10))
def test_plain_statements_are_a_chain_like_the_models(stated: list[tuple[int, int]]) -> None:
    facts = [
        StatedFact(
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
    found = [(each.said[0].object, each.valid_from, each.valid_to) for each in spans(facts)]
    assert found == [(object, _day(start), _day(end)) for object, start, end in model]


def _stated(day: int, predicate: str, value: str, *, ended: bool = False) -> StatedFact:
    return StatedFact(
        id=uuid4(), subject=1, predicate=predicate, object=None, value=value, said_at=_START + timedelta(days=day),
        since=None, until=None, ended=ended, found_by="rules", room=day + 1, drawer=1,
    )  # fmt: skip


def _now(facts: list[StatedFact]) -> set[tuple[str, str]]:
    return {(each.said[-1].predicate, each.said[-1].value) for each in spans(facts) if each.valid_to is None}


def test_what_is_given_up_by_name_leaves_the_slot_that_it_filled_to_what_takes_its_place() -> None:
    phone, other = _stated(1, "phone", "Pixel 6"), _stated(1, "uses", "Signal")
    swapped = [_stated(5, "uses", "Pixel", ended=True), _stated(5, "uses", "iPhone 16")]
    assert _now([phone, other, *swapped]) == {("phone", "iPhone 16"), ("uses", "Signal")}
    assert _now([phone, swapped[0]]) == set()
    # Of two slots it could be either, and of none it is itself.
    assert _now([phone, _stated(2, "work_phone", "Pixel 4"), *swapped]) >= {("phone", "Pixel 6"), ("uses", "iPhone 16")}
    assert _now(swapped) == {("uses", "iPhone 16")}


def test_predicates_that_mean_the_same_share_a_slot() -> None:
    said = [_stated(1, "manager", "Priya"), _stated(5, "boss", "Tobias"), _stated(9, "supervisor", "Sunniva")]
    assert _now(said) == {("supervisor", "Sunniva")}
