"""Where another device's turns stand in this palace, and its decisions about wings, rooms and closets.

Rooms and wings have numbers of their own on every device. A wing is named by the keys of its spellings, a room by its
first turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from ricordo import accounts, palace
from ricordo.database import Transaction
from ricordo.errors import InvalidInput, NotFound
from ricordo.palace import Pointer
from ricordo.sync import judging
from ricordo.sync import sync_store as store
from ricordo.sync.noticing import wing_digest
from ricordo.sync.records import Wings, parted, turn_key
from ricordo.sync.sync_store import Known, Note


async def place(
    tx: Transaction, user_id: UUID, device: UUID, conversation: str, turns: Sequence[int], wing: Mapping[str, Any]
) -> None:
    """Let the rooms of turns that arrived stand in the wing in which they stand on their device, unless a room was here
    before, where it may have been moved."""
    if not wing["keys"]:
        return
    for number, room, first in await store.rooms_of(tx, conversation, turns):
        key = turn_key(conversation, first)
        if key in await store.known(tx, "room", [key]):
            continue
        wings = await Wings.load(tx)
        if wings.found(wing) != number:
            await _move(tx, user_id, (number, room), wing, wings)
        await store.note(tx, user_id, device, [Note("room", key, digest=wing_digest(wing))])


async def carry_out(tx: Transaction, user_id: UUID, known: Known, conflicts: list[str]) -> bool:
    """Carry out a decision; False where what it is about has not arrived. A decision that cannot stand beside another
    one is told in `conflicts`, and counts as carried out."""
    assert known.value is not None
    try:
        async with tx.transaction():  # a savepoint
            match known.kind:
                case "wing":
                    return await _wing(tx, user_id, known)
                case "entity" | "fact" | "decision":
                    return await judging.carry_out(tx, user_id, known)
                case "room":
                    return await _room(tx, user_id, known.key, known.value["wing"])
                case _:
                    return await _closets(tx, user_id, known.key, known.value["closets"])
    except (InvalidInput, NotFound) as error:
        conflicts.append(f"{await title(tx, known)} and could not be carried out: {error}")
        return True


async def title(tx: Transaction, known: Known) -> str:
    """What was changed, as the beginning of a sentence."""
    match known.kind:
        case "wing":
            number = (await Wings.load(tx)).of_key(known.key)
            return f"wing {Pointer(number) if number else known.key} was edited"
        case "entity":
            return f"entity {known.key} was changed"
        case "fact":
            return "a fact was entered"
    turn = judging.turn_of(known.key) if known.kind == "decision" else known.key
    if turn is None:
        return "the decision about a fact that you entered was changed"
    where = await store.room_of(tx, *parted(turn))
    place = Pointer(*where) if where else parted(turn)[0]
    if known.kind == "decision":
        return f"the decision about a fact in room {place} was changed"
    return f"room {place} {'was moved' if known.kind == 'room' else 'was rearranged'}"


async def _wing(tx: Transaction, user_id: UUID, known: Known) -> bool:
    wings, value = await Wings.load(tx), known.value or {}
    number = wings.of_key(known.key)
    if number is None:
        return False
    row = wings.rows[number]
    if value["into"] is None:
        if row["merged_into"] is not None:
            await palace.unmerge_wing(tx, user_id, str(Pointer(number)))
        if value["name"] is not None and value["name"] != row["name"]:
            await palace.rename_wing(tx, user_id, str(Pointer(number)), value["name"])
        return True
    target = wings.found(value["into"])
    if target is None:
        return False
    if target == wings.root(number):
        if target != number:
            return True
        # The other one was merged into this one here: the later decision counts.
        other = next(each for key in value["into"]["keys"] if (each := wings.of_key(key)) is not None)
        if other == number:
            return True  # one wing has the names of both
        theirs = await store.known(tx, "wing", wings.rows[other]["keys"])
        if any(each.stamp and known.stamp and each.stamp > known.stamp for each in theirs.values()):
            names = f"{Pointer(number)} and {Pointer(other)}"
            raise InvalidInput("into", f"{names} were merged into each other, and the later merge counts")
        await palace.unmerge_wing(tx, user_id, str(Pointer(other)))
        target = other
    elif row["merged_into"] is not None:
        await palace.unmerge_wing(tx, user_id, str(Pointer(number)))
    await palace.merge_wings(tx, user_id, str(Pointer(number)), str(Pointer(target)))
    return True


async def _room(tx: Transaction, user_id: UUID, key: str, wing: Mapping[str, Any]) -> bool:
    where = await store.room_of(tx, *parted(key))
    if where is None:
        return False
    wings = await Wings.load(tx)
    if wings.found(wing) != where[0]:
        await _move(tx, user_id, where, wing, wings)
    return True


async def _move(tx: Transaction, user_id: UUID, where: tuple[int, int], wing: Mapping[str, Any], wings: Wings) -> None:
    target = wings.found(wing)
    if target is None:  # a new one, whose name nobody chose here
        target = await accounts.take_wing(tx, user_id)
        subject = palace.Subject(wing["kind"], wing["name"], palace.slug(wing["name"]))
        await palace.add_wing(tx, user_id, target, subject, wing["keys"])
    await palace.move_room(tx, user_id, str(Pointer(*where)), str(Pointer(target)), new=False)


async def _closets(tx: Transaction, user_id: UUID, key: str, closets: list[Mapping[str, Any]]) -> bool:
    conversation, first = parted(key)
    where = await store.room_of(tx, conversation, first)
    if where is None:
        return False
    for closet in closets:
        standing = await store.drawers_of_turns(tx, where[1], closet["turns"])
        if standing:
            pointers = [str(Pointer(where[0], where[1], drawer)) for drawer in standing]
            await palace.move_drawers(tx, user_id, pointers, closet["name"])
    return True
