"""A question to the right turns, and the context block for a prompt."""

from ricordo.recall.chronology import by_time_alone
from ricordo.recall.context import Quoted, lines_in, quoted, render
from ricordo.recall.decisions import deciding
from ricordo.recall.excerpts import excerpt
from ricordo.recall.held import search_held
from ricordo.recall.loose import Match, find, record, search
from ricordo.recall.meaning import Meaning, meaning, meaning_of
from ricordo.recall.ranking import WEIGHTS, conversation_signal
from ricordo.recall.recall import Recaller, Request, decided_in
from ricordo.recall.refining import SIGNALS as REFINING
from ricordo.recall.rerank import Reranker

__all__ = [
    "REFINING",
    "WEIGHTS",
    "Match",
    "Meaning",
    "Quoted",
    "Recaller",
    "Request",
    "Reranker",
    "by_time_alone",
    "conversation_signal",
    "decided_in",
    "deciding",
    "excerpt",
    "find",
    "lines_in",
    "meaning",
    "meaning_of",
    "quoted",
    "record",
    "render",
    "search",
    "search_held",
]
