"""The memory tool of an orchestrating agent: all that `memory.notes` does, as one tool with an `action` (seed 004)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args
from uuid import UUID

from ricordo import rules
from ricordo.api import Notes
from ricordo.errors import InvalidInput, RicordoError
from ricordo.models import Entry, Retention, WriteReceipt
from ricordo.opened import Opened
from ricordo.toolkit.tool import Speaker, Tool

_DESCRIPTION = (
    "Create, read, update, delete and search memories. Set `action` to `create` (requires content), `get` (requires "
    "id), `update` (requires id; changes only the given fields), `delete` (requires id) or `search` (by query; without "
    "one, returns the most important first). The retention sets how long a memory is stored: `short_term` until this "
    "session ends, `medium_term` until expires_at (required), `long_term` until it is deleted. An update can change "
    "the retention. Search before you create, and update an existing memory instead of repeating it."
)
_TEXT: Mapping[str, Any] = {"type": "string"}
_RETENTION: Mapping[str, Any] = {"type": "string", "enum": list(get_args(Retention))}
_IMPORTANCE: Mapping[str, Any] = {"type": "integer", "minimum": 1, "maximum": 10}
#: What each action takes; the first is needed, save that a search needs nothing.
_ACTIONS: Mapping[str, tuple[str, ...]] = {
    "create": ("content", "retention", "expires_at", "project", "tags", "importance", "source", "context"),
    "get": ("id",),
    "update": ("id", "content", "tags", "retention", "expires_at", "importance", "context", "clear"),
    "delete": ("id",),
    "search": (
        "query", "project", "tags", "retentions", "minimum_importance", "source", "limit", "include_expired",
    ),
}  # fmt: skip
PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": list(_ACTIONS)},
        "id": {**_TEXT, "description": "Id of the memory."},
        "content": {**_TEXT, "maxLength": rules.LONGEST, "description": "Text to store."},
        "retention": {**_RETENTION, "description": "How long to store the memory; long_term by default."},
        "expires_at": {**_TEXT, "format": "date-time", "description": "ISO 8601 time; required with medium_term."},
        "project": {**_TEXT, "description": "Project of the memory."},
        "tags": {"type": "array", "items": _TEXT, "description": "Tags; a search returns memories with all of them."},
        "importance": {**_IMPORTANCE, "description": "Importance, 1 to 10; 5 by default."},
        "source": {**_TEXT, "description": "Origin of the memory: user, agent (default), system …"},
        "context": {"type": "object", "description": "Additional data; an update merges it."},
        "clear": {
            "type": "array",
            "items": {"type": "string", "enum": ["tags", "context"]},
            "description": "Fields to clear before an update.",
        },
        "query": {**_TEXT, "description": "Search query, matched by meaning and by words."},
        "retentions": {"type": "array", "items": _RETENTION, "description": "Search only these retentions."},
        "minimum_importance": {**_IMPORTANCE, "description": "Minimum importance to search."},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "description": "Maximum number of results; 10 by default.",
        },
        "include_expired": {"type": "boolean", "description": "Include expired memories that are not deleted yet."},
    },
    "required": ["action"],
    "additionalProperties": False,
}


#: The source document's spellings (seed 004), which are accepted as well.
ALSO: Mapping[str, str] = {
    "retentionType": "retention", "expiresAt": "expires_at", "projectId": "project", "retentionTypes": "retentions",
    "minImportance": "minimum_importance", "includeExpired": "include_expired",
}  # fmt: skip
#: Its name for whose memory it is. A tool has one user's memory alone.
_USER = "userId"


def memory_tool(notes: Notes, opened: Opened) -> Tool:
    """The tool over these notes. It answers `{"memory": …}`, `{"memories": […]}` or `{"deleted": id}`, `{"held": id}`
    for a note that waits for the user's review, and whatever is wrong with a call as `{"error": …}`. An argument
    that is null counts as not given."""

    async def handler(agent: Speaker, run: UUID | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            action = rules.one_of("action", arguments.get("action"), list(_ACTIONS))
            if arguments.get(_USER) not in (None, opened.user, str(opened.user_id)):
                raise InvalidInput(_USER, "must be the user of this memory, or left out")
            return await _act(notes, {"agent": agent, "run": run}, action, _taken(action, arguments))
        except RicordoError as error:
            return {"error": str(error)}

    return Tool("memory", _DESCRIPTION, PARAMETERS, handler, ALSO, frozenset({_USER}))


async def _act(notes: Notes, who: Mapping[str, Any], action: str, given: dict[str, Any]) -> dict[str, Any]:
    match action:
        case "create":
            return _created(await notes.create(given.pop("content"), **given, **who))
        case "get":
            return {"memory": _shown(await notes.get(given["id"], **who))}
        case "update":
            return {"memory": _shown(await notes.update(given.pop("id"), **given, **who))}
        case "delete":
            return {"deleted": str((await notes.delete(given["id"], **who)).id)}
        case _:
            return {"memories": [_shown(each) for each in await notes.search(**given, **who)]}


def _taken(action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are given. Raises InvalidInput where the action does not take one, or misses what it needs."""
    given = {name: value for name, value in arguments.items() if value is not None and name not in ("action", _USER)}
    known = _ACTIONS[action]
    for name in given:
        if name not in known:
            raise InvalidInput(str(name)[:50], f"unknown argument of {action}: expected {', '.join(known)}")
    if action != "search" and known[0] not in given:
        raise InvalidInput(known[0], f"missing argument of {action}")
    return given


def _created(receipt: WriteReceipt) -> dict[str, Any]:
    if receipt.memory is not None:
        return {"memory": _shown(receipt.memory)}
    if receipt.status == "held":
        return {"held": str(receipt.id), "note": "Not stored yet: waiting for the user's review"}
    return {"error": str(receipt.reason)}


def _shown(entry: Entry) -> dict[str, Any]:
    """A memory as JSON, its fields named as the arguments are."""
    read = entry.model_dump(mode="json")
    plain = ("id", "content", "retention", "expires_at", "tags", "importance", "source", "created_at", "updated_at")
    return {**{name: read[name] for name in plain}, "project": read["project_id"], "context": read["metadata"]}
