"""Rankings → recall_any, recall_all, the share of the evidence, and MRR, with 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

CUTS = (1, 5, 10)


@dataclass(frozen=True)
class Figure:
    """A mean over questions and the ends of its 95% interval, each between 0 and 1."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.mean:5.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def measures(ranked: Sequence[Hashable], gold: frozenset[Hashable]) -> dict[str, float]:
    """The measures of one ranking against the places that hold its evidence."""
    found = [index for index, each in enumerate(ranked) if each in gold]
    figures = {f"any@{cut}": float(any(index < cut for index in found)) for cut in CUTS}
    figures |= {f"all@{cut}": float(sum(index < cut for index in found) == len(gold)) for cut in CUTS}
    figures |= {f"share@{cut}": sum(index < cut for index in found) / len(gold) if gold else 0.0 for cut in CUTS}
    figures |= {f"mrr@{cut}": 1 / (found[0] + 1) if found and found[0] < cut else 0.0 for cut in CUTS}
    return figures


def figure(values: Sequence[float]) -> Figure:
    """The mean with Wilson's score interval, which is exact enough for shares and wide enough for reciprocal ranks
    (their variance is at most a share's of the same mean). Source: Wilson (1927)."""
    count = len(values)
    if not count:
        return Figure(0.0, 0.0, 1.0)
    z, mean = 1.96, sum(values) / count
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Figure(mean, max(0.0, middle - half), min(1.0, middle + half))
