"""The SQL of vectors: the queue of memories that wait for one, and writing them.

While a user's vectors are changed to another embedding model, memories that have their vector wait in the same queue
for the next embedding model's, as a `renewal`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import LiteralString
from uuid import UUID

import numpy as np

from ricordo import accounts
from ricordo.database import Transaction, execute_each
from ricordo.database.transport import vector_literal

#: Seconds until a memory that failed by itself is tried again: the first time, doubled each time, and at most.
_FIRST_RETRY, _LAST_RETRY = 60, 86_400
#: Characters of a problem that are kept.
_PROBLEM = 500
#: What an embedding model reads of a memory `m` that waits as `u`. Of a turn that is who said it, where that is more
#: than a role, and the end of what was said before, without which an answer tells little; but not of "Noted", which
#: answers nothing, and not where the embedding model failed at that. `renew_next` lets a redacted turn go from it. On
#: LoCoMo turn any@10 gains a point by it.
_OWN: LiteralString = "CASE WHEN m.speaker = m.role THEN '' ELSE m.speaker || ': ' END || m.content"
_READ: LiteralString = f"""
    CASE WHEN m.room = 0 THEN m.content
         ELSE {_OWN} || coalesce((
             SELECT ' ' || right(p.content, 150) FROM memories p
             WHERE p.room = m.room AND p.drawer = m.drawer - 1 AND NOT p.is_redacted AND u.attempts = 0
               AND (length(m.content) > 30 OR right(p.content, 150) ~ '[?？؟]')
         ), '') END
"""


@dataclass(frozen=True)
class Unembedded:
    """A memory that waits for its vector, what an embedding model is to read of it, and what it says itself."""

    room: int
    drawer: int
    text: str
    #: How many characters of that are the turn's own, with its speaker; 0 for what is no turn.
    own: int
    #: What the memory says itself.
    content: str


@dataclass(frozen=True)
class Signs:
    """What a multilingual model makes of a text: the signs of its vector as a string of 0 and 1, and the text's
    language."""

    language: str
    signs: str


#: The columns of an Unembedded.
_UNEMBEDDED: LiteralString = (
    f"m.room, m.drawer, {_READ}, CASE WHEN m.room = 0 THEN 0 ELSE length({_OWN}) END, m.content"
)


async def claim_unembedded(tx: Transaction, limit: int, characters: int) -> list[Unembedded]:
    """Memories without a vector, oldest first, locked against other workers till the transaction ends.

    They are up to `limit`, and no more than have `characters` together; but at least one, if any is free. Those that
    failed by themselves are left for their time.
    """
    cursor = await tx.execute(
        f"""
        SELECT {_UNEMBEDDED}
        FROM (
            SELECT user_id, room, drawer, attempts FROM unembedded
            WHERE NOT renewal AND coalesce(retry_at <= now(), true) AND coalesce(held_until <= now(), true)
            ORDER BY room, drawer LIMIT %s FOR UPDATE SKIP LOCKED
        ) u
        JOIN memories m USING (user_id, room, drawer) ORDER BY room, drawer
        """,
        [limit],
    )
    return _within([Unembedded(*row) async for row in cursor], characters)


async def claim_renewals(tx: Transaction, current: int, limit: int, characters: int) -> list[Unembedded]:
    """The same of memories that have a vector of embedding model `current` and wait for the next one's.

    The memories are locked too, since whoever redacts or removes one may have looked for its vectors before the change
    began; those that are being written to are left for later.
    """
    cursor = await tx.execute(
        f"""
        SELECT {_UNEMBEDDED}
        FROM unembedded u
        JOIN embeddings e ON e.model = %s AND e.room = u.room AND e.drawer = u.drawer
        JOIN memories m ON m.room = u.room AND m.drawer = u.drawer
        WHERE u.renewal AND coalesce(u.retry_at <= now(), true) AND coalesce(u.held_until <= now(), true)
        ORDER BY u.room, u.drawer LIMIT %s FOR UPDATE OF u SKIP LOCKED FOR KEY SHARE OF m SKIP LOCKED
        """,
        [current, limit],
    )
    return _within(
        sorted([Unembedded(*row) async for row in cursor], key=lambda each: (each.room, each.drawer)), characters
    )


def _within(claimed: list[Unembedded], characters: int) -> list[Unembedded]:
    total = list(accumulate(len(each.text) for each in claimed))
    return claimed[: max(1, bisect_right(total, characters))]


async def hold(tx: Transaction, claimed: Sequence[Unembedded], renewal: bool, seconds: float) -> None:
    """Keep claimed memories from other workers beyond the transaction, for so many seconds; none lets go of them."""
    await tx.execute(
        """
        UPDATE unembedded u SET held_until = now() + nullif(%s, 0.0) * interval '1 second'
        FROM unnest(%s::integer[], %s::integer[]) AS held (room, drawer)
        WHERE u.room = held.room AND u.drawer = held.drawer AND u.renewal = %s
        """,
        [float(seconds), *_places(claimed), renewal],
    )


async def claim_held(tx: Transaction, held: Sequence[Unembedded], renewal: bool) -> list[Unembedded]:
    """Those of the memories that were held which still wait, with the text that they have now; locked till the
    transaction ends. Those that are being written to are left out."""
    cursor = await tx.execute(
        f"""
        SELECT {_UNEMBEDDED}
        FROM unnest(%s::integer[], %s::integer[]) AS held (room, drawer)
        JOIN unembedded u USING (room, drawer) JOIN memories m USING (user_id, room, drawer)
        WHERE u.renewal = %s ORDER BY u.room, u.drawer FOR UPDATE OF u SKIP LOCKED FOR KEY SHARE OF m SKIP LOCKED
        """,
        [*_places(held), renewal],
    )
    return [Unembedded(*row) async for row in cursor]


async def add_vectors(
    tx: Transaction,
    user_id: UUID,
    model: int,
    claimed: Sequence[Unembedded],
    vectors: np.ndarray,
    tokens: Sequence[bytes | None],
    signs: Sequence[Signs | None],
    renewal: bool = False,
) -> None:
    """Write what was made of claimed memories: their vectors, those of their word pieces and their signs. Takes these
    memories off the queue, and renews the vectors of their rooms."""
    places = _places(claimed)
    await execute_each(
        tx,
        """
        INSERT INTO embeddings (user_id, model, room, drawer, vector, tokens, language, signs)
        VALUES (%s, %s, %s, %s, %s::halfvec, %s, %s, %s::bit(512))
        ON CONFLICT (user_id, model, room, drawer) DO UPDATE
        SET vector = excluded.vector, tokens = excluded.tokens, language = excluded.language, signs = excluded.signs
        """,
        [
            (user_id, model, each.room, each.drawer, vector_literal(vector), words,
             sign.language or None if sign else None, sign.signs if sign else None)
            for each, vector, words, sign in zip(claimed, vectors, tokens, signs, strict=True)
        ],
    )  # fmt: skip
    await accounts.note_languages(tx, user_id, {each.language for each in signs if each and each.language})
    await tx.execute(
        """
        DELETE FROM unembedded u USING unnest(%s::integer[], %s::integer[]) AS done (room, drawer)
        WHERE u.room = done.room AND u.drawer = done.drawer AND u.renewal = %s
        """,
        [*places, renewal],
    )
    await _renew_room_vectors(tx, user_id, model, sorted(set(places[0])))


async def await_renewal(tx: Transaction, user_id: UUID, claimed: Sequence[Unembedded]) -> None:
    """Let these memories, which have their vector, wait for the next embedding model's."""
    await execute_each(
        tx,
        "INSERT INTO unembedded (user_id, room, drawer, renewal) VALUES (%s, %s, %s, true) ON CONFLICT DO NOTHING",
        [(user_id, each.room, each.drawer) for each in claimed],
    )


async def postpone(tx: Transaction, claimed: Sequence[Unembedded], problem: str, renewal: bool, alone: bool) -> None:
    """Note why these claimed memories got no vector. With `alone` each failed by itself, and waits for a while, each
    time twice as long; otherwise the embedding model did, and they are tried again with it."""
    await tx.execute(
        """
        UPDATE unembedded u
        SET problem = %s, attempts = least(attempts + %s::integer, 30000),
            retry_at = now() + CASE WHEN %s THEN least(%s * 2 ^ least(attempts, 20), %s) * interval '1 second' END
        FROM unnest(%s::integer[], %s::integer[]) AS failed (room, drawer)
        WHERE u.room = failed.room AND u.drawer = failed.drawer AND u.renewal = %s
        """,
        [problem[:_PROBLEM], int(alone), alone, _FIRST_RETRY, _LAST_RETRY, *_places(claimed), renewal],
    )


def _places(claimed: Sequence[Unembedded]) -> list[list[int]]:
    return [[each.room for each in claimed], [each.drawer for each in claimed]]


async def _renew_room_vectors(tx: Transaction, user_id: UUID, model: int, rooms: Sequence[int]) -> None:
    """Make the vectors of these rooms anew: the mean of what people said in them. Room 0 has none."""
    # Who embeds the rest of a room waits here, and then sees these vectors too; in order, so that none waits in turn.
    await tx.execute("SELECT FROM rooms WHERE room = ANY(%s) ORDER BY room FOR NO KEY UPDATE", [list(rooms)])
    means = await tx.execute(
        """
        SELECT e.room, avg(e.vector)::text FROM embeddings e JOIN memories m USING (user_id, room, drawer)
        WHERE e.model = %s AND e.room > 0 AND e.room = ANY(%s) AND m.role = 'user'
        GROUP BY e.room
        """,
        [model, list(rooms)],
    )
    await execute_each(
        tx,
        """
        INSERT INTO embeddings (user_id, model, room, drawer, vector) VALUES (%s, %s, %s, 0, %s::halfvec)
        ON CONFLICT (user_id, model, room, drawer) DO UPDATE SET vector = excluded.vector
        """,
        [(user_id, model, *mean) for mean in await means.fetchall()],
    )


async def forget_room_vector(tx: Transaction, user_id: UUID, room: int) -> dict[str, int]:
    """Make a room's own vector anew from those that are left in it; nothing for room 0, which has none."""
    if not room:
        return {}
    cursor = await tx.execute("DELETE FROM embeddings WHERE room = %s AND drawer = 0 RETURNING model", [room])
    models = [row[0] async for row in cursor]
    for model in models:
        await _renew_room_vectors(tx, user_id, model, [room])
    return {"room_vectors": len(models)}


async def renew_next(tx: Transaction, user_id: UUID, room: int, drawer: int) -> dict[str, int]:
    """Take away the vector of the turn behind one that is about to be redacted, which was read with the end of that,
    and have it made anew; nothing for room 0. It comes before the room is locked, which makers of vectors lock last."""
    if not room:
        return {}
    behind = {"user_id": user_id, "room": room, "drawer": drawer + 1}
    place = "room = %(room)s AND drawer = %(drawer)s"
    # Whoever redacts that one as well waits here, or is waited for.
    if not (await tx.execute(f"SELECT FROM memories WHERE {place} AND NOT is_redacted FOR SHARE", behind)).rowcount:
        return {}
    # The queue first: it waits for a worker that is just making the vector, which then is there to be removed.
    await tx.execute(f"DELETE FROM unembedded WHERE {place}", behind)
    gone = await tx.execute(f"DELETE FROM embeddings WHERE {place}", behind)
    await tx.execute(
        "INSERT INTO unembedded (user_id, room, drawer) VALUES (%(user_id)s, %(room)s, %(drawer)s)", behind
    )
    return {"next_vectors": gone.rowcount}


async def renew_following(tx: Transaction, user_id: UUID, ids: Sequence[UUID]) -> int:
    """Take away the vectors of the turns that follow those that are about to go, which were read with the end of them,
    and have them made anew; returns how many. It comes before rooms are locked, which makers of vectors lock last."""
    cursor = await tx.execute(
        """
        SELECT n.room, n.drawer FROM memories n JOIN memories m ON m.user_id = n.user_id AND m.room = n.room
            AND m.drawer = n.drawer - 1
        WHERE m.id = ANY(%(ids)s) AND m.room > 0 AND n.id <> ALL(%(ids)s) AND NOT n.is_redacted
        ORDER BY n.room, n.drawer FOR SHARE OF n
        """,
        {"ids": list(ids)},
    )
    places = await cursor.fetchall()
    where = {"user_id": user_id, "rooms": [each[0] for each in places], "drawers": [each[1] for each in places]}
    at: LiteralString = "(room, drawer) IN (SELECT * FROM unnest(%(rooms)s::integer[], %(drawers)s::integer[]))"
    # The queue first: it waits for a worker that is just making the vector, which then is there to be removed.
    await tx.execute(f"DELETE FROM unembedded WHERE {at}", where)
    gone = await tx.execute(f"DELETE FROM embeddings WHERE {at}", where)
    await tx.execute(
        "INSERT INTO unembedded (user_id, room, drawer) "
        "SELECT %(user_id)s, * FROM unnest(%(rooms)s::integer[], %(drawers)s::integer[])",
        where,
    )
    return gone.rowcount


async def pending(tx: Transaction, most: int | None = None) -> int:
    """How many of the user's memories have no vector yet; no more than `most` are counted."""
    cursor = await tx.execute(
        "SELECT count(*) FROM (SELECT FROM unembedded WHERE NOT renewal LIMIT %s) counted", [most]
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def due(tx: Transaction) -> int:
    """How many of them wait for nothing but a worker: those that failed by themselves wait for their time."""
    cursor = await tx.execute("SELECT count(*) FROM unembedded WHERE NOT renewal AND coalesce(retry_at <= now(), true)")
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def problems(tx: Transaction) -> dict[str, int]:
    """Why memories that were tried got no vector, the most frequent reason first, and how many each."""
    cursor = await tx.execute(
        "SELECT problem, count(*) FROM unembedded WHERE problem IS NOT NULL GROUP BY problem ORDER BY 2 DESC, 1"
    )
    return {row[0]: row[1] async for row in cursor}


async def sample(tx: Transaction, limit: int) -> tuple[list[str], int, int]:
    """What an embedding model reads of some of the user's memories, picked by their ids; how many memories have a
    vector or get one, and how many characters are read of them together."""
    cursor = await tx.execute(
        f"""
        WITH kept AS (
            SELECT m.id, {_READ} AS text FROM memories m, (SELECT 0 AS attempts) u WHERE NOT m.is_redacted
        )
        SELECT ARRAY(SELECT text FROM kept ORDER BY md5(id::text) LIMIT %s), count(*), coalesce(sum(length(text)), 0)
        FROM kept
        """,
        [limit],
    )
    row = await cursor.fetchone()
    assert row is not None
    return row[0], row[1], row[2]
