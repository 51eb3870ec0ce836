"""Names the user in every statement on a store that is distributed over Citus.

Row-level security guards a user's rows, but it does not show Citus which worker holds them. Citus needs a constant
`user_id` for every table of a statement. On one node the constant is left out on purpose: PostgreSQL has no statistics
of a new user, and would plan for one row. So the statements are written without it, and completed here for a
distributed store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

from psycopg import AsyncConnection, AsyncRawCursor, AsyncRawServerCursor, sql

from ricordo.errors import StoreIncompatible

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as tree

#: Where Citus keeps which tables it has placed.
_PLACEMENTS: LiteralString = "pg_catalog.pg_dist_partition"
#: Stands for the user's id in cached statements, which are the same for all users.
_USER = "'the user'::uuid"
#: A placeholder as psycopg writes it, by name or by place, or a percent sign.
_PLACEHOLDER = re.compile(r"%(?:\((?P<name>\w+)\))?(?P<kind>[s%])")


async def placed_tables(connection: AsyncConnection[Any], schema: str) -> dict[str, bool]:
    """The tables of a schema that Citus knows, and of each whether it is distributed: a reference table is not."""
    cursor = await connection.execute("SELECT to_regclass(%s) IS NOT NULL", [_PLACEMENTS])
    if await cursor.fetchone() != (True,):
        return {}
    cursor = await connection.execute(
        f"SELECT c.relname::text, p.partmethod = 'h' FROM {_PLACEMENTS} p JOIN pg_class c ON c.oid = p.logicalrelid "
        "WHERE c.relnamespace = to_regnamespace(quote_ident(%s))",
        [schema],
    )
    return dict(await cursor.fetchall())


async def distributed_tables(connection: AsyncConnection[Any], schema: str) -> frozenset[str]:
    """The tables of a schema that are distributed by user; empty if the store is not distributed.

    Raises StoreIncompatible if it is distributed and the SQL parser is not installed."""
    tables = frozenset(name for name, by_user in (await placed_tables(connection, schema)).items() if by_user)
    if tables and find_spec("postgast") is None:
        raise StoreIncompatible(
            f"schema {schema!r} is distributed over Citus, which is not supported yet and requires an SQL parser: to "
            "try it, run pip install 'ricordo[citus]'"
        )
    return tables


def scoped(statement: str, user_id: UUID, tables: frozenset[str]) -> str:
    """The statement with `user_id = '…'` for its tables that are in `tables`, in each of its queries.

    The id also replaces tenant_id(). Placeholders are written `$1`. A statement that names neither is returned
    unchanged."""
    if not _named(tables).search(statement):
        return statement
    return _scoped(statement, tables).replace(_USER, f"'{UUID(str(user_id))}'::uuid")


@lru_cache(2048)
def _scoped(statement: str, tables: frozenset[str]) -> str:
    from postgast import deparse, parse

    parsed = parse(statement)
    scoping = _Scoping(tables)
    scoping.visit(parsed, frozenset())
    return str(deparse(parsed)) if scoping.has_changed else statement


@lru_cache(8)
def _named(tables: frozenset[str]) -> re.Pattern[str]:
    """What a statement must hold to be one of users' rows."""
    return re.compile(rf"\b(?:tenant_id|{'|'.join(sorted(map(re.escape, tables)))})\b")


class _Scoping:
    """Adds the conditions to a parsed statement. `ctes` are the names of WITH queries, which hide tables."""

    def __init__(self, tables: frozenset[str]) -> None:
        self._tables = tables
        self.has_changed = False

    def visit(self, node: Any, ctes: frozenset[str]) -> None:
        """Complete a node and all below it."""
        kind = node.DESCRIPTOR.name
        if kind in ("SelectStmt", "UpdateStmt", "DeleteStmt", "InsertStmt"):
            ctes |= {each.common_table_expr.ctename for each in node.with_clause.ctes}
        if kind == "SelectStmt":
            self._narrow(node.where_clause, [each for item in node.from_clause for each in self._bare(item, ctes)])
        elif kind == "UpdateStmt":
            self._narrow(node.where_clause, self._of_change(node.relation, node.from_clause, ctes))
        elif kind == "DeleteStmt":
            self._narrow(node.where_clause, self._of_change(node.relation, node.using_clause, ctes))
        elif kind == "Node" and _is_tenant(node):
            node.CopyFrom(_parsed(f"SELECT {_USER}").target_list[0].res_target.val)
            self.has_changed = True
        for child in _children(node):
            self.visit(child, ctes)

    def _of_change(self, relation: tree.RangeVar, others: Sequence[tree.Node], ctes: frozenset[str]) -> list[str]:
        own = [_alias(relation)] if relation.relname in self._tables else []
        return own + [each for item in others for each in self._bare(item, ctes)]

    def _bare(self, item: tree.Node, ctes: frozenset[str]) -> list[str]:
        """The tables of an item of FROM that the query's own WHERE must narrow."""
        if item.HasField("range_var"):
            name = item.range_var.relname
            return [_alias(item.range_var)] if name in self._tables and name not in ctes else []
        return self._joined(item.join_expr, ctes) if item.HasField("join_expr") else []

    def _joined(self, join: tree.JoinExpr, ctes: frozenset[str]) -> list[str]:
        """The same of a join. A table whose rows may be missing is narrowed where it is joined: in WHERE, the condition
        would drop the rows that have no match."""
        from postgast import pg_query_pb2 as tree

        sides = [(join.larg, join.jointype in (tree.JOIN_RIGHT, tree.JOIN_FULL))]
        sides.append((join.rarg, join.jointype in (tree.JOIN_LEFT, tree.JOIN_FULL)))
        # No other condition can stand beside USING, nor one that is no equation in a full join.
        alone = bool(join.using_clause) or join.is_natural or join.jointype == tree.JOIN_FULL
        left: list[str] = []
        for side, optional in sides:
            if not optional:
                left += self._bare(side, ctes)
            elif alone:
                self._enclose(side, ctes)
            else:
                self._narrow(join.quals, self._bare(side, ctes))
        return left

    def _enclose(self, side: tree.Node, ctes: frozenset[str]) -> None:
        """Put a query of its narrowed rows in the place of a table."""
        if side.HasField("join_expr"):
            raise NotImplementedError("a join within the optional side of a join with USING: write ON instead")
        for alias in self._bare(side, ctes):
            self.has_changed = True
            name = sql.Identifier(side.range_var.relname).as_string()
            query = _parsed(f"SELECT FROM (SELECT * FROM {name}) AS {sql.Identifier(alias).as_string()}")
            side.CopyFrom(query.from_clause[0])

    def _narrow(self, condition: tree.Node, aliases: Sequence[str]) -> None:
        """Let a condition demand the user of these tables as well."""
        for alias in aliases:
            self.has_changed = True
            own = _condition(f"{sql.Identifier(alias, 'user_id').as_string()} = {_USER}")
            if condition.WhichOneof("node"):
                both = _condition("a AND b")
                both.bool_expr.args[0].CopyFrom(own)
                both.bool_expr.args[1].CopyFrom(condition)
                own = both
            condition.CopyFrom(own)


def _children(node: Any) -> Iterator[Any]:
    """The messages directly below one."""
    for field, value in node.ListFields():
        if field.message_type is not None:
            yield from value if field.is_repeated else [value]


def _alias(table: tree.RangeVar) -> str:
    return str(table.alias.aliasname or table.relname)


def _is_tenant(node: tree.Node) -> bool:
    call = node.func_call
    return bool(node.HasField("func_call") and call.funcname[-1].string.sval == "tenant_id")


def _condition(text: str) -> tree.Node:
    return _parsed(f"SELECT WHERE {text}").where_clause


def _parsed(query: str) -> tree.SelectStmt:
    from postgast import parse

    return parse(query).stmts[0].stmt.select_stmt


def numbered(query: str, values: Sequence[Any] | Mapping[str, Any]) -> tuple[str, list[Any]]:
    """A statement with psycopg's placeholders, and its values, as PostgreSQL takes them: `$1` and a list."""
    places: dict[str, int] = {}
    given: list[Any] = []

    def place(found: re.Match[str]) -> str:
        if found["kind"] == "%":
            return "%"
        key = found["name"] or str(len(given))
        if key not in places:
            given.append(values[key] if isinstance(values, Mapping) else values[len(given)])
            places[key] = len(given)
        return f"${places[key]}"

    return _PLACEHOLDER.sub(place, query), given


class ScopedConnection(AsyncConnection[Any]):
    """A connection whose statements name the user whose transaction it is in."""

    #: The user of the transaction, and the tables of users' rows. Without a user, statements are sent as they are.
    user_id: UUID | None = None
    tables: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cursor_factory = ScopedCursor
        self.server_cursor_factory = ScopedServerCursor

    def prepared(self, query: Any, params: Any) -> tuple[bytes, list[Any] | None]:
        """What to send for a statement of psycopg's."""
        text = query.as_string(self) if isinstance(query, sql.Composable) else query
        text = text.decode() if isinstance(text, bytes) else text
        values = None
        if params is not None:
            text, values = numbered(text, params)
        if self.user_id is not None:
            text = scoped(text, self.user_id, self.tables)
        return text.encode(), values


class ScopedCursor(AsyncRawCursor[Any]):
    """A cursor of a ScopedConnection."""

    async def execute(self, query: Any, params: Any = None, **how: Any) -> ScopedCursor:
        text, values = _owner(self).prepared(query, params)
        return await super().execute(text, values, **how)

    async def executemany(self, query: Any, params_seq: Any, *, returning: bool = False) -> None:
        each = [_owner(self).prepared(query, params) for params in params_seq]
        if each:
            await super().executemany(each[0][0], [values or [] for _, values in each], returning=returning)


class ScopedServerCursor(AsyncRawServerCursor[Any]):
    """A named cursor of a ScopedConnection, whose rows stay at the server."""

    async def execute(self, query: Any, params: Any = None, **how: Any) -> ScopedServerCursor:
        text, values = _owner(self).prepared(query, params)
        return await super().execute(text, values, **how)


def _owner(cursor: AsyncRawCursor[Any] | AsyncRawServerCursor[Any]) -> ScopedConnection:
    connection = cursor.connection
    assert isinstance(connection, ScopedConnection)
    return connection
