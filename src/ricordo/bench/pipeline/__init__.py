"""LongMemEval from download to score, in steps that can each be stopped and taken up again."""

from ricordo.bench.pipeline import answers
from ricordo.bench.pipeline.download import FILES, SOURCE, download
from ricordo.bench.pipeline.logs import RunFiles
from ricordo.bench.pipeline.retrieval import CUTS, drop, ingest, questions, retrieve, score

__all__ = [
    "CUTS",
    "FILES",
    "SOURCE",
    "RunFiles",
    "answers",
    "download",
    "drop",
    "ingest",
    "questions",
    "retrieve",
    "score",
]
