"""What stands around every method that callers reach: what its arguments may be, by their annotations, and that it is
done again where others were in its way.

Only this stands between a caller's mistake and an error of PostgreSQL's, which would name neither the argument nor
what to do. Rules about the values themselves are behind the resources.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache, wraps
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from ricordo import rules
from ricordo.database import retried
from ricordo.errors import InvalidInput, quoted
from ricordo.times import zoned

Resource = TypeVar("Resource", bound=type[Any])
#: Beyond these PostgreSQL has no whole numbers.
_LARGEST = 2**63 - 1


def checked(resource: Resource) -> Resource:
    """Let every public method of a resource raise InvalidInput, naming the argument, for one that is not of its type,
    or that the store could not hold. Ids may be given as text. A method whose first transaction others made fail is
    called again (see ricordo.database.retrying), unless an argument of it can be read only once."""
    for name, method in list(vars(resource).items()):
        if inspect.iscoroutinefunction(method) and not name.startswith("_"):
            setattr(resource, name, _checking(method))
    return resource


def argument(field: str, value: object, hint: Any) -> Any:
    """The value of an argument that is annotated so. Raises InvalidInput."""
    allowed = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if value is None and type(None) in allowed:
        return None
    if Path in allowed:
        if isinstance(value, str):
            rules.path(field, value)
        return value  # as it is: where a server's URL is taken too, a Path would not be one
    if str in allowed and (isinstance(value, str) or {*allowed} <= {str, type(None)}):
        return rules.text(field, value)
    if UUID in allowed:
        return _id(field, value, str in allowed)
    [first, *_] = allowed
    if get_origin(first) is Literal:
        return rules.one_of(field, value, [word for each in allowed for word in get_args(each)])
    if get_origin(first) is Sequence:
        return _list(field, value, *get_args(first))
    if first is bool and not isinstance(value, bool):
        raise InvalidInput(field, f"must be true or false, not {quoted(value)}")
    if int in allowed:
        return _whole(field, value, str in allowed)
    return zoned(field, value) if first is datetime else value


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    open_ended = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = {each.name for each in signature.parameters.values() if each.kind not in open_ended} - {"self"}

    @cache
    def hints() -> Mapping[str, Any]:
        return {name: hint for name, hint in get_type_hints(method).items() if name in names}

    @wraps(method)
    async def called(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:  # it does not say of what
            raise TypeError(f"{method.__qualname__}() {error}") from None
        for name in given.arguments.keys() & hints().keys():
            given.arguments[name] = argument(name, given.arguments[name], hints()[name])
        # A resource itself may have a method `read`.
        if any(_is_a_stream(value) for name, value in given.arguments.items() if name != "self"):
            return await method(*given.args, **given.kwargs)
        return await retried(lambda: method(*given.args, **given.kwargs))

    return called


def _is_a_stream(value: object) -> bool:
    """Whether an argument is an open file, a generator or the like, which a second call would find empty."""
    return any(hasattr(value, name) for name in ("read", "__next__", "__aiter__"))


def _id(field: str, value: object, or_name: bool) -> UUID:
    if isinstance(value, UUID):
        return value
    try:
        if isinstance(value, str):
            return UUID(value)
    except ValueError:
        pass
    raise InvalidInput(field, f"must be an id{' or a name' if or_name else ''}, not {quoted(value)}")


def _list(field: str, value: object, item: Any) -> Sequence[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise InvalidInput(field, f"must be a list, such as [{quoted(value)}], not {type(value).__name__}")
    return [argument(field, each, item) for each in value]


def _whole(field: str, value: object, or_text: bool) -> int:
    """A whole number; JSON also writes it as 5.0."""
    if isinstance(value, bool) or not (isinstance(value, int) or (isinstance(value, float) and value.is_integer())):
        raise InvalidInput(field, f"must be {'text or ' if or_text else ''}a whole number, not {quoted(value)}")
    if abs(value) > _LARGEST:
        raise InvalidInput(field, f"must be a whole number up to {_LARGEST:,}, not {quoted(value)}")
    return int(value)
