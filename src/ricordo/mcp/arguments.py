"""What a client sent with a call, checked against the tool's schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from datetime import datetime
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from ricordo.errors import InvalidInput
from ricordo.mcp.tools import TOOLS, Described
from ricordo.times import parsed

_VALIDATORS = {each.name: Draft202012Validator(each.schema) for each in TOOLS}
#: Characters of a refused value that its message repeats.
_SHOWN = 60
#: Faults of which the one to tell is chosen: finding each of hundreds of thousands would hold a server up for seconds.
_LOOKED_AT = 20
#: Fields that an item of a list may have.
_MOST_FIELDS = 100


def checked(tool: Described, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments that are given; null counts as not given. Raises InvalidInput, naming the argument."""
    arguments = {name: value for name, value in (given or {}).items() if value is not None}
    _require_few(tool, arguments)
    fault = best_match(islice(_VALIDATORS[tool.name].iter_errors(arguments), _LOOKED_AT))
    if fault is not None:
        raise InvalidInput(_where(fault), _what(tool, fault))
    return arguments


def _require_few(tool: Described, arguments: Mapping[str, Any]) -> None:
    """Raise InvalidInput for more than a tool takes, before each of it is looked at, which would hold a server up."""
    properties = tool.schema["properties"]
    if unknown := arguments.keys() - properties.keys():
        raise InvalidInput("arguments", _unknown(tool.name, unknown, properties))
    for name, value in arguments.items():
        if not isinstance(value, list):
            continue
        if len(value) > (most := properties[name].get("maxItems", len(value))):
            raise InvalidInput(name, f"has {len(value):,} items; the maximum is {most:,}")
        for number, each in enumerate(value):
            if isinstance(each, Mapping) and len(each) > _MOST_FIELDS:
                raise InvalidInput(f"{name}[{number}]", f"has {len(each):,} fields; the maximum is {_MOST_FIELDS}")


def moment(field: str, text: str | None, *, whole_day: bool = False) -> datetime | None:
    """A time, UTC where it has no zone. A date is its first moment, or with `whole_day` the end of that day.

    Raises InvalidInput.
    """
    return None if text is None else parsed(field, text, whole_day=whole_day)


def _where(fault: ValidationError) -> str:
    path = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in fault.absolute_path)
    return path.lstrip(".") or "arguments"


def _what(tool: Described, fault: ValidationError) -> str:
    """A fault in words that repeat no more of a value than a line can hold."""
    limit: Any = fault.validator_value
    match fault.validator:
        case "additionalProperties":
            properties = fault.schema["properties"]
            return _unknown(tool.name, set(fault.instance) - set(properties), properties)
        case "required":
            missing = ", ".join(each for each in limit if each not in fault.instance)
            return f"missing {missing}"
        case "type":
            return f"must be a JSON {limit}, not {str(fault.instance)[:_SHOWN]!r}"
        case "enum":
            return f"{str(fault.instance)[:_SHOWN]!r} is not allowed: expected one of {', '.join(limit)}"
        case "maxLength":
            return f"has {len(fault.instance):,} characters; the maximum is {limit:,}"
        case "maxItems":
            return f"has {len(fault.instance):,} items; the maximum is {limit:,}"
        case "minLength" | "minItems":
            return "must not be empty"
        case "minimum":
            return f"must be at least {limit:,}, not {str(fault.instance)[:_SHOWN]}"
        case _:
            return f"must be at most {limit:,}, not {str(fault.instance)[:_SHOWN]}"


def _unknown(tool: str, names: Set[str], properties: Iterable[str]) -> str:
    told = ", ".join(str(each)[:_SHOWN] for each in sorted(names)[:5])
    there = ", ".join(properties)
    return f"{tool} has no argument {told}: expected {there}" if there else f"{tool} has no arguments: remove {told}"
