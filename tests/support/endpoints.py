"""A real HTTP server that speaks OpenAI's protocol for embeddings, well or badly, as a test tells it to."""

from __future__ import annotations

import json
import math
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 8


def vector(text: str) -> list[float]:
    """The vector of a text; texts that share words are near. It is not of unit length."""
    total = [0.0] * DIMENSION
    for word in text.lower().split():
        angle = zlib.crc32(word.strip(".,?!").encode()) / 2**32 * math.tau
        for index in range(DIMENSION):
            total[index] += math.cos(angle * (index + 1))
    return [each + 1e-3 for each in total]


def answer(texts: list[str]) -> dict[str, Any]:
    """What a good server answers, in an order of its own."""
    rows = [{"object": "embedding", "index": index, "embedding": vector(text)} for index, text in enumerate(texts)]
    tokens = sum(len(text.split()) for text in texts)
    return {
        "object": "list",
        "data": rows[::-1],
        "model": "toy",
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


@dataclass
class Request:
    """A request as the server got it."""

    path: str
    key: str | None
    body: dict[str, Any]


#: What a server does with a request: (status, headers, body), where a body that is no string is sent as JSON.
Behaviour = Callable[[Request], tuple[int, dict[str, str], Any]]


def good(request: Request) -> tuple[int, dict[str, str], Any]:
    """What a server is for."""
    return 200, {}, answer(request.body["input"])


@dataclass
class Endpoint:
    """A server and what became of it."""

    url: str
    behaviour: Behaviour = good
    requests: list[Request] = field(default_factory=list)
    #: Seconds between two bytes of an answer.
    drip: float = 0.0
    #: How many requests it drops from now on: it reads them, and closes the connection without an answer.
    drops: int = 0

    @property
    def texts(self) -> list[str]:
        """Every text that it got, in order."""
        return [text for request in self.requests for text in request.body["input"]]


@contextmanager
def serving(behaviour: Behaviour = good) -> Iterator[Endpoint]:
    """A server on this machine, while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, (self.headers["Authorization"] or "").removeprefix("Bearer "), body)
            endpoint.requests.append(request)
            if endpoint.drops:
                endpoint.drops, self.close_connection = endpoint.drops - 1, True
                return
            status, headers, said = endpoint.behaviour(request)
            content = (said if isinstance(said, str) else json.dumps(said)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                for part in [content[at : at + 1] for at in range(len(content))] if endpoint.drip else [content]:
                    self.wfile.write(part)
                    time.sleep(endpoint.drip)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a client that has gone

    server = Server(("127.0.0.1", 0), Handler)
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", behaviour)
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
