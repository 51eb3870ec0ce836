"""The SQL of the index of one user's vectors. Its connections are the owner's, outside of a transaction."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, sql

from ricordo.database import Transaction
from ricordo.vectors.space_store import Space

_PREFIX = "embeddings_near_"
#: Memory for making it; pgvector holds the graph in it as far as that goes.
_MEMORY = "768MB"


def name(user_id: UUID, model: int) -> str:
    """What the index of a user's vectors of this embedding model is called."""
    return f"{_PREFIX}{user_id.hex}_{model}"


async def memories(tx: Transaction) -> int:
    """How many memories of the user are indexed."""
    cursor = await tx.execute("SELECT memories FROM users")
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def usable(tx: Transaction, user_id: UUID, embedding_model: str, dimension: int) -> int | None:
    """The number of this embedding model, where the user's vectors are of it and have an index."""
    cursor = await tx.execute(
        """
        SELECT model FROM user_models JOIN models USING (model)
        WHERE user_id = %s AND name = %s AND dimension = %s AND to_regclass(%s || model) IS NOT NULL
        """,
        [user_id, embedding_model, dimension, f"{_PREFIX}{user_id.hex}_"],
    )
    row = await cursor.fetchone()
    return int(row[0]) if row else None


async def take_turn(connection: AsyncConnection[tuple[Any, ...]], schema: str, user_id: UUID) -> bool:
    """Be the only one who tends this user's index, until the connection is closed; False where another one is."""
    path = sql.SQL("SET search_path = {}, public, extensions").format(sql.Identifier(schema))
    await connection.execute(path)
    cursor = await connection.execute(
        "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [f"{schema}.{_PREFIX}{user_id.hex}"]
    )
    row = await cursor.fetchone()
    return bool(row and row[0])


async def indexes(connection: AsyncConnection[tuple[Any, ...]], user_id: UUID) -> dict[str, bool]:
    """The indexes of this user's vectors, and whether each is whole: making one may have been broken off."""
    cursor = await connection.execute(
        """
        SELECT c.relname, i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname, %s)
        """,
        [f"{_PREFIX}{user_id.hex}_"],
    )
    return dict(await cursor.fetchall())


async def create(connection: AsyncConnection[tuple[Any, ...]], user_id: UUID, space: Space) -> None:
    """Make the index, while others write."""
    await connection.execute(sql.SQL("SET maintenance_work_mem = {}").format(sql.Literal(_MEMORY)))
    # By one process: several share that memory by /dev/shm, of which containers have 64 MB; and others want the cores.
    await connection.execute("SET max_parallel_maintenance_workers = 0")
    await connection.execute(
        sql.SQL(
            "CREATE INDEX CONCURRENTLY {} ON embeddings USING hnsw ((vector::halfvec({})) halfvec_cosine_ops) "
            "WHERE user_id = {} AND model = {}::smallint AND room > 0 AND drawer > 0"
        ).format(
            sql.Identifier(name(user_id, space.model)),
            sql.Literal(space.dimension),
            sql.Literal(str(user_id)),
            sql.Literal(space.model),
        )
    )


async def drop(connection: AsyncConnection[tuple[Any, ...]], name: str) -> None:
    """Remove an index, while others write."""
    await connection.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
