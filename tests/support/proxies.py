"""A proxy between a client and a server that delays what they say, cuts them off, or says what a client said twice."""

from __future__ import annotations

import random
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit


@dataclass
class Mood:
    """How bad the line is: for each piece, the chance that it is held up for up to `longest` seconds, and that the line
    is cut instead; for each connection, the chance that what the client says reaches the server over a second one too.
    """

    seed: int
    delay: float = 0.0
    longest: float = 0.05
    cut: float = 0.0
    twice: float = 0.0
    #: What it did.
    done: dict[str, int] = field(default_factory=lambda: {"delayed": 0, "cut": 0, "doubled": 0})

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def happens(self, what: str, chance: float) -> bool:
        happens = self.chance.random() < chance
        self.done[what] += happens
        return happens


@contextmanager
def between(listening: socket.socket, connect: Callable[[], socket.socket], mood: Mood) -> Iterator[None]:
    """A proxy from a bound socket to what `connect` reaches, until the block ends."""
    listening.listen(64)
    ended = threading.Event()

    def accept() -> None:
        while not ended.is_set():
            try:
                client, _ = listening.accept()
            except OSError:
                return
            try:
                servers = [connect() for _ in range(2 if mood.happens("doubled", mood.twice) else 1)]
            except OSError:
                client.close()
                continue
            threading.Thread(target=_pump, args=(client, servers, mood), daemon=True).start()
            threading.Thread(target=_pump, args=(servers[0], [client], mood), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def _pump(source: socket.socket, targets: list[socket.socket], mood: Mood) -> None:
    """Carry on what `source` says until one side ends or the line is cut."""
    with suppress(OSError):
        while piece := source.recv(65536):
            if mood.happens("cut", mood.cut):
                break
            if mood.happens("delayed", mood.delay):
                time.sleep(mood.chance.uniform(0, mood.longest))
            for each in targets:
                each.sendall(piece)
    for each in (source, *targets):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
        each.close()


@contextmanager
def losing_answers(url: str, count: int) -> Iterator[str]:
    """The URL of a proxy to a server of HTTP that closes the first `count` connections when their answer comes."""
    told = urlsplit(url)
    assert told.hostname and told.port
    server_at, left = (told.hostname, told.port), [count]

    class Lose(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError), socket.create_connection(server_at) as server:
                while True:
                    for ready in select.select([self.request, server], [], [])[0]:
                        piece = ready.recv(65536)
                        if not piece or (ready is server and left[0] > 0):
                            left[0] -= bool(piece)
                            return
                        (server if ready is self.request else self.request).sendall(piece)

    with ThreadingTCPServer(("127.0.0.1", 0), Lose) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=[0.01])
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            thread.join()
