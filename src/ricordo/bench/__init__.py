"""Benchmarks that users can run: Ricordo's own mine and recall, scored."""

from ricordo.bench.datasets import beam, locomo, longmemeval, pooled, realmem
from ricordo.bench.runner import Report, run

__all__ = ["Report", "beam", "locomo", "longmemeval", "pooled", "realmem", "run"]
