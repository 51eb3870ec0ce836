"""What a Citus cluster demands of a statement, as far as an SQL parser can tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from postgast import PgQueryError, deparse, parse, parse_plpgsql
from postgast import pg_query_pb2 as tree

from ricordo.database import migrations
from ricordo.database.distribution import LOCAL, REFERENCE

#: Functions whose value changes within a statement, and those whose value stays but is no constant.
_VOLATILE = frozenset(
    ["clock_timestamp", "random", "gen_random_uuid", "new_id", "nextval", "statement_timestamp", "timeofday"]
)
_STABLE = frozenset(["now", "current_setting", "tenant_id", "transaction_timestamp"])
#: The variables of our functions that hold a user.
_VARIABLES = frozenset(["tenant", "p_tenant", "p_profile.user_id", "p_job.user_id", "new.user_id"])
_CHANGES = ("InsertStmt", "UpdateStmt", "DeleteStmt")


@lru_cache
def users_tables() -> frozenset[str]:
    """The tables that are distributed by user."""
    created = [each.stmt.create_stmt for each in parse(script_of("tables")).stmts if each.stmt.HasField("create_stmt")]
    of_users = {each.relation.relname for each in created if each.table_elts[0].column_def.colname == "user_id"}
    return frozenset(of_users - LOCAL - REFERENCE)


def problems(statement: str, tables: frozenset[str]) -> list[str]:
    """Why a cluster would refuse a statement that is complete (`ricordo.database.scoping.scoped`), or ask every worker;
    `tables` are those of users' rows."""
    try:
        parsed = parse(statement)
    except PgQueryError as error:
        return [f"no SQL: {error}"]
    found = [problem for each in parsed.stmts for problem in _of_query(each.stmt, tables)]
    of_users = {each.relname for each in _kind(parsed, "RangeVar")} & tables
    if of_users and len(parsed.stmts) > 1:
        found.append("several statements in one string")
    return sorted(set(found))


@lru_cache
def _reading() -> frozenset[str]:
    """Our functions that read users' rows."""
    found = ((name, parse(text)) for name, text in functions(script_of("functions")))
    return frozenset(
        name for name, parsed in found if {each.relname for each in _kind(parsed, "RangeVar")} & users_tables()
    )


def script_of(name: str) -> str:
    """The script of a migration."""
    [script] = [each.script for each in migrations.migrations() if each.name == name]
    return script


def functions(script: str) -> Iterator[tuple[str, str]]:
    """The functions of a script in SQL and PL/pgSQL, and each statement and each expression in them, as a statement."""
    parsed = parse(script)
    for each in parsed.stmts:
        if not each.stmt.HasField("create_function_stmt"):
            continue
        made = each.stmt.create_function_stmt
        options = {option.def_elem.defname: option.def_elem.arg for option in made.options}
        name = made.funcname[0].string.sval
        if options["language"].string.sval == "sql":
            yield name, options["as"].list.items[0].string.sval
            continue
        text = deparse(tree.ParseResult(version=parsed.version, stmts=[each]))
        # What the parser tells of a trigger's variables is no JSON.
        text = text.replace(f"{name}() RETURNS trigger", f"{name}(new record, old record) RETURNS integer")
        for query, mode in _queries(parse_plpgsql(text)):
            # A statement; an expression; an assignment, to a variable or to a field of a record.
            yield name, {0: query, 2: f"SELECT {query}"}.get(mode) or f"SELECT {query.split('=', 1)[1]}"


def _queries(node: Any) -> Iterator[tuple[str, int]]:
    """The queries of a function that PL/pgSQL's parser read, and how each is to be read."""
    if isinstance(node, dict) and "PLpgSQL_expr" in node:
        yield node["PLpgSQL_expr"]["query"], node["PLpgSQL_expr"]["parseMode"]
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _queries(child)


def _of_query(root: Any, tables: frozenset[str]) -> Iterator[str]:
    names = {each.ctename for each in _kind(root, "CommonTableExpr")}
    if names & tables:
        yield f"a WITH query has the name of a table: {', '.join(sorted(names & tables))}"
    used = {each.relname for each in _kind(root, "RangeVar")} - names
    if used & tables and used & LOCAL:
        yield "joins users' rows with the job tables, which are on the coordinator"
    if used & tables:
        for name in {_function(each) for each in _kind(root, "FuncCall")} & _reading():
            yield f"{name}() reads tables, and would be called on a worker"
    for each in _below(root):
        kind = each.DESCRIPTOR.name
        if kind in ("SelectStmt", *_CHANGES):
            yield from _unbound(each, tables - names)
        if kind == "InsertStmt":
            yield from _insert(each, tables)
        if kind == "UpdateStmt" and each.relation.relname in tables:
            yield from _update(each)
        if kind in _CHANGES and each.relation.relname in tables:
            yield from _calls_within_choices(each)
        if kind == "CaseExpr" and each.HasField("arg") and used & tables:
            yield "CASE x WHEN"


def _unbound(query: Any, tables: frozenset[str]) -> Iterator[str]:
    """The tables of a query itself, apart from those of its sub-selects, that no condition binds to a user."""
    sources = {
        "SelectStmt": lambda: [*query.from_clause],
        "UpdateStmt": lambda: [tree.Node(range_var=query.relation), *query.from_clause],
        "DeleteStmt": lambda: [tree.Node(range_var=query.relation), *query.using_clause],
        "InsertStmt": lambda: [],
    }[query.DESCRIPTOR.name]()
    conditions = [] if query.DESCRIPTOR.name == "InsertStmt" else [query.where_clause]
    is_alone, named = len(sources) == 1 and not sources[0].HasField("join_expr"), []
    while sources:
        item = sources.pop()
        if item.HasField("join_expr"):
            sources += [item.join_expr.larg, item.join_expr.rarg]
            conditions.append(item.join_expr.quals)
        elif item.HasField("range_var") and item.range_var.relname in tables:
            named.append(item.range_var)
    bound = {alias for each in conditions for alias in _bound(each)}
    for each in named:
        if not {each.alias.aliasname or each.relname, "" if is_alone else None} & bound:
            yield f"names no user for {each.relname}"


def _bound(condition: Any) -> Iterator[str]:
    """The aliases that a condition binds to a constant user."""
    if condition.HasField("bool_expr") and condition.bool_expr.boolop == tree.AND_EXPR:
        for each in condition.bool_expr.args:
            yield from _bound(each)
    elif condition.HasField("a_expr") and condition.a_expr.name[0].string.sval == "=":
        column, value = condition.a_expr.lexpr, condition.a_expr.rexpr
        path = [each.string.sval for each in column.column_ref.fields]
        if path[-1:] == ["user_id"] and _is_constant(value):
            yield ".".join(path[:-1])


def _is_constant(value: Any) -> bool:
    if value.HasField("type_cast"):
        value = value.type_cast.arg
    variable = ".".join(each.string.sval for each in value.column_ref.fields) in _VARIABLES
    return bool(variable or value.HasField("a_const") or value.HasField("param_ref"))


def _insert(insert: Any, tables: frozenset[str]) -> Iterator[str]:
    if insert.relation.relname not in tables:
        return
    select = insert.select_stmt.select_stmt
    if not select.values_lists and insert.HasField("select_stmt"):
        if insert.HasField("on_conflict_clause"):
            yield "INSERT … SELECT with ON CONFLICT"
        if insert.returning_clause.exprs:
            yield "INSERT … SELECT with RETURNING"
    columns = [each.res_target.name for each in insert.cols]
    place = columns.index("user_id") if "user_id" in columns else 0
    if columns and "user_id" not in columns:
        yield f"inserts into {insert.relation.relname} without user_id"
        return
    rows = [each.list.items[place] for each in select.values_lists]
    rows += [each.res_target.val for each in select.target_list[place : place + 1]]
    if not all(_is_constant(each) or _is_user_of_row(each) for each in rows):
        yield f"inserts into {insert.relation.relname} with a user_id that is no constant"


def _is_user_of_row(value: Any) -> bool:
    """Whether a value is the user of another row: then the new one lies beside it."""
    return bool(value.HasField("column_ref") and value.column_ref.fields[-1].string.sval == "user_id")


def _update(update: Any) -> Iterator[str]:
    for each in _kind(update, "FuncCall"):
        if _function(each) in _VOLATILE:
            yield f"{_function(each)}() in UPDATE"
    for item in update.from_clause:
        for each in _kind(item, "FuncCall"):
            if _function(each) in ("jsonb_to_record", "jsonb_to_recordset"):
                yield f"UPDATE … FROM {_function(each)}"


def _calls_within_choices(change: Any) -> Iterator[str]:
    parts = [change]
    if change.DESCRIPTOR.name == "InsertStmt" and not change.select_stmt.select_stmt.values_lists:
        parts = [change.on_conflict_clause]  # what is selected is computed before
    for each in (found for part in parts for found in _below(part)):
        if each.DESCRIPTOR.name in ("CaseExpr", "CoalesceExpr"):
            for call in _kind(each, "FuncCall"):
                if _function(call) in _VOLATILE | _STABLE:
                    yield f"{_function(call)}() in CASE or COALESCE of a change"


def _function(call: Any) -> str:
    return str(call.funcname[-1].string.sval)


def _below(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    yield node
    for field, value in node.ListFields():
        if field.message_type is not None:
            for child in value if field.is_repeated else [value]:
                yield from _below(child)


def of_migration(script: str) -> list[str]:
    """What a cluster would refuse in a migration of tables that are distributed."""
    found = [problem for each in parse(script).stmts for problem in _of_change_of_table(each.stmt)]
    return sorted(set(found))


def _of_change_of_table(statement: Any) -> Iterator[str]:
    kind = statement.WhichOneof("node")
    if kind == "create_trig_stmt":
        yield "CREATE TRIGGER"
    if kind in ("create_policy_stmt", "alter_policy_stmt") and list(_kind(statement, "SubLink")):
        yield "a policy with a sub-select"
    commands = [each.alter_table_cmd for each in statement.alter_table_stmt.cmds]
    constraints = [(each, part) for each in commands for part in _kind(each, "Constraint")]
    if any(each.subtype == tree.AT_AddColumn and part.contype == tree.CONSTR_CHECK for each, part in constraints):
        yield "ADD COLUMN with CHECK"
    if constraints and len(commands) > 1:
        yield "a constraint beside other changes in one ALTER TABLE"


def _kind(node: Any, kind: str) -> Iterator[Any]:
    """Those of a kind among a node and all below it."""
    return (each for each in _below(node) if each.DESCRIPTOR.name == kind)
