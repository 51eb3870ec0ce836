"""Recall: a message → the right lines."""

from ricordo.recall.held import search_held
from ricordo.recall.loose import Match, search
from ricordo.recall.recall import Recaller

__all__ = ["Match", "Recaller", "search", "search_held"]
