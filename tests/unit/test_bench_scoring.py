"""Scores of rankings, against values that were worked out by hand or published."""

from __future__ import annotations

import pytest

from ricordo.bench.scoring import figure, measures

GOLD: frozenset[object] = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        ([], {"any@1": 0, "any@10": 0, "all@10": 0, "mrr@10": 0}),
        (["a"], {"any@1": 1, "share@1": 0.5, "all@1": 0, "all@5": 0, "mrr@1": 1, "mrr@10": 1}),
        (["a", "b"], {"any@1": 1, "share@1": 0.5, "share@5": 1, "all@1": 0, "all@5": 1, "mrr@10": 1}),
        (["x", "b", "y", "z", "w", "a"], {"any@1": 0, "any@5": 1, "all@5": 0, "all@10": 1, "mrr@1": 0, "mrr@5": 0.5}),
        ([*"xxxxx", "a"], {"any@5": 0, "any@10": 1, "mrr@5": 0, "mrr@10": pytest.approx(1 / 6)}),
        ([*"xxxxxxxxxx", "a", "b"], {"any@10": 0, "all@10": 0, "mrr@10": 0}),
    ],
)
def test_measures(ranked: list[str], expected: dict[str, float]) -> None:
    found = measures(ranked, GOLD)
    assert set(found) == {f"{name}@{cut}" for name in ("any", "all", "share", "mrr") for cut in (1, 5, 10)}
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3: the score interval without correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilson_s(hits: int, count: int, low: float, high: float) -> None:
    found = figure([1.0] * hits + [0.0] * (count - hits))
    assert found.mean == pytest.approx(hits / count)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_the_interval_stays_within_0_and_1() -> None:
    assert figure([]) == figure(())
    assert (figure([]).low, figure([]).high) == (0.0, 1.0)
    all_right = figure([1.0] * 3)
    assert all_right.high == 1.0 and 0.4 < all_right.low < 0.5
    assert str(figure([1.0, 0.0])) == " 50.0 [9.5, 90.5]"
