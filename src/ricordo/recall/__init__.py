"""Recall: a message → the right lines."""

from ricordo.recall.recall import Recaller

__all__ = ["Recaller"]
