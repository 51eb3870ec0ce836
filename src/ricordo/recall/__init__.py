"""Recall: a message → the right lines."""

from ricordo.recall import answering
from ricordo.recall.context import render, tokens_in
from ricordo.recall.held import search_held
from ricordo.recall.loose import Match, search
from ricordo.recall.ranking import WEIGHTS, conversation_signal
from ricordo.recall.recall import Recaller
from ricordo.recall.rerank import Reranker

__all__ = [
    "WEIGHTS",
    "Match",
    "Recaller",
    "Reranker",
    "answering",
    "conversation_signal",
    "render",
    "search",
    "search_held",
    "tokens_in",
]
