"""The SQL of recall. A place is one number: room · 2³² + drawer, so that neighbouring turns are one apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any, LiteralString
from uuid import UUID

import numpy as np
from psycopg import sql

from ricordo import accounts, facts, memories, palace, vectors
from ricordo.accounts import Corpus
from ricordo.database import Transaction
from ricordo.database.transport import load_arrays_as_numpy
from ricordo.models import Filters
from ricordo.recall.by_time import Turn
from ricordo.recall.changing import Newer
from ricordo.recall.meaning import Meaning
from ricordo.recall.time_rules import Span
from ricordo.recall.when import moments

ROOM = 1 << 32
_NO_INTEGERS = np.empty(0, np.int64)
_NO_NUMBERS = np.empty(0, np.float32)
_NO_TEXTS = np.empty(0, object)
#: The places of a term that are looked at. What stands in more memories says little of any.
_MOST = 40_000
#: The turns of a span of days that are looked at, the newest of them.
_IN_SPAN = 1_000
#: The rooms and the turns among which those are chosen that are asked for by time, and how much of each is read.
_ROOMS, _SPOKEN, _BEGINNING = 500, 4_000, 400
_NEAREST: LiteralString = """
    (SELECT vector <=> %(vector)s::halfvec FROM embeddings e JOIN models USING (model)
     WHERE name = %(embedding_model)s AND dimension = %(dimension)s
       AND e.room = newest.room AND e.drawer = newest.drawer) NULLS LAST, room DESC, drawer DESC
"""
_LIKENESS: LiteralString = """
    (SELECT 1 - (vector <=> %(vector)s::halfvec) FROM embeddings e JOIN models USING (model)
     WHERE name = %(embedding_model)s AND dimension = %(dimension)s AND e.room = m.room AND e.drawer = m.drawer)
"""
#: How many vectors of an index are gone through at once (hnsw.ef_search).
_BREADTH: LiteralString = "400"


#: Rooms of a project, and those of wings that are no projects.
_OPEN: LiteralString = """
    m.room IN (SELECT r.room FROM rooms r JOIN wings w USING (user_id, wing)
               WHERE w.wing = %(project)s OR w.kind <> 'project')
"""


@dataclass(frozen=True)
class Narrowing:
    """The conditions of a search on `memories m`, and with `loose` `profiles p`; none means every drawer.

    Drawers stand in rooms; with `loose` the memories that stand in none (room 0) are searched instead.
    """

    conditions: tuple[sql.Composable, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    loose: bool = False

    @classmethod
    def of(
        cls, filters: Filters, wing: int | None, room: int | None, project: tuple[int, bool] | None = None
    ) -> Narrowing:
        """The conditions that a recall's filters set; wing, room and project come as their numbers, the latter with
        whether wings that are no projects are open to it."""
        own, is_open = project or (None, False)
        wanted: list[tuple[LiteralString, str, object]] = [
            ("m.room IN (SELECT room FROM rooms WHERE wing = %(wing)s)", "wing", wing),
            (_OPEN if is_open else "m.room IN (SELECT room FROM rooms WHERE wing = %(project)s)", "project", own),
            ("m.room = %(room)s", "room", room),
            ("(lower(m.speaker) = lower(%(speaker)s) OR m.role = lower(%(speaker)s))", "speaker", filters.speaker),
            ("m.said_at >= %(since)s", "since", filters.since),
            ("m.said_at < %(until)s", "until", filters.until),
            ("m.said_at <= %(as_of)s", "as_of", filters.as_of),
        ]
        chosen = [(condition, name, value) for condition, name, value in wanted if value is not None]
        return cls(tuple(sql.SQL(condition) for condition, _, _ in chosen), {name: value for _, name, value in chosen})

    @classmethod
    def of_loose(cls, chosen: memories.Chosen) -> Narrowing:
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
    def further(self) -> sql.Composable:
        """The conditions behind others on `memories m`, each with its AND."""
        return sql.SQL("").join(sql.SQL(" AND ") + each for each in self.conditions)

    @property
    def joined(self) -> sql.SQL:
        """What must be joined to `memories m` for the conditions to be understood."""
        if self.loose:
            return sql.SQL("LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id")
        return sql.SQL("")


@dataclass(frozen=True)
class Postings:
    """Where a term stands: places in rising order, how often, and how many terms the memories have."""

    places: np.ndarray
    frequencies: np.ndarray
    lengths: np.ndarray
    #: In how many memories it stands, about, where the places are only the newest.
    common: int | None = None


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
    #: Cosine similarity of the question to a turn in another language; 0 for the others. None where none was looked at.
    translated: np.ndarray | None = None


@dataclass(frozen=True)
class Meant:
    """A question's vector, the name of the embedding model that made it, and how many of the nearest memories are
    wanted."""

    vector: np.ndarray
    embedding_model: str
    nearest: int
    #: The embedding model's number where the user's vectors have an index; `open_index` says.
    indexed: int | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "vector": self.vector.astype(np.float16),
            "dimension": len(self.vector),
            "embedding_model": self.embedding_model,
        }


def near_to(meaning: Meaning, nearest: int) -> Meant | None:
    """That so many memories are wanted which are nearest to a question; None where it has no vector."""
    if meaning.embedding_model is None or meaning.vector is None:
        return None
    return Meant(meaning.vector, meaning.embedding_model, nearest)


async def begin(tx: Transaction, user_id: UUID, slugs: Sequence[str]) -> tuple[Corpus, dict[str, list[str]], bool]:
    """What a recall must know of the whole, the other names of what these slugs name, and whether there are standing
    instructions: by one statement."""
    cursor = await tx.execute(
        f"SELECT corpus.*, {facts.OTHER_NAMES}, {facts.ANY_INSTRUCTIONS} FROM ({accounts.CORPUS}) corpus",
        {"user_id": user_id, "slugs": list(slugs)},
    )
    row = await cursor.fetchone()
    return (accounts.corpus_of(row[:-2]), row[-2] or {}, row[-1]) if row else (accounts.corpus_of(None), {}, False)


async def postings(
    tx: Transaction, terms: Sequence[int], narrowing: Narrowing, most: int | None = None
) -> dict[int, Postings]:
    """Where each of these terms stands in what the filters leave; of more common ones only the newest places: so many,
    or those that say much."""
    query = _postings_query(narrowing) if narrowing.conditions else _POSTED
    parameters = {"terms": list(terms), "most": most or _MOST, **narrowing.parameters}
    async with tx.cursor() as cursor:
        load_arrays_as_numpy(cursor)
        await cursor.execute(query, parameters, binary=True)
        return {row[0]: _rising(*row[1:]) for row in await cursor.fetchall()}


def _postings_query(narrowing: Narrowing) -> bytes:
    query = sql.SQL(
        """
        SELECT term, places, frequencies, lengths FROM unnest(%(terms)s::integer[]) AS wanted (term), LATERAL (
            SELECT array_agg(room::bigint << 32 | drawer) AS places, array_agg(frequency::integer) AS frequencies,
                   array_agg(length::integer) AS lengths
            FROM (
                SELECT room, drawer, frequency, length FROM postings
                WHERE term = wanted.term{narrowed}
                ORDER BY room DESC, drawer DESC LIMIT %(most)s
            ) newest
        ) found WHERE places IS NOT NULL
        """
    ).format(narrowed=narrowing.clause("postings"))
    return query.as_bytes()


_POSTED = _postings_query(Narrowing())


def _rising(places: np.ndarray, frequencies: np.ndarray, lengths: np.ndarray) -> Postings:
    """Postings that came in falling order."""
    common = None
    if len(places) == _MOST:  # as many in the rest of the rooms
        newest, oldest = places[0] >> 32, places[-1] >> 32
        common = int(_MOST * newest / (newest - oldest + 1))
    return Postings(places[::-1], frequencies[::-1], lengths[::-1], common)


async def newest_with(tx: Transaction, terms: Sequence[int], most: int, longest: int) -> list[Newer]:
    """The newest memories that hold one of these terms, at most so many for each; of these, those of at most so many
    characters."""
    cursor = await tx.execute(
        """
        SELECT w.room, w.drawer, m.speaker, m.said_at, m.content FROM (
            SELECT DISTINCT room, drawer FROM unnest(%s::integer[]) AS wanted (term), LATERAL (
                SELECT room, drawer FROM postings WHERE term = wanted.term ORDER BY room DESC, drawer DESC LIMIT %s
            ) newest
        ) w CROSS JOIN LATERAL (
            SELECT content, speaker, said_at FROM memories
            WHERE room = w.room AND drawer = w.drawer AND NOT is_redacted OFFSET 0
        ) m WHERE length(m.content) <= %s
        """,
        [list(terms), most, longest],
        binary=True,
    )
    return [Newer((room, drawer), *said) for room, drawer, *said in await cursor.fetchall()]


async def frequencies(tx: Transaction, terms: Sequence[int]) -> dict[int, int]:
    """How many memories hold each of these terms, of those that any holds."""
    cursor = await tx.execute(
        "SELECT term, count(*) FROM postings WHERE term = ANY(%s) GROUP BY term", [list(terms)], binary=True
    )
    return dict(await cursor.fetchall())


_WORDED = "SELECT room, drawer, NULL::real AS cosine FROM unnest(%(rooms)s, %(drawers)s) AS worded (room, drawer)"
#: The candidates that are nearest to the question, with their cosines. Vectors of two embedding models cannot be
#: compared: where the user's are of another one, none is near.
_MEANT = """
    space AS MATERIALIZED (
        SELECT m.model FROM models m JOIN user_models u USING (model)
        WHERE m.name = %(embedding_model)s AND m.dimension = %(dimension)s
    ), near AS MATERIALIZED (
        SELECT room, drawer, (1 - distance)::real AS cosine FROM (
            SELECT room, drawer, {distance} AS distance FROM embeddings
            WHERE user_id = {user} AND model = {model} AND drawer > 0{narrowed}
            ORDER BY distance LIMIT {limit}
        ) nearest
    )
"""
#: Those in other languages whose signs are nearest to the question's.
_ACROSS = """
    others AS MATERIALIZED (
        SELECT room, drawer, signs FROM embeddings
        WHERE language IN ({languages}) AND signs IS NOT NULL AND drawer > 0{narrowed}
        ORDER BY signs <~> %(signs)s::bit(512) LIMIT {limit}
    )
"""
#: All candidates, each once.
_WANTED = """
    wanted AS MATERIALIZED (
        SELECT room, drawer, max(cosine) AS cosine FROM ({each}) each GROUP BY room, drawer
    )
"""
_COSINE = """
    (SELECT (1 - (vector <=> %(vector)s::halfvec))::real FROM embeddings
     WHERE model = (SELECT model FROM space) AND room = c.room AND drawer = {})
"""
#: OFFSET 0 lets each candidate be looked up by its key: for some hundreds the planner would read the whole table.
_DETAILS = """
    WITH {candidates}
    SELECT details.*, rooms.*{translated} FROM (
        SELECT array_agg(c.room::bigint << 32 | c.drawer), array_agg((m.role = 'assistant')::integer),
               array_agg(date_part('epoch', m.said_at)::bigint), array_agg(length(m.content)),
               array_agg(coalesce(c.cosine, {cosine}, 'NaN')),
               array_agg((right(m.content, 80) LIKE ANY ('{{%%?%%,%%？%%,%%؟%%}}'))::integer),
               array_agg(m.speaker){texts}
        FROM wanted c CROSS JOIN LATERAL (
            SELECT m.role, m.said_at, m.content, m.speaker FROM memories m {joined}
            WHERE m.room = c.room AND m.drawer = c.drawer AND NOT m.is_redacted{conditions} OFFSET 0
        ) m
    ) details, (
        SELECT array_agg(c.room), array_agg(coalesce({room_cosine}, 'NaN')) FROM (SELECT DISTINCT room FROM wanted) c
    ) rooms
"""
_TRANSLATED = """
    , (SELECT array_agg(room::bigint << 32 | drawer) FROM others), (SELECT string_agg(bit_send(signs), '') FROM others)
"""
_TEXTS = ", array_agg(CASE WHEN m.role = 'assistant' THEN '' ELSE left(m.content, 1000) END)"


#: How vectors are compared: all that the table has, or those that the index leads to (ricordo.vectors.near_index), by
#: the very expressions that this is made of.
_ALL = {
    "user": sql.SQL("%(user_id)s"),
    "model": sql.SQL("(SELECT model FROM space)"),
    "distance": sql.SQL("vector <=> %(vector)s::halfvec"),
}


@dataclass(frozen=True)
class _Index:
    """An index of vectors: it holds those of one user by one model, which have so many dimensions."""

    user_id: UUID
    model: int
    dimension: int

    def near(self) -> dict[str, sql.Composable]:
        """With literals, since without its values a statement is not seen to fit the index."""
        distance = sql.SQL("vector::halfvec({0}) <=> %(vector)s::halfvec({0})").format(sql.Literal(self.dimension))
        user, model = sql.Literal(str(self.user_id)), sql.Literal(self.model)
        return {"user": user, "model": sql.SQL("{}::smallint").format(model), "distance": distance}


@dataclass(frozen=True)
class Across:
    """A question's multilingual vector, and the languages in which turns are wanted that are near to it."""

    question: np.ndarray
    languages: Sequence[str]


@dataclass(frozen=True)
class _Sought:
    """What the query for details depends on besides filters: how many candidates are wanted of those nearest to what is
    meant (None: nothing is), how many in other languages and in which, and whether texts are read. All are literals:
    the planner expects a parameter to leave a tenth of all, and chooses a plan by how common a language is."""

    nearest: int | None
    across: int
    languages: tuple[str, ...]
    texts: bool
    index: _Index | None = None

    def query(self, narrowing: Narrowing) -> bytes:
        """The statement."""
        narrowed, each, candidates = narrowing.clause("embeddings"), [sql.SQL(_WORDED)], list[sql.Composable]()
        if self.nearest:
            near = self.index.near() if self.index else _ALL
            each.append(sql.SQL("TABLE near"))
            candidates.append(sql.SQL(_MEANT).format(narrowed=narrowed, limit=sql.Literal(self.nearest), **near))
        if self.languages:
            languages = sql.SQL(", ").join(map(sql.Literal, self.languages))
            each.append(sql.SQL("SELECT room, drawer, NULL::real FROM others"))
            limit = sql.Literal(self.across)
            candidates.append(sql.SQL(_ACROSS).format(languages=languages, narrowed=narrowed, limit=limit))
        wanted = sql.SQL(_WANTED).format(each=sql.SQL(" UNION ALL ").join(each))
        return (
            sql.SQL(_DETAILS)
            .format(
                candidates=sql.SQL(", ").join([*candidates, wanted]),
                cosine=sql.SQL(_COSINE.format("c.drawer") if self.nearest else "NULL"),
                room_cosine=sql.SQL(_COSINE.format("0") if self.nearest else "NULL::real"),
                texts=sql.SQL(_TEXTS if self.texts else ""),
                translated=sql.SQL(_TRANSLATED if self.languages else ""),
                joined=narrowing.joined,
                conditions=narrowing.further,
            )
            .as_bytes()
        )


@lru_cache(64)
def _query_of_all(sought: _Sought) -> bytes:
    return sought.query(Narrowing())


async def open_index(tx: Transaction, user_id: UUID, meant: Meant) -> Meant:
    """The same question, to be compared by the index of the user's vectors where there is one."""
    indexed = await vectors.near_index_of(tx, user_id, meant.embedding_model, len(meant.vector))
    if indexed is None:
        return meant
    await tx.execute(f"SET LOCAL hnsw.ef_search = {_BREADTH}; SET LOCAL hnsw.iterative_scan = relaxed_order")
    return replace(meant, indexed=indexed)


async def details(
    tx: Transaction,
    user_id: UUID,
    worded: np.ndarray,
    meant: Meant | None,
    narrowing: Narrowing,
    across: Across | None = None,
    *,
    most: int = 0,
    texts: bool = False,
) -> Details:
    """What ranking must know of the candidates, in rising order: those at the places `worded`, those nearest to
    what is meant, and up to `most` in other languages. With `texts` what they say too.

    Those that do not exist, that are redacted, or that the filters leave out, are missing from the answer.
    """
    index = _Index(user_id, meant.indexed, len(meant.vector)) if meant and meant.indexed is not None else None
    languages = tuple(across.languages) if across else ()
    sought = _Sought(meant.nearest if meant else None, most, languages, texts, index)
    async with tx.cursor() as cursor:
        load_arrays_as_numpy(cursor)
        await cursor.execute(
            sought.query(narrowing) if narrowing.conditions else _query_of_all(sought),
            {
                "user_id": user_id,
                "rooms": (worded >> 32).astype(np.int32),
                "drawers": (worded & (ROOM - 1)).astype(np.int32),
                **(meant.parameters if meant else {}),
                **({"signs": vectors.as_bits(across.question)} if across else {}),
                **narrowing.parameters,
            },
            binary=True,
        )
        row = await cursor.fetchone()
    if row is None or row[0] is None:
        columns: list[Any] = [*[_NO_INTEGERS] * 4, *[_NO_NUMBERS] * 2, _NO_INTEGERS, *[_NO_TEXTS] * (1 + texts)]
        return Details(*columns)
    *columns, rooms, room_cosines = row[: 9 + texts]
    order, by_room = np.argsort(columns[0]), np.argsort(rooms)
    places, assistant, said_at, characters, cosine, *others = (np.asarray(column)[order] for column in columns)
    room_cosine = room_cosines[by_room][np.searchsorted(rooms[by_room], places >> 32)]
    found = Details(places, assistant, said_at, characters, cosine, room_cosine, *others)
    return replace(found, translated=_translated(places, across.question, *row[-2:])) if across else found


def _translated(
    places: np.ndarray, question: np.ndarray, others: np.ndarray | None, signs: bytes | None
) -> np.ndarray | None:
    """How near each of these places is to a question in another language, by the signs of the `others`; 0 elsewhere."""
    if others is None or signs is None:
        return None
    # Each value comes with its length ahead.
    likeness = vectors.likeness(question, np.frombuffer(signs, np.uint8).reshape(len(others), -1)[:, 4:])
    translated = np.zeros(len(places), likeness.dtype)
    row = np.searchsorted(places, others).clip(max=len(places) - 1)
    there = places[row] == others  # filters leave some out
    translated[row[there]] = likeness[there]
    return translated


async def within(
    tx: Transaction, span: Span, zone: tzinfo, meant: Meant | None, limit: int, narrowing: Narrowing
) -> np.ndarray:
    """The places of turns of these days of a time zone, in rising order: those that are nearest to what is meant, of
    the newest."""
    query = sql.SQL(
        """
        SELECT array_agg(room::bigint << 32 | drawer ORDER BY room, drawer) FROM (
            SELECT room, drawer FROM (
                SELECT m.room, m.drawer FROM (
                    SELECT DISTINCT room FROM said_on
                    -- Counted by days of UTC: the user's days may lie on those beside.
                    WHERE day BETWEEN %(first)s - 1 AND %(last)s + 1 ORDER BY room DESC LIMIT %(most)s
                ) r JOIN memories m ON m.room = r.room {joined}
                WHERE m.said_at >= %(begin)s AND m.said_at < %(end)s
                  AND NOT m.is_redacted{conditions}
                ORDER BY m.room DESC, m.drawer DESC LIMIT %(most)s
            ) newest ORDER BY {order} LIMIT %(limit)s
        ) nearest
        """
    ).format(
        joined=narrowing.joined,
        conditions=narrowing.further,
        order=sql.SQL(_NEAREST if meant else "room DESC, drawer DESC"),
    )
    begin, end = moments(span.first, span.last, zone)
    parameters = {
        "first": span.first, "last": span.last, "begin": begin, "end": end, "most": _IN_SPAN, "limit": limit
    }  # fmt: skip
    async with tx.cursor() as cursor:
        load_arrays_as_numpy(cursor)
        meanwhile = meant.parameters if meant else {}
        await cursor.execute(query, {**parameters, **meanwhile, **narrowing.parameters}, binary=True)
        row = await cursor.fetchone()
    return _NO_INTEGERS if row is None or row[0] is None else np.asarray(row[0])


async def spoken(
    tx: Transaction, begin: datetime, end: datetime, narrowing: Narrowing, *, oldest: bool = False
) -> list[Turn]:
    """The turns from one moment to before another, in order of time: of very many the newest, or the oldest."""
    query = sql.SQL(
        """
        SELECT m.room::bigint << 32 | m.drawer, m.role, m.said_at, c.external_id, left(m.content, %(most)s)
        FROM (
            SELECT room FROM said_on WHERE day BETWEEN %(first)s AND %(last)s
            GROUP BY room ORDER BY {rooms} LIMIT %(rooms)s
        ) r JOIN memories m ON m.room = r.room {joined} JOIN conversations c ON c.conversation = m.conversation
        WHERE m.said_at >= %(begin)s AND m.said_at < %(end)s AND NOT m.is_redacted{conditions}
        ORDER BY m.said_at {direction}, m.room {direction}, m.position {direction} LIMIT %(turns)s
        """
    ).format(
        rooms=sql.SQL("min(day), room" if oldest else "max(day) DESC, room DESC"),
        direction=sql.SQL("ASC" if oldest else "DESC"),
        joined=narrowing.joined,
        conditions=narrowing.further,
    )
    parameters = {
        "begin": begin,
        "end": end,
        "first": begin.astimezone(UTC).date(),
        "last": end.astimezone(UTC).date(),
        # Filters may leave nothing of the nearest rooms.
        "rooms": None if narrowing.conditions else _ROOMS,
        "turns": _SPOKEN,
        "most": _BEGINNING,
    }
    cursor = await tx.execute(query, {**parameters, **narrowing.parameters})
    found = [Turn(*row) async for row in cursor]
    return found if oldest else found[::-1]


#: As in _DETAILS, each is looked up by its key.
_READ_AGAIN = """
    SELECT w.number, left(m.content, %(most)s), length(m.content), {tokens}
    FROM unnest(%(rooms)s, %(drawers)s) WITH ORDINALITY AS w (room, drawer, number)
    CROSS JOIN LATERAL (
        SELECT content FROM memories WHERE room = w.room AND drawer = w.drawer OFFSET 0
    ) m
"""
_TOKENS = """
    (SELECT tokens FROM embeddings
     WHERE model = (SELECT model FROM models JOIN user_models USING (model) WHERE name = %(embedding_model)s)
       AND room = w.room AND drawer = w.drawer)
"""


@dataclass(frozen=True)
class ReadAgain:
    """What is read of some candidates beyond their details, one element for each."""

    #: The beginnings of what they say, their whole lengths, and the vectors of their word pieces, if there are any.
    texts: list[str]
    lengths: np.ndarray
    tokens: list[bytes | None]


async def read_again(tx: Transaction, places: np.ndarray, most: int, embedding_model: str | None) -> ReadAgain:
    """Up to `most` characters of the turns at these places, and the vectors of their word pieces by this embedding
    model; of those that have gone meanwhile nothing."""
    read = ReadAgain([""] * len(places), np.zeros(len(places), np.int64), [None] * len(places))
    async with tx.cursor() as cursor:
        await cursor.execute(
            _READ_AGAIN.format(tokens=_TOKENS if embedding_model else "NULL::bytea").encode(),
            {
                "rooms": (places >> 32).astype(np.int32),
                "drawers": (places & (ROOM - 1)).astype(np.int32),
                "most": most,
                "embedding_model": embedding_model,
            },
            binary=True,
        )
        for number, text, length, tokens in await cursor.fetchall():
            read.texts[number - 1], read.lengths[number - 1], read.tokens[number - 1] = text, length, tokens
    return read


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
    #: Whether it states a fact.
    states: bool
    tags: list[str]


async def fetch(tx: Transaction, places: Sequence[int]) -> dict[int, Found]:
    """The memories at these places, by place."""
    cursor = await tx.execute(
        f"""
        WITH m AS MATERIALIZED (
            SELECT found.* FROM unnest(%s::integer[], %s::integer[]) AS wanted (room, drawer)
            CROSS JOIN LATERAL (
                SELECT * FROM memories WHERE room = wanted.room AND drawer = wanted.drawer OFFSET 0
            ) found
        )
        SELECT m.id, r.wing, m.room, m.drawer, m.content, m.speaker, m.said_at, c.external_id, c.title, m.position,
               -- Not EXISTS, for which the planner would read all of the user's facts.
               (SELECT true FROM facts f WHERE f.room = m.room AND f.drawer = m.drawer LIMIT 1) IS NOT NULL,
               {palace.TAGS}
        FROM m
        JOIN rooms r ON r.room = m.room
        JOIN conversations c ON c.conversation = m.conversation
        """,
        [[place >> 32 for place in places], [place & (ROOM - 1) for place in places]],
    )
    found = [Found(*row) for row in await cursor.fetchall()]
    return {each.room << 32 | each.drawer: each for each in found}


async def latest(tx: Transaction, places: np.ndarray, most: int) -> list[int]:
    """The places of the memories that were said last, at most so many."""
    cursor = await tx.execute(
        """
        SELECT room::bigint << 32 | drawer FROM unnest(%s::integer[], %s::integer[]) AS wanted (room, drawer)
        CROSS JOIN LATERAL (
            SELECT said_at FROM memories WHERE room = wanted.room AND drawer = wanted.drawer OFFSET 0
        ) m ORDER BY said_at DESC, room DESC, drawer DESC LIMIT %s
        """,
        [(places >> 32).tolist(), (places & (ROOM - 1)).tolist(), most],
        binary=True,
    )
    return [place for (place,) in await cursor.fetchall()]


async def likeness(
    tx: Transaction, places: Sequence[int], meant: Meant | None, narrowing: Narrowing
) -> dict[int, float]:
    """How near each of these turns is to what is meant, 0 where there is no vector; without those that are redacted or
    that the filters leave out."""
    query = sql.SQL(
        """
        SELECT wanted.place, coalesce({cosine}, 0)::real
        FROM unnest(%(places)s::bigint[]) AS wanted (place) CROSS JOIN LATERAL (
            SELECT m.room, m.drawer FROM memories m {joined}
            WHERE m.room = (wanted.place >> 32)::integer AND m.drawer = (wanted.place & 4294967295)::integer
              AND NOT m.is_redacted{conditions} OFFSET 0
        ) m
        """
    ).format(cosine=sql.SQL(_LIKENESS if meant else "NULL"), joined=narrowing.joined, conditions=narrowing.further)
    async with tx.cursor() as cursor:
        asked = meant.parameters if meant else {}
        await cursor.execute(query, {"places": list(places), **asked, **narrowing.parameters})
        return {place: near async for place, near in cursor}


async def ids_at(tx: Transaction, places: Sequence[int]) -> dict[int, UUID]:
    """The ids of loose memories, by their number in room 0."""
    cursor = await tx.execute("SELECT drawer, id FROM memories WHERE room = 0 AND drawer = ANY(%s)", [list(places)])
    return {row[0]: row[1] async for row in cursor}
