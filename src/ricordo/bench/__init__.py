"""Benchmarks that users can run: Ricordo's own mine and recall, scored."""

from ricordo.bench.datasets import locomo, longmemeval, pooled
from ricordo.bench.runner import Report, run

__all__ = ["Report", "locomo", "longmemeval", "pooled", "run"]
