"""A local server that speaks OpenAI's protocol as LLMs are met in the wild: good, slow, broken, wrong, hostile.

It counts what it served: the tokens of every answer that it sent whole, as it told them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from miners import WORDS

#: The price that tests set for its model, in dollars for a million tokens in and out.
INPUT, OUTPUT = Decimal("3.17"), Decimal("14.03")
MODEL = "test/LLM-1"


@dataclass(frozen=True)
class Served:
    """What the server does with one request."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    #: The body itself, instead of one made of `text`.
    body: bytes | None = None
    #: Seconds before anything is sent, and between the bytes of the body.
    wait: float = 0.0
    drip: float = 0.0
    #: Close the connection without an answer; or in the middle of it.
    closes: bool = False
    breaks: bool = False
    #: Leave out `usage`.
    uncounted: bool = False


Behaviour = Callable[[dict[str, Any]], Served | str]


@dataclass
class Endpoint:
    """The server as tests see it."""

    address: str
    behave: Behaviour
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    #: (tokens in, tokens out) of each answer that was sent whole and counted.
    served: list[tuple[int, int]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopping: threading.Event = field(default_factory=threading.Event)
    #: Set when the first request is there.
    asked: threading.Event = field(default_factory=threading.Event)
    #: For behaviours that change: where the test has come to.
    phase: int = 0
    #: How many requests are being answered now, and were at most.
    open: int = 0
    most_open: int = 0

    @property
    def cost(self) -> Decimal:
        """What all that it served costs at the tests' price."""
        with self.lock:
            return sum(((INPUT * sent + OUTPUT * got) / 1_000_000 for sent, got in self.served), Decimal(0))


def tokens(text: str) -> int:
    """How the server counts."""
    return len(text) // 4 + 1


def last(request: dict[str, Any]) -> str:
    """The last message of a request."""
    return str(request["messages"][-1]["content"])


def lines(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The quoted JSON lines of a request."""
    said = next(each["content"] for each in request["messages"] if each["role"] == "user")
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def naming(request: dict[str, Any]) -> str:
    """What a good LLM finds in the talks of `miners`."""
    said = " ".join(line["text"] for line in lines(request))
    return json.dumps({"entities": [{"name": each, "kind": "item"} for each in WORDS if each in said], "facts": []})


@contextmanager
def serving(behave: Behaviour) -> Iterator[Endpoint]:
    """The server on a free port of the loopback, which does with each request what `behave` says."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with endpoint.lock:
                endpoint.requests.append(request)
                endpoint.keys.append(self.headers.get("Authorization"))
                endpoint.asked.set()
                endpoint.open += 1
                endpoint.most_open = max(endpoint.most_open, endpoint.open)
            try:
                with suppress(BrokenPipeError, ConnectionResetError):
                    self._answer(request)
            finally:
                with endpoint.lock:
                    endpoint.open -= 1

        def _answer(self, request: dict[str, Any]) -> None:
            said = endpoint.behave(request)
            served = Served(said) if isinstance(said, str) else said
            endpoint.stopping.wait(served.wait)
            if served.closes:
                self.close_connection = True
                return
            body, counts = self._body(request, served)
            self.send_response(served.status)
            for name, value in served.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if served.breaks:
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
                return
            if counts and served.status == 200:
                with endpoint.lock:
                    endpoint.served.append(counts)
            for at in range(0, len(body), 1 if served.drip else len(body)):
                self.wfile.write(body[at : at + 1] if served.drip else body)
                if served.drip and endpoint.stopping.wait(served.drip):
                    return

        def _body(self, request: dict[str, Any], served: Served) -> tuple[bytes, tuple[int, int] | None]:
            if served.body is not None:
                return served.body, None
            if served.status != 200:
                return json.dumps({"error": {"message": served.text or "no"}}).encode(), None
            text = served.text or ""
            counts = (sum(tokens(each["content"]) for each in request["messages"]), tokens(text))
            answer: dict[str, Any] = {
                "id": "reply",
                "object": "chat.completion",
                "model": request["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            }
            if served.uncounted:
                return json.dumps(answer).encode(), None
            answer["usage"] = {
                "prompt_tokens": counts[0],
                "completion_tokens": counts[1],
                "total_tokens": sum(counts),
            }
            return json.dumps(answer).encode(), counts

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", behave)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()
