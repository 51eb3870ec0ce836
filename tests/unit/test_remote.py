"""Commands for assistants with a memory on another machine: the same answers, and clear errors."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from commands import Ran, command, environment
from http_server import Server, running
from mcp_clients import on_stdio
from residents import resident, variables
from ricordo.blocking import Memory
from ricordo.errors import StoreUnavailable
from ricordo.remote import Remote
from ricordo.settings import Settings
from stores import settings_for
from talks import BATTERY

QUESTION = "How often does the payment webhook retry?"
PROMPT = "Write the retry of the payment webhook"


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    """A server whose memory is not empty: in an empty one no wing is looked for."""
    with running(settings_for(server_home)) as found:
        with Memory(settings=replace(found.settings, user="ada"), background=False) as memory:
            memory.mine(BATTERY, conversation="battery")
        yield found


@pytest.fixture
def afar(server: Server, tmp_path: Path) -> Settings:
    """The settings of another machine, with a home of its own."""
    return Settings(home=tmp_path / "home", remote_url=server.url, remote_key=server.key("ada"))


def _run(environ: dict[str, str], *arguments: str | Path, given: object = None, folder: Path | None = None) -> Ran:
    text = json.dumps(given).encode() if given is not None else b""
    ended = subprocess.run(
        command(*map(str, arguments)), input=text, env=environ, cwd=folder or "/", capture_output=True, timeout=300
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@pytest.mark.slow
def test_the_commands_of_assistants_use_a_memory_on_another_machine(
    server: Server, afar: Settings, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    subprocess.run(["git", "init", "-q", str(shop)], check=True, timeout=60)
    subprocess.run(["git", "-C", str(shop), "remote", "add", "origin", "git@example.org:ada/shop.git"], check=True)
    lines = [
        {"type": "user", "sessionId": "s1", "uuid": f"u{number}", "cwd": str(shop),
         "timestamp": f"2026-03-01T18:0{number}:00Z", "message": {"role": "user", "content": text}}
        for number, text in enumerate([QUESTION, "The payment webhook retries with backoff, at most 5 times."])
    ]  # fmt: skip
    session = tmp_path / "s1.jsonl"
    session.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    environ = environment(afar)
    for stored, duplicates in ((2, 0), (0, 2)):
        told = _run(environ, "mine", session, "--json").json
        assert (told["conversations"], told["stored"], told["duplicates"]) == (1, stored, duplicates)
    with Memory(settings=replace(server.settings, user="ada"), background=False) as memory:
        assert "example.org/ada/shop" in [each.name for each in memory.palace.tree()]
        local = memory.recall(QUESTION, project="example.org/ada/shop")
    call = {"session_id": "new", "cwd": str(shop), "hook_event_name": "UserPromptSubmit", "prompt": PROMPT}

    def same(environ: dict[str, str], session: str) -> None:
        recalled = _run(environ, "recall", QUESTION, "--project", ".", "--json", folder=shop).json
        assert recalled["context"] == local.context
        told = _run(environ, "hook", "prompt", "--budget", "30", given={**call, "session_id": session}).json
        assert "at most 5 times" in told["hookSpecificOutput"]["additionalContext"]
        again = _run(environ, "hook", "prompt", "--budget", "30", given={**call, "session_id": session})
        assert again == Ran(0, "", "")
        begin = {**call, "session_id": f"begin-{session}"}
        begun = _run(environ, "hook", "session-start", "--budget", "30", given=begin)
        assert "You stopped at" in begun.json["hookSpecificOutput"]["additionalContext"]

    same(environ, "alone")
    assert not (afar.home / "data").exists()  # no store of its own
    with resident(afar) as process:
        same(variables(afar), "resident")
        assert process.poll() is None

    async def scenario() -> None:
        async with on_stdio(afar, "--agent", "coder", "--project", "example.org/ada/shop") as client:
            assert "Stored as note" in await client("add_memory", content="The staging host is called Ostrava.")
            assert "at most 5 times" in await client("recall", query=QUESTION)
        async with on_stdio(afar, "--agent", "coder/explorer") as client:
            assert (await client("add_memory", content="The cache is Redis.")).startswith("Held")

    asyncio.run(scenario())
    with Memory(settings=replace(server.settings, user="ada"), background=False) as memory:
        assert {each.name for each in memory.agents.list()} == {"coder", "coder/explorer"}


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("body", [b"<html>", b'{"results": 1}', b"[" * 100_000])
def test_what_is_no_ricordo_is_said_to_be_none(tmp_path: Path, status: int, body: bytes) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        thread = Thread(target=other.serve_forever, args=[0.01])
        thread.start()
        try:
            url = f"http://127.0.0.1:{other.server_address[1]}"
            settings = Settings(home=tmp_path, remote_url=url, remote_key="rk_x")
            with Remote(settings) as remote, pytest.raises(StoreUnavailable, match=f"answered {status}, but not as"):
                remote.recall(QUESTION)
        finally:
            other.shutdown()
            thread.join()


def test_a_line_that_is_no_message_is_answered(server: Server, afar: Settings) -> None:
    said = b'{"jsonrpc": "2.0", "method":\n["a list"]\n{"jsonrpc": "2.0", "id": null, "method": "ping"}\n'
    ended = subprocess.run(command("mcp"), input=said, env=environment(afar), cwd="/", capture_output=True, timeout=300)
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(each["id"], each["error"]["code"]) for each in told] == [(None, -32700), *[(None, -32600)] * 2]


def test_what_a_memory_on_another_machine_cannot_do_is_said(server: Server, afar: Settings, tmp_path: Path) -> None:
    environ = environment(afar)
    refused = _run(environ, "palace", "tree")
    assert (refused.code, "unset RICORDO_REMOTE_URL" in refused.err) == (2, True)
    other = _run(environ, "recall", QUESTION, "--user", "ben")
    assert (other.code, "decides whose memory" in other.err) == (2, True)
    wrong = _run(environ | {"RICORDO_REMOTE_KEY": "rk_wrong"}, "recall", QUESTION)
    assert "refuses the API key" in wrong.err and "rk_wrong" not in wrong.err
    by_proxy = environ | {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
    assert _run(by_proxy, "recall", QUESTION).code == 0, "a proxy would read plain HTTP, and the key in it"
    nobody = _run(environ | {"RICORDO_REMOTE_URL": "https://a..b"}, "recall", QUESTION)
    assert (nobody.code, "cannot reach https://a..b" in nobody.err) == (4, True)
    nowhere = _run(environ | {"RICORDO_REMOTE_URL": "http://127.0.0.1:9"}, "recall", QUESTION)
    assert "cannot reach http://127.0.0.1:9" in nowhere.err
    assert {wrong.code, nowhere.code} == {4}
    unknown = _run(environ, "recall", QUESTION, "--wing", "nowhere")
    assert "nowhere" in unknown.err and unknown.code == 3
    call = {"session_id": "x", "cwd": "/shop", "prompt": PROMPT}
    lost = environ | {"RICORDO_REMOTE_URL": "http://127.0.0.1:9"}
    assert _run(lost, "hook", "prompt", "--budget", "60", given=call) == Ran(0, "", "")
    assert "cannot reach" in (afar.home / "logs" / "hooks.log").read_text(encoding="utf-8")
    seen = _run(environ | {"RICORDO_REMOTE_URL": "http://memory.example.org"}, "recall", QUESTION)
    assert (seen.code, "would show your API key" in seen.err) == (2, True)
    for setting in ("ftp://x", "https://ada:secret@example.org"):
        wrong = _run(environ | {"RICORDO_REMOTE_URL": setting}, "recall", QUESTION)
        assert (wrong.code, "invalid URL" in wrong.err, "secret" in wrong.err) == (2, True, False)
