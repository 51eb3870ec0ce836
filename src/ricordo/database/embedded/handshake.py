"""Asks a local PostgreSQL server whether it accepts connections, and runs one statement on it.

It speaks just enough of the protocol (version 3.0, local sockets that trust) to answer within a few
milliseconds, where importing a driver alone takes 140. It is no driver: it reads no rows.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType

_PROTOCOL = 3 << 16
_TERMINATE = b"X\0\0\0\4"
# SQLSTATEs, as PostgreSQL's appendix A lists them.
_STOPPING, _CRASHED, _NOT_YET = "57P01", "57P02", "57P03"
_NO_SUCH_DATABASE = "3D000"
_TOO_MANY_CONNECTIONS = "53300"


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, sqlstate: str, message: str) -> None:
        super().__init__(f"{message} (SQLSTATE {sqlstate})")
        self.sqlstate = sqlstate

    @property
    def passes(self) -> bool:
        """The server is only starting, stopping or recovering."""
        return self.sqlstate in (_STOPPING, _CRASHED, _NOT_YET)


class State(Enum):
    """How a server answers to a knock."""

    ABSENT = auto()  #: nobody listens
    BUSY = auto()  #: it is starting, recovering or stopping, or does not answer in time
    NO_DATABASE = auto()  #: it accepts connections, but the database does not exist
    READY = auto()  #: it accepts connections to the database


@dataclass(frozen=True)
class Reply:
    """What a knock found out."""

    state: State
    #: The server's version, such as "18.6", where it got as far as telling.
    version: str | None = None
    #: The folder of the socket, where there is one.
    socket_directory: str | None = None


def knock(address: str, user: str, database: str, timeout: float) -> Reply:
    """Connect to the socket at `address` as `user`, and leave; wait at most `timeout` seconds.

    Raises Refused where the server turns the user away for a reason that waiting does not mend.
    """
    try:
        with Session(address, user, database, timeout) as session:
            return Reply(State.READY, session.version)
    except Refused as refusal:
        if refusal.passes:
            return Reply(State.BUSY)
        if refusal.sqlstate == _NO_SUCH_DATABASE:
            return Reply(State.NO_DATABASE)
        if refusal.sqlstate == _TOO_MANY_CONNECTIONS:
            return Reply(State.READY)  # it serves others, and will serve us in a while
        raise
    except (FileNotFoundError, ConnectionRefusedError):
        return Reply(State.ABSENT)
    except (TimeoutError, ConnectionError, BlockingIOError):  # silent, going away, or its queue is full
        return Reply(State.BUSY)


@dataclass(frozen=True)
class Listener:
    """Who listens at a socket."""

    #: As the kernel tells it: 0 where the process lives in a namespace that we can't see, None where this system
    #: does not tell (only Linux does).
    pid: int | None


def listener(address: str, timeout: float) -> Listener | None:
    """Who listens at `address`; None if nobody does."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(timeout)
        try:
            connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except BlockingIOError:  # somebody, whose queue is full
            return Listener(None)
        option = getattr(socket, "SO_PEERCRED", None)
        if option is None:
            return Listener(None)
        return Listener(struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, 12))[0])


class Session:
    """One connection; a context manager. Everything together takes at most `timeout` seconds."""

    def __init__(self, address: str, user: str, database: str, timeout: float) -> None:
        self.version: str | None = None
        self._deadline = time.monotonic() + timeout
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._allow_time()
            self._socket.connect(address)
            fields = ("user", user, "database", database, "application_name", "ricordo handshake")
            body = b"".join(each.encode() + b"\0" for each in fields) + b"\0"
            self._socket.sendall(struct.pack("!ii", len(body) + 8, _PROTOCOL) + body)
            self._read_until_ready()
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._socket.sendall(_TERMINATE)
        except OSError:
            pass  # it has gone first
        finally:
            self._socket.close()

    def execute(self, statement: str) -> None:
        """Run one SQL statement in a transaction of its own, and drop its rows. Raises Refused, OSError."""
        body = statement.encode() + b"\0"
        self._socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)
        self._read_until_ready()

    def _read_until_ready(self) -> None:
        refusal: Refused | None = None
        while True:
            try:
                kind, body = self._read_message()
            except ConnectionError:
                if refusal is None:
                    raise
                raise refusal from None  # a fatal error closes the connection
            if kind == b"E":
                error = _fields_of_error(body)
                refusal = Refused(error.get("C", "XX000"), error.get("M", "unknown error"))
            elif kind == b"S":
                name, value = body.split(b"\0")[:2]
                if name == b"server_version":
                    self.version = value.decode().split()[0]  # Debian adds its own after a blank
            elif kind == b"R" and body != b"\0\0\0\0":
                raise Refused("28000", "the server asks for a password on its own socket")
            elif kind == b"Z":
                if refusal is not None:
                    raise refusal
                return

    def _read_message(self) -> tuple[bytes, bytes]:
        kind, length = struct.unpack("!ci", self._read(5))
        return kind, self._read(length - 4)

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            self._allow_time()
            part = self._socket.recv(size)
            if not part:
                raise ConnectionResetError("the server closed the connection")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _allow_time(self) -> None:
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("the server did not answer in time")
        self._socket.settimeout(remaining)


def _fields_of_error(body: bytes) -> dict[str, str]:
    parts = (part.decode(errors="replace") for part in body.split(b"\0") if part)
    return {part[0]: part[1:] for part in parts}
