"""`ricordo mcp` where a resident process serves its client: lines are carried both ways, until either end closes.

Where the process dies the server goes on in this one. It begins with what the client began with, and with the requests
that were not answered: those that only read are asked again, the others are answered by an error, since nobody knows
whether they took effect.
"""

from __future__ import annotations

import json
import os
import select
import signal
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from _socket import socket

#: Bytes that are carried at a time.
_PIECE = 65_536
_LOST = (
    "{tool} was interrupted: Ricordo's process ended while it ran, and it may have taken effect. "
    "Look before you repeat it."
)


def relay(peer: socket, options: Sequence[str]) -> int:
    """Carry lines between standard input and output and `peer`; returns the exit code of `ricordo mcp`."""
    signal.signal(signal.SIGTERM, _end)
    talk = Talk()
    try:
        if _carried(peer, talk):
            return 0
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:  # a client that reads no more
        return 0
    finally:
        peer.close()
    return _go_on(talk, options)


class Talk:
    """What one client said that a server which comes later must know."""

    def __init__(self) -> None:
        #: What it began with.
        self._beginning: list[bytes] = []
        self._first: int | str | None = None
        #: Requests without an answer, by their ids.
        self._open: dict[int | str, tuple[dict[str, Any], bytes]] = {}
        #: The part of a line that has come so far, from the client and from the server.
        self.said = b""
        self.answered = b""

    def hear(self, line: bytes) -> None:
        """Note a line of the client."""
        message = _message(line)
        id, method = message.get("id"), message.get("method")
        if method in ("initialize", "notifications/initialized"):
            self._beginning.append(line)
            if isinstance(id, int | str):
                self._first = id
        if isinstance(method, str) and isinstance(id, int | str):
            self._open[id] = message, line
        if method == "notifications/cancelled":
            params = message.get("params")
            cancelled = params.get("requestId") if isinstance(params, dict) else None
            if isinstance(cancelled, int | str):
                self._open.pop(cancelled, None)

    def note(self, line: bytes) -> None:
        """Note a line of the server."""
        message = _message(line)
        if "method" not in message and isinstance(message.get("id"), int | str):
            self._open.pop(message["id"], None)

    def left(self) -> tuple[list[bytes], set[int | str], list[bytes]]:
        """The lines that another server begins with, the ids of those that are answered, and the answers to requests
        that must not be repeated."""
        from ricordo.mcp.tools import BY_NAME

        lost, again = [], []
        for id, (message, line) in self._open.items():
            params = message.get("params")
            tool = BY_NAME.get(str(params.get("name"))) if isinstance(params, dict) else None
            if message["method"] == "tools/call" and tool is not None and tool.writes:
                content = [{"type": "text", "text": _LOST.format(tool=tool.name)}]
                result = {"content": content, "isError": True}
                lost.append(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode() + b"\n")
            elif id != self._first:
                again.append(line)
        known = {self._first} if self._first is not None and self._first not in self._open else set()
        return [*self._beginning, *again], known, lost


def _carried(peer: socket, talk: Talk) -> bool:
    """Carry lines until an end closes; True where that was the client."""
    while True:
        ready, _, _ = select.select([0, peer.fileno()], [], [])
        if peer.fileno() in ready:
            try:
                piece = peer.recv(_PIECE)
            except OSError:
                piece = b""
            if not piece:
                return False
            *lines, talk.answered = (talk.answered + piece).split(b"\n")
            for each in lines:  # whole lines only: one that was cut off is answered anew
                talk.note(each)
                _write(1, each + b"\n")
        if 0 in ready:
            piece = os.read(0, _PIECE)
            *lines, talk.said = (talk.said + piece).split(b"\n")
            for each in lines:
                talk.hear(each)
            try:
                peer.sendall(piece)
                if not piece:
                    return _drained(peer, talk)
            except OSError:  # it died; what it had answered until then is read first
                continue


def _drained(peer: socket, talk: Talk) -> bool:
    """Carry what the server still has to say to a client that says no more."""
    from socket import SHUT_WR

    peer.shutdown(SHUT_WR)
    while piece := peer.recv(_PIECE):
        _write(1, piece)
    return True


def _go_on(talk: Talk, options: Sequence[str]) -> int:
    """Serve the client here from now on."""
    import asyncio
    from pathlib import Path

    from ricordo.mcp.stdio import Begun, Project, serve_stdio
    from ricordo.settings import Settings

    said, known, lost = talk.left()
    for each in lost:
        _write(1, each)
    given = dict(zip(options[::2], options[1::2], strict=True))
    settings = Settings.from_environment(user=given.get("--user"))
    project = Project.of(given.get("--project"), Path(given["--folder"]))
    asyncio.run(serve_stdio(settings, given.get("--agent", "mcp"), project, Begun(said, known, talk.said)))
    return 0


def _message(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(descriptor: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[os.write(descriptor, left) :]


def _end(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(128 + signal.SIGTERM)
