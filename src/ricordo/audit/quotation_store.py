"""The SQL that fetches what may quote a text: memories by their search terms, and other texts by a word of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from uuid import UUID

from psycopg import sql

from ricordo.database import Transaction

#: How a column of each type is read as a text. Bytes are of kept answers, which are emptied, and of files.
_READ = {
    "text": sql.SQL("{column}"),
    "text[]": sql.SQL("array_to_string({column}, chr(10))"),
    "jsonb": sql.SQL("{column}::text"),
}
#: Columns in which words may stand, of the tables that are long; `memories.content` is looked up by its terms.
_LONG = {
    "access_log": ("context",), "activity": ("payload",), "memories": ("tags", "metadata"), "mentions": (),
    "said_on": (), "unembedded": (),
}  # fmt: skip
#: Rows of them that alone hold words there: reasons, and what is no turn.
_ROWS = {"access_log": sql.SQL("action IN ('redact', 'forget')"), "memories": sql.SQL("room = 0")}


async def texts(tx: Transaction, memory: UUID) -> list[str]:
    """What a memory says, and what it said before."""
    cursor = await tx.execute(
        "SELECT content FROM memories WHERE id = %(id)s "
        "UNION SELECT content FROM memory_history WHERE memory_id = %(id)s",
        {"id": memory},
    )
    return [content for (content,) in await cursor.fetchall()]


async def memories_with(tx: Transaction, terms: Collection[int], least: int) -> AsyncIterator[str]:
    """The texts of memories that have at least so many of the terms."""
    async with tx.cursor("quoting") as cursor:
        await cursor.execute(
            "SELECT content FROM memories JOIN (SELECT room, drawer FROM postings "
            "WHERE term = ANY(%(terms)s::integer[]) "
            "GROUP BY room, drawer HAVING count(*) >= %(least)s) found USING (room, drawer)",
            {"terms": [*terms], "least": least},
        )
        async for (content,) in cursor:
            yield content


async def rows_with(
    tx: Transaction, table: str, types: Mapping[str, str], words: Collection[str]
) -> AsyncIterator[tuple[str, str]]:
    """The column and the text of each of the user's rows of a table in which one of the words stands."""
    read = {
        column: _READ[kind].format(column=sql.Identifier(column))
        for column, kind in types.items()
        if kind in _READ and column in _LONG.get(table, (column,))
    }
    if not read:
        return
    holds = sql.SQL("(SELECT bool_or(strpos(lower({text}), word) > 0) FROM unnest(%(words)s::text[]) word)")
    told = [sql.SQL("CASE WHEN {} THEN {} END").format(holds.format(text=text), text) for text in read.values()]
    query = sql.SQL("SELECT {} FROM {} WHERE {}").format(
        sql.SQL(", ").join(told), sql.Identifier(table), _ROWS.get(table, sql.SQL("true"))
    )
    async with tx.cursor("quoting") as cursor:
        await cursor.execute(query, {"words": [*words]})
        async for row in cursor:
            for column, text in zip(read, row, strict=True):
                if text is not None:
                    yield column, text
