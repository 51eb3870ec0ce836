"""Whether a store is sound: what its tables must have in common, and that each memory's terms are those of its text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ricordo import keywords, text
from ricordo.archive import soundness_store as store
from ricordo.database import Transaction, whole_tables
from ricordo.models import Inconsistency, Soundness

#: Memories that are compared with their terms at a time, and rows that a finding shows.
_BATCH, _SHOWN = 1000, 3
_TERMS = "memories whose search terms do not match their text"


async def examine(
    tx: Transaction, *, terms: bool = True, progress: Callable[[int, int], None] | None = None
) -> Soundness:
    """Every rule that the transaction's rows break: a user's own, or all rows where a superuser asks. With `terms`, the
    terms of every memory are made again and compared, which takes about 10 s for 100,000 memories.

    `progress` receives the number of rules examined so far, and of all rules.
    """
    found, rules = [], len(store.RULES) + terms
    async with whole_tables(tx):
        for done, rule in enumerate(store.RULES, 1):
            rows = await store.breaking(tx, rule)
            if rows:
                found.append(_finding(rule, rows))
            if progress is not None:
                progress(done, rules)
        if terms:
            wrong: list[tuple[object, ...]] = []
            async for batch in store.indexed(tx, _BATCH):
                wrong += await asyncio.to_thread(_unfit, batch)
            if wrong:
                found.append(_finding(_TERMS, wrong))
            if progress is not None:
                progress(rules, rules)
    return Soundness(rules=rules, found=tuple(found))


def _finding(rule: str, rows: Sequence[Sequence[object]]) -> Inconsistency:
    return Inconsistency(rule=rule, rows=len(rows), examples=tuple(str(tuple(row))[:200] for row in rows[:_SHOWN]))


def _unfit(batch: Sequence[store.Indexed]) -> list[tuple[object, ...]]:
    """Where the memories are whose terms are not those of their texts."""
    return [row[:3] for row in batch if not _fits(row)]


def _fits(memory: store.Indexed) -> bool:
    _, _, _, content, speaker, said_at, language, is_drawer, hashes, frequencies, lengths = memory
    made = text.memory_terms(content, speaker, said_at, language) if is_drawer else text.loose_terms(content)
    times, length = keywords.counted(made)
    return times == dict(zip(hashes, frequencies, strict=True)) and (not times or lengths == [length])
