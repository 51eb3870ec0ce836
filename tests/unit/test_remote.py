"""Commands for assistants with a memory on another machine: the same answers, and clear errors."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from commands import Ran, command, environment
from forking import run
from http_server import Server, running
from mcp_clients import on_stdio
from proxies import losing_answers
from residents import resident, variables
from ricordo.blocking import Memory
from ricordo.errors import StoreUnavailable
from ricordo.models import Job, JobState
from ricordo.remote import Remote, serve_stdio
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
    ended = run(command(*map(str, arguments)), input=text, env=environ, cwd=folder or "/")
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
    latest = tmp_path / "latest.json"
    said = {"id": "latest", "messages": [{"role": "user", "content": "Go on."}]}
    latest.write_text(json.dumps(said), encoding="utf-8")
    for stored in (1, 0):
        appended = _run(environ, "mine", latest, "--append", "--key", "k1", "--wait", "--json").json
        assert appended["stored"] == stored
    with Memory(settings=replace(server.settings, user="ada"), background=False) as memory:
        jobs = memory.jobs.list()
        assert len(jobs) == appended["unfinished"] and all(each.due_at and each.state == "waiting" for each in jobs)
    assert "idempotency key" in _run(environ, "mine", latest, "--key", "k2").err
    assert "--again" in _run(environ, "mine", latest, "--again").err
    with Memory(settings=replace(server.settings, user="ada"), background=False) as memory:
        assert "example.org/ada/shop" in [each.name for each in memory.palace.tree()]
        local = memory.recall(QUESTION, project="example.org/ada/shop")
    call = {"session_id": "new", "cwd": str(shop), "hook_event_name": "UserPromptSubmit", "prompt": PROMPT}

    def same(environ: dict[str, str], session: str) -> None:
        recalled = _run(environ, "recall", QUESTION, "--project", ".", "--json", folder=shop).json
        assert recalled["context"] == local.context
        told = _run(environ, "hook", "prompt", "--budget", "240", given={**call, "session_id": session}).json
        assert "at most 5 times" in told["hookSpecificOutput"]["additionalContext"]
        again = _run(environ, "hook", "prompt", "--budget", "240", given={**call, "session_id": session})
        assert again == Ran(0, "", "")
        begin = {**call, "session_id": f"begin-{session}"}
        begun = _run(environ, "hook", "session-start", "--budget", "240", given=begin)
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


def _answers(*answers: tuple[int, dict[str, str], bytes], asked: list[str | None]) -> ThreadingHTTPServer:
    """A server that gives these answers in turn, and the last one from then on; without a status it closes the
    connection. `asked` receives the Idempotency-Key of each request."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.headers["Idempotency-Key"])
            status, headers, body = left.pop(0) if len(left) > 1 else left[0]
            self.close_connection = not status or "Content-Length" in headers
            if not status:
                return
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *given: object) -> None: ...

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@pytest.fixture
def remote_of(tmp_path: Path) -> Iterator[Callable[..., Remote]]:
    """Makes a memory on a server that gives these answers."""
    with ExitStack() as stack:

        def make(*answers: tuple[int, dict[str, str], bytes], asked: list[str | None] | None = None) -> Remote:
            other = stack.enter_context(_answers(*answers, asked=[] if asked is None else asked))
            thread = Thread(target=other.serve_forever)
            thread.start()
            stack.callback(thread.join)
            stack.callback(other.shutdown)
            url = f"http://127.0.0.1:{other.server_address[1]}"
            return stack.enter_context(Remote(Settings(home=tmp_path, remote_url=url, remote_key="rk_x")))

        yield make


def test_a_busy_server_is_asked_again_and_an_endless_answer_is_not_read(
    remote_of: Callable[..., Remote], monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = (429, {"Retry-After": "0"}, b'{"type": "x:too-many-requests", "detail": "later"}')
    good = (200, {}, b"[]")
    pauses: list[float] = []
    monkeypatch.setattr("ricordo.remote.connection.time.sleep", pauses.append)
    assert remote_of(busy, busy, good).prompt({}) == []
    assert len(pauses) == 2
    with pytest.raises(StoreUnavailable, match="later"):
        remote_of(busy).prompt({})
    pauses.clear()
    for told in ("7", "86400", "-1", "Mon, 30 Nov 2026 01:00:00 GMT", ""):
        assert remote_of((429, {"Retry-After": told}, b""), good).prompt({}) == []
    assert pauses == [7.0, 60.0, 1.0, 1.0, 1.0]
    monkeypatch.setattr("ricordo.remote.connection._LONGEST", 1_000)
    with pytest.raises(StoreUnavailable, match="more than 1,000 bytes"):
        remote_of((200, {"Content-Length": "1000000000"}, b"x" * 2_000)).prompt({})


def test_a_request_whose_connection_was_lost_is_sent_again_if_it_takes_effect_once(
    remote_of: Callable[..., Remote], tmp_path: Path
) -> None:
    lost, cut, good = (0, {}, b""), (200, {"Content-Length": "999"}, b"["), (200, {}, b"[]")
    busy = (409, {"Retry-After": "0"}, b'{"type": "x:in-progress", "detail": "later"}')
    asked: list[str | None] = []
    assert remote_of(lost, cut, lost, good, asked=asked).prompt({}) == []
    assert asked == [None] * 4
    with pytest.raises(StoreUnavailable, match="cannot reach"):
        remote_of(lost, asked=asked).mcp(b"{}", {}, None)
    assert len(asked) == 5
    chat = tmp_path / "chat.txt"
    chat.write_text("User: hello\nAssistant: hi\n")
    receipt = (200, {}, b'{"status": "stored", "conversation": "c", "stored": 2}')
    asked.clear()
    remote = remote_of(lost, busy, receipt, asked=asked)
    for stored in (2, 4):
        assert remote.import_chats([chat], None, automatic=False, append=True).stored == 2
        assert len({*asked}) == stored // 2 and None not in asked


def test_an_append_whose_answer_was_lost_is_stored_once(server: Server, afar: Settings, tmp_path: Path) -> None:
    chat = tmp_path / "lost.json"
    chat.write_text(json.dumps({"id": "lost", "messages": [{"role": "user", "content": "The answer got lost."}]}))
    with losing_answers(server.url, 1) as url, Remote(replace(afar, remote_url=url)) as remote:
        assert remote.import_chats([chat], None, automatic=False, append=True).stored == 1
    with Memory(settings=replace(server.settings, user="ada"), background=False) as memory:
        assert [each.turns for each in memory.palace.conversations() if each.conversation == "lost"] == [1]


@pytest.mark.parametrize(("state", "looks"), [("running", 500), ("waiting", 60)])
def test_a_job_is_waited_for_as_long_as_it_runs(
    remote_of: Callable[..., Remote], monkeypatch: pytest.MonkeyPatch, state: JobState, looks: int
) -> None:
    remote, seconds, shown = remote_of((200, {}, b"{}")), [0.0], list[tuple[int, int]]()
    job = Job(id=1, kind="embed", state=state)
    monkeypatch.setattr(remote, "_jobs", lambda: [job] if seconds[0] < 500 else [])
    clock = SimpleNamespace(monotonic=lambda: seconds[0], sleep=lambda time: seconds.append(seconds.pop() + time))
    monkeypatch.setattr("ricordo.remote.connection.time", clock)
    assert remote.finish_jobs(lambda *done: shown.append(done)) == (0 if state == "running" else 1)
    assert (len(shown), shown[-1]) == (looks, (1, 1) if state == "running" else (0, 1))


@pytest.mark.parametrize(
    ("answer", "problem"),
    [((200, {}, b"<html>"), "is not an MCP message"), ((500, {}, b"oh"), "answered 500"), (None, "internal error")],
)
def test_an_mcp_client_is_answered_whatever_happens_on_the_way(
    remote_of: Callable[..., Remote],
    monkeypatch: pytest.MonkeyPatch,
    answer: tuple[int, dict[str, str], bytes] | None,
    problem: str,
) -> None:
    remote = remote_of(answer or (200, {}, b"{}"))
    if answer is None:
        monkeypatch.setattr(remote, "mcp", lambda *given: 1 / 0)
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": {"name": "status"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    streams = {"stdin": BytesIO(b"\n".join(json.dumps(each).encode() for each in lines)), "stdout": BytesIO()}
    for name, stream in streams.items():
        monkeypatch.setattr(f"sys.{name}", SimpleNamespace(buffer=stream))
    serve_stdio(remote, "coder", None)
    told = [json.loads(line) for line in streams["stdout"].getvalue().splitlines()]
    assert {each["id"] for each in told} == {1, "two"}
    assert all(problem in each["error"]["message"] for each in told)


def test_a_line_that_is_no_message_is_answered(server: Server, afar: Settings) -> None:
    said = b'{"jsonrpc": "2.0", "method":\n["a list"]\n{"jsonrpc": "2.0", "id": null, "method": "ping"}\n'
    ended = run(command("mcp"), input=said, env=environment(afar), cwd="/")
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
    assert _run(lost, "hook", "prompt", "--budget", "240", given=call) == Ran(0, "", "")
    assert "cannot reach" in (afar.home / "logs" / "hooks.log").read_text(encoding="utf-8")
    seen = _run(environ | {"RICORDO_REMOTE_URL": "http://memory.example.org"}, "recall", QUESTION)
    assert (seen.code, "would show your API key" in seen.err) == (2, True)
    for setting in ("ftp://x", "https://ada:secret@example.org"):
        wrong = _run(environ | {"RICORDO_REMOTE_URL": setting}, "recall", QUESTION)
        assert (wrong.code, "invalid URL" in wrong.err, "secret" in wrong.err) == (2, True, False)
