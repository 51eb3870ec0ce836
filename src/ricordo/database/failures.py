"""Turns what psycopg raises into Ricordo's errors, each with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from ricordo.errors import StoreIncompatible, StoreUnavailable
from ricordo.settings import Settings

#: What to do, by the kind of failure; the first class that fits counts.
_ADVICE: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, "the store's disk is full: free some space and try again; what was stored is safe"),
    (errors.ReadOnlySqlTransaction, "the store is read-only (a replica?): write to its primary"),
    (errors.InvalidCatalogName, "create that database, or name another in RICORDO_DATABASE_URL"),
    (errors.InvalidPassword, "check the user and the password in RICORDO_DATABASE_URL"),
    (errors.InvalidAuthorizationSpecification, "check the user and the password in RICORDO_DATABASE_URL"),
    (
        errors.TooManyConnections,
        "the server has no connection left: lower RICORDO_POOL_SIZE or raise its limit",
    ),
    (errors.OutOfMemory, "the server is out of memory: try again later or give it more"),
    (errors.AdminShutdown, "the server was stopped; try again"),
    (errors.CrashShutdown, "the server crashed and recovers by itself; try again"),
    (errors.CannotConnectNow, "the server is starting or stopping; try again"),
)


@contextmanager
def translated(settings: Settings) -> Iterator[None]:
    """Within the block, psycopg's errors of connection and capacity leave as StoreError, named and advised.

    Other database errors are faults of ours and pass unchanged.
    """
    try:
        yield
    except PoolTimeout as error:
        raise StoreUnavailable(
            f"no connection to {_where(settings)} within {settings.connect_timeout:g} s: it is down or busy; "
            "see `ricordo doctor`"
        ) from error
    except psycopg.Error as error:
        for kind, advice in _ADVICE:
            if isinstance(error, kind):
                raise StoreUnavailable(f"{_where(settings)}: {_first_line(error)}; {advice}") from error
        if isinstance(error, errors.InsufficientPrivilege) and "row-level security" not in str(error):
            raise StoreIncompatible(
                f"{_where(settings)}: {_first_line(error)}; the role of RICORDO_DATABASE_URL must own the schema "
                "or be a member of ricordo_app: run `ricordo db migrate` as the owner"
            ) from error
        if isinstance(error, psycopg.OperationalError):
            raise StoreUnavailable(
                f"{_where(settings)} cannot be reached ({_first_line(error)}); is it running, and is the address "
                "right? `ricordo doctor` looks closer"
            ) from error
        raise


def described(url: str) -> str:
    """The URL or connection string without its password."""
    url = re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)
    return re.sub(r"(password=)(?:'(?:[^'\\]|\\.)*'|\S+)", r"\1***", url)


def _where(settings: Settings) -> str:
    if settings.database_url is None:
        return f"the embedded server in {settings.home}"
    return f"the database {described(settings.database_url)}"


def _first_line(error: psycopg.Error) -> str:
    text = error.diag.message_primary or str(error)
    return text.strip().splitlines()[0] if text.strip() else type(error).__name__
