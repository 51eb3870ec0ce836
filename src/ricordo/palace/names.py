"""Names of closets and wings are made of what was said: those that only a redacted text accounts for are taken away."""

from __future__ import annotations

from uuid import UUID

from ricordo.database import Transaction
from ricordo.entries.terms import stem, term_hash, words
from ricordo.palace import name_store as store

_NEUTRAL = "Redacted"


async def forget_names(tx: Transaction, drawer: UUID, said: str) -> dict[str, int]:
    """Give the closet and the wing of a drawer a neutral name where the one they have holds a word of `said`, the text
    that was just redacted there, that none of their other drawers says any more; returns how many of each.

    A wing that a project, people or a conversation's title gave its name keeps it.
    """
    over = await store.names_over(tx, drawer)
    if over is None:
        return {}
    renamed = {"closets": 0, "wings": 0}
    spoken = _stems(said, over.language)
    in_closet = _stems(over.closet_name, over.language) & spoken
    if await _gone(tx, in_closet, over.room, over.closet, None):
        await store.rename_closet(tx, over.room, over.closet, _NEUTRAL, f"redacted-{over.closet}")
        renamed["closets"] = 1
    if over.wing_kind == "topic":
        titled = _stems(" ".join(await store.titles(tx, over.wing)), over.language)
        in_wing = _stems(over.wing_name, over.language) & spoken - titled
        if await _gone(tx, in_wing, None, None, over.wing):
            await store.rename_wing(tx, over.wing, _NEUTRAL, f"redacted-{over.wing}")
            renamed["wings"] = 1
    return renamed


async def _gone(tx: Transaction, stems: set[str], room: int | None, closet: int | None, wing: int | None) -> bool:
    """Whether one of these is said nowhere any more in the closet, or in the wing."""
    hashes = {term_hash(each) for each in stems}
    return bool(hashes - await store.terms_said(tx, sorted(hashes), room, closet, wing)) if hashes else False


def _stems(text: str, language: str) -> set[str]:
    return {stem(each, language) for each in words(text)}
