"""The process's side: takes its place, lets nobody else in, and ends when nobody has asked for a while.

What is done for a request is given by its user (ricordo.cli.resident): nothing here knows a command.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from ricordo.resident.calling import Answer, retire
from ricordo.resident.meeting import Place, is_ours, is_same_user, packed, texts, unpacked

#: Seconds between two looks at whether it is still met here, and still of use.
_LOOK = 1.0
#: Seconds that a request may take to arrive, and its bytes at most.
_ARRIVAL, _LARGEST = 5.0, 16_000_000
#: Seconds that requests have to end when the process is told to.
_GRACE = 10.0

log = logging.getLogger("ricordo.resident")


class Unusable(Exception):
    """This process can no longer answer as a new one would: it must end, and the command does the work itself."""


@dataclass(frozen=True)
class Looks:
    """How a command's output is to look."""

    columns: int
    out_terminal: bool
    err_terminal: bool
    no_color: bool

    @classmethod
    def of(cls, text: str) -> Self:
        """Raises ValueError."""
        columns, *flags = map(int, text.split(","))
        return cls(columns, *map(bool, flags))


@dataclass(frozen=True)
class Request:
    """A command line of a user."""

    arguments: list[str]
    #: The value of RICORDO_USER where the command was called; empty where it is not set.
    user: str
    #: The folder that the command was called in; empty where it is gone.
    folder: str
    given: bytes
    looks: Looks


class Work(Protocol):
    """What the process does for its callers."""

    def is_usable(self) -> bool:
        """Whether it can still do anything for them."""

    async def run(self, request: Request) -> Answer | None:
        """Run a command line; None where the command must do it itself. Raises Unusable."""

    async def serve(self, peer: socket.socket, user: str, arguments: list[str]) -> None:
        """Serve an MCP client until it is gone, and close the socket."""


class Taken(Exception):
    """Another process has the place."""


@dataclass(frozen=True)
class Held:
    """A place that this process has, and the callers that wait until it has left it."""

    place: Place
    waiting: list[socket.socket]


@asynccontextmanager
async def held(place: Place, *, instead: bool = False) -> AsyncIterator[Held]:
    """Have a place within this block. `instead` ends a process that has it; else it raises Taken.

    Raises OSError where the folder cannot be made, or is open to others.
    """
    await asyncio.to_thread(_make_folder, place.folder)
    lock = await asyncio.to_thread(_locked, place, instead)
    have = Held(place, [])
    try:
        yield have
    finally:
        os.close(lock)
        for each in have.waiting:
            each.close()


@asynccontextmanager
async def listening(have: Held, work: Work, idle: float | None) -> AsyncIterator[Listener]:
    """Listen at a place within this block. `Listener.over` tells when nobody has called for so many `idle` seconds, and
    when it is to end for another reason. Raises OSError."""
    with _socket(have.place) as accepting:
        listener = Listener(have, accepting, work, idle)
        task = asyncio.create_task(listener.accept())
        try:
            yield listener
        finally:
            task.cancel()
            await asyncio.wait([task])
            await listener.end()
            listener.leave()


class Listener:
    """Takes requests, one task each."""

    def __init__(self, have: Held, accepting: socket.socket, work: Work, idle: float | None) -> None:
        self._place = have.place
        self._accepting = accepting
        self._node = Path(have.place.socket).stat().st_ino
        self._work = work
        self._idle = idle
        self._over = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()
        self._waiting = have.waiting
        self._since = asyncio.get_running_loop().time()

    async def over(self) -> None:
        """Wait until there is no more use for it."""
        loop = asyncio.get_running_loop()
        while not self._over.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), _LOOK if self._idle is None else min(_LOOK, self._idle))
            if self._serving:
                self._since = loop.time()
            is_idle = self._idle is not None and loop.time() - self._since >= self._idle
            if is_idle or not self.is_met() or not self._work.is_usable():
                self._over.set()

    def is_met(self) -> bool:
        """Whether the socket at the place is this one's."""
        try:
            return Path(self._place.socket).stat().st_ino == self._node
        except OSError:
            return False

    async def accept(self) -> None:
        """Take requests until this is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                peer, _ = await loop.sock_accept(self._accepting)
            except OSError as error:  # such as too many open files
                log.warning("a call was not taken: %s", error)
                await asyncio.sleep(_LOOK)
                continue
            task = asyncio.create_task(self._serve(peer))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

    async def end(self) -> None:
        """Let what was begun end, for a while."""
        if self._serving:
            _, late = await asyncio.wait(self._serving, timeout=_GRACE)
            for each in late:
                each.cancel()
            if late:
                await asyncio.wait(late)

    def leave(self) -> None:
        """Take the socket away, so that it is met no more."""
        with suppress(OSError):
            if self.is_met():
                Path(self._place.socket).unlink()

    async def _serve(self, peer: socket.socket) -> None:
        peer.setblocking(False)
        try:
            if is_same_user(peer) and await self._answer(peer):
                return
        except (OSError, ValueError, TimeoutError) as error:  # the caller went away, or speaks something else
            log.info("a call ended early: %r", error)
        peer.close()

    async def _answer(self, peer: socket.socket) -> bool:
        """Answer one caller; says whether the socket is another's to close."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(_ARRIVAL):
            kind, *rest = unpacked(await _message(peer))
        if kind == b"retire":
            self._waiting.append(peer)
            self._over.set()
            return True
        fingerprint, user, *rest = rest
        if fingerprint != self._place.fingerprint or self._over.is_set():
            await loop.sock_sendall(peer, packed([b"declined"]))
            return False
        await loop.sock_sendall(peer, packed([b"begun"]))
        if kind == b"mcp":
            peer.setblocking(True)
            await self._work.serve(peer, texts([user])[0], texts(rest))
            return True
        folder, looks, given, *arguments = rest
        request = Request(texts(arguments), texts([user])[0], texts([folder])[0], given, Looks.of(looks.decode()))
        try:
            answer = await self._work.run(request)
        except Unusable as error:
            log.warning("ends: %s", error)
            self._over.set()
            answer = None
        reply = [b"declined"] if answer is None else [b"done", str(answer.code).encode(), answer.out, answer.err]
        await loop.sock_sendall(peer, packed(reply))
        return False


async def _message(peer: socket.socket) -> bytes:
    """The body of the next message. Raises ValueError and OSError."""
    size = int.from_bytes(await _exactly(peer, 4), "big")
    if size > _LARGEST:
        raise ValueError(f"a message of {size} bytes")
    return await _exactly(peer, size)


async def _exactly(peer: socket.socket, size: int) -> bytes:
    loop, pieces = asyncio.get_running_loop(), []
    while size:
        piece = await loop.sock_recv(peer, min(size, 1 << 16))
        if not piece:
            raise ConnectionResetError("the caller closed the connection")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _make_folder(folder: str) -> None:
    Path(folder).parent.mkdir(parents=True, exist_ok=True)
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    if not is_ours(folder):
        raise PermissionError(f"{folder} is not a folder of this account that is closed to all others")


def _locked(place: Place, instead: bool) -> int:
    """The descriptor that holds the lock, which ends with the process however it ends. Raises Taken and OSError."""
    lock = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for last in (False, True):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if last or not instead:
                os.close(lock)
                raise Taken from None
            retire(place.folder, place.name)
        else:
            break
    return lock


def _socket(place: Place) -> socket.socket:
    """A socket that listens. It appears at the place in one step, in the stead of one that was left behind."""
    accepting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    fresh = f"{place.folder}/{place.name}.new"  # as long as the path of the socket less one
    try:
        accepting.setblocking(False)
        Path(fresh).unlink(missing_ok=True)
        accepting.bind(fresh)
        Path(fresh).chmod(0o600)
        accepting.listen(128)
        Path(fresh).replace(place.socket)
    except OSError:
        accepting.close()
        raise
    return accepting
