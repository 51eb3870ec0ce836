"""Names of closets and wings are made of what was said: those that only a redacted text accounts for are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo import accounts
from ricordo.database import Transaction
from ricordo.palace import emptied_store
from ricordo.palace import name_store as store
from ricordo.palace.spelling import keys
from ricordo.text import is_indexed, stem, term_hash, words

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
    # A function word stands in no index, so that none of the other drawers would seem to say it.
    spoken = {each: stem(each, over.language) for each in words(said) if is_indexed(each, over.language)}
    gone = await _gone(tx, over, spoken, over.closet_name, over.closet_aliases, in_closet=True)
    if gone & _stems(over.closet_name, over.language):
        await store.rename_closet(tx, over.room, over.closet, _NEUTRAL, f"redacted-{over.closet}")
        renamed["closets"] = 1
    elif gone:
        kept = [each for each in over.closet_aliases if not _holds(each, gone, spoken)]
        await store.keep_aliases(tx, over.room, over.closet, kept)
    titled = _stems(" ".join(await store.givers_of_names(tx, over.wing)), over.language)
    spoken = {word: stemmed for word, stemmed in spoken.items() if stemmed not in titled}
    former = await store.former_names(tx, over.wing)
    gone = await _gone(tx, over, spoken, over.wing_name, former, in_closet=False)
    if gone & _stems(over.wing_name, over.language) and over.wing_kind in ("topic", "person"):
        await store.rename_wing(tx, over.wing, _NEUTRAL, f"redacted-{over.wing}")
        renamed["wings"] = 1
    elif over.wing_kind not in ("topic", "person"):
        gone -= _stems(over.wing_name, over.language)
    # The keys of a name that stays say no more than it does, and without them the next conversation would not find it.
    standing = [] if renamed["wings"] else [*keys(over.wing_name, over.language), *keys(over.wing_name, proper=True)]
    over_with = [each for each in former if each not in standing and _holds(each, gone, spoken)]
    await store.forget_former_names(tx, over.wing, over_with, _NEUTRAL)
    return renamed


async def _gone(
    tx: Transaction, over: store.Over, spoken: dict[str, str], name: str, former: Sequence[str], in_closet: bool
) -> set[str]:
    """The stems of what was `spoken` that stand in a name or in former ones, and are said nowhere any more in the
    closet, or in the wing."""
    named = {each for word, each in spoken.items() if any(_says(former_name, word) for former_name in former)}
    named |= _stems(name, over.language) & set(spoken.values())
    if not named:
        return set()
    hashes = {term_hash(each): each for each in named}
    place = (over.room, over.closet, None) if in_closet else (None, None, over.wing)
    said = await store.terms_said(tx, sorted(hashes), *place)
    return {each for number, each in hashes.items() if number not in said}


def _holds(key: str, gone: set[str], spoken: dict[str, str]) -> bool:
    """Whether a former name holds a word that is gone."""
    return any(_says(key, word) for word, stemmed in spoken.items() if stemmed in gone)


def _says(name: str, word: str) -> bool:
    """Whether a former name says a word. Its words may stand without spaces, where a short one says nothing: "in" is in
    many a name."""
    return word in words(name) or (word in name.lower() and (len(word) > 2 or not word.isascii()))


def _stems(text: str, language: str) -> set[str]:
    return {stem(each, language) for each in words(text)}
