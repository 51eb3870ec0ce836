"""The SQL that looks for a text in every table of user data, whichever there are."""

from __future__ import annotations

from collections.abc import Mapping

from psycopg import sql

from ricordo.database import Transaction
from ricordo.models import Place

#: How a column of each type is searched. JSON keeps the text in its escaped form. Bytes, of kept answers and of files
#: that wait to be imported, are searched as they are, case and all.
_CONDITIONS = {
    "text": sql.SQL("strpos(lower({column}), lower(%(text)s)) > 0"),
    "character varying": sql.SQL("strpos(lower({column}), lower(%(text)s)) > 0"),
    "text[]": sql.SQL("strpos(lower(array_to_string({column}, chr(10))), lower(%(text)s)) > 0"),
    "jsonb": sql.SQL("strpos(lower({column}::text), lower(%(escaped)s)) > 0"),
    "bytea": sql.SQL(
        "position(convert_to(%(text)s, 'UTF8') IN {column}) + position(convert_to(%(escaped)s, 'UTF8') IN {column}) > 0"
    ),
}

_DERIVED = ("postings", "embeddings", "unembedded", "unindexed", "mentions", "facts", "memory_history")


async def columns(tx: Transaction) -> dict[str, dict[str, str]]:
    """The type of each column that can hold a text, by table and column."""
    cursor = await tx.execute(
        """
        SELECT c.relname, a.attname, format_type(a.atttypid, NULL)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
          AND format_type(a.atttypid, NULL) = ANY(%s)
          AND EXISTS (SELECT FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id')
        ORDER BY c.relname, a.attnum
        """,
        [list(_CONDITIONS)],
    )
    found: dict[str, dict[str, str]] = {}
    async for table, column, kind in cursor:
        found.setdefault(table, {})[column] = kind
    return found


async def rows_with(tx: Transaction, table: str, types: Mapping[str, str], text: str, escaped: str) -> list[Place]:
    """In how many of the user's rows of a table the text stands, by column."""
    counts = [
        sql.SQL("count(*) FILTER (WHERE {})").format(_CONDITIONS[kind].format(column=sql.Identifier(column)))
        for column, kind in types.items()
    ]
    query = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table))
    cursor = await tx.execute(query, {"text": text, "escaped": escaped})
    row = await cursor.fetchone()
    assert row is not None
    return [Place(table=table, column=column, rows=rows) for column, rows in zip(types, row, strict=True)]


async def left_over(tx: Transaction) -> dict[str, int]:
    """How many rows of each table are derived from a memory that is redacted or gone."""
    cursor = await tx.execute(
        """
        WITH derived AS (
            SELECT 'postings' AS place, user_id, room, drawer FROM postings
            UNION ALL SELECT 'embeddings', user_id, room, drawer FROM embeddings WHERE drawer > 0
            UNION ALL SELECT 'unembedded', user_id, room, drawer FROM unembedded
            UNION ALL SELECT 'unindexed', user_id, room, drawer FROM unindexed
            UNION ALL SELECT 'mentions', user_id, room, drawer FROM mentions
            UNION ALL SELECT 'facts', user_id, room, drawer FROM facts WHERE room IS NOT NULL
        ), kept AS (
            SELECT 'memory_history' AS place, coalesce(m.is_redacted, true) AS gone
            FROM memory_history h LEFT JOIN memories m ON m.user_id = h.user_id AND m.id = h.memory_id
            UNION ALL
            SELECT place, coalesce(m.is_redacted, true) FROM derived LEFT JOIN memories m USING (user_id, room, drawer)
        )
        SELECT place, count(*) FILTER (WHERE gone) FROM kept GROUP BY place
        """
    )
    found = dict.fromkeys(_DERIVED, 0)
    async for place, rows in cursor:
        found[place] = rows
    return found
