"""Standard input and output as lines that only the server reads and writes, whatever else in the process prints."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

#: Bytes that are read at a time, and lines that are held before they are asked for.
_PIECE, _HELD = 65_536, 16


class Pipes:
    """The client's lines, in order, and those for it. Made by `claimed`.

    Input is read by a thread that nobody waits for, so that the process can end while its client says nothing.
    """

    def __init__(self, input: int, output: int, begun: bytes = b"") -> None:
        """`begun` is the beginning of a line whose rest is to come."""
        self._output = output
        self._ended = False
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._writing = threading.Lock()
        self._room = threading.Semaphore(_HELD)
        reading = (input, asyncio.get_running_loop(), begun)
        threading.Thread(target=self._read, args=reading, name="standard input", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The client's further lines, until it closes its end."""
        while not self._ended:
            line = await self._lines.get()
            self._room.release()
            if line is not None:
                yield line
            else:
                self._ended = True

    async def write(self, text: str) -> None:
        """Send a text, and wait for a client that is slow; all of it is sent even where that is cancelled."""
        # Without the shield, what no thread had begun yet would never be sent.
        await asyncio.shield(asyncio.to_thread(self._write, memoryview(text.encode())))

    def _write(self, left: memoryview) -> None:
        with self._writing, suppress(ConnectionError):  # a client that reads no more closes its other end too
            while left:
                left = left[os.write(self._output, left) :]

    def _read(self, input: int, loop: asyncio.AbstractEventLoop, begun: bytes) -> None:
        pieces = [begun]
        with suppress(OSError):  # such as a terminal that is gone: the input is at its end
            while piece := os.read(input, _PIECE):
                pieces.append(piece)
                if b"\n" in piece:
                    *lines, rest = b"".join(pieces).split(b"\n")
                    pieces = [rest]
                    for each in lines:
                        self._hand_over(each, loop)
        self._hand_over(None, loop)

    def _hand_over(self, line: bytes | None, loop: asyncio.AbstractEventLoop) -> None:
        self._room.acquire()
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(self._lines.put_nowait, line)


@contextmanager
def claimed(begun: bytes = b"") -> Iterator[Pipes]:
    """Pipes to the client, of whose next line `begun` was read.

    Within this block others in the process read nothing, and print to standard error."""
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield Pipes(*ours, begun)
    finally:
        os.dup2(ours[0], 0)
        os.dup2(ours[1], 1)
