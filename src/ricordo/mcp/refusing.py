"""The answer to a line that is no JSON-RPC message."""

from __future__ import annotations

import json


def refusal(line: bytes, *, is_json: bool) -> str:
    """The answer to a line that is no message, under the id of its request where that can be told."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    id = told.get("id") if isinstance(told, dict) else None
    code, why = (
        (-32600, "Invalid Request: the line is not a JSON-RPC 2.0 message")
        if is_json
        else (-32700, "Parse error: the line is not valid JSON in UTF-8")
    )
    known = id if _is_id(id) else None
    return json.dumps({"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": why}}) + "\n"


def lacks_id(message: object) -> bool:
    """Whether a request has an invalid id. The SDK treats it as a notification, so the sender would wait forever."""
    return isinstance(message, dict) and "method" in message and "id" in message and not _is_id(message["id"])


def _is_id(id: object) -> bool:
    return isinstance(id, int | str) and not isinstance(id, bool)
