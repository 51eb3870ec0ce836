"""`ricordo mcp` for a memory on another machine: each message goes to its `/mcp`, and the answer comes back."""

from __future__ import annotations

import json
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import IO, Any

from ricordo.errors import RicordoError, StoreUnavailable
from ricordo.mcp import lacks_id, refusal
from ricordo.remote.connection import Remote

#: Calls that are under way at a time.
_AT_A_TIME = 4
_FAILED = -32603

log = logging.getLogger("ricordo")


def serve_stdio(remote: Remote, agent: str, project: str | None) -> None:
    """Serve one client on standard input and output, as `agent` that works on `project`, until it closes its end."""
    relay = _Relay(remote, {"agent": agent, **({"project": project} if project else {})}, sys.stdout.buffer)
    with ThreadPoolExecutor(_AT_A_TIME) as calls:
        for line in sys.stdin.buffer:
            if (_message(line) or {}).get("method") == "tools/call":
                calls.submit(relay.carry, line)
            elif line.strip():  # the protocol's own messages keep their order
                relay.carry(line)


class _Relay:
    def __init__(self, remote: Remote, who: dict[str, str], out: IO[bytes]) -> None:
        self._remote = remote
        self._who = who
        self._out = out
        self._writing = Lock()
        self._version: str | None = None

    def carry(self, line: bytes) -> None:
        """Send a message, and write what it is answered."""
        message = _message(line)
        if message is None or lacks_id(message):
            self._write(refusal(line, is_json=_json(line) is not None).encode())
            return
        try:
            answer = self._remote.mcp(line, self._who, self._version)
            if answer.strip() and _message(answer) is None:
                raise StoreUnavailable("the server's answer is not an MCP message: check RICORDO_REMOTE_URL")
        except RicordoError as error:
            answer = _failure(message, str(error))
        except Exception:  # the outermost edge: a client without an answer waits forever
            log.exception("an MCP message could not be sent to the server")
            answer = _failure(message, "internal error; see the log of `ricordo mcp`")
        if message.get("method") == "initialize":
            result = (_message(answer) or {}).get("result")
            self._version = result.get("protocolVersion") if isinstance(result, dict) else None
        if answer.strip():
            self._write(answer)

    def _write(self, answer: bytes) -> None:
        with self._writing:
            self._out.write(answer.strip().replace(b"\n", b" ") + b"\n")
            self._out.flush()


def _failure(message: dict[str, Any], problem: str) -> bytes:
    """The error that answers a request, or an empty answer for a notification."""
    if "id" not in message:
        return b""
    told = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": _FAILED, "message": problem}}
    return json.dumps(told).encode()


def _message(line: bytes) -> dict[str, Any] | None:
    """The message in a line, or None if it is not a JSON object."""
    found = _json(line)
    return found if isinstance(found, dict) else None


def _json(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
