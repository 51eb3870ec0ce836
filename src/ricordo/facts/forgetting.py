"""Redacting and forgetting, with all that was made of the texts: names, relations, vectors. One memory or many.

A turn's row stays when it is forgotten, so that the pointers beside it stay the same; its text, and everything that was
derived from it, goes. What a forgetting leaves empty (rooms, conversations, wings) loses its name and is in no list.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID

from ricordo import accounts, audit, memories, palace
from ricordo.audit import Actor, receipts
from ricordo.database import Transaction
from ricordo.errors import memory_not_found
from ricordo.facts import graph
from ricordo.memories import Going, Wanted, forgetting_store
from ricordo.models import Entry, Forgotten, RemovalReceipt
from ricordo.review import queue
from ricordo.vectors import forget_room_vector, renew_following


async def take_away(
    tx: Transaction,
    user_id: UUID,
    user: str,
    said: Entry,
    action: Literal["redact", "forget"],
    reason: str | None,
    actor: Actor,
) -> RemovalReceipt:
    """Redact or forget one memory, with the names and relations that only it accounts for. Raises NotFound."""
    if said.kind == "drawer":
        account = await accounts.lock(tx, user_id, user)
    change = memories.redact if action == "redact" else memories.forget
    receipt = await change(tx, user_id, said.id, reason, actor)
    if said.kind != "drawer" or not receipt.done:
        return receipt
    names = await palace.forget_names(tx, said.id, said.content)
    drawn = await graph.forget(tx, said.id, [user, *account.names])
    _, room, drawer = await memories.locked(tx, said.id)
    emptied = await palace.forget_emptied(tx, [room]) if action == "forget" else {}
    left = await receipts.checked(tx, [said.id], [(room, drawer)])
    removed = {**receipt.removed, **names, **drawn, **{name: count for name, count in emptied.items() if count}}
    return receipt.model_copy(update={"action": action, "removed": removed, "checked": left})


async def count(tx: Transaction, wanted: Wanted) -> Forgotten:
    """How much there is to forget. Nothing is changed. Raises NotFound."""
    await _require_known(tx, wanted)
    going = await forgetting_store.chosen(tx, wanted, lock=False)
    held = await _held(tx, wanted)
    return Forgotten(done=False, dry_run=True, memories=_by_kind(going, held), conversations=_conversations(going))


async def forget_all(
    tx: Transaction, user_id: UUID, user: str, wanted: Wanted, reason: str | None, actor: Actor
) -> tuple[Forgotten, list[str]]:
    """Forget everything that is wanted; returns the receipt and the texts that went. Raises NotFound."""
    await _require_known(tx, wanted)
    # Miners of this user wait: what comes while this runs is not half forgotten.
    account = await accounts.lock(tx, user_id, user)
    going = await forgetting_store.chosen(tx, wanted, lock=True)
    held = await _held(tx, wanted)
    if not going and not held:
        return Forgotten(done=False, reason="no stored memory matches"), []
    texts = [each.content for each in going]
    reason = await memories.remark(tx, reason, texts)
    ids, turns = [each.id for each in going], [each for each in going if each.room]
    removed: Counter[str] = Counter(memories=len(going), quarantined=len(held))
    await queue.remove_all(tx, held)
    removed["next_vectors"] = await renew_following(tx, user_id, [each.id for each in turns])
    removed.update(await forgetting_store.erase_traces(tx, ids))
    await forgetting_store.empty(tx, [each.id for each in turns])
    for room in sorted({each.room for each in turns}):
        removed.update(await forget_room_vector(tx, user_id, room))
    context = {"reason": reason} if reason else {}
    await audit.log(tx, user_id, actor, "forget", [*ids, *held], context)  # while the rows tell their agents
    removed.update(await _names(tx, turns))
    removed.update(await graph.forget_places(tx, [(each.room, each.drawer) for each in turns], [user, *account.names]))
    emptied = await palace.forget_emptied(tx, sorted({each.room for each in turns}))
    await forgetting_store.remove(tx, [each.id for each in going if not each.room])
    left = await receipts.checked(tx, [*ids, *held], [(each.room, each.drawer) for each in going])
    receipt = Forgotten(
        done=True,
        reason=reason,
        memories=_by_kind(going, held),
        conversations=_conversations(going),
        removed={place: rows for place, rows in sorted({**removed, **emptied}.items()) if rows},
        checked=left,
        remains=receipts.REMAINS,
    )
    return receipt, texts


async def _require_known(tx: Transaction, wanted: Wanted) -> None:
    """Raise NotFound for an id that no memory and no conversation has."""
    for id in await forgetting_store.unknown(tx, wanted.ids, wanted.reader):
        raise memory_not_found(id)


async def _names(tx: Transaction, turns: Sequence[Going]) -> Mapping[str, int]:
    """Take words that nobody says any more out of the names of closets and wings."""
    said: defaultdict[tuple[int, int | None], list[Going]] = defaultdict(list)
    for each in turns:
        said[each.room, each.closet].append(each)
    renamed: Counter[str] = Counter()
    for together in said.values():
        text = "\n".join(each.content for each in together)
        renamed.update(await palace.forget_names(tx, together[0].id, text))
    return renamed


async def _held(tx: Transaction, wanted: Wanted) -> list[UUID]:
    """Writes in the review queue that fit as well; they are no memories yet, so that none can be named."""
    if wanted.ids or wanted.places or wanted.conversation or wanted.import_id:
        return []
    return await queue.fitting(tx, wanted.kinds, wanted.source, wanted.since, wanted.until, wanted.reader)


def _by_kind(going: Sequence[Going], held: Sequence[UUID]) -> dict[str, int]:
    counted = dict(sorted(Counter(each.kind for each in going).items()))
    return counted | ({"held": len(held)} if held else {})


def _conversations(going: Sequence[Going]) -> int:
    return len({each.conversation for each in going if each.conversation is not None})
