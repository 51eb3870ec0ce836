"""`memory.tools`: what a language model may do with an agent's memory, as tools that answer with data and never raise.

`ricordo.toolkit.vendors` puts them into the form that each vendor wants.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC
from typing import Any, Protocol, cast
from uuid import UUID

from ricordo import rules
from ricordo.api import Core, Journal, Notes
from ricordo.errors import InvalidInput, RicordoError
from ricordo.models import JOURNAL_WEEK, WriteReceipt
from ricordo.opened import Opened
from ricordo.toolkit.notes_tool import memory_tool
from ricordo.toolkit.tool import Speaker, Tool

_JOURNAL = (
    "Add an entry to your journal. Entries disappear from your prompts after about a week, so use the journal for what "
    "matters now: an observation, a conclusion, or something to remember for a few days."
)
_CORE = (
    "Add an entry to your core memory. Core memories are permanent, are in all your prompts, and define who you are. "
    "Use this rarely: for a fundamental belief, an important lesson, or an essential fact about yourself."
)


class _Save(Protocol):
    """`save` of a journal or a core."""

    def __call__(self, agent: UUID | str, content: str, *, run: UUID | None) -> Awaitable[WriteReceipt]: ...


class Tools:
    """The tools of an agent's memory. A further one is one more Tool in the list of `__init__`."""

    def __init__(self, opened: Opened, journal: Journal, core: Core, notes: Notes) -> None:
        text = "The entry, shorter than a paragraph."
        self._opened = opened
        self._tools = (
            Tool("save_to_journal", _JOURNAL, _content_schema(text), _saving(journal.save)),
            Tool("save_to_core", _CORE, _content_schema("The entry, brief and to the point."), _saving(core.save)),
            memory_tool(notes, opened),
        )

    def every(self) -> Sequence[Tool]:
        """Every tool that a model can be given, with its description and the schema of its arguments."""
        return self._tools

    async def call(
        self,
        agent: Speaker,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        *,
        run: UUID | None = None,
    ) -> dict[str, Any]:
        """What the tool of this name answers the agent's model; the arguments are an object, or JSON text of one.

        Whatever is wrong with the call comes back as `{"error": …}`. `agent` is None where no agent speaks. What the
        tool does is recorded with `run`, the id of the run that the agent speaks in; it stays, however the run ends.
        """
        try:
            tool = self._named(name)
            return await tool.handler(agent, run, _arguments(tool, arguments))
        except RicordoError as error:
            return {"error": str(error)}

    def _named(self, name: str) -> Tool:
        for each in self._tools:
            if each.name == name:
                return each
        there = ", ".join(each.name for each in self._tools)
        raise InvalidInput("name", f"unknown tool {str(name)[:50]!r}: expected one of {there}")


def _arguments(tool: Tool, given: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    """The arguments of a call as an object that has no name which the tool does not know. Raises InvalidInput."""
    read: Any = {} if given is None else given
    if isinstance(given, str):
        try:
            read = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError) as error:
            raise InvalidInput("arguments", f"are not valid JSON: {error}") from None
    if not isinstance(read, Mapping):
        raise InvalidInput("arguments", f"must be an object with named values, not {type(read).__name__}")
    known = tool.parameters["properties"]
    for name in [each for each in read if each in tool.also and each not in known]:
        if tool.also[name] in read:
            raise InvalidInput("arguments", f"{name} and {tool.also[name]} are the same: give one of them")
        read = {tool.also[name] if each == name else each: value for each, value in read.items()}
    unknown = [str(each)[:50] for each in read if each not in known and each not in tool.implied]
    if unknown:
        raise InvalidInput(
            "arguments", f"unknown arguments of {tool.name}: {', '.join(unknown)}; expected {', '.join(known)}"
        )
    return cast(Mapping[str, Any], read)


def _saving(save: _Save) -> Callable[[Speaker, UUID | None, Mapping[str, Any]], Awaitable[dict[str, Any]]]:
    """A handler that saves `content` and answers as seed 002 does, in success and in error."""

    async def handler(agent: Speaker, run: UUID | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if agent is None:
            return {"error": "This tool only works in group conversations"}
        content = _text(arguments.get("content")).strip()
        if not content:
            return {"error": "Content cannot be blank"}
        if len(content) > rules.LONGEST:
            return {"error": f"Content too long (max {rules.LONGEST:,} characters)"}
        try:
            saved = await save(agent, content, run=run)
        except RicordoError as error:
            return {"error": f"Failed to save: {error}"}
        if saved.status == "held":
            return {
                "success": False,
                "memory_type": saved.kind,
                "note": "Not saved yet: waiting for the user's review",
            }
        if saved.memory is None:
            return {"error": f"Failed to save: {saved.reason}"}
        answer = {"success": True, "memory_type": saved.kind, "content": saved.memory.content}
        if saved.kind == "core":
            return {**answer, "note": "This memory is now part of your permanent identity"}
        fades = (saved.memory.created_at + JOURNAL_WEEK).astimezone(UTC)
        return {**answer, "expires_around": f"{fades:%Y-%m-%d}"}

    return handler


def _text(given: object) -> str:
    """What a model gave as a text; a number or `true` counts as what it looks like. Raises InvalidInput."""
    if given is None or isinstance(given, str):
        return given or ""
    if isinstance(given, bool | int | float):
        return json.dumps(given)
    raise InvalidInput("content", f"must be text, not {type(given).__name__}")


def _content_schema(description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"content": {"type": "string", "description": description}},
        "required": ["content"],
        "additionalProperties": False,
    }
