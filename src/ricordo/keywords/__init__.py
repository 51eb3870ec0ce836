"""The keyword index: postings of memories' terms, and the queue of memories without terms."""

from ricordo.keywords.postings_store import Indexed, add_postings, counted, index_waiting

__all__ = ["Indexed", "add_postings", "counted", "index_waiting"]
