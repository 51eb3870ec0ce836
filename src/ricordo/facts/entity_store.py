"""The SQL of entities: who and what there is, by which names, and which are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString
from uuid import UUID

from psycopg.rows import class_row

from ricordo.database import Transaction
from ricordo.models import SELF, Entity, EntityKind

#: Those of the slugs %(slugs)s that name an entity which has other names, each with these, as an SQL expression that
#: gives a JSON object, or NULL; the user as such is left out.
OTHER_NAMES: LiteralString = f"""
    (SELECT jsonb_object_agg(slug, names) FROM (
        SELECT a.slug, jsonb_agg(DISTINCT coalesce(o.by_hand, s.name) ORDER BY coalesce(o.by_hand, s.name)) AS names
        FROM aliases a
        JOIN entities e USING (user_id, entity)
        JOIN entities same ON same.user_id = e.user_id AND same.root = e.root
        JOIN aliases o ON o.user_id = same.user_id AND o.entity = same.entity AND o.slug <> a.slug
        LEFT JOIN spellings s ON s.user_id = o.user_id AND s.slug = o.slug
        WHERE a.slug = ANY(%(slugs)s) AND '{SELF}' NOT IN (a.slug, o.slug) AND coalesce(o.by_hand, s.name) IS NOT NULL
        GROUP BY a.slug
    ) others)
"""


@dataclass(frozen=True)
class Named:
    """That a drawer names something: what the spellings have in common, the spelling, and what it is taken for."""

    room: int
    drawer: int
    slug: str
    name: str
    kind: EntityKind


@dataclass(frozen=True)
class EntityRow:
    """An entity with its merge and the slugs of its own names."""

    entity: int
    id: UUID
    name: str
    kind: EntityKind
    merged_into: int | None
    merged_by: str | None
    root: int
    slugs: list[str]


_ENTITY_ROW = """
    SELECT e.entity, e.id, e.name, e.kind, e.merged_into, e.merged_by, e.root,
           ARRAY(SELECT slug FROM aliases a WHERE a.user_id = e.user_id AND a.entity = e.entity ORDER BY slug) AS slugs
    FROM entities e
"""
#: The entities of which a name begins with one of some words.
_ROOTS = """
    ARRAY(SELECT DISTINCT n.root FROM aliases w JOIN entities n USING (user_id, entity)
          WHERE w.first_word = ANY(%(words)s))
"""


async def entity_rows(tx: Transaction, first_words: Iterable[str] | None = None) -> list[EntityRow]:
    """Every entity of the user, merged ones too, by number; or those of which a name begins with one of these words,
    with all that are one with them."""
    async with tx.cursor(row_factory=class_row(EntityRow)) as cursor:
        wanted = None if first_words is None else list(first_words)
        narrowed = "" if wanted is None else f"WHERE e.root = ANY({_ROOTS}) "
        await cursor.execute(_ENTITY_ROW + narrowed + "ORDER BY entity", {"words": wanted})
        return await cursor.fetchall()


async def entity_row(tx: Transaction, id: UUID) -> EntityRow | None:
    """The entity of this id."""
    async with tx.cursor(row_factory=class_row(EntityRow)) as cursor:
        await cursor.execute(_ENTITY_ROW + "WHERE e.id = %s", [id])
        return await cursor.fetchone()


async def id_named(tx: Transaction, slug: str) -> UUID | None:
    """The id of the entity that has this name for its own."""
    cursor = await tx.execute("SELECT id FROM aliases JOIN entities USING (user_id, entity) WHERE slug = %s", [slug])
    row = await cursor.fetchone()
    return row[0] if row else None


async def roots_named(tx: Transaction, slugs: Sequence[str]) -> dict[str, int]:
    """Those of the slugs that name an entity, with the one that it turned out to be."""
    cursor = await tx.execute(
        "SELECT slug, root FROM aliases JOIN entities USING (user_id, entity) WHERE slug = ANY(%s)", [list(slugs)]
    )
    return dict(await cursor.fetchall())


async def names_by_slug(tx: Transaction, limit: int) -> dict[str, str]:
    """Slugs, each with the name under which its entity is shown; the newest entities first."""
    cursor = await tx.execute(
        """
        SELECT a.slug, r.name FROM aliases a JOIN entities e USING (user_id, entity)
        JOIN entities r ON r.user_id = e.user_id AND r.entity = e.root
        ORDER BY e.entity DESC, a.slug LIMIT %s
        """,
        [limit],
    )
    return dict(await cursor.fetchall())


async def dictionary(tx: Transaction, first_words: Iterable[str]) -> list[tuple[str, EntityKind, list[str]]]:
    """(name, kind, every spelling) of each entity of which a name begins with one of these words, those first that the
    most drawers name."""
    cursor = await tx.execute(
        f"""
        SELECT r.name, r.kind, coalesce(array_agg(DISTINCT s.name) FILTER (WHERE s.name IS NOT NULL), '{{}}')
               || coalesce(array_agg(DISTINCT a.by_hand) FILTER (WHERE a.by_hand IS NOT NULL), '{{}}')
        FROM entities e
        JOIN entities r ON r.user_id = e.user_id AND r.entity = e.root
        JOIN aliases a ON a.user_id = e.user_id AND a.entity = e.entity
        LEFT JOIN spellings s ON s.user_id = a.user_id AND s.slug = a.slug
        WHERE e.root = ANY({_ROOTS})
        GROUP BY r.entity, r.name, r.kind ORDER BY coalesce(sum(s.drawers), 0) DESC, r.name
        """,
        {"words": list(first_words)},
    )
    return await cursor.fetchall()


async def known_slugs(tx: Transaction, slugs: Iterable[str]) -> dict[str, int]:
    """Those of the slugs that are names of an entity, with its number."""
    cursor = await tx.execute("SELECT slug, entity FROM aliases WHERE slug = ANY(%s)", [list(slugs)])
    return dict(await cursor.fetchall())


async def add_entities(tx: Transaction, user_id: UUID, ids: Sequence[UUID], first: Sequence[Named]) -> None:
    """A new entity for each name, with the name as it was first read. The user's account must be locked."""
    cursor = await tx.execute(
        "UPDATE users SET last_entity = last_entity + %s WHERE user_id = %s RETURNING last_entity",
        [len(first), user_id],
    )
    row = await cursor.fetchone()
    assert row is not None
    numbers = list(range(row[0] - len(first) + 1, row[0] + 1))
    await tx.execute(
        """
        INSERT INTO entities (user_id, entity, id, name, kind, root)
        SELECT %s, entity, id, name, kind, entity
        FROM unnest(%s::integer[], %s::uuid[], %s::text[], %s::text[]) AS new (entity, id, name, kind)
        """,
        [user_id, numbers, list(ids), [each.name for each in first], [each.kind for each in first]],
    )
    await add_aliases(tx, user_id, [(each.slug, number, None) for each, number in zip(first, numbers, strict=True)])


async def add_aliases(tx: Transaction, user_id: UUID, aliases: Sequence[tuple[str, int, str | None]]) -> None:
    """Names (slug, entity, the spelling that a person entered) that no entity has yet."""
    slugs, numbers, by_hand = zip(*aliases, strict=True)
    await tx.execute(
        "INSERT INTO aliases (user_id, slug, entity, by_hand) SELECT %s, slug, entity, by_hand "
        "FROM unnest(%s::text[], %s::integer[], %s::text[]) AS new (slug, entity, by_hand)",
        [user_id, list(slugs), list(numbers), list(by_hand)],
    )


async def sweep(tx: Transaction, slugs: Sequence[str]) -> tuple[int, int]:
    """Remove those of the names that no drawer spells, no fact needs and no person entered, and the entities that
    are left without a name; returns how many of each."""
    await tx.execute("DELETE FROM spellings WHERE slug = ANY(%s) AND drawers <= 0", [list(slugs)])
    cursor = await tx.execute(
        """
        DELETE FROM aliases a WHERE slug = ANY(%s) AND by_hand IS NULL
            AND NOT EXISTS (SELECT FROM spellings s WHERE s.user_id = a.user_id AND s.slug = a.slug)
            AND NOT EXISTS (SELECT FROM facts t WHERE t.user_id = a.user_id AND t.subject = a.slug)
            AND NOT EXISTS (SELECT FROM facts t WHERE t.user_id = a.user_id AND t.object = a.slug)
        RETURNING entity
        """,
        [list(slugs)],
    )
    freed = [row[0] async for row in cursor]
    if not freed:
        return 0, 0
    cursor = await tx.execute(
        """
        DELETE FROM entities e WHERE entity = ANY(%s) AND chosen_name IS NULL
            AND NOT EXISTS (SELECT FROM aliases a WHERE a.user_id = e.user_id AND a.entity = e.entity)
        RETURNING entity
        """,
        [freed],
    )
    gone = [row[0] async for row in cursor]
    await tx.execute("UPDATE entities SET merged_into = NULL, merged_by = NULL WHERE merged_into = ANY(%s)", [gone])
    return len(freed), len(gone)


async def set_merges(tx: Transaction, merges: Mapping[int, tuple[int | None, str | None, int]]) -> None:
    """Write (merged into, by whom, root) of entities."""
    if not merges:
        return
    into, by, roots = zip(*merges.values(), strict=True)
    await tx.execute(
        """
        UPDATE entities e SET merged_into = new.merged_into, merged_by = new.merged_by, root = new.root
        FROM unnest(%s::integer[], %s::integer[], %s::text[], %s::integer[])
            AS new (entity, merged_into, merged_by, root)
        WHERE e.entity = new.entity
        """,
        [list(merges), list(into), list(by), list(roots)],
    )


async def show_again(tx: Transaction, slugs: Sequence[str] | None = None) -> None:
    """Let entities (those that have one of these names; all without) be shown by the name that most of their drawers
    name, and as the kind that most take them for, unless a person chose. Of the spellings of the name it is the most
    frequent one with its accents that is not in capitals or small letters alone. Of equal counts the first in the
    alphabet, so that order never matters."""
    touched = "entities e" if slugs is None else "aliases a JOIN entities e USING (user_id, entity)"
    narrowed = "" if slugs is None else "WHERE a.slug = ANY(%(slugs)s)"
    await tx.execute(
        f"""
        WITH touched AS (
            SELECT DISTINCT e.user_id, e.root FROM {touched} {narrowed}
        ), spelt AS (
            SELECT t.root, a.slug, s.name, s.kind, s.drawers
            FROM touched t
            JOIN entities e ON e.user_id = t.user_id AND e.root = t.root
            JOIN aliases a ON a.user_id = e.user_id AND a.entity = e.entity
            JOIN spellings s ON s.user_id = a.user_id AND s.slug = a.slug
            WHERE a.slug <> 'user' OR s.name <> 'user'
            -- Where no drawer names it any more, it goes by what a person called it.
            UNION ALL SELECT t.root, a.slug, a.by_hand, NULL, 0
            FROM touched t
            JOIN entities e ON e.user_id = t.user_id AND e.root = t.root
            JOIN aliases a ON a.user_id = e.user_id AND a.entity = e.entity AND a.by_hand IS NOT NULL
        ), spellings_of AS (
            SELECT root, slug, name, sum(drawers) AS drawers,
                   -- Words of up to four capitals may be short for something.
                   name = upper(name) AND name <> lower(name) AND length(name) > 4
                   OR name = lower(name) AND bool_and(kind IS DISTINCT FROM 'item') AS is_plain
            FROM spelt GROUP BY root, slug, name
        ), names AS (
            SELECT DISTINCT ON (root) root, name FROM (
                SELECT DISTINCT ON (root, slug) root, slug, name,
                       sum(drawers) OVER (PARTITION BY root, slug) AS drawers
                FROM spellings_of
                -- Of the same slug, what has more bytes for its letters has more accents.
                ORDER BY root, slug, is_plain, octet_length(name) - length(name) DESC, spellings_of.drawers DESC, name
            ) best ORDER BY root, drawers DESC, name
        ), kinds AS (
            SELECT DISTINCT ON (root) root, kind FROM spelt WHERE kind IS NOT NULL
            GROUP BY root, kind ORDER BY root, sum(drawers) DESC, kind
        )
        UPDATE entities e
        SET name = coalesce(e.chosen_name, n.name), kind = coalesce(e.chosen_kind, k.kind, e.kind)
        FROM names n LEFT JOIN kinds k USING (root) WHERE e.entity = n.root
        """,
        {"slugs": None if slugs is None else list(slugs)},
    )


async def choose(tx: Transaction, entity: int, name: str | None, kind: str | None) -> None:
    """Show an entity under a name, or as a kind, that a person chose; None leaves that as it is."""
    await tx.execute(
        """
        UPDATE entities SET chosen_name = coalesce(%(name)s, chosen_name), name = coalesce(%(name)s, name),
            chosen_kind = coalesce(%(kind)s, chosen_kind), kind = coalesce(%(kind)s, kind)
        WHERE entity = %(entity)s
        """,
        {"entity": entity, "name": name, "kind": kind},
    )


async def entities(
    tx: Transaction, kind: str | None, search: str | None, ids: Sequence[int] | None, limit: int | None, offset: int
) -> list[tuple[int, Entity]]:
    """Entities that are not merged into another, with their numbers: those first that the most drawers name."""
    cursor = await tx.execute(
        """
        SELECT r.entity, r.id, r.kind, r.name, n.names, m.drawers, m.first_at, m.last_at
        FROM entities r
        CROSS JOIN LATERAL (
            SELECT array_agg(DISTINCT s.name) FILTER (WHERE lower(s.name) <> lower(r.name) AND s.name <> 'user') ||
                   array_agg(DISTINCT a.by_hand) FILTER (WHERE a.by_hand <> r.name) AS names,
                   array_agg(a.slug) AS slugs
            FROM entities e JOIN aliases a USING (user_id, entity) LEFT JOIN spellings s USING (user_id, slug)
            WHERE e.user_id = r.user_id AND e.root = r.entity
        ) n
        CROSS JOIN LATERAL (
            SELECT count(DISTINCT (m.room, m.drawer))::integer AS drawers, min(t.said_at) AS first_at,
                   max(t.said_at) AS last_at
            FROM mentions m JOIN memories t USING (user_id, room, drawer)
            WHERE m.user_id = r.user_id AND m.slug = ANY(n.slugs)
        ) m
        WHERE r.root = r.entity AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
          AND (%(ids)s::integer[] IS NULL OR r.entity = ANY(%(ids)s))
          AND (%(search)s::text IS NULL OR EXISTS (
              SELECT FROM unnest(n.slugs) AS slug WHERE strpos(slug, %(search)s) > 0))
        ORDER BY m.drawers DESC, r.name, r.entity LIMIT %(limit)s OFFSET %(offset)s
        """,
        {"kind": kind, "search": search, "ids": None if ids is None else list(ids), "limit": limit, "offset": offset},
    )
    return [
        (number, Entity(id=id, kind=kind_, name=name, aliases=tuple(sorted(set(names or ()))), mentions=drawers,
                        first_at=first, last_at=last))
        async for number, id, kind_, name, names, drawers, first, last in cursor
    ]  # fmt: skip


async def named_in(tx: Transaction, wing: int, or_personal: bool) -> list[int]:
    """The numbers of the entities named in a wing, and with `or_personal` also in wings that are not projects."""
    cursor = await tx.execute(
        """
        SELECT DISTINCT e.root FROM mentions m
        JOIN rooms r ON r.user_id = m.user_id AND r.room = m.room
        JOIN wings w ON w.user_id = r.user_id AND w.wing = r.wing
        JOIN aliases a ON a.user_id = m.user_id AND a.slug = m.slug
        JOIN entities e ON e.user_id = a.user_id AND e.entity = a.entity
        WHERE w.wing = %(wing)s OR (%(personal)s AND w.kind <> 'project')
        """,
        {"wing": wing, "personal": or_personal},
    )
    return [root async for (root,) in cursor]


async def names_of(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The names of the entities of these ids, or of those that they turned out to be."""
    cursor = await tx.execute(
        "SELECT e.id, r.name FROM entities e JOIN entities r ON r.user_id = e.user_id AND r.entity = e.root "
        "WHERE e.id = ANY(%s)",
        [list(ids)],
    )
    return {id: name async for id, name in cursor}


async def shown(tx: Transaction, numbers: Iterable[int]) -> dict[int, tuple[UUID, str, EntityKind]]:
    """The ids, names and kinds of entities."""
    cursor = await tx.execute("SELECT entity, id, name, kind FROM entities WHERE entity = ANY(%s)", [list(numbers)])
    return {number: (id, name, kind) async for number, id, name, kind in cursor}
