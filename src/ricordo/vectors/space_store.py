"""The SQL of a user's embedding model: which one the vectors are of (`user_models`), and changing them to another."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from psycopg import sql

from ricordo.database import Database, Transaction

_CHOICE = sql.SQL(
    "SELECT s.embedding_model, (SELECT name FROM models WHERE is_default), m.model, m.name, m.dimension "
    "FROM (VALUES (1)) one LEFT JOIN settings s ON true "
    "LEFT JOIN (user_models u JOIN models m ON m.model = u.model) ON true"
)


@dataclass(frozen=True)
class Space:
    """The vectors that an embedding model makes, as a store knows them."""

    #: Its number in this store.
    model: int
    #: The embedding model's name, and the length of its vectors.
    name: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.name} ({self.dimension:,} dimensions)"


@dataclass(frozen=True)
class Spaces:
    """The embedding model of a user's vectors, and the one that they are being changed to."""

    current: Space
    next: Space | None


async def model_number(tx: Transaction, name: str, dimension: int) -> int:
    """The number of an embedding model in this store; registers it when it is new."""
    for _ in range(2):
        cursor = await tx.execute("SELECT model FROM models WHERE name = %s", [name])
        row = await cursor.fetchone()
        if row:
            return int(row[0])
        await tx.execute("SELECT register_model(%s, %s)", [name, dimension])
    raise AssertionError("a registered embedding model has a number")


async def choice(database: Database, user_id: UUID) -> tuple[Space | None, str | None, str | None]:
    """The embedding model of the user's vectors, None while there is none; the one that the user has chosen for that
    case, and the store's default. Not for use within a transaction."""
    row = await database.glance(user_id, _CHOICE)
    assert row is not None
    chosen, default, *current = row
    return (Space(*current) if current[0] is not None else None), chosen, default


async def default_model(tx: Transaction) -> str | None:
    """The embedding model that new users get from processes whose settings name none."""
    cursor = await tx.execute("SELECT name FROM models WHERE is_default")
    row = await cursor.fetchone()
    return row[0] if row else None


async def set_default(tx: Transaction, name: str, dimension: int) -> None:
    """Let this embedding model be the store's default."""
    if await default_model(tx) == name:
        return
    model = await model_number(tx, name, dimension)
    await tx.execute("SELECT set_default_model(%s::smallint)", [model])


async def spaces(tx: Transaction) -> Spaces | None:
    """The embedding model of the user's vectors; None while there is none."""
    cursor = await tx.execute(
        """
        SELECT m.model, m.name, m.dimension, n.model, n.name, n.dimension
        FROM user_models u JOIN models m ON m.model = u.model LEFT JOIN models n ON n.model = u.next_model
        """
    )
    row = await cursor.fetchone()
    if row is None:
        return None
    return Spaces(Space(*row[:3]), Space(*row[3:]) if row[3] is not None else None)


async def hold_spaces(tx: Transaction) -> Spaces | None:
    """The same, unchanged until the transaction ends."""
    await tx.execute("SELECT FROM user_models FOR SHARE")
    return await spaces(tx)


async def lock_spaces(tx: Transaction) -> Spaces | None:
    """The same, with whoever writes vectors kept waiting until the transaction ends."""
    await tx.execute("SELECT FROM user_models FOR UPDATE")
    return await spaces(tx)


async def first_space(tx: Transaction, user_id: UUID, model: int) -> None:
    """Let the user's vectors be of this embedding model; of two who come at once, the first decides."""
    await tx.execute(
        "INSERT INTO user_models (user_id, model) VALUES (%s, %s) ON CONFLICT DO NOTHING", [user_id, model]
    )


async def set_space(tx: Transaction, user_id: UUID, model: int) -> None:
    """Let the user's vectors, of which there are none, be of this embedding model. `lock_spaces` came before."""
    await tx.execute(
        """
        INSERT INTO user_models (user_id, model) VALUES (%s, %s)
        ON CONFLICT (user_id) DO UPDATE SET model = excluded.model, next_model = NULL
        """,
        [user_id, model],
    )


async def embedded(tx: Transaction, model: int) -> int:
    """How many memories have a vector of this embedding model."""
    cursor = await tx.execute("SELECT count(*) FROM embeddings WHERE model = %s AND drawer > 0", [model])
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def begin_renewal(tx: Transaction, user_id: UUID, next_model: int) -> None:
    """Set out for another embedding model: each memory with a vector waits for the next one. `lock_spaces` came
    before."""
    await tx.execute("UPDATE user_models SET next_model = %s", [next_model])
    await tx.execute(
        """
        INSERT INTO unembedded (user_id, room, drawer, renewal)
        SELECT %s, e.room, e.drawer, true FROM embeddings e JOIN user_models u ON u.model = e.model
        WHERE e.drawer > 0 AND NOT EXISTS (
            SELECT FROM unembedded w WHERE w.renewal AND w.room = e.room AND w.drawer = e.drawer)
        """,
        [user_id],
    )


async def renewals(tx: Transaction) -> tuple[int, int]:
    """How many memories wait for the next embedding model's vector, and how many of them did not yet fail by
    themselves."""
    cursor = await tx.execute("SELECT count(*), count(*) FILTER (WHERE retry_at IS NULL) FROM unembedded WHERE renewal")
    row = await cursor.fetchone()
    assert row is not None
    return row[0], row[1]


async def settle_renewal(tx: Transaction, current: int, next_model: int) -> None:
    """Remove what waits, and what was made, for memories that went while the change began."""
    gone = "NOT EXISTS (SELECT FROM embeddings c WHERE c.model = %s AND c.room = t.room AND c.drawer = t.drawer)"
    await tx.execute(f"DELETE FROM unembedded t WHERE renewal AND {gone}", [current])
    await tx.execute(f"DELETE FROM embeddings t WHERE model = %s AND drawer > 0 AND {gone}", [next_model, current])


async def end_renewal(tx: Transaction, switch: bool) -> None:
    """Let searches go by the next embedding model's vectors, or with `switch` false stay with those there are.

    `lock_spaces` came before. Memories that still wait for the next embedding model then wait for it as their first
    one. The vectors that are of no use any more are left to `tidy`.
    """
    await tx.execute(
        "UPDATE user_models SET model = CASE WHEN %s THEN next_model ELSE model END, next_model = NULL", [switch]
    )
    await tx.execute(
        """
        DELETE FROM unembedded u WHERE u.renewal AND (NOT %s OR EXISTS (
            SELECT FROM unembedded w WHERE NOT w.renewal AND w.room = u.room AND w.drawer = u.drawer))
        """,
        [switch],
    )
    await tx.execute("UPDATE unembedded SET renewal = false, held_until = NULL WHERE renewal")


async def tidy(tx: Transaction, limit: int) -> int:
    """Remove up to `limit` vectors that are of no embedding model in use by the user; returns how many went."""
    cursor = await tx.execute(
        """
        WITH unused AS (
            SELECT e.room, e.drawer, e.model
            FROM models m, user_models u, LATERAL (
                SELECT room, drawer, model FROM embeddings WHERE model = m.model ORDER BY room, drawer LIMIT %s
            ) e
            WHERE m.model <> u.model AND m.model IS DISTINCT FROM u.next_model LIMIT %s
        )
        DELETE FROM embeddings e USING unused
        WHERE e.model = unused.model AND e.room = unused.room AND e.drawer = unused.drawer
        """,
        [limit, limit],
    )
    return cursor.rowcount
