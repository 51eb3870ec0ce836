"""Benchmarks that users can run: Ricordo's own mine and recall, scored."""

from ricordo.bench.ablation import Variant, ablate
from ricordo.bench.datasets import locomo, longmemeval, pooled
from ricordo.bench.entries import EntrySpeed, measure_entries
from ricordo.bench.page import Taken, measure_page
from ricordo.bench.runner import Report, run
from ricordo.bench.speed import Speed, measure
from ricordo.bench.writers import Written, measure_writers

__all__ = [
    "EntrySpeed",
    "Report",
    "Speed",
    "Taken",
    "Variant",
    "Written",
    "ablate",
    "locomo",
    "longmemeval",
    "measure",
    "measure_entries",
    "measure_page",
    "measure_writers",
    "pooled",
    "run",
]
