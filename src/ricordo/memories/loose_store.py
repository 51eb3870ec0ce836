"""The SQL of memories that stand in no room: entries, journal, core and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, LiteralString
from uuid import UUID

from psycopg import sql
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from ricordo.database import Transaction
from ricordo.keywords import counted
from ricordo.models import Entry, Kind

_FIELDS = (
    "agent_id", "profile_id", "whiteboard_id", "scope", "source", "confidence", "importance", "retention",
    "expires_at", "run_id", "conversation_id", "project_id", "tags", "metadata",
)  # fmt: skip
_COLUMNS = sql.SQL(
    "m.id, m.kind, m.content, m.agent_id, m.profile_id, m.whiteboard_id, m.scope, m.source, m.confidence, "
    "m.importance, m.retention, m.expires_at, m.run_id, m.conversation_id, m.project_id, "
    "coalesce(m.tags, '{}') AS tags, coalesce(m.metadata, '{}') AS metadata, m.is_redacted, m.created_at, m.updated_at"
)
#: Live: not redacted, not expired by itself, and not past its profile's retention.
_LIVE = (
    "NOT m.is_redacted AND (m.expires_at IS NULL OR m.expires_at > now()) AND (p.retention_seconds IS NULL OR "
    "m.created_at > now() - p.retention_seconds * interval '1 second')"
)


#: How far a call of an agent reaches: what is its own, what it may change, or all that it may read.
Reach = Literal["own", "change", "read"]
#: The conditions that add up to a reach. What belongs to no agent is the user's, and open to all of them.
_OWN = "(m.agent_id IS NULL AND m.whiteboard_id IS NULL OR m.agent_id = %(reader)s"
_CHANGE = (
    f"{_OWN} OR p.isolation = 'shared' "
    "OR m.whiteboard_id IN (SELECT id FROM whiteboards WHERE %(reader)s = ANY(agents))"
)
_READ = (
    f"{_CHANGE} OR m.kind = 'entry' AND m.scope = 'global' "
    "AND m.agent_id IN (SELECT from_agent FROM grants WHERE to_agent = %(reader)s)"
)
REACHES: Mapping[Reach, LiteralString] = {"own": f"{_OWN})", "change": f"{_CHANGE})", "read": f"{_READ})"}


@dataclass(frozen=True)
class Chosen:
    """Which memories a query is about. What is None does not narrow; `kinds` must not be empty.

    `live` leaves out what is redacted or expired. Notes of whiteboards are chosen by their whiteboard or id alone.
    """

    kinds: Sequence[Kind]
    ids: Sequence[UUID] | None = None
    agents: Sequence[UUID] | None = None
    #: Only what belongs to no agent.
    unowned: bool = False
    profiles: Sequence[UUID] | None = None
    whiteboard: UUID | None = None
    scopes: Sequence[str] | None = None
    source: str | None = None
    conversation: str | None = None
    project: str | None = None
    #: Every one of these tags.
    tags: Sequence[str] | None = None
    retentions: Sequence[str] | None = None
    least_importance: int | None = None
    run: UUID | None = None
    since: datetime | None = None
    text: str | None = None
    #: Journal entries no older than this; other kinds are not narrowed by it.
    journal_within: timedelta | None = None
    live: bool = True
    #: What comes behind this moment and id in the order `newest`.
    behind: tuple[datetime, UUID] | None = None
    #: False leaves out what is redacted, also where `live` does not.
    redacted: bool | None = None
    #: Only what this agent may reach; None is the user, who reaches everything.
    reader: UUID | None = None
    reach: Reach = "read"

    def conditions(self) -> tuple[sql.Composed, dict[str, Any]]:
        """The WHERE condition on `memories m LEFT JOIN profiles p`, and its parameters."""
        wanted: list[tuple[LiteralString, str, object]] = [
            _among("m.id", "ids", self.ids),
            _among("m.agent_id", "agents", self.agents),
            _among("m.profile_id", "profiles", self.profiles),
            ("m.whiteboard_id = %(whiteboard)s", "whiteboard", self.whiteboard),
            ("m.scope = ANY(%(scopes)s)", "scopes", _list(self.scopes)),
            ("m.source = %(source)s", "source", self.source),
            ("m.conversation_id = %(conversation)s", "conversation", self.conversation),
            ("m.project_id = %(project)s", "project", self.project),
            ("m.tags @> %(tags)s", "tags", _list(self.tags)),
            ("m.retention = ANY(%(retentions)s)", "retentions", _list(self.retentions)),
            ("m.importance >= %(least_importance)s", "least_importance", self.least_importance),
            ("m.run_id = %(run)s", "run", self.run),
            ("m.created_at >= %(since)s", "since", self.since),
            ("strpos(lower(m.content), lower(%(text)s)) > 0", "text", self.text),
            ("m.is_redacted = %(redacted)s", "redacted", self.redacted),
            (REACHES[self.reach], "reader", self.reader),
            (
                "(m.kind <> 'journal' OR m.created_at >= now() - %(seconds)s * interval '1 second')",
                "seconds",
                # Not as an interval of days, which the time zone's clock changes would stretch.
                None if self.journal_within is None else self.journal_within.total_seconds(),
            ),
        ]
        parts: list[sql.SQL] = [sql.SQL("m.kind = ANY(%(kinds)s)")]
        parts += [sql.SQL(condition) for condition, _, value in wanted if value is not None]
        if self.behind is not None:
            parts.append(sql.SQL("(m.created_at, m.id) < (%(behind_at)s, %(behind_id)s)"))
        if self.live:
            parts.append(sql.SQL(_LIVE))
        if self.unowned:
            parts.append(sql.SQL("m.agent_id IS NULL"))
        if self.whiteboard is None and self.ids is None:
            parts.append(sql.SQL("m.whiteboard_id IS NULL"))
        named = {name: value for _, name, value in wanted if value is not None}
        if self.behind is not None:
            named["behind_at"], named["behind_id"] = self.behind
        return sql.SQL(" AND ").join(parts), {"kinds": list(self.kinds), **named}


#: The orders in which memories are listed.
ORDERS: Mapping[str, LiteralString] = {
    "confidence": "m.confidence DESC, m.created_at DESC, m.id DESC",
    "newest": "m.created_at DESC, m.id DESC",
    "oldest": "m.created_at, m.id",
    "importance": "m.importance DESC, m.created_at DESC, m.id DESC",
}


@dataclass(frozen=True)
class Draft:
    """A loose memory to be written; `fields` are columns of its kind (see ricordo.models.Entry)."""

    id: UUID
    kind: Kind
    content: str
    #: Its search terms, with repetition.
    terms: Sequence[str]
    speaker: str
    fields: Mapping[str, Any] = field(default_factory=dict)


#: What a memory may belong to, and so goes with.
Parent = Literal["agent", "profile", "whiteboard"]
_TABLES: Mapping[Parent, LiteralString] = {"agent": "agents", "profile": "profiles", "whiteboard": "whiteboards"}
_INSERT = sql.SQL(
    """
    WITH m AS (
        INSERT INTO memories (user_id, room, drawer, id, kind, role, speaker, content, said_at, {names})
        VALUES (%(user_id)s, 0, nextval('loose_numbers'), %(id)s, %(kind)s, 'agent', %(speaker)s, %(content)s, now(),
                {values})
        RETURNING *
    ), posted AS (
        INSERT INTO postings (user_id, term, room, drawer, frequency, length)
        SELECT user_id, term, room, drawer, frequency, %(length)s
        FROM m, unnest(%(terms)s::integer[], %(frequencies)s::smallint[]) AS said (term, frequency)
    ), queued AS (
        INSERT INTO unembedded SELECT user_id, room, drawer FROM m
    )
    SELECT {columns} FROM m
    """
).format(
    columns=_COLUMNS,
    names=sql.SQL(", ").join(map(sql.Identifier, _FIELDS)),
    values=sql.SQL(", ").join(map(sql.Placeholder, _FIELDS)),
)


async def insert(tx: Transaction, user_id: UUID, draft: Draft) -> Entry:
    """Write the row, its postings, and its place in the queue for vectors: one statement. Only
    ricordo.memories.writing calls this."""
    values = {name: draft.fields.get(name) for name in _FIELDS}
    values["metadata"] = Jsonb(values["metadata"]) if values["metadata"] is not None else None
    frequencies, length = counted(draft.terms)
    async with tx.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(
            _INSERT,
            {
                "user_id": user_id,
                "id": draft.id,
                "kind": draft.kind,
                "speaker": draft.speaker,
                "content": draft.content,
                "terms": list(frequencies),
                "frequencies": list(frequencies.values()),
                "length": length,
                **values,
            },
        )
        entry = await cursor.fetchone()
    assert entry is not None
    return entry


async def lock_parent(tx: Transaction, parent: Parent, id: UUID, alone: bool) -> bool:
    """Keep what a memory belongs to from being deleted until the transaction ends, and with `alone` from other writers
    that take it alone; False where it is gone."""
    cursor = await tx.execute(
        sql.SQL("SELECT FROM {} WHERE id = %s FOR {}").format(
            sql.Identifier(_TABLES[parent]), sql.SQL("NO KEY UPDATE" if alone else "KEY SHARE")
        ),
        [id],
    )
    return cursor.rowcount == 1


async def max_entries(tx: Transaction, profile: UUID) -> int | None:
    """The cap of a profile."""
    cursor = await tx.execute("SELECT max_entries FROM profiles WHERE id = %s", [profile])
    row = await cursor.fetchone()
    return row[0] if row else None


async def lock_text(tx: Transaction, user_id: UUID, kind: Kind, text: str) -> None:
    """Let only one transaction at a time write this text as a memory of this kind."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"write:{user_id}:{kind}:{text}"], prepare=True
    )


async def identical(tx: Transaction, kind: Kind, text: str, same: Mapping[str, Any], within_week: bool) -> Entry | None:
    """The oldest live memory of this kind with this text and these columns, with `within_week` one of the last week."""
    values = {**same}
    if "metadata" in values:
        values["metadata"] = Jsonb(values["metadata"] or {})
    if "tags" in values:
        values["tags"] = list(values["tags"] or ())
    query = sql.SQL(
        "SELECT {columns} FROM memories m LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id "
        # As in the index memories_by_content, word for word.
        "WHERE m.content = %(text)s AND m.kind <> 'drawer' AND NOT m.is_redacted AND m.kind = %(kind)s "
        "AND (NOT %(within_week)s OR m.created_at >= now() - interval '168 hours') AND {same} AND {live} "
        "ORDER BY m.created_at, m.id LIMIT 1"
    ).format(
        columns=_COLUMNS,
        same=sql.SQL(" AND ").join(sql.SQL(_SAME[name]) for name in values),
        live=sql.SQL(_LIVE),
    )
    async with tx.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(query, {**values, "text": text, "kind": kind, "within_week": within_week})
        return await cursor.fetchone()


#: How a column is compared with what is about to be written.
_SAME: Mapping[str, LiteralString] = {
    "agent_id": "m.agent_id = %(agent_id)s",
    "profile_id": "m.profile_id = %(profile_id)s",
    "whiteboard_id": "m.whiteboard_id IS NOT DISTINCT FROM %(whiteboard_id)s::uuid",
    "scope": "m.scope = %(scope)s",
    "conversation_id": "m.conversation_id IS NOT DISTINCT FROM %(conversation_id)s::text",
    "source": "m.source = %(source)s",
    "confidence": "m.confidence = %(confidence)s::real",
    "importance": "m.importance = %(importance)s",
    "retention": "m.retention = %(retention)s",
    "expires_at": "m.expires_at IS NOT DISTINCT FROM %(expires_at)s::timestamptz",
    "project_id": "m.project_id IS NOT DISTINCT FROM %(project_id)s::text",
    "tags": "coalesce(m.tags, '{}') = %(tags)s::text[]",
    "metadata": "coalesce(m.metadata, '{}') = %(metadata)s::jsonb",
}


async def select(tx: Transaction, chosen: Chosen, order: str, limit: int | None) -> list[Entry]:
    """The memories that are chosen, in an order of ORDERS."""
    condition, parameters = chosen.conditions()
    query = sql.SQL(
        "SELECT {columns} FROM memories m LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id "
        "WHERE {condition} ORDER BY {order} LIMIT %(limit)s"
    ).format(columns=_COLUMNS, condition=condition, order=sql.SQL(ORDERS[order]))
    async with tx.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(query, {**parameters, "limit": limit})
        return await cursor.fetchall()


async def count(tx: Transaction, chosen: Chosen) -> int:
    """How many memories are chosen."""
    condition, parameters = chosen.conditions()
    query = sql.SQL(
        "SELECT count(*) FROM memories m LEFT JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id "
        "WHERE {condition}"
    ).format(condition=condition)
    cursor = await tx.execute(query, parameters)
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def lock(tx: Transaction, id: UUID, shared: bool = False) -> tuple[Entry, int, int] | None:
    """A memory of any kind with its (room, drawer), locked until the transaction ends; None where there is none.

    A `shared` lock keeps changes away, and lets others have one too.
    """
    strength = sql.SQL("SHARE" if shared else "UPDATE")
    async with tx.cursor() as cursor:
        await cursor.execute(sql.SQL("SELECT room, drawer FROM memories WHERE id = %s FOR {}").format(strength), [id])
        place = await cursor.fetchone()
    if place is None:
        return None
    every: tuple[Kind, ...] = ("drawer", "entry", "journal", "core", "note", "document")
    [entry] = await select(tx, Chosen(every, ids=[id], live=False), "newest", 1)
    return entry, place[0], place[1]


async def update(tx: Transaction, id: UUID, changes: Mapping[str, Any]) -> None:
    """Write these columns of a memory."""
    values = dict(changes)
    if values.get("metadata") is not None:
        values["metadata"] = Jsonb(values["metadata"])
    await tx.execute(
        sql.SQL("UPDATE memories SET {assignments}, updated_at = now() WHERE id = %(id)s").format(
            assignments=sql.SQL(", ").join(
                sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in values
            )
        ),
        {**values, "id": id},
    )


async def delete(tx: Transaction, id: UUID) -> None:
    """Remove a memory's row; what is derived from it goes by `erase_traces`."""
    await tx.execute("DELETE FROM memories WHERE id = %s", [id])


async def unindex(tx: Transaction, room: int, drawer: int) -> dict[str, int]:
    """Remove what is derived from a memory; returns how many rows went, by table."""
    removed = {}
    # The queue first: it waits for a worker that is just making the vector, which then is there to be removed.
    for table in ("unindexed", "unembedded", "embeddings", "postings"):
        cursor = await tx.execute(
            sql.SQL("DELETE FROM {} WHERE room = %s AND drawer = %s").format(sql.Identifier(table)), [room, drawer]
        )
        removed[table] = cursor.rowcount
    return removed


async def erase_traces(tx: Transaction, id: UUID) -> dict[str, int]:
    """Remove all that is derived from a memory and what it said before, strike its texts from what runs saw and from
    proposals; returns how many rows of each place."""
    cursor = await tx.execute("SELECT erase_traces(%s)", [id])
    row = await cursor.fetchone()
    assert row is not None
    counts: dict[str, int] = row[0]
    return counts


async def keep_version(
    tx: Transaction, user_id: UUID, id: UUID, content: str, fields: Mapping[str, Any], first: datetime, actor: str
) -> None:
    """Keep what a memory said from the end of the version before, or `first` where there is none, until now.

    It ends after it began, also where another device's clock is ahead of this one: what comes later counts.
    """
    await tx.execute(
        """
        INSERT INTO memory_history (user_id, memory_id, version, content, fields, valid_from, valid_to, actor)
        SELECT %(user_id)s, %(id)s, coalesce(max(version), 0) + 1, %(content)s, %(fields)s,
               coalesce(max(valid_to), %(first)s),
               greatest(clock_timestamp(), coalesce(max(valid_to), %(first)s) + interval '1 microsecond'), %(actor)s
        FROM memory_history WHERE memory_id = %(id)s
        """,
        {
            "user_id": user_id, "id": id, "content": content, "fields": Jsonb(dict(fields)), "first": first,
            "actor": actor,
        },
    )  # fmt: skip


async def hold(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these memories that are there and not redacted. None will be redacted or forgotten until the transaction
    ends, so that this finds what the transaction writes of them."""
    cursor = await tx.execute(
        "SELECT id FROM memories WHERE id = ANY(%s) AND NOT is_redacted ORDER BY id FOR KEY SHARE", [list(ids)]
    )
    return {id for (id,) in await cursor.fetchall()}


async def versions(tx: Transaction, id: UUID) -> list[tuple[Any, ...]]:
    """(version, content, fields, valid_from, valid_to, actor) of each earlier version, oldest first."""
    cursor = await tx.execute(
        """
        SELECT version, content, fields, valid_from, valid_to, actor FROM memory_history
        WHERE memory_id = %s ORDER BY version
        """,
        [id],
    )
    return await cursor.fetchall()


async def put_versions(
    tx: Transaction,
    user_id: UUID,
    id: UUID,
    earlier: Sequence[tuple[str, Mapping[str, Any], datetime, datetime, str]],
) -> None:
    """Let a memory have just these earlier versions, oldest first, each as (content, fields, valid_from, valid_to,
    actor)."""
    await tx.execute("DELETE FROM memory_history WHERE memory_id = %s", [id])
    columns = [list(column) for column in zip(*earlier, strict=True)] if earlier else [[] for _ in range(5)]
    await tx.execute(
        """
        INSERT INTO memory_history (user_id, memory_id, version, content, fields, valid_from, valid_to, actor)
        SELECT %s, %s, number, content, fields, since, until, actor
        FROM unnest(%s::text[], %s::jsonb[], %s::timestamptz[], %s::timestamptz[], %s::text[])
             WITH ORDINALITY AS v (content, fields, since, until, actor, number)
        """,
        [user_id, id, columns[0], [Jsonb(dict(each)) for each in columns[1]], *columns[2:]],
    )


async def set_times(tx: Transaction, id: UUID, created_at: datetime, updated_at: datetime | None) -> None:
    """Set when a memory was written, and when it was changed last."""
    await tx.execute(
        "UPDATE memories SET created_at = %(created)s, said_at = %(created)s, updated_at = %(updated)s "
        "WHERE id = %(id)s",
        {"created": created_at, "updated": updated_at, "id": id},
    )


async def expire_beyond(tx: Transaction, profile: UUID, most: int) -> list[UUID]:
    """Let the least sure and oldest live entries of a profile expire, so that `most` stay; returns which."""
    cursor = await tx.execute(
        f"""
        UPDATE memories SET expires_at = now(), updated_at = now()
        WHERE kind = 'entry' AND id IN (
            SELECT m.id FROM memories m JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id
            WHERE m.profile_id = %s AND m.kind = 'entry' AND {_LIVE}
            ORDER BY m.confidence DESC, m.created_at DESC, m.id DESC OFFSET %s
        )
        RETURNING id
        """,
        [profile, most],
    )
    return [row[0] async for row in cursor]


def _list(values: Sequence[Any] | None) -> list[Any] | None:
    return None if values is None else list(values)


def _among(column: LiteralString, name: LiteralString, ids: Sequence[UUID] | None) -> tuple[LiteralString, str, object]:
    """The condition that a column is one of these. A single one is compared with =: PostgreSQL before 17 reads an
    index in its order for no other condition, and even 18 reads all of a profile for the array."""
    if ids is not None and len(ids) == 1:
        return column + " = %(" + name + ")s", name, ids[0]
    return column + " = ANY(%(" + name + ")s)", name, _list(ids)
