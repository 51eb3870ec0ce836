"""What `ricordo mcp` answers before the SDK is loaded is what the SDK answers, once and to all of its versions."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from commands import environment
from ricordo.client import AsyncMemory
from ricordo.mcp import Caller
from ricordo.mcp.early import HANDSHAKE, MODERN, Early
from ricordo.mcp.server import make
from ricordo.settings import Settings

CLIENT = {"name": "raw", "version": "1"}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _request(method: str, params: Any = None, **more: Any) -> dict[str, Any]:
    given = {} if params is None else {"params": params}
    return {"jsonrpc": "2.0", "id": method, "method": method, **given, **more}


def _initialize(version: str, **more: Any) -> dict[str, Any]:
    return _request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **more})


class _Files:
    """Standard input and output for the SDK's server, which the answers to `asked` are to come from."""

    def __init__(self, asked: Sequence[dict[str, Any]]) -> None:
        self._asked = asked
        self._waited = sum("id" in each for each in asked)
        self._complete = asyncio.Event()
        self.answers: dict[str, Any] = {}

    async def __aiter__(self) -> AsyncIterator[str]:
        for each in self._asked:
            yield json.dumps(each)
        await asyncio.wait_for(self._complete.wait(), 20)

    async def write(self, line: str) -> None:
        answer = json.loads(line)
        self.answers[answer["id"]] = answer
        if len(self.answers) == self._waited:
            self._complete.set()

    async def flush(self) -> None: ...


def _by_sdk(asked: Sequence[dict[str, Any]]) -> dict[str, Any]:
    async def no_memory() -> AsyncMemory:
        raise AssertionError("a list needs no memory")

    async def answered() -> dict[str, Any]:
        server = make(lambda _: Caller(no_memory, "mcp"))
        files: Any = _Files(asked)
        async with stdio_server(files, files) as (read, write):
            await server.run(read, write, server.create_initialization_options())
        return files.answers  # type: ignore[no-any-return]

    return asyncio.run(answered())


def _early(asked: Sequence[dict[str, Any]]) -> dict[str, Any]:
    early, answers = Early(), {}
    for each in asked:
        known = early.knows(json.dumps(each).encode())
        assert known is not None, each
        if known[0] is not None:
            answers[known[0]] = json.loads(known[1])
    return answers


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "2024-10-07", "2031-01-01"])
def test_the_first_answers_after_a_handshake_are_those_of_the_sdk(version: str) -> None:
    asked = [_initialize(version), INITIALIZED, _request("ping"), *map(_request, LISTS)]
    assert _early(asked) == _by_sdk(asked)


def test_the_first_answers_without_a_handshake_are_those_of_the_sdk() -> None:
    asked = [_request(each, {"_meta": ENVELOPE}) for each in ("server/discover", *LISTS)]
    assert _early(asked) == _by_sdk(asked)


def test_the_versions_are_those_of_the_sdk() -> None:
    assert (HANDSHAKE, (MODERN,)) == (HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ([], _request("tools/list")),  # before the handshake
        ([], INITIALIZED),
        ([], _request("initialize", {"protocolVersion": "2025-06-18"})),
        ([], _initialize("2025-06-18", _meta=ENVELOPE)),
        ([], _initialize("2025-06-18") | {"id": None}),
        ([], _initialize("2025-06-18") | {"id": True}),
        ([], _initialize("2025-06-18") | {"jsonrpc": "1.0"}),
        ([], _initialize("2025-06-18", capabilities=[])),
        ([], _initialize("2025-06-18", clientInfo={"name": 1, "version": "1"})),
        ([], _request("tools/list", {"_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}})),
        ([], _request("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}})),
        ([], _request("tools/list", {"_meta": ENVELOPE, "cursor": "x"})),
        ([_initialize("2025-06-18")], _initialize("2025-06-18")),
        ([_initialize("2025-06-18")], _request("tools/list", {"_meta": ENVELOPE})),
        ([_initialize("2025-06-18")], _request("tools/list", {"cursor": "x"})),
        ([_initialize("2025-06-18")], _request("tools/list", [])),
        ([_initialize("2025-06-18")], _request("tools/call", {"name": "status"})),
        ([_request("server/discover", {"_meta": ENVELOPE})], _initialize("2025-06-18")),
        ([_request("server/discover", {"_meta": ENVELOPE})], _request("tools/list")),
    ],
    ids=repr,
)
def test_the_sdk_judges_what_is_not_wholly_as_it_should_be(before: list[Any], message: Any) -> None:
    early = Early()
    for each in before:
        assert early.knows(json.dumps(each).encode()) is not None
    assert early.knows(json.dumps(message).encode()) is None


def test_what_is_no_request_is_left_to_the_sdk() -> None:
    for line in (b"", b"[]", b"1", b"{", b"\xff", b'"initialize"', b"[" * 100_000):
        assert Early().knows(line) is None


def _answers(settings: Settings, asked: Sequence[dict[str, Any]]) -> list[Any]:
    """All that a server answers to what it is given in one piece."""
    command = [sys.executable, "-W", "error", "-m", "ricordo", "mcp"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(settings)
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_lines(*asked))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for each in asked if "id" in each]
    rest, errors = process.communicate(timeout=300)
    assert (rest, errors, process.returncode) == (b"", b"", 0)
    return answers


def _lines(*asked: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in asked)


@pytest.mark.slow
@pytest.mark.parametrize("is_modern", [False, True], ids=["handshake", "modern"])
def test_what_is_asked_at_once_is_answered_once(settings: Settings, is_modern: bool) -> None:
    meta = {"_meta": ENVELOPE} if is_modern else {}
    opening = [_request("server/discover", meta)] if is_modern else [_initialize("2025-06-18"), INITIALIZED]
    asked = [
        *opening,
        *(_request(each, meta) for each in LISTS),
        _request("tools/call", {"name": "status", "arguments": {}, **meta}),
        _request("tools/list", meta, id="again"),
        _request("prompts/get", {"name": "memory_context", **meta}, id="last"),
    ]
    answers = _answers(settings, asked)
    assert sorted(each["id"] for each in answers) == sorted(each["id"] for each in asked if "id" in each)
    assert not [each for each in answers if "error" in each]
    assert "Palace: 0 wings" in str(answers)


def test_a_server_that_is_asked_nothing_ends_with_its_client(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "ricordo", "mcp"]
    ended = subprocess.run(
        command, input=b"", capture_output=True, env=environment(Settings(home=tmp_path)), timeout=300
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_sigterm_before_the_sdk_is_loaded_ends_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "ricordo", "mcp"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(Settings(home=tmp_path))
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_lines(_initialize("2025-06-18")))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == "initialize"
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=300) == (b"", None)
    assert process.returncode == 128 + signal.SIGTERM
