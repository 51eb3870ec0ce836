"""Turns whose source edited them: the new text in the same drawer, and the old one in the history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from ricordo.audit import Actor, log
from ricordo.database import Transaction
from ricordo.keywords import Indexed
from ricordo.memories import drawer_store, loose_store
from ricordo.memories.drawer_store import Edited
from ricordo.text import memory_terms, term_count
from ricordo.vectors import forget_room_vector, renew_next


@dataclass(frozen=True)
class TurnVersion:
    """A text of a turn, and when a device stored it first."""

    at: datetime
    text: str


def united(*histories: Iterable[TurnVersion]) -> list[TurnVersion]:
    """The versions of a turn on several devices as one history, whatever the order in which they come: each text once,
    from the moment at which the first device stored it. The last one is current."""
    first: dict[str, datetime] = {}
    for each in (version for history in histories for version in history):
        first[each.text] = min(each.at, first.get(each.text, each.at))
    return [TurnVersion(at, text) for at, text in sorted((at, text) for text, at in first.items())]


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
        if turn is not None:
            changed.append((turn, await _change(tx, user_id, turn, text, text_hash, language)))
    await _finish(tx, user_id, changed, Actor("user"), "edited")
    return changed


async def unite_turns(
    tx: Transaction,
    user_id: UUID,
    versions: Mapping[UUID, tuple[Sequence[TurnVersion], int]],
    language: str,
    actor: Actor,
) -> list[tuple[Edited, int]]:
    """Let these turns, by their ids, have just these versions, the last of which is current and comes with the hash of
    its text; returns those whose text changed, as `edit_turns` does. A redacted turn stays redacted."""
    changed: list[tuple[Edited, int]] = []
    for id, (history, text_hash) in versions.items():
        turn = await drawer_store.live_turn(tx, id)
        if turn is None:
            continue
        latest = history[-1]
        if latest.text != turn.content:
            changed.append((turn, await _change(tx, user_id, turn, latest.text, text_hash, language)))
        earlier = [(each.text, dict[str, str](), each.at, after.at, "user") for each, after in pairwise(history)]
        await loose_store.put_versions(tx, user_id, id, earlier)
        await drawer_store.stored_first(tx, id, history[0].at, is_edited=bool(earlier))
    await _finish(tx, user_id, changed, actor, "synced")
    return changed


async def _change(tx: Transaction, user_id: UUID, turn: Edited, text: str, text_hash: int, language: str) -> int:
    """Let a turn say something else, and keep what it said; returns how many more search terms it has."""
    before = await drawer_store.term_count(tx, turn.room, turn.drawer)
    await loose_store.unindex(tx, turn.room, turn.drawer)
    await renew_next(tx, user_id, turn.room, turn.drawer)
    await loose_store.keep_version(tx, user_id, turn.id, turn.content, {}, turn.created_at, "user")
    terms = memory_terms(text, turn.speaker, turn.said_at, language)
    await drawer_store.change_turn(tx, turn.id, text, text_hash)
    await drawer_store.index(tx, user_id, [Indexed(turn.room, turn.drawer, terms)])
    return term_count(terms) - before


async def _finish(
    tx: Transaction, user_id: UUID, changed: Sequence[tuple[Edited, int]], actor: Actor, source: str
) -> None:
    # Rooms last: whoever makes vectors locks them last too.
    for room in sorted({turn.room for turn, _ in changed}):
        await forget_room_vector(tx, user_id, room)
    if changed:
        ids = list({turn.id: None for turn, _ in changed})
        await log(tx, user_id, actor, "edit", ids, {"fields": ["content"], "source": source})
