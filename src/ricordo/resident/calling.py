"""A command's side: ask the resident process, or find that there is none and do the work here.

Nothing that goes wrong on the way is an error: the answer is then None, and the command does the work itself.

The sockets are those of `_socket`, on which Python's own are built: importing `socket` takes a quarter of the call.
"""

from __future__ import annotations

import os
import sys
import time

from ricordo.resident.meeting import Place, is_ours, is_same_user, packed, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

#: Seconds within which the process must say that it has begun; one that cannot is stopped.
_BEGUN_WITHIN = 5.0
#: Seconds within which a process that has its place listens there.
_STARTS_WITHIN = 30.0
#: Bytes of an answer at most.
_LARGEST = 256_000_000


class Answer:
    """What a command printed, and its exit code."""

    __slots__ = ("code", "err", "out")

    def __init__(self, code: int, out: bytes, err: bytes) -> None:
        self.code, self.out, self.err = code, out, err


class TookTooLong(Exception):
    """The answer did not come within the time that the caller has."""


def call(place: Place, arguments: Sequence[str], given: bytes, looks: str, seconds: float | None) -> Answer | None:
    """Let the resident process run a command line; None where the command must do the work itself.

    `given` is what stands on standard input; `looks` says how the output is to look (see listening.Looks). Raises
    TookTooLong where there is no answer within `seconds`.
    """
    end = None if seconds is None else time.monotonic() + seconds
    request = [b"run", _user(), _bytes(folder()), looks.encode(), given, *(_bytes(each) for each in arguments)]
    peer = _joined(place, request, _BEGUN_WITHIN if seconds is None else min(seconds, _BEGUN_WITHIN))
    if peer is None:
        if end is not None and time.monotonic() >= end:
            raise TookTooLong
        return None
    peer.settimeout(None if end is None else max(end - time.monotonic(), 0.001))
    try:
        parts = _message(peer)
    except TimeoutError:
        raise TookTooLong from None
    except (OSError, ValueError):  # it died, or is no resident process
        return None
    finally:
        peer.close()
    if len(parts) != 4 or parts[0] != b"done":
        return None
    return Answer(int(parts[1]), parts[2], parts[3])


def join(place: Place, arguments: Sequence[str]) -> socket | None:
    """Let the resident process serve an MCP client over the socket that is returned; None where there is none."""
    peer = _joined(place, [b"mcp", _user(), *(_bytes(each) for each in arguments)])
    if peer is not None:
        peer.settimeout(None)
    return peer


def retire(folder: str, name: str = "") -> int:
    """Tell every resident process that is met in a folder, or the one of a place's name, to end, and wait until they
    have; returns how many did.

    One that is just being started is waited for: it has its lock before it listens.
    """
    if not is_ours(folder):
        return 0
    ended = 0
    for each in os.listdir(folder):  # noqa: PTH208
        if not each.endswith(".lock") or each != f"{name or each.removesuffix('.lock')}.lock":
            continue
        path = f"{folder}/{each.removesuffix('.lock')}"
        peer = _connected(f"{path}.sock")
        end = time.monotonic() + _STARTS_WITHIN
        while peer is None and _is_locked(f"{path}.lock") and time.monotonic() < end:
            time.sleep(0.02)
            peer = _connected(f"{path}.sock")
        if peer is None:
            continue
        try:
            peer.settimeout(60)
            peer.sendall(packed([b"retire"]))
            while peer.recv(4096):
                pass
            ended += 1
        except OSError:  # it died meanwhile
            continue
        finally:
            peer.close()
    return ended


def start(place: Place) -> None:
    """Start a resident process that outlives this one. Where one is being started already, the new one ends at once."""
    if not sys.executable or not os.path.isdir(os.path.dirname(place.folder)):  # noqa: PTH112, PTH120
        return  # there is no home yet: nothing was stored in it
    import subprocess

    # -P: what lies in a folder is not imported because the process starts there.
    command = [sys.executable, "-P", "-m", "ricordo", "resident"]
    environ = {name: value for name, value in place.environ.items() if name != "RICORDO_USER"}
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=environ,
            start_new_session=True,  # so that Ctrl-C does not end it
        )
    except OSError:  # such as no more processes: the next command tries again
        return
    process.returncode = 0  # nobody waits for it, and Python should not warn of that


def _is_locked(path: str) -> bool:
    import fcntl

    try:
        lock = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _joined(place: Place, request: Sequence[bytes], seconds: float = _BEGUN_WITHIN) -> socket | None:
    """A connection on which the request has begun to be worked at, within so many seconds."""
    if not is_ours(place.folder):
        return None
    peer = _connected(place.socket)
    if peer is None:
        return None
    try:
        peer.settimeout(seconds)
        peer.sendall(packed([request[0], place.fingerprint, *request[1:]]))
        if _message(peer) == [b"begun"]:
            return peer
    except (OSError, ValueError):
        pass
    peer.close()
    return None


def _connected(path: str) -> socket | None:
    from _socket import AF_UNIX, SOCK_STREAM, socket

    peer = socket(AF_UNIX, SOCK_STREAM)
    peer.settimeout(_BEGUN_WITHIN)
    try:
        peer.connect(path)
        if is_same_user(peer):
            return peer
    except OSError:  # there is none, or one that died and left its socket
        pass
    peer.close()
    return None


def _message(peer: socket) -> list[bytes]:
    """The next message. Raises OSError and ValueError."""
    size = int.from_bytes(_exactly(peer, 4), "big")
    if size > _LARGEST:
        raise ValueError("a message is too long")
    return unpacked(_exactly(peer, size))


def _exactly(peer: socket, size: int) -> bytes:
    pieces = []
    while size:
        piece = peer.recv(min(size, 1 << 20))
        if not piece:
            raise ConnectionResetError("the resident process closed the connection")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def folder() -> str:
    """The folder that the command is called in; empty where it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def _user() -> bytes:
    return _bytes(os.environ.get("RICORDO_USER", ""))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
