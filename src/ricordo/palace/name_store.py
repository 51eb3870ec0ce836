"""The SQL of names in the palace that are made of what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction


@dataclass(frozen=True)
class Over:
    """The closet and the wing that a drawer stands in, and its conversation's language."""

    room: int
    closet: int
    closet_name: str
    closet_aliases: list[str]
    wing: int
    wing_name: str
    wing_kind: str
    language: str


async def names_over(tx: Transaction, drawer: UUID) -> Over | None:
    """What stands over the drawer of this id, locked until the transaction ends; None where there is no such drawer."""
    async with tx.cursor(row_factory=class_row(Over)) as cursor:
        await cursor.execute(
            """
            SELECT m.room, m.closet, k.name AS closet_name, k.aliases AS closet_aliases, w.wing,
                    w.name AS wing_name, w.kind AS wing_kind, c.language
            FROM memories m
            JOIN rooms r USING (user_id, room)
            JOIN wings w USING (user_id, wing)
            JOIN closets k ON k.user_id = m.user_id AND k.room = m.room AND k.closet = m.closet
            JOIN conversations c ON c.user_id = m.user_id AND c.conversation = m.conversation
            WHERE m.id = %s AND m.kind = 'drawer' FOR NO KEY UPDATE OF w
            """,
            [drawer],
        )
        return await cursor.fetchone()


async def givers_of_names(tx: Transaction, wing: int) -> list[str]:
    """What names a wing besides its texts: the titles of its conversations, and who speaks in them."""
    cursor = await tx.execute(
        """
        SELECT title FROM conversations JOIN rooms USING (user_id, conversation)
        WHERE wing = %(wing)s AND title IS NOT NULL
        UNION SELECT speaker FROM said_on JOIN rooms USING (user_id, room) WHERE wing = %(wing)s
        """,
        {"wing": wing},
    )
    return [row[0] async for row in cursor]


async def terms_said(
    tx: Transaction, terms: Sequence[int], room: int | None, closet: int | None, wing: int | None
) -> set[int]:
    """Those of the terms that a drawer of the closet, or of the wing, holds."""
    cursor = await tx.execute(
        """
        SELECT DISTINCT p.term
        FROM postings p JOIN memories m USING (user_id, room, drawer) JOIN rooms r USING (user_id, room)
        WHERE p.term = ANY(%(terms)s) AND CASE WHEN %(wing)s::integer IS NULL
            THEN room = %(room)s AND m.closet = %(closet)s ELSE r.wing = %(wing)s END
        """,
        {"terms": list(terms), "room": room, "closet": closet, "wing": wing},
    )
    return {row[0] async for row in cursor}


async def rename_closet(tx: Transaction, room: int, closet: int, name: str, slug: str) -> None:
    await tx.execute(
        "UPDATE closets SET name = %s, slug = %s, aliases = '{}' WHERE room = %s AND closet = %s",
        [name, slug, room, closet],
    )


async def keep_aliases(tx: Transaction, room: int, closet: int, aliases: Sequence[str]) -> None:
    await tx.execute("UPDATE closets SET aliases = %s WHERE room = %s AND closet = %s", [list(aliases), room, closet])


async def rename_wing(tx: Transaction, wing: int, name: str, slug: str) -> None:
    await tx.execute("UPDATE wings SET name = %s, slug = %s WHERE wing = %s", [name, slug, wing])


async def former_names(tx: Transaction, wing: int) -> list[str]:
    """The keys by which a wing, and those that were merged into it, are found, and the names of the latter."""
    cursor = await tx.execute(
        """
        SELECT key FROM wing_keys JOIN wings w USING (user_id, wing) WHERE %(wing)s IN (w.wing, w.merged_into)
        UNION SELECT name FROM wings WHERE merged_into = %(wing)s
        """,
        {"wing": wing},
    )
    return [row[0] async for row in cursor]


async def forget_former_names(tx: Transaction, wing: int, names: Sequence[str], neutral: str) -> None:
    """Take these keys away, and give merged wings of these names a neutral one."""
    await tx.execute(
        """
        DELETE FROM wing_keys
        WHERE key = ANY(%s) AND wing IN (SELECT wing FROM wings WHERE %s IN (wing, merged_into))
        """,
        [list(names), wing],
    )
    await tx.execute(
        "UPDATE wings SET name = %s, slug = 'redacted-' || wing WHERE merged_into = %s AND name = ANY(%s)",
        [neutral, wing, list(names)],
    )
