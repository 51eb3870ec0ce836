"""The SQL of sync: what this device knows of the logs, and what in the store was not written to its own log yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction, execute_each

State = Literal["live", "held", "redacted", "forgotten", "refused"]


@dataclass(frozen=True)
class Synced:
    """This device's part in a synced memory."""

    memory: UUID
    device: UUID
    scope: dict[str, Any]
    base: int
    compact_by: datetime | None
    synced_at: datetime | None


@dataclass(frozen=True)
class Device:
    """A device, and the last segment of its log that was applied here (of this device's own: written)."""

    device: UUID
    name: str
    number: int
    hash: bytes
    shut_out: bool
    problem: str | None
    seen_at: datetime | None


@dataclass(frozen=True)
class Known:
    """What was synced of an object last."""

    kind: str
    key: str
    local: UUID | None
    state: State
    stamp: datetime | None
    digest: bytes | None
    mine: bool
    value: dict[str, Any] | None = None
    touched: datetime | None = None


async def synced(tx: Transaction, lock: bool = False) -> Synced | None:
    """This device's part; None where the user's memory is not synced. With `lock` no other sync begins."""
    async with tx.cursor(row_factory=class_row(Synced)) as cursor:
        await cursor.execute(
            "SELECT memory, device, scope, base, compact_by, synced_at FROM sync_memories"
            f"{' FOR UPDATE' if lock else ''}"
        )
        return await cursor.fetchone()


async def begin(tx: Transaction, user_id: UUID, memory: UUID, device: UUID, scope: Mapping[str, Any]) -> None:
    await tx.execute(
        "INSERT INTO sync_memories (user_id, memory, device, scope) VALUES (%s, %s, %s, %s)",
        [user_id, memory, device, Jsonb(dict(scope))],
    )


async def change_scope(tx: Transaction, scope: Mapping[str, Any]) -> None:
    await tx.execute("UPDATE sync_memories SET scope = %s", [Jsonb(dict(scope))])


async def change_device(tx: Transaction, device: UUID) -> None:
    await tx.execute("UPDATE sync_memories SET device = %s, base = 1", [device])


async def end(tx: Transaction) -> None:
    """Forget everything about sync."""
    for table in ("sync_segments", "sync_objects", "sync_devices", "sync_memories"):
        await tx.execute(f"DELETE FROM {table}".encode())


async def finish(tx: Transaction) -> None:
    await tx.execute("UPDATE sync_memories SET synced_at = now()")


async def compact_by(tx: Transaction, hours: float) -> None:
    """Let the own log be rewritten within so many hours, unless it is due earlier already."""
    await tx.execute("UPDATE sync_memories SET compact_by = least(compact_by, now() + %s * interval '1 hour')", [hours])


async def compacted(tx: Transaction, base: int) -> None:
    await tx.execute("UPDATE sync_memories SET compact_by = NULL, base = %s", [base])
    await tx.execute("DELETE FROM sync_segments WHERE number < %s", [base])


async def devices(tx: Transaction) -> list[Device]:
    async with tx.cursor(row_factory=class_row(Device)) as cursor:
        await cursor.execute(
            "SELECT device, name, number, hash, shut_out, problem, seen_at FROM sync_devices ORDER BY name"
        )
        return await cursor.fetchall()


async def add_device(tx: Transaction, user_id: UUID, device: UUID, name: str, hash: bytes) -> None:
    await tx.execute(
        "INSERT INTO sync_devices (user_id, device, name, hash) VALUES (%s, %s, %s, %s)", [user_id, device, name, hash]
    )


async def rename_device(tx: Transaction, device: UUID, name: str) -> None:
    await tx.execute("UPDATE sync_devices SET name = %s WHERE device = %s", [name, device])


async def advance(tx: Transaction, device: UUID, number: int, hash: bytes, at: datetime) -> None:
    """Note the last segment of a device's log."""
    await tx.execute(
        "UPDATE sync_devices SET number = %s, hash = %s, seen_at = %s, problem = NULL WHERE device = %s",
        [number, hash, at, device],
    )


async def rewind(tx: Transaction, own: UUID, hash: bytes) -> None:
    """Let the logs of all other devices be read again from their beginnings."""
    await tx.execute("UPDATE sync_devices SET number = 0, hash = %s WHERE device <> %s", [hash, own])


async def note_problem(tx: Transaction, device: UUID, problem: str | None) -> None:
    await tx.execute("UPDATE sync_devices SET problem = %s WHERE device = %s", [problem, device])


async def shut_out(tx: Transaction, devices: Sequence[UUID]) -> None:
    await tx.execute("UPDATE sync_devices SET shut_out = true WHERE device = ANY(%s)", [list(devices)])


async def put_segment(tx: Transaction, user_id: UUID, number: int, body: bytes) -> None:
    await tx.execute("INSERT INTO sync_segments (user_id, number, body) VALUES (%s, %s, %s)", [user_id, number, body])


async def waiting_segments(tx: Transaction) -> list[int]:
    cursor = await tx.execute("SELECT number FROM sync_segments ORDER BY number")
    return [number async for (number,) in cursor]


async def segment(tx: Transaction, number: int) -> bytes:
    cursor = await tx.execute("SELECT body FROM sync_segments WHERE number = %s", [number])
    row = await cursor.fetchone()
    return bytes(row[0]) if row else b""


async def drop_segment(tx: Transaction, number: int) -> None:
    await tx.execute("DELETE FROM sync_segments WHERE number = %s", [number])


async def known(tx: Transaction, kind: str, keys: Sequence[str] | None = None) -> dict[str, Known]:
    """What was synced of the objects of a kind, or of some of them."""
    async with tx.cursor(row_factory=class_row(Known)) as cursor:
        await cursor.execute(
            "SELECT kind, key, local, state, stamp, digest, mine, value, touched FROM sync_objects "
            "WHERE kind = %s AND (%s::text[] IS NULL OR key = ANY(%s))",
            [kind, None if keys is None else list(keys), None if keys is None else list(keys)],
        )
        return {each.key: each for each in await cursor.fetchall()}


async def key_of(tx: Transaction, kind: str, local: UUID) -> str | None:
    """The key that identifies a local object on all devices; of several the first one."""
    cursor = await tx.execute(
        "SELECT min(key) FROM sync_objects WHERE kind = %s AND local = %s AND state = 'live'", [kind, local]
    )
    row = await cursor.fetchone()
    return row[0] if row else None


@dataclass(frozen=True)
class Note:
    """What is to be known of an object from now on. A `mine` that is None leaves it as it is."""

    kind: str
    key: str
    local: UUID | None = None
    state: State = "live"
    stamp: datetime | None = None
    touched: datetime | None = None
    digest: bytes | None = None
    value: Mapping[str, Any] | None = None
    mine: bool | None = None


async def note(tx: Transaction, user_id: UUID, device: UUID, notes: Iterable[Note]) -> None:
    """Note what was written to a log, or applied from one. The last note about an object counts."""
    rows = list({(each.kind, each.key): each for each in notes}.values())
    if not rows:
        return
    await execute_each(
        tx,
        """
        INSERT INTO sync_objects AS o (user_id, device, kind, key, local, state, stamp, touched, digest, mine,
                                       value)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id, kind, key) DO UPDATE SET device = excluded.device,
            local = coalesce(excluded.local, o.local), state = excluded.state, stamp = excluded.stamp,
            touched = excluded.touched, digest = excluded.digest, mine = o.mine OR excluded.mine, value = excluded.value
        """,
        [
            (
                user_id,
                device,
                each.kind,
                each.key,
                each.local,
                each.state,
                each.stamp,
                each.touched,
                each.digest,
                bool(each.mine),
                None if each.value is None else Jsonb(dict(each.value)),
            )
            for each in rows
        ],
    )


async def pending(tx: Transaction) -> list[Known]:
    """Decisions about what has not arrived here, in the order in which they were made."""
    async with tx.cursor(row_factory=class_row(Known)) as cursor:
        await cursor.execute(
            "SELECT kind, key, local, state, stamp, digest, mine, value, touched FROM sync_objects "
            "WHERE value IS NOT NULL AND kind <> 'conflict' ORDER BY stamp, kind, key"
        )
        return await cursor.fetchall()


async def note_conflicts(tx: Transaction, user_id: UUID, device: UUID, conflicts: Sequence[str], most: int) -> None:
    """List conflicts for the person, and let the oldest ones go above so many."""
    at = await now(tx)
    await note(tx, user_id, device, [Note("conflict", each, stamp=at, value={}) for each in conflicts])
    await tx.execute(
        "DELETE FROM sync_objects WHERE kind = 'conflict' AND key IN "
        "(SELECT key FROM sync_objects WHERE kind = 'conflict' ORDER BY stamp DESC, key OFFSET %s)",
        [most],
    )


async def conflicts(tx: Transaction) -> list[str]:
    """The conflicts that are listed, newest first."""
    cursor = await tx.execute("SELECT key FROM sync_objects WHERE kind = 'conflict' ORDER BY stamp DESC, key")
    return [key async for (key,) in cursor]


async def forget_conflicts(tx: Transaction) -> None:
    await tx.execute("DELETE FROM sync_objects WHERE kind = 'conflict'")


async def forget_refused(tx: Transaction) -> None:
    """Let what did not take part be looked at again."""
    await tx.execute("DELETE FROM sync_objects WHERE state = 'refused'")


async def forget_refused_in(tx: Transaction, conversation: str, key: int) -> None:
    """The same for the room in which a turn stands."""
    where = await room_of(tx, conversation, key)
    if where is not None:
        await tx.execute(
            "DELETE FROM sync_objects WHERE kind = 'turn' AND state = 'refused' "
            "AND local IN (SELECT id FROM memories WHERE room = %s)",
            [where[1]],
        )


async def now(tx: Transaction) -> datetime:
    cursor = await tx.execute("SELECT clock_timestamp()")
    row = await cursor.fetchone()
    assert row is not None
    moment: datetime = row[0]
    return moment


async def agents_changed(tx: Transaction) -> dict[UUID, datetime]:
    """When each agent was changed last, as far as one was."""
    cursor = await tx.execute(
        "SELECT agent_id, max(created_at) FROM activity WHERE event = 'agent_changed' GROUP BY agent_id"
    )
    return dict(await cursor.fetchall())


async def settings_changed(tx: Transaction) -> dict[str, datetime]:
    """When each setting was changed last, as far as one was."""
    cursor = await tx.execute(
        """
        SELECT field, max(created_at) FROM activity, jsonb_object_keys(payload -> 'changed') AS field
        WHERE event = 'settings_changed' GROUP BY field
        """
    )
    return dict(await cursor.fetchall())


# Turns ---------------------------------------------------------------------------------------------------------------

_TURN = """
    SELECT m.id, c.external_id, c.title, c.project, c.source, c.language, m.turn_key, m.role, m.speaker,
           CASE WHEN m.is_redacted THEN NULL ELSE m.content END AS content, m.said_at, m.is_redacted,
           m.has_id, m.has_time, m.text_hash, m.created_at, m.updated_at, r.wing, m.room, m.drawer,
           c.forgotten_at IS NOT NULL AS is_forgotten, o.key AS synced_as,
           CASE WHEN m.updated_at IS NOT NULL AND NOT m.is_redacted THEN (
               SELECT jsonb_agg(jsonb_build_array(h.valid_from, h.valid_to, h.content) ORDER BY h.version)
               FROM memory_history h WHERE h.user_id = m.user_id AND h.memory_id = m.id) END AS earlier
    FROM memories m
    JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
    JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
    LEFT JOIN sync_objects o ON o.user_id = m.user_id AND o.local = m.id AND o.kind = 'turn'
"""


async def new_turns(tx: Transaction, most: int) -> list[dict[str, Any]]:
    """Turns that no log holds yet, and those that were edited or redacted since, in the order of their
    conversations."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            f"""
            {_TURN}
            WHERE m.kind = 'drawer' AND (
                o.key IS NULL OR (o.state = 'live' AND (m.is_redacted OR m.updated_at IS DISTINCT FROM o.touched)))
            ORDER BY m.conversation, m.position LIMIT %s
            """.encode(),
            [most],
        )
        return await cursor.fetchall()


async def my_turns(tx: Transaction, batch: int) -> Any:
    """The turns that this device's own log holds, in batches."""
    async with tx.cursor(name="my_turns", row_factory=dict_row) as cursor:
        await cursor.execute(
            f"""
            {_TURN}
            WHERE m.kind = 'drawer' AND o.mine ORDER BY m.conversation, m.position
            """.encode()
        )
        while found := await cursor.fetchmany(batch):
            yield found


async def standing_turns(tx: Transaction, keys: Sequence[str]) -> list[tuple[str, str, int]]:
    """(key, source, wing) of those of the turns that are here and not redacted."""
    cursor = await tx.execute(
        """
        SELECT o.key, c.source, r.wing FROM sync_objects o
        JOIN memories m ON m.user_id = o.user_id AND m.id = o.local
        JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
        JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
        WHERE o.kind = 'turn' AND o.state = 'live' AND o.key = ANY(%s)
        """,
        [list(keys)],
    )
    return await cursor.fetchall()


async def conversation_id(tx: Transaction, told: str) -> str:
    """The id that a conversation has here, of which a device that forgot it before its first sync tells the hash."""
    if told.startswith("forgotten:"):
        cursor = await tx.execute(
            "SELECT external_id FROM conversations WHERE forgotten_id(external_id) = %s "
            "ORDER BY forgotten_at NULLS FIRST LIMIT 1",
            [told],
        )
        if row := await cursor.fetchone():
            return str(row[0])
    return told


async def turns_by_key(tx: Transaction, conversation: str, keys: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The stored turns with these keys."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            f"{_TURN} WHERE c.external_id IN (%s, forgotten_id(%s)) AND m.turn_key = ANY(%s)".encode(),
            [conversation, conversation, list(keys)],
        )
        return {each["turn_key"]: each for each in await cursor.fetchall()}


# Memories of other kinds ---------------------------------------------------------------------------------------------


async def changed_memories(tx: Transaction, most: int) -> list[tuple[UUID, datetime | None, str | None]]:
    """Memories that no log holds yet or that changed since, oldest first: each with its `updated_at`, and with its key
    where it has been synced."""
    cursor = await tx.execute(
        """
        SELECT m.id, m.updated_at, o.key FROM memories m
        LEFT JOIN sync_objects o ON o.user_id = m.user_id AND o.local = m.id AND o.kind = 'memory'
        WHERE m.kind <> 'drawer' AND (
            o.key IS NULL OR (o.state IN ('live', 'held', 'forgotten') AND (
                m.is_redacted OR o.state <> 'live' OR m.updated_at IS DISTINCT FROM o.touched)))
        ORDER BY m.created_at, m.id LIMIT %s
        """,
        [most],
    )
    return await cursor.fetchall()


async def gone(tx: Transaction, kind: Literal["memory", "turn"]) -> list[Known]:
    """Objects that were synced and are not in the store any more."""
    async with tx.cursor(row_factory=class_row(Known)) as cursor:
        await cursor.execute(
            """
            SELECT kind, key, local, state, stamp, digest, mine, value, touched FROM sync_objects o
            WHERE kind = %s AND state IN ('live', 'held', 'redacted')
              AND NOT EXISTS (SELECT FROM memories m WHERE m.user_id = o.user_id AND m.id = o.local)
              AND NOT EXISTS (SELECT FROM held_writes q WHERE q.user_id = o.user_id AND q.id = o.local)
            ORDER BY key
            """,
            [kind],
        )
        return await cursor.fetchall()


async def new_held(tx: Transaction) -> list[UUID]:
    """Writes in the review queue that no log holds yet."""
    cursor = await tx.execute(
        """
        SELECT q.id FROM held_writes q
        LEFT JOIN sync_objects o ON o.user_id = q.user_id AND o.local = q.id AND o.kind = 'memory'
        WHERE o.key IS NULL ORDER BY q.created_at, q.id
        """
    )
    return [id async for (id,) in cursor]


async def memory_row(tx: Transaction, id: UUID) -> dict[str, Any] | None:
    """The columns of a memory that stands in no room, and whether searches find it."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT id, kind, speaker, created_at, updated_at, is_redacted, agent_id, profile_id, whiteboard_id, source,
                   conversation_id, project_id, run_id, metadata,
                   EXISTS (SELECT FROM postings p WHERE (p.user_id, p.room, p.drawer) = (m.user_id, m.room, m.drawer))
                       AS is_searched
            FROM memories m WHERE id = %s
            """,
            [id],
        )
        return await cursor.fetchone()


async def mine(tx: Transaction, kind: str) -> list[Known]:
    """The objects of a kind that this device's own log holds."""
    async with tx.cursor(row_factory=class_row(Known)) as cursor:
        await cursor.execute(
            "SELECT kind, key, local, state, stamp, digest, mine, value, touched FROM sync_objects "
            "WHERE kind = %s AND mine ORDER BY key",
            [kind],
        )
        return await cursor.fetchall()


async def take_over(tx: Transaction, devices: Sequence[UUID]) -> None:
    """Let the own log hold all that came from these devices."""
    await tx.execute("UPDATE sync_objects SET mine = true WHERE device = ANY(%s)", [list(devices)])


# The palace ----------------------------------------------------------------------------------------------------------


async def wings(tx: Transaction) -> list[dict[str, Any]]:
    """Every wing with the keys of its own and what it is merged into."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT wing, kind, name, edited, merged_into,
                   ARRAY(SELECT key FROM wing_keys k WHERE k.user_id = w.user_id AND k.wing = w.wing ORDER BY key)
                       AS keys
            FROM wings w ORDER BY wing
            """
        )
        return await cursor.fetchall()


async def rooms(tx: Transaction) -> list[dict[str, Any]]:
    """Every room with its wing, its conversation and the key of its first turn."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT r.room, r.wing, r.edited, c.external_id, m.turn_key
            FROM rooms r
            JOIN conversations c ON c.user_id = r.user_id AND c.conversation = r.conversation
            JOIN memories m ON m.user_id = r.user_id AND m.room = r.room AND m.drawer = 1
            ORDER BY r.room
            """
        )
        return await cursor.fetchall()


async def room_of(tx: Transaction, conversation: str, key: int) -> tuple[int, int] | None:
    """The wing and the room that a turn stands in."""
    cursor = await tx.execute(
        """
        SELECT r.wing, r.room FROM memories m
        JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
        JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
        WHERE c.external_id IN (%s, forgotten_id(%s)) AND m.turn_key = %s
        """,
        [conversation, conversation, key],
    )
    return await cursor.fetchone()


async def rooms_of(tx: Transaction, conversation: str, keys: Sequence[int]) -> list[tuple[int, int, int]]:
    """(wing, room, key of its first turn) of each room that one of these turns stands in."""
    cursor = await tx.execute(
        """
        SELECT DISTINCT r.wing, r.room, f.turn_key FROM memories m
        JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
        JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
        JOIN memories f ON f.user_id = r.user_id AND f.room = r.room AND f.drawer = 1
        WHERE c.external_id IN (%s, forgotten_id(%s)) AND m.turn_key = ANY(%s) ORDER BY r.room
        """,
        [conversation, conversation, list(keys)],
    )
    return await cursor.fetchall()


async def closets(tx: Transaction, room: int) -> list[tuple[str, list[int], int]]:
    """(name, keys of its turns, its number) of each closet of a room."""
    cursor = await tx.execute(
        """
        SELECT k.name, array_agg(m.turn_key ORDER BY m.drawer), k.closet FROM closets k
        JOIN memories m ON m.user_id = k.user_id AND m.room = k.room AND m.closet = k.closet
        WHERE k.room = %s GROUP BY k.name, k.closet ORDER BY k.closet
        """,
        [room],
    )
    return await cursor.fetchall()


async def entities(tx: Transaction) -> list[dict[str, Any]]:
    """Every entity with its slugs, what a person decided about it, and the slugs that a person entered."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT entity, chosen_name, chosen_kind, merged_into, merged_by,
                   ARRAY(SELECT slug FROM aliases a WHERE a.user_id = e.user_id AND a.entity = e.entity ORDER BY slug)
                       AS slugs,
                   (SELECT coalesce(jsonb_object_agg(slug, by_hand), '{}') FROM aliases a
                    WHERE a.user_id = e.user_id AND a.entity = e.entity AND by_hand IS NOT NULL) AS by_hand
            FROM entities e
            WHERE chosen_name IS NOT NULL OR chosen_kind IS NOT NULL OR merged_by IS NOT NULL
               OR EXISTS (SELECT FROM entities o WHERE o.user_id = e.user_id AND o.merged_into = e.entity)
               OR EXISTS (SELECT FROM aliases a WHERE a.user_id = e.user_id AND a.entity = e.entity
                          AND by_hand IS NOT NULL)
            ORDER BY entity
            """
        )
        return await cursor.fetchall()


async def entity_of(tx: Transaction, slugs: Sequence[str]) -> dict[str, Any] | None:
    """The entity that has the first of these names that is known."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT e.id, e.root, e.merged_into, e.chosen_name, e.chosen_kind FROM aliases a
            JOIN entities e ON e.user_id = a.user_id AND e.entity = a.entity
            WHERE a.slug = ANY(%(slugs)s) ORDER BY array_position(%(slugs)s::text[], a.slug) LIMIT 1
            """,
            {"slugs": list(slugs)},
        )
        return await cursor.fetchone()


async def facts(tx: Transaction) -> list[dict[str, Any]]:
    """The facts that a person entered, with the names of their slugs."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT id, subject, predicate, object, value, said_at, holds_since, holds_until, ended,
                   (SELECT coalesce(jsonb_object_agg(a.slug, jsonb_build_array(e.name, e.kind)), '{}')
                    FROM aliases a JOIN entities e ON e.user_id = a.user_id AND e.entity = a.entity
                    WHERE a.user_id = s.user_id AND a.slug IN (s.subject, s.object)) AS names
            FROM facts s WHERE found_by = 'manual' AND room IS NULL AND corrects IS NULL ORDER BY id
            """
        )
        return await cursor.fetchall()


async def decided_facts(tx: Transaction) -> list[dict[str, Any]]:
    """The facts about which a person decided, corrections too, with the names of their slugs and their turns."""
    async with tx.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """
            SELECT f.id, f.corrects, f.subject, f.predicate, f.object, f.value, f.said_at, f.holds_since,
                   f.holds_until, f.ended, f.found_by, f.decision, f.decided_at, c.external_id, m.turn_key,
                   o.key AS synced_as,
                   (SELECT coalesce(jsonb_object_agg(a.slug, jsonb_build_array(e.name, e.kind)), '{}')
                    FROM aliases a JOIN entities e ON e.user_id = a.user_id AND e.entity = a.entity
                    WHERE a.user_id = f.user_id AND a.slug IN (f.subject, f.object)) AS names
            FROM facts f
            LEFT JOIN memories m ON m.user_id = f.user_id AND m.room = f.room AND m.drawer = f.drawer
            LEFT JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
            LEFT JOIN sync_objects o ON o.user_id = m.user_id AND o.local = m.id AND o.kind = 'turn'
            WHERE f.decision IS NOT NULL ORDER BY f.decided_at DESC, f.id
            """
        )
        return await cursor.fetchall()


async def forget_objects(tx: Transaction, kind: str, keys: Sequence[str]) -> None:
    """Let nothing be known of objects any more."""
    await tx.execute("DELETE FROM sync_objects WHERE kind = %s AND key = ANY(%s)", [kind, list(keys)])


async def drawers_of_turns(tx: Transaction, room: int, keys: Sequence[int]) -> list[int]:
    """The drawers of a room that hold turns with these keys."""
    cursor = await tx.execute(
        "SELECT drawer FROM memories WHERE room = %s AND turn_key = ANY(%s) ORDER BY drawer", [room, list(keys)]
    )
    return [drawer async for (drawer,) in cursor]
