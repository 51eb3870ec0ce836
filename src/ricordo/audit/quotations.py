"""Where a part of what was forgotten still stands: in memories, titles, reasons that quote it. Nothing is removed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from uuid import UUID

from ricordo import accounts
from ricordo.audit import absence_store, quotation_store
from ricordo.database import Transaction
from ricordo.text import ENGLISH, WORD, stem, term_hash, variants, words

#: So many words in a row are a part of a text; of a longer text than this holds hundreds of, a hundredth of it.
RUN, _RUNS = 5, 100
_WORD = re.compile(WORD)
#: Within JSON: line ends and the like, whose letters are no words.
_ESCAPED = re.compile(r"\\[bfnrt]")


class Parts:
    """The parts of texts by which a quotation of one is known: its runs of words, whatever stands between these."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._runs: dict[int, set[tuple[str, ...]]] = {}
        #: The words of each run that are no function words, and the longest of them, without which there is no run.
        self._told: set[frozenset[str]] = set()
        self.telling: set[str] = set()
        for text in texts:
            said = _said(text)
            size = min(max(RUN, len(said) // _RUNS), len(said))
            for run in _runs(said, size) if size >= 3 else ():
                told = frozenset(run) - ENGLISH
                if len(told) > 1:
                    self._runs.setdefault(size, set()).add(run)
                    self._told.add(told)
                    self.telling.add(max(told, key=len))

    def in_text(self, text: str) -> bool:
        """Whether a part stands in a text."""
        said = _said(_ESCAPED.sub(" ", text))
        return any(run in runs for size, runs in self._runs.items() for run in _runs(said, size))

    def terms(self, languages: Collection[str]) -> tuple[set[int], int]:
        """The search terms of the runs' words, and how many of them a memory in one of these languages has that holds
        a run: at least so many."""
        told = {part for word in frozenset().union(*self._told) for part in words(word)}
        least = min(
            len({stem(part, language) for word in run for part in words(word)})
            for run in self._told
            for language in languages
        )
        return {term_hash(form) for word in told for form in variants(word, languages)}, least


def _said(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _runs(said: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*(said[start:] for start in range(size)), strict=False))


async def parts(tx: Transaction, memory: UUID) -> Parts:
    """The parts of a memory's text, and of its earlier ones."""
    return Parts(await quotation_store.texts(tx, memory))


async def quoted(tx: Transaction, user_id: UUID, parts: Parts) -> dict[str, int]:
    """In how many of the user's rows a part still stands, by `table.column`; only where it does."""
    if not parts.telling:
        return {}
    languages = {*(await accounts.corpus(tx, user_id)).languages, "en"}
    terms, least = parts.terms(languages)
    found: Counter[str] = Counter()
    async for text in quotation_store.memories_with(tx, terms, least):
        found["memories.content"] += parts.in_text(text)
    for table, columns in (await absence_store.columns(tx)).items():
        async for column, text in quotation_store.rows_with(tx, table, columns, parts.telling):
            found[f"{table}.{column}"] += parts.in_text(text)
    return dict(sorted((+found).items()))
