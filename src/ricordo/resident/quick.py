"""The first thing that the program `ricordo` does: some commands are answered by the resident process, before
anything is imported that takes long. Any other outcome leaves the whole command to be done here."""

from __future__ import annotations

import os
import sys

from ricordo.resident.calling import Answer, TookTooLong, call, folder, join, start
from ricordo.resident.meeting import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Sequence

#: Commands that the resident process runs.
_RUN = ("recall", "hook")
#: Seconds without a byte after which a hook's input is left to the command, and its bytes at most.
_PAUSE, _LARGEST = 0.25, 12_000_000
#: Seconds that a hook has, where it is not called with another --budget.
HOOK_SECONDS = 2.0
_INTERRUPTED = "ricordo: interrupted; what was stored stays, and the same command goes on from there\n"


class Quick:
    """One run of the program. After `attempt` returned None, `start_next` lets the next one be quicker.

    `relay` carries the lines of an MCP client to and from a socket and returns the exit code; `too_late` notes that a
    hook was not answered within its seconds, and returns the exit code.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        relay: Callable[[socket, Sequence[str]], int],
        too_late: Callable[[Sequence[str], float], int],
    ) -> None:
        self._arguments = list(arguments)
        self._relay = relay
        self._too_late = too_late
        self._place: Place | None = None

    def attempt(self) -> int | None:
        """The exit code, where the resident process has done the whole command."""
        kind = self._arguments[0] if self._arguments else ""
        if kind not in (*_RUN, "mcp") or os.environ.get("RICORDO_RESIDENT", "").strip() not in ("", "on"):
            return None
        if not {"-h", "--help"}.isdisjoint(self._arguments) or not all(map(_is_plain, (sys.stdout, sys.stderr))):
            return None
        self._place = Place.here()
        if self._place is None:
            return None
        if kind == "mcp":  # one for a memory on another machine has a connection of its own
            return None if os.environ.get("RICORDO_REMOTE_URL", "").strip() else self._serve(self._place)
        return self._run(self._place)

    def start_next(self) -> None:
        """Start a resident process, for the next command."""
        if self._place is not None:
            start(self._place)

    def _run(self, place: Place) -> int | None:
        is_hook = self._arguments[0] == "hook"
        if sys.stdout.isatty() and "--explain" in self._arguments:
            return None  # its bars are fitted to the terminal itself
        given = _input() if is_hook else b""
        if given is None:
            return None
        try:
            answer = call(place, self._arguments, given, _looks(), self._budget() if is_hook else None)
        except TookTooLong:
            return self._too_late(self._arguments, self._budget())
        except KeyboardInterrupt:
            os.write(2, _INTERRUPTED.encode())
            return 130
        if answer is None:
            if is_hook:
                _give_back(given)
            return None
        return _printed(answer)

    def _budget(self) -> float:
        for at, each in enumerate(self._arguments):
            value = each.removeprefix("--budget=") if each.startswith("--budget=") else None
            if each == "--budget" and at + 1 < len(self._arguments):
                value = self._arguments[at + 1]
            if value is not None:
                try:
                    return max(float(value), 0.001)
                except ValueError:
                    break  # the command refuses it
        return HOOK_SECONDS

    def _serve(self, place: Place) -> int | None:
        options = self._arguments[1:]
        if len(options) % 2 or not {*options[::2]} <= {"--agent", "--project", "--user"}:
            return None
        options += ["--folder", folder()]  # whose repository is the project where none is named
        peer = join(place, options)
        if peer is None:
            return None
        self._place = None
        return self._relay(peer, options)


def _is_plain(stream: object) -> bool:
    """Whether a stream takes UTF-8, in which the answer comes."""
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _looks() -> str:
    """How the output is to look, as listening.Looks reads it."""
    width = os.environ.get("COLUMNS", "")
    columns = int(width) if width.isdecimal() and width.isascii() and len(width) < 6 else 0
    if not columns:
        try:
            columns = os.get_terminal_size(1).columns
        except OSError:
            columns = 80
    flags = (sys.stdout.isatty(), sys.stderr.isatty(), bool(os.environ.get("NO_COLOR")))
    return ",".join(map(str, map(int, (columns or 80, *flags))))


def _input() -> bytes | None:
    """All of standard input, or None if it does not end soon or is very long. Then the command has to read on."""
    if sys.stdin is None:
        return None
    import select

    pieces: list[bytes] = []
    size = 0
    while True:
        if size >= _LARGEST or not select.select([0], [], [], _PAUSE)[0]:
            _give_back(b"".join(pieces))
            return None
        try:
            piece = os.read(0, 65_536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _give_back(read: bytes) -> None:
    """Let standard input begin with what was read of it."""
    import io

    class Again(io.RawIOBase):
        left = read

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            piece = self.left[: len(buffer)] or os.read(0, len(buffer))
            self.left = self.left[len(buffer) :]
            buffer[: len(piece)] = piece
            return len(piece)

    sys.stdin = io.TextIOWrapper(io.BufferedReader(Again()), "utf-8")


def _printed(answer: Answer) -> int:
    """Print what the command printed; returns its exit code, or that of what kept it from being printed."""
    for descriptor, text in ((2, answer.err), (1, answer.out)):
        left = memoryview(text)
        try:
            while left:
                left = left[os.write(descriptor, left) :]
        except BrokenPipeError:  # `ricordo … | head` has seen enough
            return 0
        except OSError as error:
            os.write(2, f"ricordo: {error.strerror}\n".encode())
            return 74
    return answer.code
