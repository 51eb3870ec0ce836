"""The SQL of editing: names and keys of wings, where rooms stand and stood, and the closets of a room."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction, execute_each
from ricordo.palace.store import Kind, WingRow


@dataclass(frozen=True)
class ClosetRow:
    """A closet; `aliases` are the slugs of closets that were merged into it, or that it had itself."""

    closet: int
    name: str
    slug: str
    aliases: tuple[str, ...]


async def wing(tx: Transaction, number: int) -> WingRow | None:
    """The wing of this number, or the one that it was merged into."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT wing, kind, name, slug, edited FROM wings
            WHERE wing = (SELECT coalesce(merged_into, wing) FROM wings WHERE wing = %s)
            """,
            [number],
        )
        return await cursor.fetchone()


async def wing_of_keys(tx: Transaction, keys: Sequence[str]) -> WingRow | None:
    """The wing that has one of these keys; of several the one that has the earliest of them."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT s.wing, s.kind, s.name, s.slug, s.edited
            FROM wing_keys k JOIN wings w USING (user_id, wing)
            JOIN wings s ON s.user_id = w.user_id AND s.wing = coalesce(w.merged_into, w.wing)
            WHERE k.key = ANY(%s) ORDER BY array_position(%s::text[], k.key) LIMIT 1
            """,
            [list(keys), list(keys)],
        )
        return await cursor.fetchone()


async def wings_named(tx: Transaction, name: str) -> list[WingRow]:
    """The wings that are called so, case ignored."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT wing, kind, name, slug, edited FROM wings
            WHERE merged_into IS NULL AND lower(%s) IN (lower(name), slug) ORDER BY wing
            """,
            [name],
        )
        return await cursor.fetchall()


async def wings_below(tx: Transaction, name: str) -> list[WingRow]:
    """The wings of repositories whose last part is called so, case ignored; of several at most ten."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT wing, kind, name, slug, edited FROM wings
            WHERE merged_into IS NULL AND kind = 'project' AND right(lower(name), length(%(end)s)) = lower(%(end)s)
            ORDER BY wing LIMIT 10
            """,
            {"end": f"/{name}"},
        )
        return await cursor.fetchall()


async def wing_of_path(tx: Transaction, path: str) -> WingRow | None:
    """The wing of the repository at this path, unless it is that of a remote by now."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT w.wing, w.kind, w.name, w.slug, w.edited FROM wing_keys k JOIN wings w USING (user_id, wing)
            WHERE k.key = %s AND w.kind = 'project' AND w.merged_into IS NULL
              AND NOT EXISTS (SELECT FROM wing_keys o WHERE (o.user_id, o.wing) = (w.user_id, w.wing)
                              AND o.key ~ '^[^/[:space:]]+[.][^/[:space:]]+/')
            """,
            [path],
        )
        return await cursor.fetchone()


async def add_keys(tx: Transaction, user_id: UUID, wing: int, keys: Sequence[str]) -> None:
    """Let a wing be found by these keys too, save those that lead to another one."""
    await execute_each(
        tx,
        "INSERT INTO wing_keys (user_id, key, wing) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [(user_id, key, wing) for key in keys],
    )


async def name_wing(tx: Transaction, wing: int, kind: Kind, name: str, slug: str, edited: bool) -> None:
    await tx.execute(
        "UPDATE wings SET kind = %s, name = %s, slug = %s, edited = edited OR %s WHERE wing = %s",
        [kind, name, slug, edited, wing],
    )


async def merge_wing(tx: Transaction, wing: int, into: int) -> None:
    """Let a wing, and those merged into it before, lead to another one."""
    await tx.execute("UPDATE wings SET merged_into = %s WHERE %s IN (wing, merged_into)", [into, wing])


async def unmerge_wing(tx: Transaction, wing: int) -> int | None:
    """Let a wing stand by itself again, as an edited one; returns the wing that it was merged into, None where it was
    not."""
    cursor = await tx.execute("SELECT merged_into FROM wings WHERE wing = %s", [wing])
    row = await cursor.fetchone()
    if row is None or row[0] is None:
        return None
    await tx.execute("UPDATE wings SET merged_into = NULL, edited = true WHERE wing = %s", [wing])
    return int(row[0])


async def merged(tx: Transaction) -> dict[int, list[int]]:
    """The wings that were merged into each wing."""
    cursor = await tx.execute(
        "SELECT merged_into, array_agg(wing ORDER BY wing) FROM wings WHERE merged_into IS NOT NULL GROUP BY 1"
    )
    return dict(await cursor.fetchall())


async def pairs(tx: Transaction) -> list[WingRow]:
    """The wings of several people that are named by mining."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT wing, kind, name, slug, edited FROM wings
            WHERE kind = 'person' AND merged_into IS NULL AND NOT edited AND name LIKE '%% & %%' ORDER BY wing
            """
        )
        return await cursor.fetchall()


async def make_personal(tx: Transaction, keys: Sequence[str]) -> None:
    """Let topics that have one of these keys be people, unless the user named them."""
    await tx.execute(
        """
        UPDATE wings w SET kind = 'person' FROM wing_keys k
        WHERE k.user_id = w.user_id AND k.wing = w.wing AND k.key = ANY(%s) AND w.kind = 'topic' AND NOT w.edited
        """,
        [list(keys)],
    )


async def rooms_of(tx: Transaction, wing: int) -> list[int]:
    cursor = await tx.execute("SELECT room FROM rooms WHERE wing = %s ORDER BY room", [wing])
    return [row[0] async for row in cursor]


async def rooms_from(tx: Transaction, wing: int, former: int) -> list[int]:
    """The rooms of a wing that stood in another one before."""
    cursor = await tx.execute(
        """
        SELECT r.room FROM rooms r JOIN former_places f USING (user_id, room)
        WHERE r.wing = %s AND f.wing = %s ORDER BY r.room
        """,
        [wing, former],
    )
    return [row[0] async for row in cursor]


async def move_rooms(tx: Transaction, user_id: UUID, rooms: Sequence[int], wing: int) -> None:
    """Put rooms into a wing; pointers to where they stood stay valid."""
    cursor = await tx.execute("SELECT room, wing FROM rooms WHERE room = ANY(%s) AND wing <> %s", [list(rooms), wing])
    await execute_each(
        tx,
        "INSERT INTO former_places (user_id, room, wing) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [(user_id, *place) async for place in cursor],
    )
    await tx.execute("UPDATE rooms SET wing = %s WHERE room = ANY(%s)", [wing, list(rooms)])


async def wings_of(tx: Transaction, id: UUID) -> list[WingRow]:
    """The wings in which the turn or the conversation of this id stands; none for other memories."""
    async with tx.cursor(row_factory=class_row(WingRow)) as cursor:
        await cursor.execute(
            """
            SELECT DISTINCT w.wing, w.kind, w.name, w.slug, w.edited FROM rooms r JOIN wings w USING (user_id, wing)
            WHERE r.room IN (SELECT room FROM memories WHERE id = %(id)s)
               OR r.conversation IN (SELECT conversation FROM conversations WHERE id = %(id)s)
            """,
            {"id": id},
        )
        return await cursor.fetchall()


async def wing_of_room(tx: Transaction, room: int, wing: int) -> int | None:
    """The wing that a room stands in, given one where it stands or stood once; None where it never stood there."""
    cursor = await tx.execute(
        """
        SELECT r.wing FROM rooms r WHERE r.room = %s AND NOT r.is_forgotten
        AND (r.wing = %s OR EXISTS (
            SELECT FROM former_places f WHERE f.user_id = r.user_id AND f.room = r.room AND f.wing = %s))
        """,
        [room, wing, wing],
    )
    row = await cursor.fetchone()
    return row[0] if row else None


async def closets(tx: Transaction, room: int) -> list[ClosetRow]:
    cursor = await tx.execute("SELECT closet, name, slug, aliases FROM closets WHERE room = %s ORDER BY closet", [room])
    return [ClosetRow(closet, name, slug, tuple(aliases)) async for closet, name, slug, aliases in cursor]


async def put_closet(tx: Transaction, user_id: UUID, room: int, row: ClosetRow) -> None:
    """Make a closet as `row` says, or change the one of that number."""
    await put_closets(tx, user_id, room, [row])
    if row.aliases:
        await tx.execute(
            "UPDATE closets SET aliases = %s WHERE room = %s AND closet = %s", [list(row.aliases), room, row.closet]
        )


async def put_closets(tx: Transaction, user_id: UUID, room: int, rows: Sequence[ClosetRow]) -> None:
    """Make closets with these names and slugs and without aliases, or change those of their numbers."""
    await execute_each(
        tx,
        """
        INSERT INTO closets (user_id, room, closet, name, slug, aliases) VALUES (%s, %s, %s, %s, %s, '{}')
        ON CONFLICT (user_id, room, closet) DO UPDATE
        SET name = excluded.name, slug = excluded.slug, aliases = excluded.aliases
        """,
        [(user_id, room, each.closet, each.name, each.slug) for each in rows],
    )


async def closets_before(tx: Transaction, room: int, drawer: int) -> set[int]:
    """The closets that hold drawers before this one."""
    cursor = await tx.execute("SELECT DISTINCT closet FROM memories WHERE room = %s AND drawer < %s", [room, drawer])
    return {row[0] async for row in cursor}


async def set_closets_aside(tx: Transaction, room: int, kept: Collection[int]) -> None:
    """Free the slugs of a room's closets, save some, so that they can be given anew."""
    await tx.execute(
        "UPDATE closets SET slug = ' ' || closet WHERE room = %s AND closet <> ALL(%s)", [room, list(kept)]
    )


async def drop_closets(tx: Transaction, room: int, closets: Sequence[int]) -> None:
    """Remove closets that no drawer stands in."""
    if closets:
        await tx.execute("DELETE FROM closets WHERE room = %s AND closet = ANY(%s)", [room, list(closets)])


async def into_closet(tx: Transaction, room: int, drawers: Sequence[int], closet: int) -> None:
    await tx.execute(
        "UPDATE memories SET closet = %s WHERE room = %s AND drawer = ANY(%s) AND closet <> %s",
        [closet, room, list(drawers), closet],
    )


async def drawers_of(tx: Transaction, room: int, closet: int) -> list[int]:
    cursor = await tx.execute("SELECT drawer FROM memories WHERE room = %s AND closet = %s", [room, closet])
    return [row[0] async for row in cursor]


async def drop_empty_closets(tx: Transaction, room: int) -> None:
    await tx.execute(
        """
        DELETE FROM closets c WHERE room = %s AND NOT EXISTS (
            SELECT FROM memories m WHERE m.user_id = c.user_id AND m.room = c.room AND m.closet = c.closet)
        """,
        [room],
    )


async def mark_edited(tx: Transaction, room: int) -> None:
    """Note that the user changed a room's closets."""
    await tx.execute("UPDATE rooms SET edited = true WHERE room = %s", [room])
