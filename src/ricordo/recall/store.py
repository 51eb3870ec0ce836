"""The SQL of recall. A place is one number: room · 2³² + drawer, so that neighbouring turns are one apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import numpy as np
from psycopg import AsyncCursor, sql

from ricordo import entries, palace
from ricordo.database import Transaction
from ricordo.database.transport import adapt_numpy, load_arrays_as_numpy, vector_literal
from ricordo.nouns import Filters

ROOM = 1 << 32
_NO_INTEGERS = np.empty(0, np.int64)
_NO_NUMBERS = np.empty(0, np.float32)
_NO_TEXTS = np.empty(0, object)


@dataclass(frozen=True)
class Narrowing:
    """The conditions of a search on `memories m`, `rooms r` and `profiles p`; none means every drawer.

    Drawers stand in rooms; with `loose` the memories that stand in none (room 0) are searched instead.
    """

    conditions: tuple[sql.Composable, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    loose: bool = False

    @classmethod
    def of(cls, filters: Filters, wing: int | None, room: int | None) -> Narrowing:
        """The conditions that a recall's filters set; wing and room come as their numbers."""
        wanted: list[tuple[LiteralString, str, object]] = [
            ("r.wing = %(wing)s", "wing", wing),
            ("m.room = %(room)s", "room", room),
            ("(lower(m.speaker) = lower(%(speaker)s) OR m.role = lower(%(speaker)s))", "speaker", filters.speaker),
            ("m.said_at >= %(since)s", "since", filters.since),
            ("m.said_at < %(until)s", "until", filters.until),
            ("m.said_at <= %(as_of)s", "as_of", filters.as_of),
        ]
        chosen = [(condition, name, value) for condition, name, value in wanted if value is not None]
        return cls(tuple(sql.SQL(condition) for condition, _, _ in chosen), {name: value for _, name, value in chosen})

    @classmethod
    def of_loose(cls, chosen: entries.Chosen) -> Narrowing:
        """The memories of other kinds that are chosen."""
        condition, parameters = chosen.conditions()
        return cls((condition,), parameters, loose=True)

    def clause(self, table: str) -> sql.Composable:
        """An AND condition that keeps the rows of `table` (with room and drawer) whose memory fits."""
        place = sql.SQL(" AND room = 0" if self.loose else " AND room > 0")
        if not self.conditions:
            return place
        fits = sql.SQL(
            " AND EXISTS (SELECT 1 FROM memories m {joined}"
            " WHERE m.user_id = {table}.user_id AND m.room = {table}.room AND m.drawer = {table}.drawer AND {all})"
        ).format(joined=self.joined, table=sql.Identifier(table), all=sql.SQL(" AND ").join(self.conditions))
        return place + fits

    @property
    def joined(self) -> sql.SQL:
        """What must be joined to `memories m` for the conditions to be understood."""
        if self.loose:
            return sql.SQL("LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id")
        return sql.SQL("JOIN rooms r USING (user_id, room)")


@dataclass(frozen=True)
class Postings:
    """Where a term stands: places in rising order, how often, and how many terms the memories have."""

    places: np.ndarray
    frequencies: np.ndarray
    lengths: np.ndarray


@dataclass(frozen=True)
class Details:
    """What ranking must know of its candidates, one element for each, besides where words stand."""

    places: np.ndarray
    #: Whether an assistant said it (0 or 1), when in seconds since 1970, and how many characters it has.
    by_assistant: np.ndarray
    said_at: np.ndarray
    characters: np.ndarray
    #: Cosine similarity of the question to the turn and to its room's people; NaN where there is no vector.
    cosine: np.ndarray
    room_cosine: np.ndarray
    #: Whether it ends by asking something (0 or 1), and who said it.
    asks: np.ndarray
    speakers: np.ndarray
    #: The beginnings of what people said, '' for an assistant's turns; None where they were not wanted.
    texts: np.ndarray | None = None


async def postings(tx: Transaction, terms: Sequence[int], narrowing: Narrowing) -> dict[int, Postings]:
    """Where each of these terms stands in what the filters leave."""
    query = sql.SQL(
        """
        SELECT term, array_agg(room::bigint << 32 | drawer ORDER BY room, drawer),
               array_agg(frequency::integer ORDER BY room, drawer), array_agg(length::integer ORDER BY room, drawer)
        FROM postings WHERE term = ANY(%(terms)s){narrowed} GROUP BY term
        """
    ).format(narrowed=narrowing.clause("postings"))
    async with AsyncCursor(tx) as cursor:
        load_arrays_as_numpy(cursor)
        await cursor.execute(query, {"terms": list(terms), **narrowing.parameters}, binary=True)
        return {row[0]: Postings(*row[1:]) async for row in cursor}


async def frequencies(tx: Transaction, terms: Sequence[int]) -> dict[int, int]:
    """How many memories hold each of these terms, of those that any holds."""
    cursor = await tx.execute(
        "SELECT term, count(*) FROM postings WHERE term = ANY(%s) GROUP BY term", [list(terms)], binary=True
    )
    return dict(await cursor.fetchall())


async def model_of(tx: Transaction, name: str, dimension: int) -> int | None:
    """The number of an encoder, if the user's vectors are of it: vectors of two encoders cannot be compared."""
    cursor = await tx.execute(
        "SELECT model FROM models JOIN user_models USING (model) WHERE name = %s AND dimension = %s", [name, dimension]
    )
    row = await cursor.fetchone()
    return row[0] if row else None


async def nearest(tx: Transaction, model: int, vector: np.ndarray, limit: int, narrowing: Narrowing) -> np.ndarray:
    """The places whose vectors are nearest to a question's, in what the filters leave."""
    query = sql.SQL(
        """
        SELECT array_agg(place) FROM (
            SELECT room::bigint << 32 | drawer AS place FROM embeddings
            WHERE model = %(model)s AND drawer > 0{narrowed}
            ORDER BY vector <=> %(vector)s::halfvec LIMIT %(limit)s
        ) nearest
        """
    ).format(narrowed=narrowing.clause("embeddings"))
    async with AsyncCursor(tx) as cursor:
        load_arrays_as_numpy(cursor)
        await cursor.execute(
            query,
            {"model": model, "vector": vector_literal(vector), "limit": limit, **narrowing.parameters},
            binary=True,
        )
        row = await cursor.fetchone()
    return row[0] if row and row[0] is not None else _NO_INTEGERS


async def details(
    tx: Transaction,
    places: np.ndarray,
    model: int | None,
    vector: np.ndarray | None,
    narrowing: Narrowing,
    texts: bool = False,
) -> Details:
    """What ranking must know of the candidates at these places, in rising order; with `texts` what they say too.

    Those that do not exist, or that the filters leave out, are missing from the answer.
    """
    similarity = "coalesce((1 - ({}.vector <=> %(vector)s::halfvec))::real, 'NaN')"
    query = sql.SQL(
        """
        SELECT array_agg(c.room::bigint << 32 | c.drawer), array_agg((m.role = 'assistant')::integer),
               array_agg(date_part('epoch', m.said_at)::bigint), array_agg(length(m.content)),
               array_agg({cosine}), array_agg({room_cosine}),
               array_agg((right(m.content, 80) ~ '[?？؟]')::integer), array_agg(m.speaker){texts}
        FROM unnest(%(rooms)s, %(drawers)s) AS c (room, drawer)
        JOIN memories m USING (room, drawer)
        {joined}
        LEFT JOIN embeddings e ON e.model = %(model)s AND e.room = c.room AND e.drawer = c.drawer
        LEFT JOIN embeddings er ON er.model = %(model)s AND er.room = c.room AND er.drawer = 0
        {where}
        """
    ).format(
        cosine=sql.SQL(similarity.format("e")),
        room_cosine=sql.SQL(similarity.format("er")),
        texts=sql.SQL(", array_agg(CASE WHEN m.role = 'assistant' THEN '' ELSE left(m.content, 1000) END)")
        if texts
        else sql.SQL(""),
        joined=narrowing.joined,
        where=sql.SQL("WHERE {}").format(sql.SQL(" AND ").join(narrowing.conditions))
        if narrowing.conditions
        else sql.SQL(""),
    )
    async with AsyncCursor(tx) as cursor:
        adapt_numpy(cursor)
        load_arrays_as_numpy(cursor)
        await cursor.execute(
            query,
            {
                "rooms": (places >> 32).astype(np.int32),
                "drawers": (places & (ROOM - 1)).astype(np.int32),
                "model": model,
                "vector": None if vector is None else vector_literal(vector),
                **narrowing.parameters,
            },
            binary=True,
        )
        row = await cursor.fetchone()
    columns: list[Any] = [*[_NO_INTEGERS] * 4, *[_NO_NUMBERS] * 2, _NO_INTEGERS, *[_NO_TEXTS] * (1 + texts)]
    if row and row[0] is not None:
        order = np.argsort(row[0])
        columns = [np.asarray(column)[order] for column in row]
    return Details(*columns)


@dataclass(frozen=True)
class Found:
    """A memory that is brought back, as far as its row tells."""

    id: UUID
    wing: int
    room: int
    drawer: int
    content: str
    speaker: str
    said_at: datetime
    conversation: str
    title: str | None
    position: int
    tags: list[str]


async def fetch(tx: Transaction, places: Sequence[int]) -> dict[int, Found]:
    """The memories at these places, by place."""
    cursor = await tx.execute(
        f"""
        SELECT m.id, r.wing, m.room, m.drawer, m.content, m.speaker, m.said_at, c.external_id, c.title, m.position,
               {palace.TAGS}
        FROM unnest(%s::integer[], %s::integer[]) AS wanted (room, drawer)
        JOIN memories m USING (room, drawer)
        JOIN rooms r ON r.room = m.room
        JOIN conversations c ON c.conversation = m.conversation
        """,
        [[place >> 32 for place in places], [place & (ROOM - 1) for place in places]],
    )
    found = [Found(*row) async for row in cursor]
    return {each.room << 32 | each.drawer: each for each in found}


async def ids_at(tx: Transaction, places: Sequence[int]) -> dict[int, UUID]:
    """The ids of loose memories, by their number in room 0."""
    cursor = await tx.execute("SELECT drawer, id FROM memories WHERE room = 0 AND drawer = ANY(%s)", [list(places)])
    return {row[0]: row[1] async for row in cursor}
