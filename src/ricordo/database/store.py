"""The connection to the store: where it is, its pool, and the two ways in (`tenant` and `owner`)."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, LiteralString, Self, TypeVar
from uuid import UUID

import psycopg
from anyio import CancelScope, to_thread
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from ricordo.database import embedded, migrations
from ricordo.database.failures import require_readable, ruled, translated
from ricordo.database.parameters import adapt_lists
from ricordo.database.replica import Replica
from ricordo.database.retrying import committed
from ricordo.database.scoping import ScopedConnection, distributed_tables
from ricordo.database.transport import adapt_numpy
from ricordo.errors import StoreUnavailable, forked
from ricordo.settings import Settings

#: One connection inside one transaction that runs as the application's role for one user.
Transaction = AsyncConnection[tuple[Any, ...]]
_Cursor = AsyncCursor[tuple[Any, ...]]

_T = TypeVar("_T")

#: Seconds that a statement of a user's transaction may take; None where there is no bound.
_most_seconds: ContextVar[float | None] = ContextVar("most_seconds", default=None)

#: By which the pools of this process are told apart.
_numbers = itertools.count(1)

#: Seconds to wait for a connection before looking whether the server still lives.
_FIRST_WAIT = 1.0
#: Seconds that a connection may rest before it is closed: a process that rests overnight finds it ready.
_RESTING = 28_800

log = logging.getLogger("ricordo.database")
# It logs each failed attempt and each query that Ctrl-C cancels; we raise one clear error instead.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)


class Database:
    """The store of these settings, opened by `async with Database(settings) as database`.

    Opening starts the embedded server where no URL is set, and brings an empty or (embedded only) an older
    schema up to date. Raises StoreUnavailable and StoreIncompatible.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool: AsyncConnectionPool[Transaction] | None = None
        #: The owner's connections, for upkeep of all users; opened when they are first needed.
        self._owners: AsyncConnectionPool[Transaction] | None = None
        self._owners_conninfo = ""
        self._opening = asyncio.Lock()
        self._replica: Replica | None = None
        #: The tables in which every statement must name the user: those of a store distributed over Citus.
        self._scoped: frozenset[str] = frozenset()
        #: The process that opened it.
        self._process = os.getpid()
        #: See `_end_with_loop`.
        self._endings: list[asyncio.Task[None]] = []
        #: What every transaction of a user sets first.
        self._beginning = (
            sql.SQL("SET LOCAL ROLE {role}; SET LOCAL search_path = {schema}, public, extensions; ")
            .format(role=sql.Identifier(migrations.APP_ROLE), schema=sql.Identifier(settings.schema))
            .as_string(None)
        )
        if settings.time_zone is not None:
            zone = sql.Literal(settings.time_zone).as_string(None)
            self._beginning += f"SET LOCAL ricordo.time_zone = {zone}; "

    @property
    def is_forked(self) -> bool:
        """Whether the connections are those of another process, of which this is a fork."""
        return self._process != os.getpid()

    async def __aenter__(self) -> Self:
        self._process = os.getpid()
        schema = self.settings.schema
        owners, users = await _conninfos(self.settings)
        async with _owner(self.settings, owners) as connection:
            version = await migrations.version(connection, schema)
            if version == 0 or (version < migrations.latest() and self.settings.database_url is None):
                ran = await migrations.migrate(connection, schema, login=self.settings.database_url is None)
                log.info("schema %s migrated: %s", schema, ", ".join(ran) or "by another process")
            else:
                migrations.check(version, schema)
            self._scoped = await distributed_tables(connection, schema)
        self._owners_conninfo = owners
        self._pool = await self._opened(users)
        if self.settings.database_read_url is not None:
            self._replica = Replica(await self._opened(_external(self.settings.database_read_url)))
        return self

    async def __aexit__(self, *_: object) -> None:
        pools = (self._pool, self._owners, self._replica.pool if self._replica else None)
        self._pool = self._owners = self._replica = None
        for pool in pools:
            if pool is not None:
                await pool.close()
        endings, self._endings = self._endings, []
        for ending in endings:
            ending.cancel()
        await asyncio.gather(*endings, return_exceptions=True)

    async def _opened(self, conninfo: str) -> AsyncConnectionPool[Transaction]:
        pool: AsyncConnectionPool[Transaction] = AsyncConnectionPool(
            conninfo,
            connection_class=ScopedConnection if self._scoped else AsyncConnection,
            # A statement that names its user is another one for each user, so that a plan is not worth keeping.
            kwargs={"autocommit": True, "prepare_threshold": None if self._scoped else 2},
            configure=_adapted,
            min_size=0,  # whoever asks before the first one is made would have a second one made
            max_idle=_RESTING,
            max_size=self.settings.pool_size,
            timeout=self.settings.connect_timeout,
            reconnect_timeout=self.settings.connect_timeout,
            open=False,
            name=f"ricordo-{next(_numbers)}",
        )
        await pool.open()
        self._endings.append(asyncio.create_task(_end_with_loop(f"{pool.name}-worker-")))
        return pool

    @asynccontextmanager
    async def tenant(self, user_id: UUID) -> AsyncIterator[Transaction]:
        """A transaction as the application's role that sees `user_id`'s rows and no others.

        Commits when the block ends and rolls back when it raises. The user's id goes in as a literal of a
        validated UUID, since Citus forwards `SET LOCAL` to its workers and never `set_config()`. Plans are
        made for the values at hand: generic ones ignore the vector indexes.
        """
        async with self._transaction(self._pool, self._as_tenant(user_id), user_id) as begun:
            yield begun.connection

    async def glance(self, user_id: UUID, query: sql.Composable) -> tuple[Any, ...] | None:
        """The first row of a query on `user_id`'s rows in a transaction of its own, for one trip to the store: for what
        is asked with every request. The query holds its values as literals."""
        if self._scoped:  # a worker takes no query together with what begins its transaction
            async with self.tenant(user_id) as tx:
                cursor = await tx.execute(query.as_string(None).encode())
                return await cursor.fetchone()
        # Statements that are sent together are one transaction.
        together = f"{self._bound(user_id)}; {query.as_string(None)}"
        async with self._transaction(self._pool, together, user_id) as ended:
            await ended.set_result(-1)
            return await ended.fetchone()

    async def read(
        self,
        user_id: UUID,
        work: Callable[[Transaction], Awaitable[_T]],
        record: Callable[[Transaction, _T], Awaitable[None]] | None = None,
    ) -> _T:
        """The result of `work` in a read-only transaction of the user. It runs on the replica if there is one that has
        caught up. Otherwise, or if the replica cancels it, it runs in the store. So `work` may be called twice.

        `record` may write down that this was read, in the store; where that was read, in the same transaction. It does
        not wait for the disk. Each statement is planned once for a connection, without its values: where a plan hangs
        on them, `planned_by_values` must be called first.
        """
        replica, pool, preamble = self._replica, self._pool, self._as_tenant(user_id, swift=True)
        if replica is not None and pool is not None and await replica.has_caught_up(pool):
            try:
                async with self._begun(replica.pool, preamble, user_id, _FIRST_WAIT) as begun:
                    given = await work(begun.connection)
            except (psycopg.OperationalError, PoolTimeout) as error:  # lost, or in the way of what it replays
                replica.leave_alone(error)
            else:
                if record is not None:
                    async with self._transaction(pool, preamble, user_id) as begun:
                        await record(begun.connection, given)
                return given
        async with self._transaction(pool, preamble, user_id) as begun:
            given = await work(begun.connection)
            if record is not None:
                await record(begun.connection, given)
        return given

    def _as_tenant(self, user_id: UUID, *, swift: bool = False) -> str:
        """What begins a transaction that is bound to a user's rows; for `read` a swift one."""
        # To plan a statement takes as long as to run it. PostgreSQL would go on planning what its values make cheap.
        # On a distributed store it needs the values to find the worker.
        how = "generic" if swift and not self._scoped else "custom"
        more = "; SET LOCAL synchronous_commit = off" if swift else ""
        return f"BEGIN; {self._bound(user_id)}; SET LOCAL plan_cache_mode = force_{how}_plan{more}"

    def _bound(self, user_id: UUID) -> str:
        bound = f"{self._beginning}SET LOCAL ricordo.user_id = '{UUID(str(user_id))}'"
        most = _most_seconds.get()
        return bound if most is None else f"{bound}; SET LOCAL statement_timeout = {round(1000 * most)}"

    @asynccontextmanager
    async def operator(self, user_id: UUID | None = None) -> AsyncIterator[Transaction]:
        """A transaction as the owner, for what concerns no single user's request: the queue of all users' jobs, and
        the deletion of a user. Row-level security binds the owner as well: of users' rows it shows those of `user_id`.
        """
        schema = sql.Identifier(self.settings.schema).as_string(None)
        preamble = f"BEGIN; SET LOCAL search_path = {schema}, public, extensions"
        if user_id is not None:
            preamble += f"; SET LOCAL ricordo.user_id = '{UUID(str(user_id))}'"
        async with self._opening:
            if self._pool is not None and self._owners is None:
                self._owners = await self._opened(self._owners_conninfo)
        async with self._transaction(self._owners, preamble, user_id, as_owner=True) as begun:
            yield begun.connection

    @asynccontextmanager
    async def _transaction(
        self,
        pool: AsyncConnectionPool[Transaction] | None,
        preamble: str,
        user_id: UUID | None,
        as_owner: bool = False,
    ) -> AsyncIterator[_Cursor]:
        if pool is None:
            raise StoreUnavailable("the memory is closed or was never opened: use it inside `with Memory() as memory:`")
        if self.is_forked:
            raise forked()
        with translated(self.settings, _url(self.settings, as_owner)), ruled():
            async with AsyncExitStack() as stack:
                try:
                    begun = await stack.enter_async_context(self._begun(pool, preamble, user_id, _FIRST_WAIT))
                except (psycopg.OperationalError, PoolTimeout):
                    await self._revive(pool)
                    begun = await stack.enter_async_context(self._begun(pool, preamble, user_id))
                yield begun
        committed()

    @asynccontextmanager
    async def _begun(
        self,
        pool: AsyncConnectionPool[Transaction],
        preamble: str,
        user_id: UUID | None,
        seconds: float | None = None,
    ) -> AsyncIterator[_Cursor]:
        """What `preamble`, which begins a transaction, gave on a pooled connection; within so many seconds, or the
        pool's own."""
        # A cancelled scope of anyio's cancels each wait within it anew. Broken off so on its way out or back, a
        # connection would be lost to the pool; either takes no longer than `seconds`.
        with CancelScope(shield=True):
            connection = await pool.getconn(seconds)
        if isinstance(connection, ScopedConnection):
            connection.user_id, connection.tables = user_id, self._scoped
        try:
            async with connection:
                yield await connection.execute(preamble.encode())
        finally:
            with CancelScope(shield=True):
                await pool.putconn(connection)

    async def _revive(self, pool: AsyncConnectionPool[Transaction]) -> None:
        """Start the embedded server again where it has died, and drop connections that died with it.

        Connects once by itself, since the pool keeps to itself why it cannot.
        """
        _, users = await _conninfos(self.settings)
        async with await _connected(self.settings, users):
            await pool.check()

    @asynccontextmanager
    async def owner(self) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
        """The owner's connection in autocommit, for migrations and upkeep; never for a user's request."""
        async with owner(self.settings) as connection:
            yield connection

    async def drop_schema(self) -> None:
        """Remove the schema with all that it holds; benchmarks and tests end with it."""
        async with self.owner() as connection:
            await connection.execute(
                sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(self.settings.schema))
            )


@contextmanager
def statements_bounded(seconds: float) -> Iterator[None]:
    """Within the block, the server ends each statement of a user's transaction that takes longer, and StoreUnavailable
    is raised. The deletion of a user, which is one statement, has no bound."""
    token = _most_seconds.set(seconds)
    try:
        yield
    finally:
        _most_seconds.reset(token)


async def planned_by_values(tx: Transaction) -> None:
    """Plan the statements of the rest of a transaction for the values at hand."""
    await tx.execute("SET LOCAL plan_cache_mode = force_custom_plan")


@asynccontextmanager
async def whole_tables(tx: Transaction) -> AsyncIterator[None]:
    """Within the block, tables are joined by hashing or merging them: for statements that read all of a user's rows.

    Where statistics are missing or old, PostgreSQL takes a large side of a join for a single row. It then reads the
    other side again for every row of the first, and what takes seconds takes hours. A join by hash or merge reads each
    side once, so that no estimate can make it much worse.
    """
    await tx.execute("SET LOCAL enable_nestloop = off")
    yield
    await tx.execute("SET LOCAL enable_nestloop = DEFAULT")  # had the block failed, the transaction would have too


async def execute_each(
    tx: Transaction, statement: LiteralString | sql.Composed, rows: Iterable[Sequence[Any] | Mapping[str, Any]]
) -> int:
    """Execute a statement for each of these rows, in one trip to the store; returns how many rows it changed in all.

    Rows that may be there already are written by it: a distributed store takes ON CONFLICT only with VALUES."""
    async with tx.cursor() as cursor:
        try:
            await cursor.executemany(statement, rows)
        except AssertionError as error:
            # A connection that breaks in the middle, as where the call is cancelled: psycopg then asserts that its
            # pipeline ended well, in place of what happened.
            raise error.__context__ or psycopg.OperationalError("the connection broke") from None
        return max(cursor.rowcount, 0)


async def _adapted(connection: Transaction) -> None:
    adapt_lists(connection)
    adapt_numpy(connection)


async def _end_with_loop(prefix: str) -> None:
    """Let a pool's tasks, which have such names, end when their loop does.

    A loop that ends cancels all tasks once and waits for them. One of a pool that was never closed passes that over
    where it is just making a connection, and would be waited for without end.
    """
    try:
        await asyncio.Event().wait()
    finally:
        while left := [task for task in asyncio.all_tasks() if task.get_name().startswith(prefix)]:
            for task in left:
                task.cancel()
            await asyncio.sleep(0.01)


@asynccontextmanager
async def owner(settings: Settings) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
    """A connection of the schema's owner, in autocommit."""
    owners, _ = await _conninfos(settings)
    async with _owner(settings, owners) as connection:
        yield connection


@asynccontextmanager
async def _owner(settings: Settings, conninfo: str) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
    with translated(settings, _url(settings, as_owner=True)):
        async with await _connected(settings, conninfo) as connection:
            yield connection


async def migrate(settings: Settings) -> list[str]:
    """Bring the store of these settings to this program's version; returns the migrations that ran."""
    async with owner(settings) as connection:
        return await migrations.migrate(connection, settings.schema, login=settings.database_url is None)


def _url(settings: Settings, as_owner: bool) -> str | None:
    return (settings.database_owner_url if as_owner else None) or settings.database_url


async def _connected(settings: Settings, conninfo: str) -> AsyncConnection[tuple[Any, ...]]:
    timeout = max(2, round(settings.connect_timeout))
    return await AsyncConnection.connect(conninfo, autocommit=True, connect_timeout=timeout)


async def _conninfos(settings: Settings) -> tuple[str, str]:
    """How the schema's owner connects to the store, and how users' requests do; starts the embedded server when it is
    the store and does not run."""
    if settings.database_url is not None:
        return _external(settings.database_owner_url or settings.database_url), _external(settings.database_url)
    server = await to_thread.run_sync(embedded.ensure_running, settings)
    owners = settings.database_owner_url
    return (
        _external(owners) if owners else make_conninfo(server.conninfo(), application_name="ricordo"),
        make_conninfo(server.conninfo(migrations.APP_ROLE), application_name="ricordo"),
    )


def _external(url: str) -> str:
    """How to connect to a server that is not ours. Raises StoreUnavailable for a URL that cannot be read."""
    require_readable(url)
    return make_conninfo(url, application_name="ricordo")
