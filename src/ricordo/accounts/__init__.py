"""Users: who owns every row."""

from ricordo.accounts.store import Corpus, Account, advance, corpus, lock, user_id_of

__all__ = ["Corpus", "Account", "advance", "corpus", "lock", "user_id_of"]
