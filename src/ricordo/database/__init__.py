"""The PostgreSQL store: the embedded server, connections, tenants and migrations."""

from ricordo.database.catalog import Table
from ricordo.database.distribution import distribute
from ricordo.database.examination import Examined, examine, is_begun, start, state, stop
from ricordo.database.failures import Repeatable
from ricordo.database.migrations import latest as schema_version
from ricordo.database.retrying import retried
from ricordo.database.roles import bound_roles, create_role, drop_role
from ricordo.database.store import (
    Database,
    Transaction,
    execute_each,
    migrate,
    owner,
    planned_by_values,
    statements_bounded,
    whole_tables,
)
from ricordo.database.vacuum import vacuum

__all__ = [
    "Database",
    "Examined",
    "Repeatable",
    "Table",
    "Transaction",
    "bound_roles",
    "create_role",
    "distribute",
    "drop_role",
    "examine",
    "execute_each",
    "is_begun",
    "migrate",
    "owner",
    "planned_by_values",
    "retried",
    "schema_version",
    "start",
    "state",
    "statements_bounded",
    "stop",
    "vacuum",
    "whole_tables",
]
