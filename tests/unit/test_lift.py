"""How turns in another language than the question's come to stand among the first lines."""

from __future__ import annotations

import numpy as np

from ricordo.recall.refining import lift


def _lifted(translation: list[float], others: list[float]) -> list[int]:
    """The order of candidates after the lift."""
    given = {"translation": np.array(translation, np.float32), "others": np.array(others, np.float32)}
    total = sum(given.values()) + lift(given)
    return [int(each) for each in np.argsort(-total, kind="stable")]


def test_a_likely_turn_comes_among_the_first_five_and_before_none_of_the_best() -> None:
    others = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    translation = [0.0] * 8 + [0.9]
    assert _lifted(translation, others)[:6] == [0, 1, 2, 3, 8, 4]


def test_an_unlikely_turn_stays_where_it_is() -> None:
    others = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    assert _lifted([0.0] * 8 + [0.3], others) == list(range(9))


def test_what_stands_high_by_itself_is_not_moved() -> None:
    others = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0]
    assert _lifted([1.5, 0.0, 0.0, 0.0, 0.0, 0.0], others) == [0, 1, 2, 3, 4, 5]


def test_no_more_than_three_are_lifted_and_few_candidates_need_no_lift() -> None:
    others = [9.0, 8.0, 7.0, 6.0, 5.0, 0.4, 0.3, 0.2, 0.1]
    translation = [0.0] * 5 + [0.9, 0.8, 0.7, 0.7]
    assert set(_lifted(translation, others)[4:7]) == {5, 6, 7}
    assert _lifted([0.0, 0.9], [3.0, 1.0]) == [0, 1]
