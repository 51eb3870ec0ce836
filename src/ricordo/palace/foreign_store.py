"""The SQL of places on other devices."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ricordo.database import Transaction, execute_each


async def is_own(tx: Transaction, device: str) -> bool:
    """Whether this store is the device of this name."""
    cursor = await tx.execute(
        "SELECT FROM sync_devices JOIN sync_memories USING (user_id, device) WHERE name = %s", [device]
    )
    return cursor.rowcount == 1


async def place(
    tx: Transaction, device: str, wing: int, room: int | None, drawer: int | None
) -> tuple[int, int, int] | None:
    """Where the first turn stands here (wing, room, drawer) of what another device has at a place."""
    cursor = await tx.execute(
        """
        SELECT r.wing, m.room, m.drawer FROM foreign_places f
        JOIN memories m ON m.user_id = f.user_id AND m.id = f.memory
        JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
        WHERE f.device = %(device)s AND (%(drawer)s::integer IS NULL OR f.drawer = %(drawer)s)
          AND CASE WHEN %(room)s::integer IS NULL THEN f.wing = %(wing)s ELSE f.room = %(room)s END
        ORDER BY f.room, f.drawer LIMIT 1
        """,
        {"device": device, "wing": wing, "room": room, "drawer": drawer},
    )
    return await cursor.fetchone()


async def note_places(
    tx: Transaction, user_id: UUID, device: str, wing: int, places: Sequence[tuple[int, int, UUID]]
) -> None:
    """Note where turns stand on another device: (room, drawer, id here) of each."""
    await execute_each(
        tx,
        "INSERT INTO foreign_places (user_id, device, wing, room, drawer, memory) VALUES (%s, %s, %s, %s, %s, %s) "
        "ON CONFLICT (user_id, device, room, drawer) DO UPDATE SET memory = excluded.memory, wing = excluded.wing",
        [(user_id, device, wing, *place) for place in places],
    )


async def forget_places(tx: Transaction) -> None:
    """Forget where turns stand on other devices."""
    await tx.execute("DELETE FROM foreign_places")
