"""The SQL of archives: a user's rows out of the store as JSON, and into it.

Which columns there are is the store's own business (see database.catalog). Only what is said here goes another way.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from psycopg import errors, sql

from ricordo.database import Table, Transaction, execute_each

#: Tables of users that an archive leaves out: secrets and requests of this store's, and what is derived.
LEFT_OUT: Mapping[str, str] = {
    "access_memories": "index of the access log, rebuilt from it",
    "answers": "answered requests of this store",
    "api_keys": "credentials of this store",
    "embeddings": "vectors, recomputed from the texts",
    "foreign_places": "where turns stand on other devices of a synced memory",
    "imported_archives": "exports imported into this store",
    "job_outcomes": "outcomes of jobs in this store",
    "operations": "operations of this store",
    "postings": "search terms, recomputed from the texts",
    "said_on": "turns per day, recounted",
    "sql_roles": "database roles of this store",
    "sync_devices": "what this store knows of other devices' logs",
    "sync_memories": "whether this store is synced",
    "sync_objects": "what this store has synced",
    "sync_segments": "segments that wait here for their folder",
    "unembedded": "memories without vectors",
    "unindexed": "memories without search terms",
    "upload_chunks": "files uploaded to this store",
    "upload_files": "files uploaded to this store",
    "uploads": "files uploaded to this store",
    "watched_files": "state of watched files on this machine",
    "user_models": "embedding model of the vectors",
}
#: Columns that are left out: whose rows they are, and what is counted again.
_DERIVED: Mapping[str, frozenset[str]] = {
    "users": frozenset(["name", "memories", "terms"]),
    "rooms": frozenset(["terms"]),
}
#: Columns that are carried in another form, as SQL on a row `t`.
_WRITTEN: Mapping[str, Mapping[str, sql.SQL]] = {
    # The number of a memory in no room is of a sequence of the store's.
    "memories": {"drawer": sql.SQL("CASE WHEN room > 0 THEN drawer END")},
    # Numbers of transactions mean nothing elsewhere: they count up to 0, below all that a store gives itself.
    "access_log": {"xid": sql.SQL("xid - (SELECT highest FROM latest)")},
    "access_seals": {
        "first_xid": sql.SQL("first_xid - (SELECT highest FROM latest)"),
        "end_xid": sql.SQL("end_xid - (SELECT highest FROM latest)"),
    },
}
_READ: Mapping[str, Mapping[str, sql.SQL]] = {
    "memories": {"drawer": sql.SQL("coalesce(drawer, nextval('loose_numbers')::integer)")},
}
#: The order of rows where it is not that of the key: rows before those that refer to them.
_ORDER: Mapping[str, sql.SQL] = {
    "wings": sql.SQL("merged_into NULLS FIRST, wing"),
    "access_log": sql.SQL("access_log.xid, id"),
}
_LATEST = sql.SQL(
    "WITH latest AS (SELECT greatest((SELECT max(xid) + 1 FROM access_log), (SELECT max(end_xid) FROM access_seals)) "
    "AS highest) "
)
#: How rows come into tables that only functions of the owner write.
_IMPORTED: Mapping[str, sql.SQL] = {
    "access_log": sql.SQL("SELECT import_accesses(%s::jsonb)"),
    "access_seals": sql.SQL("SELECT import_seals(%s::jsonb)"),
}
#: What PostgreSQL raises for rows that cannot be.
Unfit = (
    errors.DataError,
    errors.IntegrityError,
    errors.ProgramLimitExceeded,
    errors.StatementTooComplex,
    errors.RaiseException,
)


#: Jobs that an archive leaves out: what each user's upkeep queues by itself, and what works on tables left out.
_JOBS_LEFT_OUT = ("upkeep", "consolidate", "embed", "operate")
#: Tables whose rows the user may have chosen already: those stay.
_CHOSEN = frozenset(["settings", "model_prices"])
#: The fields of jobs.jsonl: what is left to do for a user.
JOB_FIELDS = {"task": "text", "args": "jsonb", "lock": "text", "scheduled_at": "timestamp with time zone"}


def fields(table: Table) -> dict[str, str]:
    """The fields of a table's file, with their SQL types."""
    left_out = _DERIVED.get(table.name, frozenset()) | {"user_id"}
    return {name: kind for name, kind in table.columns.items() if name not in left_out}


async def begin_reading(tx: Transaction) -> None:
    """See the store as it is at this moment until the transaction ends, with times in UTC."""
    await tx.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL timezone = 'UTC'")


def latest_transaction(table: Table) -> sql.SQL:
    """What stands ahead of a SELECT of carried columns of a table, as far as they need something."""
    return _LATEST if table.name in ("access_log", "access_seals") else sql.SQL("")


def carried_columns(table: Table, names: Iterable[str], *, loose_numbers: bool = False) -> list[sql.Composed]:
    """Columns of a table in the form in which they are carried; with `loose_numbers` also the numbers of memories that
    stand in no room."""
    written = {} if loose_numbers and table.name == "memories" else _WRITTEN.get(table.name, {})
    named = {name: sql.Identifier(name) for name in names}
    return [sql.SQL("{} AS {}").format(written.get(name, each), each) for name, each in named.items()]


async def lines(tx: Transaction, table: Table, batch: int) -> AsyncIterator[list[str]]:
    """The user's rows of a table, each one JSON object on a line, in batches."""
    columns = carried_columns(table, fields(table))
    key = sql.SQL(", ").join(
        sql.SQL(".").join([sql.Identifier(table.name), sql.Identifier(each)]) for each in table.key
    )
    query = sql.SQL(
        "{latest}SELECT row_to_json(line)::text FROM (SELECT {columns} FROM {table} ORDER BY {order}) line"
    ).format(
        latest=latest_transaction(table),
        columns=sql.SQL(", ").join(columns),
        table=sql.Identifier(table.name),
        order=_ORDER.get(table.name, key),
    )
    async with tx.cursor(name="lines") as cursor:
        await cursor.execute(query)
        while found := await cursor.fetchmany(batch):
            yield [line for (line,) in found]


async def job_lines(tx: Transaction) -> list[str]:
    """What is left to do, but for jobs that are left out."""
    cursor = await tx.execute(
        """
        SELECT row_to_json(line)::text FROM (
            SELECT task_name AS task, args, nullif(split_part(lock, ':', 2), '') AS lock, scheduled_at
            FROM procrastinate_jobs
            WHERE status IN ('todo', 'doing') AND task_name <> ALL(%s) ORDER BY id
        ) line
        """,
        [list(_JOBS_LEFT_OUT)],
    )
    return [line async for (line,) in cursor]


async def occupied(tx: Transaction, tables: Sequence[Table]) -> list[str]:
    """Those of the tables in which the user has rows."""
    found = []
    for table in tables:
        cursor = await tx.execute(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(table.name)))
        row = await cursor.fetchone()
        if row and row[0]:
            found.append(table.name)
    return found


async def insert(tx: Transaction, user_id: UUID, table: Table, names: Sequence[str], rows: str) -> int:
    """Insert rows of a table, a JSON array of objects. Returns how many; what the user has chosen already stays, and
    seals of the access log are taken up to the first that does not hold. Raises one of Unfit."""
    if table.name in _IMPORTED:
        cursor = await tx.execute(_IMPORTED[table.name], [rows])
        row = await cursor.fetchone()
        return int(row[0]) if row else 0
    read = _READ.get(table.name, {})
    kinds = [sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(table.columns[name])) for name in names]
    parts = {
        "table": sql.Identifier(table.name),
        "names": sql.SQL(", ").join(map(sql.Identifier, names)),
        "values": sql.SQL(", ").join(read.get(name, sql.Identifier(name)) for name in names),
        "kinds": sql.SQL(", ").join(kinds),
    }
    given = sql.SQL("SELECT %s::uuid, {values} FROM jsonb_to_recordset(%s::jsonb) AS r ({kinds})").format(**parts)
    into = sql.SQL("INSERT INTO {table} (user_id, {names}) ").format(**parts)
    if table.name not in _CHOSEN:
        return (await tx.execute(into + given, [user_id, rows])).rowcount
    cursor = await tx.execute(given, [user_id, rows])
    places = sql.SQL(", ").join([sql.Placeholder()] * (len(names) + 1))
    each = into + sql.SQL("VALUES ({}) ON CONFLICT DO NOTHING").format(places)
    return await execute_each(tx, each, await cursor.fetchall())


async def take_policies(tx: Transaction, policies: Sequence[str], rows: str) -> int:
    """Give profiles the policies that these rows, a JSON array of objects, say, where the user has chosen none since.
    Returns how many got some. Raises one of Unfit."""
    names = sql.SQL(", ").join(map(sql.Identifier, policies))
    kinds = sql.SQL(", ").join(sql.SQL("{} text").format(sql.Identifier(each)) for each in policies)
    cursor = await tx.execute(
        sql.SQL(
            "SELECT {names}, id FROM jsonb_to_recordset(%s::jsonb) AS r (id uuid, {kinds}) "
            "WHERE num_nonnulls({names}) > 0"
        ).format(names=names, kinds=kinds),
        [rows],
    )
    assigned = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(each)) for each in policies)
    each = sql.SQL("UPDATE profiles SET {} WHERE id = %s AND num_nonnulls({}) = 0").format(assigned, names)
    return await execute_each(tx, each, await cursor.fetchall())


async def update_user(tx: Transaction, user_id: UUID, table: Table, names: Sequence[str], row: str) -> None:
    """Give the user's own row what the archive says of it. Raises one of Unfit."""
    kinds = [sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(table.columns[name])) for name in names]
    cursor = await tx.execute(
        sql.SQL("SELECT r.* FROM jsonb_to_record(%s::jsonb) AS r ({})").format(sql.SQL(", ").join(kinds)), [row]
    )
    [values] = await cursor.fetchall()
    assigned = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in names)
    await tx.execute(
        sql.SQL("UPDATE users SET {} WHERE user_id = %s").format(assigned),
        [*values, user_id],
    )


async def derive(tx: Transaction) -> None:
    """Make the queues of what waits for terms and for vectors."""
    await tx.execute(
        "INSERT INTO unembedded (user_id, room, drawer) "
        "SELECT user_id, room, drawer FROM memories WHERE NOT is_redacted"
    )
    await tx.execute(
        "INSERT INTO unindexed (user_id, room, drawer) "
        "SELECT user_id, room, drawer FROM memories WHERE room = 0 AND NOT is_redacted"
    )


async def drawers(tx: Transaction, batch: int) -> AsyncIterator[list[tuple[int, int, str, str, datetime, str]]]:
    """(room, drawer, content, speaker, said_at, language) of every drawer that is not redacted, in batches."""
    async with tx.cursor(name="drawers") as cursor:
        await cursor.execute(
            "SELECT room, drawer, content, speaker, said_at, language "
            "FROM memories JOIN conversations USING (user_id, conversation) WHERE room > 0 AND NOT is_redacted"
        )
        while found := await cursor.fetchmany(batch):
            yield found


async def count_terms(tx: Transaction) -> None:
    """Count what the user's rooms and the user as a whole have."""
    await tx.execute(
        """
        UPDATE rooms r SET terms = p.terms
        FROM (SELECT user_id, room, sum(frequency) AS terms FROM postings WHERE room > 0 GROUP BY user_id, room) p
        WHERE (p.user_id, p.room) = (r.user_id, r.room)
        """
    )
    await tx.execute(
        "UPDATE users u SET memories = (SELECT count(*) FROM memories m WHERE m.user_id = u.user_id AND m.room > 0), "
        "terms = (SELECT coalesce(sum(r.terms), 0) FROM rooms r WHERE r.user_id = u.user_id)"
    )


async def count_days(tx: Transaction) -> None:
    """Count what was said on each day."""
    await tx.execute(
        """
        INSERT INTO said_on (user_id, room, day, role, speaker, drawers)
        SELECT user_id, room, (said_at AT TIME ZONE 'UTC')::date, role, speaker, count(*) FROM memories
        WHERE kind = 'drawer' GROUP BY 1, 2, 3, 4, 5
        """
    )


async def check_constraints(tx: Transaction) -> None:
    """Check now what would be when the transaction commits. Raises one of Unfit."""
    await tx.execute("SET CONSTRAINTS ALL IMMEDIATE")


async def was_loaded(tx: Transaction, digest: bytes) -> bool | None:
    """Whether the archive of this digest was trusted when the user loaded it; None where that was never."""
    cursor = await tx.execute("SELECT trusted FROM imported_archives WHERE digest = %s", [digest])
    row = await cursor.fetchone()
    return row[0] if row else None


async def note_loaded(tx: Transaction, user_id: UUID, digest: bytes, trusted: bool) -> None:
    """Note that the user has loaded the archive of this digest, and whether as a trusted one."""
    await tx.execute(
        "INSERT INTO imported_archives (user_id, digest, trusted) VALUES (%s, %s, %s) "
        "ON CONFLICT (user_id, digest) DO UPDATE SET trusted = EXCLUDED.trusted",
        [user_id, digest, trusted],
    )
