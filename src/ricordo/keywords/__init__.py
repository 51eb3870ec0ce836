"""The keyword index: postings of memories' terms, and the memories that wait for theirs. Not for asking it (recall)."""

from ricordo.keywords.postings_store import Indexed, add_postings, counted, index_waiting

__all__ = ["Indexed", "add_postings", "counted", "index_waiting"]
