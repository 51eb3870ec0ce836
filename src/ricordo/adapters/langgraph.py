"""LangGraph's `BaseStore` on Ricordo: `RicordoStore(memory)`, for graphs and for LangChain's agents.

Items are documents of one collection (see ricordo.api.documents): their history, the access log and the
user's own rows come with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from ricordo.adapters.calling import Caller, named, require_stored
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput, quoted
from ricordo.models import Change, Document

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: _same(value, wanted),
    "$ne": lambda value, wanted: not _same(value, wanted),
    "$gt": lambda value, wanted: _comparable(value, wanted) and value > wanted,
    "$gte": lambda value, wanted: _comparable(value, wanted) and value >= wanted,
    "$lt": lambda value, wanted: _comparable(value, wanted) and value < wanted,
    "$lte": lambda value, wanted: _comparable(value, wanted) and value <= wanted,
}


class RicordoStore(BaseStore):
    """A store for `graph.compile(store=…)`, over an open Memory (any thread, any loop) or AsyncMemory (its loop only).

    `collection` separates several stores of one user; with `agent`, the items belong to that agent. Searches use words,
    and also meaning if an embedding model is installed. `fields` are the paths of a value that they search unless an
    item names its own; the default is the whole value. Items that do not match a query come after the others, newest
    first, without a score. Without a query, the newest come first. `ttl` is LangGraph's own configuration. Expired
    items are never returned, whatever `omit_expired` is. The memory removes them itself, so `sweep_interval_minutes` is
    refused.

    The operations of a batch run in order, except that writes come last and are stored together or not at all. The last
    write to a key counts. Raises InvalidInput for an unknown filter and for values that cannot be stored.
    """

    supports_ttl = True
    __slots__ = ("_agent", "_caller", "_collection", "_fields", "_owner", "ttl_config")

    def __init__(
        self,
        memory: AsyncMemory | Memory,
        *,
        collection: str = "langgraph",
        agent: UUID | str | None = None,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if ttl is not None and ttl.get("sweep_interval_minutes") is not None:
            raise InvalidInput("ttl", "sweep_interval_minutes cannot be set: expired items are removed automatically")
        if odd := sorted({*(ttl or ())} - {*TTLConfig.__annotations__}):
            raise InvalidInput("ttl", f"unknown setting {odd[0]!r:.50}: expected a setting of LangGraph's TTLConfig")
        self._caller = Caller(memory)
        self._collection = collection
        self._agent = agent
        self._owner: UUID | None = None
        self._fields = ["$"] if fields is None else _paths("fields", fields)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        checked = _checked(ops)
        return self._caller.wait(lambda memory: self._do(memory, checked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        checked = _checked(ops)
        return await self._caller.run(lambda memory: self._do(memory, checked))

    async def _do(self, memory: AsyncMemory, ops: Sequence[Op]) -> list[Result]:
        if self._owner is None:
            self._owner = await named(memory, self._agent)
        results: list[Result] = [await self._read(memory, each) for each in ops]
        changes = [self._change(each) for each in ops if isinstance(each, PutOp)]
        if changes:
            require_stored(await memory.documents.write(self._collection, changes, agent=self._owner))
        return results

    async def _read(self, memory: AsyncMemory, op: Op) -> Result:
        match op:
            case GetOp(namespace, key, refresh):
                [found] = await memory.documents.get(
                    self._collection, [(namespace, key)], keep_on=refresh, agent=self._owner
                )
                return None if found is None else Item(**_fields(found))
            case SearchOp():
                found_items = await memory.documents.search(
                    self._collection,
                    op.namespace_prefix,
                    query=op.query,
                    where=_condition(op.filter) if op.filter else None,
                    limit=op.limit,
                    offset=op.offset,
                    keep_on=op.refresh_ttl,
                    agent=self._owner,
                )
                return [SearchItem(**_fields(each), score=each.score) for each in found_items]
            case ListNamespacesOp():
                return await self._namespaces(memory, op)
            case _:
                return None

    async def _namespaces(self, memory: AsyncMemory, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        found = await memory.documents.paths(self._collection, agent=self._owner)
        kept = {each[: op.max_depth] for each in found if all(_matches(condition, each) for condition in conditions)}
        return sorted(kept)[op.offset : op.offset + op.limit]

    def _change(self, op: PutOp) -> Change:
        if op.value is None:
            return Change(op.namespace, op.key, None)
        fields = self._fields if op.index is None else op.index
        text = None if fields is False else "\n".join(text for each in fields for text in _texts(op.value, each))
        return Change(op.namespace, op.key, op.value, text=text, minutes=op.ttl)


def _checked(ops: Iterable[Op]) -> list[Op]:
    """The operations. Raises InvalidInput and langgraph's InvalidNamespaceError before any of them is done."""
    every = list(ops)
    for each in every:
        if not isinstance(each, GetOp | SearchOp | PutOp | ListNamespacesOp):
            raise InvalidInput("ops", f"contains a {type(each).__name__}, which is not a store operation")
        validate_op_namespace(each)
        if isinstance(each, PutOp) and each.index is not None and each.index is not False:
            _paths("index", each.index)
        if isinstance(each, SearchOp) and each.filter:
            _condition(each.filter)
        if isinstance(each, ListNamespacesOp):
            if (each.max_depth is not None and each.max_depth < 1) or each.limit < 0 or each.offset < 0:
                raise InvalidInput("max_depth", "must be at least 1, and limit and offset must not be negative")
            for condition in each.match_conditions or ():
                if condition.match_type not in ("prefix", "suffix"):
                    raise InvalidInput("match_type", f"must be prefix or suffix, not {condition.match_type!r}")
    return every


def _fields(found: Document) -> dict[str, Any]:
    return {
        "value": found.value,
        "key": found.key,
        "namespace": found.path,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
    }


def _texts(value: Mapping[str, Any], path: str) -> list[str]:
    try:
        texts: list[str] = get_text_at_path(dict(value), path)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("value", f"cannot be written as JSON: {error}") from None
    return texts


def _paths(name: str, paths: object) -> list[str]:
    """Paths of fields. Raises InvalidInput; a text would be taken for a list of its letters."""
    if isinstance(paths, str) or not isinstance(paths, Sequence) or not all(isinstance(each, str) for each in paths):
        raise InvalidInput(name, f"must be a list of paths, such as ['text'], not {quoted(paths)}")
    return list(paths)


def _condition(filter: object) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a value has in each named field what the filter wants there. Raises InvalidInput for what it cannot
    mean."""
    if not isinstance(filter, Mapping):
        raise InvalidInput("filter", f"must be an object of fields, not {type(filter).__name__}")
    for name in filter:
        if not isinstance(name, str) or name.startswith("$"):
            raise InvalidInput("filter", f"invalid field {str(name)[:50]!r}: put operators inside a field's object")
    try:
        json.dumps(filter, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("filter", f"contains a value that cannot be stored: {error}") from None
    wanted = {name: _test(name, each) for name, each in filter.items()}
    return lambda value: all(test(value.get(name)) for name, test in wanted.items())


def _test(name: str, wanted: object) -> Callable[[Any], bool]:
    if not isinstance(wanted, Mapping) or not any(str(each).startswith("$") for each in wanted):
        return lambda value: _equal(value, wanted)
    for operator, against in wanted.items():
        if operator not in _COMPARISONS:
            known = ", ".join(_COMPARISONS)
            raise InvalidInput(
                "filter", f"unknown operator {str(operator)[:50]!r} in {name!r}: expected one of {known}"
            )
        if operator not in ("$eq", "$ne") and not _comparable(against, against):
            raise InvalidInput(
                "filter", f"{operator} in {name!r} must compare with a number or text, not {against!r:.50}"
            )
    return lambda value: all(_COMPARISONS[each](value, against) for each, against in wanted.items())


def _equal(value: Any, wanted: object) -> bool:
    """Whether a value is what is wanted; an object may have more fields than those that are."""
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_equal(value.get(name), each) for name, each in wanted.items())
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(_equal(one, other) for one, other in zip(value, wanted, strict=True))
        )
    return _same(value, wanted)


def _same(value: Any, wanted: object) -> bool:
    """Whether two values are the same one; 1 and true are two."""
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _comparable(value: object, wanted: object) -> bool:
    """Whether the one can be greater than the other: both numbers, or both texts."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return False
    numbers = isinstance(value, int | float) and isinstance(wanted, int | float)
    return numbers or (isinstance(value, str) and isinstance(wanted, str))


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
