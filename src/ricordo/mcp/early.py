"""The protocol's first answers, which the SDK would give alike, but only after the second that it takes to load.

They are the same for every client that starts the server, and need nothing of the memory. Where a message is not wholly
as it should be the SDK judges it.

The SDK cannot be made to start in time by importing less of it: without its client, which its package imports, the
server still takes 0.59 s of processor time to import and not 0.65, of which the models of its messages take 0.24.
`initialize` is answered 0.14 s after the start, and by the SDK alone after 0.88 s (median of nine, in turn).
tests/unit/test_mcp_early.py compares each answer with the SDK's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ricordo import __version__
from ricordo.mcp.tools import INSTRUCTIONS, PROMPT, RESOURCES, TEMPLATES, TOOLS, Described

#: Versions of the protocol that begin with `initialize`, oldest first; the one whose requests stand by themselves.
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"
_SERVER = {"name": "ricordo", "title": "Ricordo", "version": __version__}
_ABOUT: Mapping[str, Any] = {
    "capabilities": {
        "prompts": {"listChanged": False},
        "resources": {"listChanged": False, "subscribe": False},
        "tools": {"listChanged": False},
    },
    "instructions": INSTRUCTIONS,
}
_LISTS: Mapping[str, Mapping[str, Any]] = {
    "resources/list": {"resources": [*RESOURCES]},
    "resources/templates/list": {"resourceTemplates": [*TEMPLATES]},
    "prompts/list": {"prompts": [PROMPT]},
}
#: What every answer of the modern protocol has beside its own.
_COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": {f"{_META}serverInfo": _SERVER}}


class Early:
    """The first answers to one client."""

    def __init__(self, tools: Sequence[Described] = TOOLS) -> None:
        """`tools` are those that are open to the client."""
        self._tools = {"tools": [each.listed for each in tools]}
        #: The version that the client began with.
        self._version: str | None = None

    def knows(self, line: bytes) -> tuple[int | str | None, str] | None:
        """The id of a request and the line that answers it; None and nothing for a notification that wants no answer.

        None for what the SDK must answer.
        """
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):  # the latter where it is too deep
            return None
        match message:
            case {"jsonrpc": "2.0", "id": int() | str() as id, "method": str(method), **rest} if id is not True:
                result = self._result(method, rest.get("params", {}))
                if result is not None:
                    return id, json.dumps({"jsonrpc": "2.0", "id": id, "result": result}) + "\n"
            case {"jsonrpc": "2.0", "method": "notifications/initialized", **rest} if not rest and self._version:
                return None, ""
        return None

    def _result(self, method: str, params: object) -> Mapping[str, Any] | None:
        match params:
            case {"_meta": dict() as meta, **rest}:
                return None if rest else self._modern(method, meta)
            case {"protocolVersion": str(asked), "capabilities": {}, "clientInfo": {"name": str(), "version": str()}}:
                if method != "initialize" or self._version is not None:
                    return None
                self._version = asked if asked in HANDSHAKE else HANDSHAKE[-1]
                return {"protocolVersion": self._version, "serverInfo": _SERVER, **_ABOUT}
            case {**rest} if not rest and self._version in HANDSHAKE:
                return {} if method == "ping" else self._list(method)
        return None

    def _modern(self, method: str, meta: Mapping[str, Any]) -> Mapping[str, Any] | None:
        asked = {name.removeprefix(_META): value for name, value in meta.items()}
        match asked:
            case {"protocolVersion": str(version), "clientCapabilities": {}, "clientInfo": dict(client)}:
                if version != MODERN or self._version not in (None, MODERN) or not {"name", "version"} <= {*client}:
                    return None
                self._version = MODERN
                found = {"supportedVersions": [MODERN], **_ABOUT} if method == "server/discover" else self._list(method)
                return found and {**found, **_COMPLETE}
        return None

    def _list(self, method: str) -> Mapping[str, Any] | None:
        return self._tools if method == "tools/list" else _LISTS.get(method)
