"""Whether a store is sound: what its tables must have in common, and that each memory's terms are those of its text."""

from __future__ import annotations

from collections.abc import Sequence

from ricordo import keywords, text
from ricordo.archive import soundness_store as store
from ricordo.database import Transaction
from ricordo.models import Soundness, Unsound

#: Memories that are compared with their terms at a time, and rows that a finding shows.
_BATCH, _SHOWN = 1000, 3
_TERMS = "memories with other terms than their text has"


async def examine(tx: Transaction, *, terms: bool = True) -> Soundness:
    """Every rule that the transaction's rows break: a user's own, or all where a superuser asks. With `terms` the terms
    of every memory are made again and compared, which takes some 10 s for 100,000 of them."""
    found = []
    for rule in store.RULES:
        rows = await store.breaking(tx, rule)
        if rows:
            found.append(_finding(rule, rows))
    if terms:
        wrong = [row[:3] async for batch in store.indexed(tx, _BATCH) for row in batch if not _fits(row)]
        if wrong:
            found.append(_finding(_TERMS, wrong))
    return Soundness(rules=len(store.RULES) + terms, found=tuple(found))


def _finding(rule: str, rows: Sequence[Sequence[object]]) -> Unsound:
    return Unsound(rule=rule, rows=len(rows), examples=tuple(str(tuple(row))[:200] for row in rows[:_SHOWN]))


def _fits(memory: store.Indexed) -> bool:
    _, _, _, content, speaker, said_at, language, is_drawer, hashes, frequencies, lengths = memory
    made = text.memory_terms(content, speaker, said_at, language) if is_drawer else text.loose_terms(content)
    times, length = keywords.counted(made)
    return times == dict(zip(hashes, frequencies, strict=True)) and (not times or lengths == [length])
