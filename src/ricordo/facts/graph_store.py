"""The SQL of what drawers say of entities: whom they name, by which spelling, and what they state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from ricordo.database import Transaction, execute_each
from ricordo.facts.entity_store import Named
from ricordo.facts.relations import StatedFact
from ricordo.models import Decision, Finder

#: Assertions of one slot that a recall looks at, the newest.
_MOST_OF_SLOT = 100
#: Sources whose turns count as the user's and need not be their words: files that MemPalace took in, and what an LLM
#: made of talks for mem0. Nobody's text there may tell an assistant what to do.
_WRITTEN_BY_OTHERS = ("mempalace", "mem0")


@dataclass(frozen=True)
class Stated:
    """A fact to be written; `room` and `drawer` are None for one that a person enters."""

    id: UUID
    room: int | None
    drawer: int | None
    subject: str
    predicate: str
    object: str | None
    value: str
    said_at: datetime
    since: datetime | None
    until: datetime | None
    ended: bool
    found_by: Finder
    #: For a correction: that it is confirmed, the fact that it replaces, and when that was decided, if not now.
    decision: Decision | None = None
    corrects: UUID | None = None
    decided_at: datetime | None = None


async def called(tx: Transaction, slug: str) -> list[str]:
    """What an entity says that its name is."""
    cursor = await tx.execute(
        "SELECT DISTINCT value FROM facts WHERE subject = %s AND predicate = 'name' AND NOT ended "
        "AND decision IS DISTINCT FROM 'rejected'",
        [slug],
    )
    return [row[0] async for row in cursor]


async def place_of(tx: Transaction, drawer: UUID) -> tuple[int, int] | None:
    """The room and number of a drawer."""
    cursor = await tx.execute("SELECT room, drawer FROM memories WHERE id = %s AND kind = 'drawer'", [drawer])
    return await cursor.fetchone()


async def clear(tx: Transaction, places: Sequence[tuple[int, int]], *, decided: bool) -> tuple[list[str], int, int]:
    """Take away what drawers mention and state, with `decided` also what a person decided about; returns the slugs that
    this touches, and how many rows went."""
    where: dict[str, Any] = {
        "rooms": [room for room, _ in places],
        "drawers": [drawer for _, drawer in places],
        "decided": decided,
    }
    cursor = await tx.execute(
        """
        WITH gone AS (
            DELETE FROM mentions m USING unnest(%(rooms)s::integer[], %(drawers)s::integer[]) AS p (room, drawer)
            WHERE m.room = p.room AND m.drawer = p.drawer RETURNING m.user_id, m.slug, m.name, m.kind
        ), counted AS (
            SELECT user_id, slug, name, kind, count(*)::integer AS drawers FROM gone GROUP BY user_id, slug, name, kind
        ), fewer AS (
            UPDATE spellings s SET drawers = s.drawers - c.drawers FROM counted c
            WHERE (s.user_id, s.slug, s.name, s.kind) = (c.user_id, c.slug, c.name, c.kind)
        )
        SELECT coalesce(array_agg(DISTINCT slug), '{}'), coalesce(sum(drawers), 0)::integer FROM counted
        """,
        where,
    )
    row = await cursor.fetchone()
    assert row is not None
    cursor = await tx.execute(
        """
        WITH gone AS (
            DELETE FROM facts a USING unnest(%(rooms)s::integer[], %(drawers)s::integer[]) AS p (room, drawer)
            WHERE a.room = p.room AND a.drawer = p.drawer AND (a.decision IS NULL OR %(decided)s)
            RETURNING a.subject, a.object
        )
        SELECT coalesce(array_agg(DISTINCT subject), '{}')
               || coalesce(array_agg(DISTINCT object) FILTER (WHERE object IS NOT NULL), '{}'), count(*)::integer
        FROM gone
        """,
        where,
    )
    stated = await cursor.fetchone()
    assert stated is not None
    return [*row[0], *stated[0]], row[1], stated[1]


async def add_mentions(tx: Transaction, user_id: UUID, named: Sequence[Named], found_by: Finder) -> None:
    """Write mentions, at most one of a slug for each drawer, and count their spellings."""
    columns = list(zip(*((each.room, each.drawer, each.slug, each.name, each.kind) for each in named), strict=True))
    await tx.execute(
        """
        INSERT INTO mentions (user_id, room, drawer, slug, name, kind, found_by)
        SELECT %s, room, drawer, slug, name, kind, %s
        FROM unnest(%s::integer[], %s::integer[], %s::text[], %s::text[], %s::text[])
            AS new (room, drawer, slug, name, kind)
        """,
        [user_id, found_by, *map(list, columns)],
    )
    spelled = Counter((each.slug, each.name, each.kind) for each in named)
    await execute_each(
        tx,
        """
        INSERT INTO spellings AS s (user_id, slug, name, kind, drawers) VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (user_id, slug, name, kind) DO UPDATE SET drawers = s.drawers + excluded.drawers
        """,
        # In order, so that of two who write the same spellings none waits in turn.
        [(user_id, *spelling, drawers) for spelling, drawers in sorted(spelled.items())],
    )


async def add_facts(tx: Transaction, user_id: UUID, stated: Sequence[Stated]) -> None:
    """Write facts."""
    now = None
    if any(each.decision and each.decided_at is None for each in stated):
        # All that is decided in one transaction has one time, by which it is undone.
        [[now]] = await (await tx.execute("SELECT now()")).fetchall()
    await execute_each(
        tx,
        """
        INSERT INTO facts (user_id, id, room, drawer, subject, predicate, object, value, said_at, holds_since,
                           holds_until, ended, found_by, decision, decided_at, corrects)
        VALUES (%(user_id)s, %(id)s, %(room)s, %(drawer)s, %(subject)s, %(predicate)s, %(object)s, %(value)s,
                %(said_at)s, %(since)s, %(until)s, %(ended)s, %(found_by)s, %(decision)s, %(decided_at)s, %(corrects)s)
        """,
        [
            {"user_id": user_id, **vars(each), "decided_at": each.decided_at or now if each.decision else None}
            for each in stated
        ],
    )


async def decided(
    tx: Transaction, places: Sequence[tuple[int, int]]
) -> tuple[set[UUID], set[tuple[int | None, int | None, str, str, str | None, str]]]:
    """The facts of drawers about which a person decided: their ids, and room, drawer, subject, predicate, object and
    value of each."""
    cursor = await tx.execute(
        """
        SELECT id, room, drawer, subject, predicate, object, value
        FROM facts JOIN unnest(%s::integer[], %s::integer[]) AS p (room, drawer) USING (room, drawer)
        WHERE decision IS NOT NULL
        """,
        [[room for room, _ in places], [drawer for _, drawer in places]],
    )
    rows = await cursor.fetchall()
    return {row[0] for row in rows}, {row[1:] for row in rows}


async def slot_of(tx: Transaction, id: UUID) -> tuple[int, str, Decision | None, datetime | None] | None:
    """Of a fact: its subject's entity, its predicate, what was decided about it, and when."""
    cursor = await tx.execute(
        """
        SELECT e.root, f.predicate, f.decision, f.decided_at
        FROM facts f JOIN aliases a ON a.user_id = f.user_id AND a.slug = f.subject
        JOIN entities e ON e.user_id = a.user_id AND e.entity = a.entity
        WHERE f.id = %s
        """,
        [id],
    )
    return await cursor.fetchone()


async def corrected_by(tx: Transaction, id: UUID) -> UUID | None:
    """The fact that a correction replaces."""
    cursor = await tx.execute("SELECT corrects FROM facts WHERE id = %s", [id])
    row = await cursor.fetchone()
    return row[0] if row else None


async def slugs_of(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, tuple[str, str | None]]:
    """The slugs of each fact's subject and object."""
    cursor = await tx.execute("SELECT id, subject, object FROM facts WHERE id = ANY(%s)", [list(ids)])
    return {id: (subject, object) async for id, subject, object in cursor}


async def decide(tx: Transaction, ids: Sequence[UUID], decision: Decision) -> None:
    """Write what a person decided about facts."""
    await tx.execute(
        "UPDATE facts SET decision = %(decision)s, decided_at = now() "
        "WHERE id = ANY(%(ids)s) AND decision IS DISTINCT FROM %(decision)s",
        {"ids": list(ids), "decision": decision},
    )


async def put_decision(
    tx: Transaction, ids: Sequence[UUID], decision: Decision | None, decided_at: datetime | None
) -> list[str]:
    """Let this be decided about facts since then, and nothing else: their corrections go. Returns the slugs that the
    corrections named."""
    cursor = await tx.execute(
        """
        WITH RECURSIVE chain AS (
            SELECT id FROM facts WHERE corrects = ANY(%(ids)s)
            UNION SELECT f.id FROM facts f JOIN chain c ON f.corrects = c.id
        )
        DELETE FROM facts WHERE id IN (SELECT id FROM chain) RETURNING subject, object
        """,
        {"ids": list(ids)},
    )
    touched = {slug async for row in cursor for slug in row if slug is not None}
    await tx.execute(
        "UPDATE facts SET decision = %s, decided_at = %s WHERE id = ANY(%s)", [decision, decided_at, list(ids)]
    )
    return sorted(touched)


async def stated_at(tx: Transaction, room: int, drawer: int) -> list[tuple[UUID, str, str, str | None, str, bool]]:
    """(id, subject, predicate, object, value, whether it is over) of each fact of a turn, without corrections."""
    cursor = await tx.execute(
        "SELECT id, subject, predicate, object, value, ended FROM facts "
        "WHERE room = %s AND drawer = %s AND corrects IS NULL ORDER BY id",
        [room, drawer],
    )
    return await cursor.fetchall()


async def undo(tx: Transaction, decided_at: datetime) -> list[str]:
    """Take back the decision of a moment: its corrections go, and the facts stand as they did before. Returns the slugs
    that the corrections named."""
    cursor = await tx.execute(
        "DELETE FROM facts WHERE decided_at = %s AND decision = 'confirmed' AND corrects IS NOT NULL "
        "RETURNING subject, object",
        [decided_at],
    )
    touched = {slug async for row in cursor for slug in row if slug is not None}
    await tx.execute(
        """
        UPDATE facts f SET decision = CASE WHEN o.id IS NOT NULL THEN 'confirmed' END, decided_at = o.decided_at
        FROM facts s LEFT JOIN facts o ON o.user_id = s.user_id AND o.id = s.corrects
        WHERE f.decided_at = %s AND s.user_id = f.user_id AND s.id = f.id
        """,
        [decided_at],
    )
    return sorted(touched)


async def mark_read(tx: Transaction, user_id: UUID, places: Sequence[tuple[int, int]]) -> None:
    """Note that a model has read drawers."""
    await execute_each(
        tx,
        "INSERT INTO model_reads (user_id, room, drawer) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        [(user_id, *place) for place in places],
    )


async def read_by_model(tx: Transaction, places: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of the drawers that a model has read."""
    cursor = await tx.execute(
        "SELECT room, drawer FROM model_reads JOIN unnest(%s::integer[], %s::integer[]) AS p (room, drawer) "
        "USING (room, drawer)",
        [[room for room, _ in places], [drawer for _, drawer in places]],
    )
    return set(await cursor.fetchall())


async def facts(tx: Transaction, about: Sequence[int] | None) -> list[StatedFact]:
    """What is asserted of the subjects and predicates in which one of these entities has a part; of all without."""
    cursor = await tx.execute(
        """
        WITH whole AS (
            SELECT a.id, s.root AS subject, a.predicate, o.root AS object, a.value, a.said_at, a.holds_since,
                   a.holds_until, a.ended, a.found_by, a.room, a.drawer, a.decision, a.decided_at
            FROM facts a
            JOIN aliases sa ON sa.user_id = a.user_id AND sa.slug = a.subject
            JOIN entities s ON s.user_id = sa.user_id AND s.entity = sa.entity
            LEFT JOIN aliases oa ON oa.user_id = a.user_id AND oa.slug = a.object
            LEFT JOIN entities o ON o.user_id = oa.user_id AND o.entity = oa.entity
        )
        SELECT * FROM whole WHERE %(about)s::integer[] IS NULL OR (subject, predicate) IN (
            SELECT subject, predicate FROM whole WHERE subject = ANY(%(about)s) OR object = ANY(%(about)s))
        """,
        {"about": None if about is None else list(about)},
    )
    return [StatedFact(*row) async for row in cursor]


async def slots(
    tx: Transaction,
    places: Sequence[tuple[int, int]],
    subjects: Sequence[str],
    predicates: Sequence[str],
    asked: Sequence[str],
) -> list[tuple[StatedFact, bool, str, str, int | None, str | None]]:
    """What is asserted in the slots (subject and predicate) that these drawers fill, and in those of `subjects` (slugs)
    with `predicates`, also by other drawers; and that a tool which they name is given up. Each with whether it is of
    one of the `asked` (slugs), its subject's slug and kind, the wing in which it stands, and who said it. One
    statement, since a recall waits for it; the arrays are sub-selects, since of an array's length the planner would
    make a plan anew each time, which takes longer than the statement."""
    cursor = await tx.execute(
        f"""
        WITH here AS MATERIALIZED (
            SELECT a.subject, a.predicate, a.value
            FROM unnest((SELECT %(rooms)s::integer[]), (SELECT %(drawers)s::integer[])) AS p (room, drawer)
            CROSS JOIN LATERAL (
                SELECT subject, predicate, value FROM facts WHERE room = p.room AND drawer = p.drawer OFFSET 0
            ) a
        ), roots AS MATERIALIZED (
            SELECT DISTINCT e.root, h.predicate FROM (
                SELECT subject, predicate FROM here
                UNION SELECT s, p FROM unnest((SELECT %(subjects)s::text[])) s
                CROSS JOIN unnest((SELECT %(predicates)s::text[])) p
            ) h JOIN aliases s ON s.slug = h.subject JOIN entities e ON e.entity = s.entity
        ), found AS (
            SELECT r.root, a.* FROM roots r
            JOIN entities e ON e.root = r.root JOIN aliases s ON s.entity = e.entity
            CROSS JOIN LATERAL (
                SELECT * FROM facts WHERE subject = s.slug AND predicate = r.predicate
                ORDER BY said_at DESC LIMIT {_MOST_OF_SLOT}
            ) a
            UNION
            SELECT e.root, a.* FROM (SELECT DISTINCT lower(value) AS value FROM here) h
            CROSS JOIN LATERAL (
                SELECT * FROM facts WHERE ended AND lower(value) = h.value AND predicate IN ('uses', 'runs_on')
                ORDER BY said_at DESC LIMIT {_MOST_OF_SLOT}
            ) a JOIN aliases s ON s.slug = a.subject JOIN entities e ON e.entity = s.entity
        )
        SELECT f.id, f.root, f.predicate, o.root, f.value, f.said_at, f.holds_since, f.holds_until, f.ended,
               f.found_by, f.room, f.drawer, f.decision, f.decided_at,
               f.root IN (SELECT e.root FROM unnest((SELECT %(asked)s::text[])) q JOIN aliases s ON s.slug = q
                          JOIN entities e ON e.entity = s.entity),
               f.subject, k.kind, r.wing, m.speaker
        FROM found f
        JOIN entities k ON k.entity = f.root
        LEFT JOIN rooms r ON r.room = f.room
        LEFT JOIN memories m ON m.room = f.room AND m.drawer = f.drawer
        LEFT JOIN aliases oa ON oa.slug = f.object
        LEFT JOIN entities o ON o.entity = oa.entity
        """,
        {
            "rooms": [room for room, _ in places],
            "drawers": [drawer for _, drawer in places],
            "subjects": list(subjects),
            "predicates": list(predicates),
            "asked": list(asked),
        },
        binary=True,
    )
    return [(StatedFact(*row[:14]), *row[14:]) async for row in cursor]


#: Whether the user's turns hold standing instructions, as an SQL expression.
ANY_INSTRUCTIONS: LiteralString = "EXISTS (SELECT FROM facts WHERE predicate = 'instruction')"


async def instructions(tx: Transaction, subjects: Sequence[str]) -> list[StatedFact]:
    """The standing instructions that these (slugs) gave, the newest; all of them as those of one person. What came
    from a source of other texts than what people said is none."""
    cursor = await tx.execute(
        """
        SELECT id, 0, predicate, NULL::integer, value, said_at, holds_since, holds_until, ended, found_by, room, drawer,
               decision, decided_at
        FROM facts f
        WHERE predicate = 'instruction' AND subject = ANY(%s) AND (room IS NULL OR EXISTS (
            SELECT FROM memories m JOIN conversations c USING (user_id, conversation)
            WHERE m.room = f.room AND m.drawer = f.drawer AND NOT m.is_redacted AND c.source <> ALL(%s)))
        ORDER BY said_at DESC LIMIT %s
        """,
        [list(subjects), list(_WRITTEN_BY_OTHERS), _MOST_OF_SLOT],
    )
    return [StatedFact(*row) async for row in cursor]


@dataclass(frozen=True)
class Cited:
    """A turn that a fact cites: its id, and the wing in which it stands."""

    id: UUID
    wing: int


async def cited(tx: Transaction, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Cited]:
    """The turns at these places that still have their text."""
    cursor = await tx.execute(
        """
        SELECT room, drawer, m.id, r.wing
        FROM unnest(%s::integer[], %s::integer[]) AS p (room, drawer)
        JOIN memories m USING (room, drawer) JOIN rooms r USING (user_id, room)
        WHERE m.kind = 'drawer' AND NOT m.is_redacted
        """,
        [[room for room, _ in places], [drawer for _, drawer in places]],
    )
    return {(room, drawer): Cited(id, wing) async for room, drawer, id, wing in cursor}


async def wings_of_rooms(tx: Transaction, rooms: Iterable[int]) -> dict[int, int]:
    """The wing of each room."""
    cursor = await tx.execute("SELECT room, wing FROM rooms WHERE room = ANY(%s)", [list(rooms)])
    return dict(await cursor.fetchall())


async def drawers_naming(tx: Transaction, words: Sequence[Sequence[int]], limit: int) -> list[tuple[int, int]]:
    """(conversation, position) of drawers that hold, for each word, one of its forms; newest rooms first."""
    conditions = " AND ".join(
        f"EXISTS (SELECT FROM postings p{n} WHERE p{n}.user_id = m.user_id AND p{n}.term = ANY(%(w{n})s) "
        f"AND p{n}.room = m.room AND p{n}.drawer = m.drawer)"
        for n in range(1, len(words))
    )
    parameters: dict[str, Any] = {f"w{n}": list(forms) for n, forms in enumerate(words)}
    cursor = await tx.execute(
        f"""
        SELECT DISTINCT m.conversation, m.position
        FROM postings p0 JOIN memories m USING (user_id, room, drawer)
        WHERE p0.term = ANY(%(w0)s) AND m.kind = 'drawer' {"AND " + conditions if conditions else ""}
        LIMIT %(limit)s
        """,
        {**parameters, "limit": limit},
    )
    return await cursor.fetchall()
