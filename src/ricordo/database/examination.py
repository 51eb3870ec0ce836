"""Looking at a store from outside: where it is, how it runs, and whether its tables keep tenants apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection, sql

from ricordo.database import distribution, embedded, migrations, store
from ricordo.database.failures import described
from ricordo.errors import StoreUnavailable
from ricordo.settings import Settings

#: Tables that hold no user's data, and need no policy.
_SHARED = ("schema_migrations", "models", "procrastinate_workers", "procrastinate_periodic_defers")


@dataclass(frozen=True)
class Examined:
    """What an examination of a store found."""

    server: str
    pgvector: str
    schema: int
    #: How many tables have forced row-level security, and the names of those that should and have not.
    protected: int
    unprotected: tuple[str, ...]
    #: Whether the application's role could pass over row-level security.
    privileged: bool
    #: What a store that is distributed over Citus lacks; None for any other.
    distribution: tuple[str, ...] | None


async def examine(connection: AsyncConnection[Any], settings: Settings) -> Examined:
    """Examine the store behind an owner's connection."""
    cursor = await connection.execute(
        """
        SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(%s) AND c.relkind IN ('r', 'p') AND c.relname <> ALL(%s)
        """,
        [settings.schema, list(_SHARED)],
    )
    tables = dict(await cursor.fetchall())
    cursor = await connection.execute(
        "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector'), rolsuper OR rolbypassrls "
        "FROM pg_roles WHERE rolname = %s",
        [migrations.APP_ROLE],
    )
    pgvector, privileged = await cursor.fetchone() or ("none", False)
    await connection.execute(sql.SQL("SET search_path = {}, public").format(sql.Identifier(settings.schema)))
    lacks = await distribution.lacking(connection, settings.schema)
    return Examined(
        server=connection.info.parameter_status("server_version") or "",
        pgvector=pgvector,
        schema=await migrations.version(connection, settings.schema),
        protected=sum(tables.values()),
        unprotected=tuple(sorted(name for name, forced in tables.items() if not forced)),
        privileged=privileged,
        distribution=None if lacks is None else tuple(lacks),
    )


async def state(settings: Settings) -> dict[str, Any]:
    """Where the store is and how it is, by name, for a person or a program. Starts nothing.

    Raises StoreUnavailable where a server of the user's cannot be reached.
    """
    found: dict[str, Any] = {"store": "embedded server", "schema": settings.schema, "schema_version": None}
    if settings.database_url is not None:
        found["store"] = described(settings.database_url)
    else:
        status = embedded.status(settings)
        found |= {
            "running": status.running,
            "pid": status.pid,
            "server_version": status.version,
            "started_at": status.started_at,
            "data_directory": str(status.data_directory),
            "socket_directory": str(status.socket_directory) if status.socket_directory else None,
            "log": str(status.log) if status.log else None,
            "size": status.size,
        }
        if not status.running:
            return found
    async with store.owner(settings) as connection:
        found["server_version"] = connection.info.parameter_status("server_version")
        found["schema_version"] = await migrations.version(connection, settings.schema)
    return found


def is_begun(settings: Settings) -> bool:
    """Whether the store need not be started: it is a server of the user's, or the embedded server runs."""
    return settings.database_url is not None or embedded.is_begun(settings)


def start(settings: Settings) -> str:
    """Start the embedded server if it does not run; returns how to connect to it. Raises StoreError."""
    _require_embedded(settings)
    return embedded.ensure_running(settings).conninfo()


def stop(settings: Settings) -> bool:
    """Stop the embedded server; False where it did not run. Raises StoreUnavailable."""
    _require_embedded(settings)
    return embedded.stop(settings)


def _require_embedded(settings: Settings) -> None:
    if settings.database_url is not None:
        raise StoreUnavailable(
            f"the store is {described(settings.database_url)}, which Ricordo cannot start or stop: "
            "unset RICORDO_DATABASE_URL to use the embedded server"
        )
