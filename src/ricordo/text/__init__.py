"""Text to search terms: tokens, languages, rule patterns, and all word lists.

Each word list is a module of its own, imported where it is used, so that a recall loads only those that it needs:
`asking_words`, `calendar_words`, `english`, `given_names`, `kinds`, `organizations`, `places`, `plain`, `pronouns`,
`small_talk`, `spelled`, `talk_words`.
"""

from ricordo.text.decisions import BINDS, DECISION, clearness_of, decision_in, given_up, leaning_in, may_decide
from ricordo.text.language import closest, detect, of_words
from ricordo.text.one_line import written_out
from ricordo.text.passing import EXCEPTION
from ricordo.text.patterns import Caseless, any_of, lazy, unnamed
from ricordo.text.stopwords import ENGLISH, NAMELESS
from ricordo.text.terms import (
    WORD,
    fold,
    is_indexed,
    loose_terms,
    memory_terms,
    stem,
    term_count,
    term_hash,
    terms,
    variants,
    words,
)
from ricordo.text.tokens import budget, tokens_in
from ricordo.text.visible import visible

__all__ = [
    "BINDS",
    "DECISION",
    "ENGLISH",
    "EXCEPTION",
    "NAMELESS",
    "WORD",
    "Caseless",
    "any_of",
    "budget",
    "clearness_of",
    "closest",
    "decision_in",
    "detect",
    "fold",
    "given_up",
    "is_indexed",
    "lazy",
    "leaning_in",
    "loose_terms",
    "may_decide",
    "memory_terms",
    "of_words",
    "stem",
    "term_count",
    "term_hash",
    "terms",
    "tokens_in",
    "unnamed",
    "variants",
    "visible",
    "words",
    "written_out",
]
