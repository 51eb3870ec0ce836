"""A server that answers a device's sync with whatever harms it."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any
from uuid import UUID, uuid4

import pytest

from ricordo.errors import UnreadableSource
from ricordo.sync import http_folder
from ricordo.sync.http_folder import HttpFolder
from ricordo.sync.keys import Key, new_words, secret_of, sha256
from ricordo.sync.logs import Refused
from ricordo.sync.segments import NO_HASH, Opening, seal

#: A path's status, headers and body; without a status the connection is closed.
Answers = Callable[[str], tuple[int, dict[str, str], bytes]]
MEMORY, DEVICE = uuid4(), uuid4()


@contextmanager
def answering(answers: Answers) -> Iterator[tuple[HttpFolder, list[str]]]:
    """A folder on a server that gives these answers, and the API keys that it was sent."""
    keys: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            keys.append(self.headers["Authorization"])
            status, headers, body = answers(self.path)
            if not status:
                return
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_PUT(self) -> None:
            self.do_GET()

        def do_DELETE(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        with closing(HttpFolder(f"http://127.0.0.1:{server.server_address[1]}", "rk_secret")) as folder:
            yield folder, keys
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


_WRONG_HEADERS: list[dict[str, Any]] = [
    {"salt": 5},
    {"salt": "zz"},
    {"number": 10**100},
    {"number": "7"},
    {"previous": None},
    {"base": "x"},
    {"key": []},
    {"more": 1},
]


def headed(raw: bytes, wrong: dict[str, Any]) -> bytes:
    """A segment with another header."""
    line, _, sealed = raw.partition(b"\n")
    return json.dumps({**json.loads(line), **wrong}).encode() + b"\n" + sealed


def listing(*segments: tuple[int, int], last: str = NO_HASH) -> bytes:
    log = {"device": str(DEVICE), "segments": segments, "last_sha256": last}
    return json.dumps({"memory": str(MEMORY), "key": "0" * 16, "logs": [log], "bytes": 1}).encode()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ((200, {"Content-Type": "text/html"}, b"<html>"), "did not answer as"),
        ((200, {}, b'{"memory": "x", "logs": 1}'), "did not answer as"),
        ((200, {}, b"x" * 16_000_001), "sent more than 16,000,000 bytes"),
        ((200, {"Content-Encoding": "deflate"}, zlib.compress(b" " * 16_000_001)), "did not answer as"),
        ((500, {}, b"<html>"), "status 500: is it the URL"),
        ((500, {}, b"[" * 99_999), "status 500: is it the URL"),
        ((500, {}, b"x" * 100_001), "sent more than 100,000 bytes"),
        ((503, {}, json.dumps({"detail": "the\nstore \x1b[31m" + "x" * 999}).encode()), r"the store \[31mx{1,300}$"),
    ],
)
def test_an_answer_of_no_use_is_named(answer: tuple[int, dict[str, str], bytes], problem: str) -> None:
    with answering(lambda _: answer) as (folder, _), pytest.raises(UnreadableSource, match=problem):
        folder.about()


def test_the_key_goes_to_no_other_server() -> None:
    with answering(lambda _: (200, {}, listing())) as (other, keys):
        elsewhere = {"Location": f"{other.address}/v1/synced-folder"}
        with answering(lambda _: (307, elsewhere, b"")) as (folder, own):
            with pytest.raises(UnreadableSource, match="redirects"):
                folder.about()
            assert own == ["Bearer rk_secret"] and keys == []


@pytest.mark.parametrize("piece", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"x"])
def test_an_answer_that_takes_too_long_is_given_up(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes in between, and though no single wait is long."""
    monkeypatch.setattr(http_folder, "_PATIENCE", 0.3)

    class Trickle(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                while True:
                    self.request.sendall(piece)
                    time.sleep(0.05)

    with ThreadingTCPServer(("127.0.0.1", 0), Trickle) as server:
        threading.Thread(target=server.serve_forever, args=[0.01]).start()
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}"
            with closing(HttpFolder(address, "rk_secret")) as folder, pytest.raises(UnreadableSource, match="too long"):
                folder.about()
        finally:
            server.shutdown()


def test_no_proxy_reads_plain_http_and_no_host_name_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with answering(lambda _: (200, {}, listing())) as (folder, _):
        assert folder.about() == (MEMORY, "0" * 16)
    for host in ("a..b", "a" * 64):
        with (
            closing(HttpFolder(f"https://{host}", "rk_secret")) as folder,
            pytest.raises(UnreadableSource, match="reach"),
        ):
            folder.about()


def test_a_server_without_time_is_asked_again() -> None:
    answers = [(429, {"Retry-After": "0"}, b""), (429, {"Retry-After": "0"}, b""), (200, {}, listing())]
    with answering(lambda _: answers.pop(0)) as (folder, _):
        assert folder.about() == (MEMORY, "0" * 16)


CUT = (200, {"Content-Length": "99999"}, listing()[:40])
LOST = (0, {}, b"")


@pytest.mark.parametrize("lost", [[LOST], [CUT], [LOST, CUT, LOST]])
@pytest.mark.parametrize("ask", [HttpFolder.about, lambda folder: folder.write(DEVICE, 1, b"x"), HttpFolder.remove])
def test_a_request_whose_connection_was_lost_is_sent_again(lost: list[Any], ask: Any) -> None:
    answers = [*lost, (200, {}, listing())]
    with answering(lambda _: answers.pop(0)) as (folder, keys):
        ask(folder, DEVICE) if ask is HttpFolder.remove else ask(folder)
        assert len(keys) == len(lost) + 1


def test_a_request_is_sent_again_a_few_times_and_not_where_it_depends_on_what_was_there() -> None:
    key = Key(MEMORY, secret_of(new_words()))
    for ask, times in ((HttpFolder.about, 4), (lambda folder: folder.describe(key, replaces=key), 1)):
        with answering(lambda _: LOST) as (folder, keys), pytest.raises(UnreadableSource, match="cannot be reached"):
            ask(folder)
        assert len(keys) == times


def test_what_a_server_claims_of_a_log_is_not_believed() -> None:
    key, opening = Key(MEMORY, secret_of(new_words())), Opening("laptop", datetime.now(UTC))
    plain = seal(key, DEVICE, 7, NO_HASH, False, opening, [])

    def reading(*segments: tuple[int, int], raw: bytes = plain, number: int = 5) -> list[bytes]:
        def answers(path: str) -> tuple[int, dict[str, str], bytes]:
            if path.endswith("/bases"):
                return 200, {}, b'{"items": [7], "cursor": null}'
            return (200, {}, raw) if "/segments/" in path else (200, {}, listing(*segments, last=sha256(b"other")))

        with answering(answers) as (folder, _):
            return list(folder.after(MEMORY, DEVICE, number, sha256(b"applied")))

    for ranges in [(1, 10**15)], [(1, 10**6)] * 3:
        with pytest.raises(UnreadableSource, match="too many segments"):
            reading(*ranges)
    with pytest.raises(Refused, match="a log cannot begin with"):
        reading((7, 7))
    with pytest.raises(Refused, match="does not follow segment 6"):
        reading((7, 7), number=6)
    with pytest.raises(Refused, match="not the one that was applied"):
        reading((5, 5))
    with pytest.raises(Refused, match="segments were swapped"):
        reading((6, 6))
    for forged, problem in (
        (seal(key, UUID(int=1), 7, NO_HASH, True, opening, []), "another device"),
        (seal(Key(uuid4(), key.secret), DEVICE, 7, NO_HASH, True, opening, []), "another memory"),
        (b"", "is not a segment"),
        *((headed(plain, wrong), "has a header that cannot be read") for wrong in _WRONG_HEADERS),
        (b"[" * 1_998 + b"\n", "has a header that cannot be read"),
    ):
        with pytest.raises(Refused, match=problem):
            reading((7, 7), raw=forged)
    base = seal(key, DEVICE, 7, NO_HASH, True, opening, [])
    assert reading((7, 7), raw=base) == [base]
