"""Pointers of other devices of a synced memory: where what they name stands here."""

from __future__ import annotations

from ricordo.database import Transaction
from ricordo.errors import NotFound
from ricordo.palace import foreign_store as store
from ricordo.palace.pointer import Pointer


async def located(tx: Transaction, text: str, argument: str = "pointer") -> Pointer:
    """The pointer in this text, with the numbers of this store. Raises InvalidInput, which names the argument,
    and NotFound for what another device has and this one has not."""
    pointer = Pointer.parse(text, argument)
    if pointer.device is None or await store.is_own(tx, pointer.device):
        return Pointer(pointer.wing, pointer.room, pointer.drawer)
    place = await store.place(tx, pointer.device, pointer.wing, pointer.room, pointer.drawer)
    if place is None:
        raise NotFound(
            f"{pointer} not found: it was not synced, or the device {pointer.device!r:.100} is unknown; "
            "list devices with `ricordo sync status`"
        )
    wing, room, drawer = place
    return Pointer(wing, None if pointer.room is None else room, None if pointer.drawer is None else drawer)
