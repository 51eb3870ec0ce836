"""Names of closets and wings are made of what was said: those that only a redacted text accounts for are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts
from ricordo.database import Transaction
from ricordo.palace import emptied_store
from ricordo.palace import name_store as store
from ricordo.text import stem, term_hash, words

_NEUTRAL = "Redacted"


async def forget_emptied(tx: Transaction, rooms: Sequence[int]) -> dict[str, int]:
    """Let those of these rooms that hold no text any more be forgotten, and the conversations and wings that have no
    other rooms: they lose their names and are in no list. Returns how many of each. The user's account must be locked.
    """
    gone = await emptied_store.forget_rooms(tx, rooms)
    if not gone:
        return {}
    conversations = await emptied_store.forget_conversations(tx, gone)
    wings = await emptied_store.forget_wings(tx, gone)
    await accounts.keep_names(tx, await emptied_store.users_spoken(tx))
    return {"rooms": len(gone), "conversations": len(conversations), "wings": wings}


async def forget_names(tx: Transaction, drawer: UUID, said: str) -> dict[str, int]:
    """Give the closet and the wing of a drawer a neutral name where the one they have holds a word of `said`, the text
    that was just redacted there, that none of their other drawers says any more; returns how many of each.

    Former names and spellings that hold such a word are forgotten too. A wing that a project, people or a
    conversation's title gave its name keeps it.
    """
    over = await store.names_over(tx, drawer)
    if over is None:
        return {}
    renamed = {"closets": 0, "wings": 0}
    spoken = {each: stem(each, over.language) for each in words(said)}
    aliases = " ".join(over.closet_aliases)
    gone = await _gone(tx, over, spoken, over.closet_name, aliases, in_closet=True)
    if gone & _stems(over.closet_name, over.language):
        await store.rename_closet(tx, over.room, over.closet, _NEUTRAL, f"redacted-{over.closet}")
        renamed["closets"] = 1
    elif gone:
        kept = [each for each in over.closet_aliases if not _holds(each, gone, spoken)]
        await store.keep_aliases(tx, over.room, over.closet, kept)
    titled = _stems(" ".join(await store.givers_of_names(tx, over.wing)), over.language)
    spoken = {word: stemmed for word, stemmed in spoken.items() if stemmed not in titled}
    former = await store.former_names(tx, over.wing)
    gone = await _gone(tx, over, spoken, over.wing_name, " ".join(former), in_closet=False)
    if gone & _stems(over.wing_name, over.language) and over.wing_kind in ("topic", "person"):
        await store.rename_wing(tx, over.wing, _NEUTRAL, f"redacted-{over.wing}")
        renamed["wings"] = 1
    elif over.wing_kind not in ("topic", "person"):
        gone -= _stems(over.wing_name, over.language)
    await store.forget_former_names(tx, over.wing, [each for each in former if _holds(each, gone, spoken)], _NEUTRAL)
    return renamed


async def _gone(
    tx: Transaction, over: store.Over, spoken: dict[str, str], name: str, former: str, in_closet: bool
) -> set[str]:
    """The stems of what was `spoken` that stand in a name or in former ones, and are said nowhere any more in the
    closet, or in the wing."""
    former = former.lower()
    named = {each for word, each in spoken.items() if word in former} | _stems(name, over.language) & set(
        spoken.values()
    )
    if not named:
        return set()
    hashes = {term_hash(each): each for each in named}
    place = (over.room, over.closet, None) if in_closet else (None, None, over.wing)
    said = await store.terms_said(tx, sorted(hashes), *place)
    return {each for number, each in hashes.items() if number not in said}


def _holds(key: str, gone: set[str], spoken: dict[str, str]) -> bool:
    """Whether a former name holds a word that is gone; its words may stand without spaces."""
    return any(word in key.lower() for word, stemmed in spoken.items() if stemmed in gone)


def _stems(text: str, language: str) -> set[str]:
    return {stem(each, language) for each in words(text)}
