"""Large stores in minutes: made-up talk of many users, copied straight into the tables with its postings and vectors.

The talk is of the bundled sample's sentences, so that common words are as common as people have them, and each turn
has some rare words besides, from 200,000 that Zipf's law draws. A vector is a mix of those of two real texts and noise:
near in meaning are then many turns, each by another degree. Needs an owner of the store who is a superuser, as the
embedded one's is.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import LiteralString
from uuid import UUID

import numpy as np
from psycopg import AsyncConnection, sql

from ricordo import accounts, formats, ids
from ricordo.embedding import EmbeddingModel
from ricordo.sample import chats
from ricordo.text import memory_terms, term_hash, terms

#: Turns of a room, rooms of a wing, and turns that one COPY takes.
TURNS, _ROOMS, _AT_ONCE = 25, 40, 25_000
_TEXTS, _RARE_WORDS, _RARE_IN_A_TURN = 2_000, 200_000, 3
_ZIPF, _NOISE = 1.1, 0.5
_START = datetime(2000, 1, 1, tzinfo=UTC)
_SYLLABLES = [first + vowel + last for first in "bdfgklmnprstvz" for vowel in "aeiou" for last in "bdgklmnprt"]
_COLUMNS: LiteralString = (
    "user_id, room, drawer, id, kind, closet, conversation, position, turn_key, role, speaker, content, said_at"
)
_SPEAKERS = ("Mara", "Derek")


def sentences() -> list[str]:
    """The sentences of the bundled sample."""
    texts = (message.content for each in formats.read([chats()], lambda _: None) for message in each.messages)
    return [sentence for text in texts for sentence in re.split(r"(?<=[.!?])\s+", text) if len(sentence.split()) > 3]


def wing_of(room: int) -> int:
    """The number of the wing that a room stands in."""
    return room // _ROOMS + 1


async def go_to(connection: AsyncConnection[tuple[object, ...]], schema: str) -> None:
    """Let the owner's connection work in this schema, on the rows of all users."""
    path = sql.SQL("SET search_path = {}, public, extensions").format(sql.Identifier(schema))
    await connection.execute(path)
    await connection.execute("SET row_security = off")  # an owner whom it binds gets an error, and not no rows


@asynccontextmanager
async def without_indexes(connection: AsyncConnection[tuple[object, ...]]) -> AsyncIterator[None]:
    """Within it the postings have no index, which is made anew when it ends, and no user's vectors have one, which
    `entries.tend_near_index` makes: millions of rows in minutes, not hours."""
    cursor = await connection.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE conrelid = 'postings'::regclass AND conname = 'postings_pkey'"
    )
    [(key,)] = await cursor.fetchall()
    await connection.execute("ALTER TABLE postings DROP CONSTRAINT postings_pkey")
    cursor = await connection.execute(
        "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '%USING hnsw%'"
    )
    for name in [str(row[0]) async for row in cursor]:
        await connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    yield
    await connection.execute("SET maintenance_work_mem = '1GB'")
    await connection.execute(f"ALTER TABLE postings ADD CONSTRAINT postings_pkey {key}".encode())


@dataclass(frozen=True)
class _Text:
    content: str
    terms: np.ndarray
    times: np.ndarray
    length: int


class Filler:
    """Fills users' stores, each with the next turns of a talk without end."""

    def __init__(self, embedding_model: EmbeddingModel) -> None:
        source, said = random.Random(0), sentences()
        texts = [" ".join(source.sample(said, source.choice((1, 1, 2, 2, 3)))) for _ in range(_TEXTS)]
        texts = [" ".join(each.replace(chr(92), "/").split()) for each in texts]  # as COPY's text form takes it
        self._texts = [_text(each) for each in texts]
        self._vectors = np.concatenate([embedding_model.encode(texts[at : at + 500]) for at in range(0, _TEXTS, 500)])
        self._space = (embedding_model.name, embedding_model.dimension)
        self._random = np.random.default_rng(0)
        self._noise = self._random.normal(0, 1, (10_000, embedding_model.dimension)).astype(np.float32)
        self._noise /= np.linalg.norm(self._noise, axis=1, keepdims=True)
        self._rare = ["".join(source.sample(_SYLLABLES, 3)) for _ in range(_RARE_WORDS)]
        self._rare_hashes = np.array([term_hash(each) for each in self._rare], np.int32)
        weights = np.arange(1, _RARE_WORDS + 1) ** -_ZIPF
        self._rare_share = np.cumsum(weights / weights.sum())

    async def fill(self, connection: AsyncConnection[tuple[object, ...]], user: str, memories: int) -> None:
        """Give a user so many memories more (whole rooms). The connection is the owner's, its path the schema."""
        user_id = accounts.user_id_of(user)
        cursor = await connection.execute("SELECT last_room FROM users WHERE user_id = %s", [user_id])
        row = await cursor.fetchone()
        done = int(str(row[0])) if row else 0
        for first in range(done + 1, done + memories // TURNS + 1, _AT_ONCE // TURNS):
            rooms = range(first, min(first + _AT_ONCE // TURNS, done + memories // TURNS + 1))
            async with connection.transaction():
                await self._rooms(connection, user_id, user, rooms)
                await self._turns(connection, user_id, rooms)

    async def _rooms(
        self, connection: AsyncConnection[tuple[object, ...]], user_id: UUID, user: str, rooms: range
    ) -> None:
        name, dimension = self._space
        await connection.execute(
            "INSERT INTO users (user_id, name, languages) VALUES (%s, %s, '{en}') ON CONFLICT DO NOTHING",
            [user_id, user],
        )
        model = "(SELECT model FROM models WHERE name = %s)"
        await connection.execute(
            "INSERT INTO models (name, dimension) VALUES (%s, %s) ON CONFLICT DO NOTHING", [name, dimension]
        )
        await connection.execute(
            f"INSERT INTO user_models (user_id, model) VALUES (%s, {model}) ON CONFLICT DO NOTHING",
            [user_id, name],
        )
        wings = sorted({*map(wing_of, rooms)})
        await connection.execute(
            "INSERT INTO wings (user_id, wing, kind, name, slug) "
            "SELECT %s, n, 'person', 'Wing ' || n, 'wing-' || n FROM unnest(%s::integer[]) n ON CONFLICT DO NOTHING",
            [user_id, wings],
        )
        each_room = "FROM generate_series(%(first)s::integer, %(last)s::integer) n"
        for statement in (
            "INSERT INTO conversations (user_id, conversation, id, external_id, source, language) "
            f"SELECT %(user)s, n, gen_random_uuid(), 'talk ' || n, 'bench', 'en' {each_room}",
            "INSERT INTO rooms (user_id, room, wing, conversation, name, started_at, ended_at, drawers) "
            "SELECT %(user)s, n, n / %(rooms)s + 1, n, 'Room ' || n, %(start)s::timestamptz + n * interval '1 day', "
            f"%(start)s::timestamptz + n * interval '1 day', %(turns)s {each_room}",
            "INSERT INTO closets (user_id, room, closet, name, slug) "
            f"SELECT %(user)s, n, 1, 'Closet', 'closet' {each_room}",
            "INSERT INTO said_on (user_id, room, day, role, speaker, drawers) "
            "SELECT %(user)s, n, (%(start)s::timestamptz AT TIME ZONE 'UTC')::date + n, 'user', speaker, drawers "
            f"{each_room}, unnest(%(speakers)s::text[], %(each)s::integer[]) s (speaker, drawers)",
        ):
            await connection.execute(
                statement,
                {
                    "user": user_id,
                    "first": rooms[0],
                    "last": rooms[-1],
                    "rooms": _ROOMS,
                    "start": _START,
                    "turns": TURNS,
                    "speakers": list(_SPEAKERS),
                    "each": [TURNS // 2, TURNS - TURNS // 2],
                },
            )

    async def _turns(self, connection: AsyncConnection[tuple[object, ...]], user_id: UUID, rooms: range) -> None:
        count = len(rooms) * TURNS
        room = np.repeat(np.arange(rooms[0], rooms[-1] + 1, dtype=np.int32), TURNS)
        drawer = np.tile(np.arange(1, TURNS + 1, dtype=np.int32), len(rooms))
        chosen = self._random.integers(0, _TEXTS, count)
        rare = np.searchsorted(self._rare_share, self._random.random((count, _RARE_IN_A_TURN)))
        rare = np.minimum(rare, _RARE_WORDS - 1)
        async with connection.cursor() as cursor, cursor.copy(f"COPY memories ({_COLUMNS}) FROM STDIN") as copy:
            await copy.write("".join(self._lines(user_id, room, drawer, chosen, rare)))
        postings = self._postings(user_id, room, drawer, chosen, rare)
        await _copy(connection, "postings", postings)
        await connection.execute(
            "UPDATE users SET memories = memories + %s, terms = terms + %s, last_room = %s, last_conversation = %s, "
            "last_wing = %s WHERE user_id = %s",
            [count, int(postings["frequency"].sum()), rooms[-1], rooms[-1], wing_of(rooms[-1]), user_id],
        )
        cursor = await connection.execute("SELECT model FROM models WHERE name = %s", [self._space[0]])
        row = await cursor.fetchone()
        assert row is not None
        embeddings = self._embeddings(user_id, int(str(row[0])), room, drawer, chosen)
        await _copy(connection, "embeddings", embeddings, ["user_id", "model", "room", "drawer", "vector"])

    def _lines(
        self, user_id: UUID, room: np.ndarray, drawer: np.ndarray, chosen: np.ndarray, rare: np.ndarray
    ) -> Iterator[str]:
        for in_room, in_drawer, text, words in zip(
            room.tolist(), drawer.tolist(), chosen.tolist(), rare.tolist(), strict=True
        ):
            content = " ".join([self._texts[text].content, *(self._rare[each] for each in words)])
            at = _START + timedelta(days=in_room, minutes=in_drawer)
            yield (
                f"{user_id}\t{in_room}\t{in_drawer}\t{ids.new_id()}\tdrawer\t1\t{in_room}\t{in_drawer - 1}"
                f"\t{in_drawer}\tuser\t{_SPEAKERS[in_drawer % 2]}\t{content}\t{at.isoformat()}\n"
            )

    def _postings(
        self, user_id: UUID, room: np.ndarray, drawer: np.ndarray, chosen: np.ndarray, rare: np.ndarray
    ) -> np.ndarray:
        told = {each: _of_telling(*each) for each in {*zip(room.tolist(), (drawer % 2).tolist(), strict=True)}}
        around = np.array([told[each] for each in zip(room.tolist(), (drawer % 2).tolist(), strict=True)], np.int32)
        parts = [self._texts[each] for each in chosen]
        lengths = np.array([each.length for each in parts], np.int16) + rare.shape[1] + around.shape[1]
        single = np.concatenate([self._rare_hashes[rare], around], axis=1)
        each_row = np.arange(len(room))
        owner = np.concatenate(
            [np.repeat(each_row, [len(each.terms) for each in parts]), np.repeat(each_row, single.shape[1])]
        )
        numbers = [(name, ">i4") for name in ("term", "room", "drawer")]
        rows = _rows(user_id, len(owner), *numbers, ("frequency", ">i2"), ("length", ">i2"))
        rows["term"] = np.concatenate([*(each.terms for each in parts), single.ravel()])
        rows["frequency"] = np.concatenate([*(each.times for each in parts), np.ones(single.size, np.int16)])
        rows["room"], rows["drawer"], rows["length"] = room[owner], drawer[owner], lengths[owner]
        # In the order of the index, as mining leaves them. A rare word's second time in a turn goes.
        order = np.lexsort((rows["drawer"], rows["room"], rows["term"]))
        rows = rows[order]
        same = np.flatnonzero(
            (rows["term"][1:] == rows["term"][:-1])
            & (rows["room"][1:] == rows["room"][:-1])
            & (rows["drawer"][1:] == rows["drawer"][:-1])
        )
        kept: np.ndarray = np.delete(rows, same)
        return kept

    def _embeddings(
        self, user_id: UUID, model: int, room: np.ndarray, drawer: np.ndarray, chosen: np.ndarray
    ) -> np.ndarray:
        other = self._random.integers(0, _TEXTS, len(room))
        share = self._random.uniform(0.5, 1, (len(room), 1)).astype(np.float32)
        noise = self._noise[self._random.integers(0, len(self._noise), len(room))]
        vectors = share * self._vectors[chosen] + (1 - share) * self._vectors[other] + _NOISE * noise
        starts = np.flatnonzero(drawer == 1)
        means = np.add.reduceat(vectors, starts) / TURNS
        vectors, room = np.concatenate([vectors, means]), np.concatenate([room, room[starts]])
        drawer = np.concatenate([drawer, np.zeros(len(starts), np.int32)])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        # pgvector's halfvec_send: the dimension, an unused number, and each element (halfvec.c).
        width = vectors.shape[1]
        vector = np.dtype([("dimension", ">i2"), ("unused", ">i2"), ("elements", ">f2", width)])
        rows = _rows(user_id, len(room), ("model", ">i2"), ("room", ">i4"), ("drawer", ">i4"), ("vector", vector))
        rows["model"], rows["room"], rows["drawer"] = model, room, drawer
        rows["vector"]["dimension"], rows["vector"]["elements"] = width, vectors
        return rows


def _of_telling(room: int, speaker: int) -> list[int]:
    """The terms by which a turn of this room is found for who said it and when."""
    return [*map(term_hash, memory_terms("", _SPEAKERS[speaker], _START + timedelta(days=room), "en"))]


def _text(content: str) -> _Text:
    found = terms(content, "en")
    counts = Counter(map(term_hash, found))
    return _Text(content, np.array([*counts], np.int32), np.array([*counts.values()], np.int16), len(found))


def _rows(user_id: UUID, count: int, *columns: tuple[str, object]) -> np.ndarray:
    """Rows in COPY's binary form: each field behind its length. Only `user_id` is filled in."""
    layout: list[tuple[str, object]] = [("fields", ">i2"), ("user_id_length", ">i4"), ("user_id", "V16")]
    for name, kind in columns:
        layout += [(f"{name}_length", ">i4"), (name, kind)]
    rows = np.zeros(count, np.dtype(layout))
    rows["fields"] = len(columns) + 1
    rows["user_id"], rows["user_id_length"] = np.void(user_id.bytes), 16
    for name, _ in columns:
        rows[f"{name}_length"] = rows.dtype[name].itemsize
    return rows


async def _copy(
    connection: AsyncConnection[tuple[object, ...]], table: str, rows: np.ndarray, columns: Sequence[str] = ()
) -> None:
    named = sql.SQL("({})").format(sql.SQL(", ").join(map(sql.Identifier, columns))) if columns else sql.SQL("")
    statement = sql.SQL("COPY {}{} FROM STDIN (FORMAT binary)").format(sql.Identifier(table), named)
    async with connection.cursor() as cursor, cursor.copy(statement) as copy:
        await copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for start in range(0, len(rows), 100_000):
            await copy.write(rows[start : start + 100_000].tobytes())
        await copy.write(b"\xff\xff")
