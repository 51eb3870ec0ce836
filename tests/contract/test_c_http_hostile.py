"""C11 under clients that mean no good: what they send is refused, what they hold open is closed, the server lives."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from http_server import Server, running
from ricordo.http import middleware, protocol
from stores import connect, settings_for
from talks import BATTERY

QUESTION = json.dumps({"question": "Which cells should go into the e-foil?"})


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home), largest_body=100_000) as server:
        server.post("/v1/conversations", {"conversation": "c", "messages": BATTERY})
        yield server


def _address(server: Server) -> tuple[str, int]:
    host, _, port = server.url.removeprefix("http://").partition(":")
    return host, int(port)


def _connect(server: Server) -> socket.socket:
    connection = socket.create_connection(_address(server), timeout=300)
    connection.settimeout(20)
    return connection


def _head(server: Server, line: str, *headers: str) -> bytes:
    lines = [f"{line} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {server.token}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def _asked(server: Server, *sent: bytes) -> bytes:
    """All that is answered until the server closes."""
    with _connect(server) as connection:
        try:
            for each in sent:
                connection.sendall(each)
        except OSError:
            pass  # it closes before all is sent
        answer = b""
        try:
            while piece := connection.recv(65_536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer


def _status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


CLOSE = "Connection: close"
NOBODY = "00000000-0000-0000-0000-000000000000"
JSON = ("Content-Type: application/json", f"Content-Length: {len(QUESTION)}", CLOSE)


@pytest.mark.parametrize(
    ("line", "headers", "body", "status"),
    [
        ("GET /v1/settings", ("Host: evil.example", CLOSE), "", 400),
        ("GET /v1/settings", ("Authorization: Bearer rk_x", CLOSE), "", 400),
        ("PATCH /v1/settings", ('If-Match: "a"', 'If-Match: "b"', CLOSE), "", 400),
        ("POST /v1/notes", ("Idempotency-Key: a", "Idempotency-Key: b", CLOSE), "", 400),
        ("POST /v1/recall", ("Content-Length: 2", "Content-Length: 3", CLOSE), "{}", 400),
        ("POST /v1/recall", ("Content-Length: 2", "Transfer-Encoding: chunked", CLOSE), "{}", 400),
        ("POST /v1/recall", ("Content-Length: -1", CLOSE), "", 400),
        ("POST /v1/recall", ("Content-Length: 99999999999999999999", CLOSE), "", 400),
        ("POST /v1/recall", ("Transfer-Encoding: chunked", "Content-Type: application/json", CLOSE), "zz\r\n", 400),
        ("POST /v1/recall", ("Content-Type: application/json; charset=utf-7", *JSON[1:]), QUESTION, 200),
        ("POST /v1/recall", ("Content-Type: text/plain", *JSON[1:]), QUESTION, 415),
        ("POST /v1/recall", ("Content-Type: application/x-www-form-urlencoded", *JSON[1:]), QUESTION, 415),
        ("POST /v1/recall", ("Content-Type: multipart/form-data; boundary=x", *JSON[1:]), QUESTION, 415),
        ("POST /v1/recall", JSON[1:], QUESTION, 415),
        ("POST /v1/recall", ("Content-Encoding: gzip", *JSON), QUESTION, 415),
        ("POST /v1/recall", ("Content-Encoding: identity", "Content-Encoding: br", *JSON), QUESTION, 415),
        ("POST /v1/recall", ("Content-Encoding: Identity", *JSON), QUESTION, 200),
        ("PUT /v1/uploads/x/files?name=x", ("Content-Encoding: deflate", "Content-Length: 1", CLOSE), "x", 415),
        ("POST /mcp", ("Content-Encoding: gzip", *JSON), QUESTION, 415),
        ("POST /v1/recall", (JSON[0], CLOSE), "", 422),
        ("HEAD /v1/settings", (CLOSE,), "", 405),
        ("OPTIONS /v1/settings", (CLOSE,), "", 405),
        ("TRACE /v1/settings", (CLOSE,), "", 405),
        ("BREW /v1/settings", (CLOSE,), "", 400),
        ("GET http://evil.example/v1/settings", (CLOSE,), "", 200),
        ("GET //v1//settings", (CLOSE,), "", 404),
        ("GET /v1/%2e%2e/settings", (CLOSE,), "", 404),
        ("GET /v1/agents/%", (CLOSE,), "", 404),
        ("GET /v1/agents/%ff%fe", (CLOSE,), "", 404),
        ("GET /v1/agents/\xff", (CLOSE,), "", 400),
        ("GET /v1/settings", ("X-Folded: a\r\n b", CLOSE), "", 400),
        ("GET /v1/settings", ("Nothing", CLOSE), "", 400),
        ("POST /v1/settings", ("X-HTTP-Method-Override: DELETE", "Content-Length: 0", CLOSE), "", 405),
        ("GET /v1/settings", ("X-Forwarded-Host: evil.example", "X-Forwarded-For: 1.2.3.4", CLOSE), "", 200),
        ("POST /v1/recall", ("Expect: 100-continue", *JSON), QUESTION, 100),
        (
            "GET /v1/settings",
            ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: eA==", CLOSE),
            "",
            200,
        ),
    ],
)  # fmt: skip
def test_odd_requests_get_a_plain_answer(
    server: Server, line: str, headers: tuple[str, ...], body: str, status: int
) -> None:
    assert _status(_asked(server, _head(server, line, *headers), body.encode())) == status
    assert server.get("/healthz", token="") == {"status": "ok"}


def test_no_body_gets_an_error_for_each_of_thousands_of_mistakes(server: Server) -> None:
    """For one that is large the server would else stand still for minutes, and take gigabytes."""
    document = server.get("/openapi.json")
    tried = 0
    for path, method, schema in _bodies(document):
        for body in ({str(number): 0 for number in range(500)}, *_mistaken(document, schema)):
            tried += 1
            answer = server.ask(method, re.sub(r"\{\w+\}", NOBODY, path), body)
            assert answer.status_code in (404, 422), (method, path, answer.text)
            told = answer.json()["errors"]
            assert len(told) < 10, (method, path, told[:10])
    assert tried > 60


def _bodies(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and schema of each operation that takes JSON."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content and path.startswith("/v1/"):
                yield path, method.upper(), content["application/json"]["schema"]


def _mistaken(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[Any]:
    """Values of a schema in which one thing has very many mistakes."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for other in schema.get("anyOf", ()):
        yield from _mistaken(document, other)
    if schema.get("type") == "array":
        yield [0] * 500
        yield from ([each] for each in _mistaken(document, schema["items"]))
    if schema.get("type") == "object" and schema.get("additionalProperties") is not True:
        yield {str(number): [] for number in range(500)}
        for name, inner in schema.get("properties", {}).items():
            yield from ({name: each} for each in _mistaken(document, inner))


def test_bodies_that_no_json_can_be_are_told_apart_from_bad_http(server: Server) -> None:
    for body in (b"[" * 50_000, b'{"question": "\xff"}', b'{"question": "x", "top_k": ' + b"9" * 5_000 + b"}"):
        head = _head(server, "POST /v1/recall", JSON[0], f"Content-Length: {len(body)}", CLOSE)
        answer = _asked(server, head, body)
        assert _status(answer) == 400 and b"the body is not valid JSON" in answer


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", os.urandom(500)])
def test_what_is_no_http_is_closed(server: Server, sent: bytes) -> None:
    assert _asked(server, sent, b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_heads_that_do_not_come_to_their_end_are_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD", 0.5)
    begun = [b"", b"GET /v1/settings HTTP/1.1\r\nHost: loc", _head(server, "GET /v1/settings") + b"GET /v1/set"]
    connections = [_connect(server) for _ in range(90)]
    for number, each in enumerate(connections):
        each.sendall(begun[number % 3])
    begin = time.monotonic()
    for number, each in enumerate(connections):
        answer = b""
        while piece := each.recv(65_536):
            answer += piece
        assert bool(answer) == (number % 3 == 2)
        each.close()
    assert time.monotonic() - begin < 15


def test_heads_without_a_measure_are_refused(server: Server) -> None:
    for name in (b"X-Long: ", b"GET /"):  # one header, or a path
        with _connect(server) as open:
            open.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" if name.endswith(b" ") else b"")
            open.sendall(name)
            sent = 0
            try:
                while sent < 64 << 20:
                    sent += open.send(b"x" * 65_536)
            except OSError:  # closed
                pass
            assert sent < 8 << 20
    assert server.ask("GET", "/healthz", headers={"X-Rather-Long": "x" * 50_000}).status_code == 200


def test_bodies_that_come_too_slowly_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "_PATIENCE", 0.5)
    head = _head(server, "POST /v1/recall", "Content-Type: application/json", "Content-Length: 60000")
    assert _status(_asked(server, head, b" ")) == 408
    upload = server.post("/v1/uploads")["id"]
    put = _head(server, f"PUT /v1/uploads/{upload}/files?name=x", "Content-Length: 60000")
    assert _status(_asked(server, put, b"x" * 9)) == 408
    assert server.get(f"/v1/uploads/{upload}")["files"] == []


def test_the_rest_of_a_refused_body_is_not_taken(server: Server) -> None:
    nobody = b"PUT /v1/uploads/x/files?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\n"
    answer = _asked(server, nobody, *[b"x" * 1_000_000] * 50)
    assert not answer or _status(answer) == 401


def test_clients_that_go_away_leave_nothing_behind(server: Server) -> None:
    upload = server.post("/v1/uploads")["id"]
    cut = [
        _head(server, "POST /v1/recall", *JSON[:2]) + QUESTION.encode(),
        _head(server, "POST /v1/recall", *JSON[:2]) + QUESTION[:9].encode(),
        _head(server, f"PUT /v1/uploads/{upload}/files?name=x", "Content-Length: 90000") + b"x" * 50_000,
    ]
    for number in range(60):
        with _connect(server) as connection:
            connection.sendall(cut[number % 3])
            time.sleep(0.01 * (number % 4))
    assert server.post("/v1/recall", {"question": "Which cells should go into the e-foil?"})["results"]
    assert server.get(f"/v1/uploads/{upload}")["files"] == []


def test_clients_that_do_not_take_their_answers_are_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(protocol, "STALL", 0.5)
    whole = len(server.ask("GET", "/openapi.json").content)
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60
    deaf = [socket.socket() for _ in range(20)]
    for each in deaf:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        each.settimeout(20)
        each.connect(_address(server))
        each.sendall(asked)
    time.sleep(3)
    begin = time.monotonic()
    assert server.get("/v1/settings")
    assert time.monotonic() - begin < 1
    for each in deaf:
        assert _taken(each, 0) < 60 * whole
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]  # nor is gone on with
    with _connect(server) as slow:  # but goes on
        slow.sendall(asked[:-2] + b"Connection: close\r\n\r\n")
        assert _taken(slow, 0.002) > 60 * whole


def test_a_client_that_goes_away_has_no_other_request_of_its_done(server: Server) -> None:
    """Nor goes the answer on that it waited for, behind which these stand."""
    with _connect(server) as connection:
        note = b'{"content": "written for nobody"}'
        sent = _head(server, "POST /v1/notes", JSON[0], f"Content-Length: {len(note)}") + note
        connection.sendall(_head(server, "POST /v1/recall", *JSON[:2]) + QUESTION.encode() + sent * 50)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    time.sleep(1)
    assert len(server.get("/v1/memories")["items"]) < 50


def _taken(connection: socket.socket, pause: float) -> int:
    """How many bytes come until the server closes, or gives the connection up."""
    taken = 0
    with connection:
        try:
            while piece := connection.recv(65_536):
                taken += len(piece)
                time.sleep(pause)
        except ConnectionResetError:
            pass
    return taken


def test_keys_are_many_and_each_opens_its_own(server: Server) -> None:
    tokens = {user: server.key(user) for user in (f"user {number}" for number in range(30))}
    for user, token in tokens.items():
        assert server.get("/v1/user", token=token)["user"] == user


def test_problems_do_not_tell_where_the_store_and_its_files_are(server_home: Path) -> None:
    with running(replace(settings_for(server_home), pool_size=1, connect_timeout=0.5)) as server:
        unset = server.ask("POST", "/v1/vectors/reembed", {"model": "wordllama-l2-256"})
        assert (unset.status_code, "is missing: run `ricordo models install" in unset.text) == (503, True)
        with connect(server.settings) as owner:
            owner.execute("ALTER TABLE api_keys RENAME TO hidden")
            owner.execute("CREATE VIEW api_keys AS SELECT * FROM hidden")  # which the server may not read
            broken = server.ask("GET", "/v1/settings")
        assert (broken.status_code, broken.json()["detail"]) == (
            503,
            "the store is unavailable; see the server's log",
        )
        assert str(server_home) not in unset.text + broken.text
