"""Turns whose source edited them: the new text in the same drawer, and the old one in the history."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.keywords import Indexed
from ricordo.memories import drawer_store, loose_store
from ricordo.memories.drawer_store import Edited
from ricordo.text import memory_terms
from ricordo.vectors import forget_room_vector, renew_next


async def edit_turns(
    tx: Transaction, user_id: UUID, conversation: int, texts: Sequence[tuple[int, int, str]], language: str
) -> list[tuple[Edited, int]]:
    """Store what these turns, given as (key, hash of the text, text), say now; returns those that changed, each with
    how many more search terms it has.

    A redacted turn stays redacted, and a text that a turn had before is an older version: neither changes anything.
    The user's account must be locked, and no room.
    """
    changed: list[tuple[Edited, int]] = []
    for key, text_hash, text in texts:
        turn = await drawer_store.edited_turn(tx, conversation, key, text)
        if turn is None:
            continue
        before = await drawer_store.term_count(tx, turn.room, turn.drawer)
        await loose_store.unindex(tx, turn.room, turn.drawer)
        await renew_next(tx, user_id, turn.room, turn.drawer)
        await loose_store.keep_version(tx, user_id, turn.id, turn.content, {}, turn.created_at, "user")
        terms = memory_terms(text, turn.speaker, turn.said_at, language)
        await drawer_store.change_turn(tx, turn.id, text, text_hash)
        await drawer_store.index(tx, user_id, [Indexed(turn.room, turn.drawer, terms)])
        changed.append((turn, len(terms) - before))
    # Rooms last: whoever makes vectors locks them last too.
    for room in sorted({turn.room for turn, _ in changed}):
        await forget_room_vector(tx, user_id, room)
    if changed:
        ids = list({turn.id: None for turn, _ in changed})
        await log(tx, user_id, Actor("user"), "edit", ids, {"fields": ["content"], "source": "edited"})
    return changed
