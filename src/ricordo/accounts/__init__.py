"""Users: who owns every row."""

from ricordo.accounts.store import Corpus, Counters, advance, corpus, lock, user_id_of

__all__ = ["Corpus", "Counters", "advance", "corpus", "lock", "user_id_of"]
