"""Turns what psycopg raises into Ricordo's errors, each with what to do about it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from ricordo.errors import (
    Changed,
    InvalidInput,
    NotFound,
    RicordoError,
    StoreError,
    StoreIncompatible,
    StoreUnavailable,
)
from ricordo.settings import Settings

#: Bytes that are left when PostgreSQL finds no room for the next piece of its log (16 MB) and stops.
_FULL = 16 * 1024 * 1024
_FREE_SPACE = "the store's disk is full: free some space and try again; stored data is safe"
_CREDENTIALS = "check the user and the password in RICORDO_DATABASE_URL"

#: What to do, by the kind of failure; the first that fits counts. A connection that is refused comes without a
#: class of its own, so it is told by the words of a server that speaks English.
_ADVICE: tuple[tuple[type[psycopg.Error], str, str], ...] = (
    (errors.DiskFull, "No space left on device", _FREE_SPACE),
    (errors.IoError, "Read-only file system", "the server cannot write to its disk; see its log"),
    (
        errors.ReadOnlySqlTransaction,
        "read-only transaction",
        "the store is read-only (a replica?): write to its primary",
    ),
    (
        errors.InvalidCatalogName,
        'database ".*" does not exist',
        "create that database, or name another in RICORDO_DATABASE_URL",
    ),
    (errors.InvalidPassword, "password authentication failed|no password supplied", _CREDENTIALS),
    (
        errors.InvalidAuthorizationSpecification,
        'role ".*" does not exist|no pg_hba.conf entry|not permitted to log in|authentication failed',
        _CREDENTIALS,
    ),
    (
        errors.TooManyConnections,
        "too many clients|too many connections|connection slots",
        "the server has no free connections: lower RICORDO_POOL_SIZE or raise its limit",
    ),
    (errors.OutOfMemory, "out of memory", "the server is out of memory: try again later or give it more"),
    (
        errors.QueryCanceled,
        "statement timeout",
        "the server canceled the statement: try again, or raise its statement_timeout",
    ),
    (errors.AdminShutdown, "terminating connection", "the server was stopped; try again"),
    (errors.CrashShutdown, "crash of another server process", "the server crashed and is recovering; try again"),
    (
        errors.CannotConnectNow,
        "starting up|shutting down|recovery mode|not yet accepting",
        "the server is starting or stopping; try again",
    ),
)

#: What ends a transaction only because another one did something at the same time.
_ENTANGLED = (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable)
#: Rules of the database about names, and what has the name.
_NAMES = {
    "agents_user_id_name_key": "agent",
    "profiles_user_id_agent_id_name_key": "profile of this agent",
    "whiteboards_user_id_name_key": "whiteboard",
}
#: The rule that an agent has exactly one default profile; two callers who move it can break it together.
_DEFAULT = "one_default_profile"


class Repeatable(RicordoError):
    """A transaction that was rolled back because of what others did at the same time: done again, it succeeds or says
    what forbids it (see ricordo.database.retrying). Callers see the public class beside it."""


class Entangled(Repeatable, StoreError):
    """It and others waited for each other, however often it was done again."""


class Overtaken(Repeatable, Changed):
    """Others wrote first what it was to write."""


class Taken(Repeatable, InvalidInput):
    """Others took the name first."""


class Vanished(Repeatable, NotFound):
    """Others removed what it was to write to."""


@contextmanager
def ruled() -> Iterator[None]:
    """Within the block, what the database refuses in a transaction leaves as one of Ricordo's errors, `Repeatable`
    where it comes from what others did at the same time. Errors of connection and capacity pass."""
    try:
        yield
    except _ENTANGLED as error:
        raise Entangled(
            "another process changed the same data at the same time; nothing was written. Try again"
        ) from error
    except errors.NoDataFound as error:  # a function of ours that was called for what is no longer there
        raise Vanished(f"{_first_line(error)}; nothing was written") from error
    except psycopg.IntegrityError as error:
        raise _refusal(error) from error
    except (psycopg.DataError, psycopg.InternalError, psycopg.ProgrammingError, psycopg.NotSupportedError) as error:
        if isinstance(error, errors.InsufficientPrivilege | errors.InvalidCatalogName | errors.ReadOnlySqlTransaction):
            raise
        raise _fault(error) from error


def _refusal(error: psycopg.IntegrityError) -> RicordoError:
    rule = error.diag.constraint_name or ""
    if rule in _NAMES:
        return Taken("name", f"already used by another {_NAMES[rule]}: choose another name")
    if isinstance(error, errors.ForeignKeyViolation):
        return Vanished("the parent of this item was deleted in the meantime; nothing was written")
    if isinstance(error, errors.UniqueViolation) or rule == _DEFAULT:
        return Overtaken(
            "another process wrote the same data at the same time; nothing was written. Read it again and retry"
        )
    return _fault(error)


def _fault(error: psycopg.Error) -> StoreError:
    """An error that no caller can help; the first line alone, since the others quote rows."""
    return StoreError(
        f"the database refused a statement ({_first_line(error)}); this is a bug in Ricordo, please report it"
    )


@contextmanager
def translated(settings: Settings, url: str | None) -> Iterator[None]:
    """Within the block, psycopg's errors of connection and capacity leave as StoreError, named and advised.

    `url` is the database that is spoken to; None is the embedded server. Other database errors pass: see `ruled`.
    """
    try:
        yield
    except PoolTimeout as error:
        where = _where(settings, url)
        raise StoreUnavailable(
            f"no connection to {where} within {settings.connect_timeout:g} s: it is down or busy. Run `ricordo doctor`"
        ) from error
    except psycopg.Error as error:
        where, reason = _where(settings, url), _first_line(error)
        for kind, words, advice in _ADVICE:
            if isinstance(error, kind) or (_without_class(error) and re.search(words, reason)):
                raise StoreUnavailable(f"{where}: {reason}; {advice}") from error
        if isinstance(error, errors.InsufficientPrivilege) and "row-level security" not in str(error):
            raise StoreIncompatible(
                f"{where}: {reason}; the role of RICORDO_DATABASE_URL must own the schema "
                "or be a member of ricordo_app. Run `ricordo db migrate` as the owner"
            ) from error
        if _without_class(error) and url is None:
            raise StoreUnavailable(
                f"{where} closed the connection ({reason}); {_advice_on_a_crash(settings)}"
            ) from error
        if isinstance(error, psycopg.OperationalError) and not _reached(error):
            raise StoreUnavailable(
                f"cannot reach {where} ({reason}): check that it is running and the address is correct. "
                "`ricordo doctor` shows more"
            ) from error
        if isinstance(error, psycopg.OperationalError):
            raise StoreUnavailable(f"{where}: {reason}. Try again; if it persists, see the server's log") from error
        raise


def _where(settings: Settings, url: str | None) -> str:
    return f"the embedded server in {settings.home}" if url is None else f"the database {described(url)}"


def described(url: str) -> str:
    """Where a database URL or connection string points to, without any secret in it."""
    parts = _parts(url)
    if parts is None:
        return "URL"
    shown = [f"{name}={parts[name]}" for name in ("host", "port", "dbname", "user", "service") if parts.get(name)]
    return " ".join(shown) or "of libpq's defaults"


def require_readable(url: str) -> None:
    """Raise StoreUnavailable for a database URL that cannot be used as it is written.

    libpq's own words are left out: they quote pieces of a password with a special character in it.
    """
    if _parts(url) is None:
        raise StoreUnavailable(
            "invalid database URL: expected postgresql://user:password@host:5432/database, "
            "with @ : / ? # % in user and password percent-encoded (@ is %40)"
        )


def _parts(url: str) -> dict[str, Any] | None:
    """The parts of a database URL by name; None where it cannot be read."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return None
    # A password with an @ or a / that is not encoded ends up in the name of the host, the port or the database.
    misread = "@" in f"{parts.get('host', '')}{parts.get('dbname', '')}"
    return None if misread or not re.fullmatch(r"[\d,]*", str(parts.get("port") or "")) else parts


def _without_class(error: psycopg.Error) -> bool:
    """Whether it is a connection that was refused or lost, which has no SQLSTATE."""
    return isinstance(error, psycopg.OperationalError) and error.sqlstate is None


def _reached(error: psycopg.OperationalError) -> bool:
    """Whether the server itself says what went wrong, and not that the connection failed (class 08)."""
    return error.sqlstate is not None and not error.sqlstate.startswith("08")


def _advice_on_a_crash(settings: Settings) -> str:
    try:
        full = shutil.disk_usage(settings.home).free < _FULL
    except OSError:
        full = False
    return _FREE_SPACE if full else f"try again; its log is in {settings.logs / 'postgres'}"


def _first_line(error: psycopg.Error) -> str:
    text = error.diag.message_primary or str(error)
    return text.strip().splitlines()[0] if text.strip() else type(error).__name__
