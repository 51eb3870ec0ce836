"""Commands go through a resident process where there is one, with the same outcome as without."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from commands import called, command, on_terminal, program
from homes import temporary_home
from residents import holder, imported, is_alive, place_of, resident, stop, variables, wait_until
from ricordo.blocking import Memory
from ricordo.resident import Place, home, is_ours, retire
from ricordo.resident.calling import call
from ricordo.resident.meeting import packed, unpacked
from ricordo.settings import _SLIPS, Settings, default_home
from stores import connect
from talks import BATTERY, LISBON

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it needs SO_PEERCRED")

HEAVY = {
    "click",
    "json",
    "re",
    "typing",
    "dataclasses",
    "numpy",
    "asyncio",
    "psycopg",
    "onnxruntime",
    "pydantic",
    "rich",
}
QUESTION = "which battery pack did we choose?"
COMMANDS = [
    ["recall", QUESTION],
    ["recall", QUESTION, "--json", "--top-k", "2"],
    ["recall", QUESTION, "--context", "--max-tokens", "60"],
    ["recall", QUESTION, "--explain", "--user", "eve"],
    ["recall", QUESTION, "--wing", "nowhere"],
    ["recall", QUESTION, "--top-k", "0"],
    ["recall", QUESTION, "--since", "noon"],
    ["recall", "--help"],
]


@pytest.fixture
def filled(settings: Settings) -> Iterator[Settings]:
    """Settings of a store with two conversations, whose resident processes end with the test."""
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="b", project="e-foil")
        memory.mine(LISBON, conversation="l", project="travel")
    yield settings
    retire(f"{settings.home}/resident")


def _reads(settings: Settings) -> list[tuple[str, str]]:
    """The access log: who did what, in its order."""
    with connect(settings) as owner:
        return owner.execute("SELECT actor, action FROM access_log ORDER BY id").fetchall()


@pytest.mark.slow
def test_a_command_line_has_the_same_outcome_with_and_without_it(filled: Settings) -> None:
    with resident(filled):
        for line in COMMANDS:
            before = len(_reads(filled))
            alone = called(filled, *line)
            between = _reads(filled)
            through = program(filled, *line, RICORDO_RESIDENT="on")
            assert through == alone, line
            after = _reads(filled)
            assert after[len(between) :] == between[before:], line  # as many reads, by the same user
        assert program(filled, *COMMANDS[0]) == program(filled, *COMMANDS[0], RICORDO_RESIDENT="on")


@pytest.mark.slow
def test_it_looks_the_same_on_a_terminal(filled: Settings) -> None:
    with resident(filled):
        for columns, line in ((50, ["recall", QUESTION]), (120, ["recall", QUESTION, "--explain"])):
            alone = on_terminal(filled, columns, *line)
            assert "\x1b[" in alone
            assert on_terminal(filled, columns, *line, RICORDO_RESIDENT="on") == alone
        plain = on_terminal(filled, 80, "recall", QUESTION, NO_COLOR="1")
        assert on_terminal(filled, 80, "recall", QUESTION, NO_COLOR="1", RICORDO_RESIDENT="on") == plain


def test_a_command_that_it_answers_imports_nothing_that_takes_long(filled: Settings) -> None:
    environ = variables(filled)
    with resident(filled):
        for line, given in (
            (["recall", QUESTION], b""),
            (["hook", "session-start", "--budget", "60"], b'{"cwd": "/e-foil"}'),
        ):
            code, out, err, modules = imported(environ, *line, given=given)
            assert (code, b"Lindner" in out) == (0, True), err
            assert not modules & HEAVY
    *_, modules = imported(environ, "recall", QUESTION)
    assert "psycopg" in modules


def test_the_first_command_starts_one_which_ends_when_nobody_asks(filled: Settings) -> None:
    environ = variables(filled, RICORDO_RESIDENT_IDLE="1.5")
    place = place_of(environ)
    ran = subprocess.run(command("recall", QUESTION), env=environ, capture_output=True, timeout=60)
    assert ran.returncode == 0
    wait_until(lambda: Path(place.socket).exists())
    process = holder(place)
    assert process is not None
    assert process != os.getpid()
    wait_until(lambda: not is_alive(process))
    assert not Path(place.socket).exists()


@pytest.mark.slow
def test_a_setting_turns_it_off(filled: Settings) -> None:
    environ = variables(filled, RICORDO_RESIDENT="off")
    with resident(filled):
        *_, modules = imported(environ, "recall", QUESTION)
        assert "psycopg" in modules
    subprocess.run(command("recall", QUESTION), env=environ, capture_output=True, timeout=60, check=True)
    assert holder(place_of(environ)) is None
    wrong = subprocess.run(
        command("recall", QUESTION), env=environ | {"RICORDO_RESIDENT": "maybe"}, capture_output=True, timeout=60
    )
    assert (wrong.returncode, b"RICORDO_RESIDENT" in wrong.stderr) == (2, True)


def test_many_that_start_at_once_leave_one(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    started = [subprocess.Popen(command("resident"), env=environ, stderr=subprocess.PIPE) for _ in range(4)]
    try:
        wait_until(lambda: sum(each.poll() is None for each in started) == 1 and Path(place.socket).exists())
        assert sorted(each.poll() for each in started if each.poll() is not None) == [0, 0, 0]
        assert imported(environ, "recall", QUESTION)[3] & HEAVY == set()
    finally:
        for each in started:
            each.kill()
            each.communicate()


@pytest.mark.slow
def test_one_that_was_killed_is_in_nobodys_way(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    with resident(filled) as process:
        process.kill()
        process.wait(60)
        assert Path(place.socket).exists()
        code, out, err, modules = imported(environ, "recall", QUESTION)  # does it itself, and starts another
        assert (code, b"Lindner" in out, "psycopg" in modules) == (0, True, True), err
        wait_until(lambda: not imported(environ, "recall", QUESTION)[3] & HEAVY)


@contextmanager
def _false(place: Place, *replies: bytes, then: float = 0.0) -> Iterator[None]:
    """Something in the place of a resident process, which sends these bytes to each caller and then closes."""
    Path(place.folder).mkdir(mode=0o700, exist_ok=True)
    Path(place.socket).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as accepting:
        accepting.bind(place.socket)
        accepting.listen()

        def serve() -> None:
            while True:
                try:
                    peer, _ = accepting.accept()
                except OSError:
                    return
                with peer:
                    peer.recv(65_536)
                    for each in replies:
                        peer.sendall(each)
                    over.wait(then)

        over = threading.Event()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            over.set()
            accepting.shutdown(socket.SHUT_RDWR)
            thread.join()
            Path(place.socket).unlink()


BEGUN = packed([b"begun"])


#: What something sends that declines, that dies on the way, and that is no resident process.
REPLIES = [
    [], [packed([b"declined"])], [BEGUN], [BEGUN, packed([b"declined"])],
    [BEGUN, packed([b"done", b"0", b"x", b""])[:-3]],
    [b"HTTP/1.1 400 Bad Request\r\n\r\n"], [BEGUN, b"\xff\xff\xff\xff"], [BEGUN, packed([b"done", b"0"])],
    [b"\0\0\0\3abc"],
]  # fmt: skip


def test_one_that_declines_or_dies_on_the_way_leaves_the_work_to_the_command(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    for replies in REPLIES:
        with _false(place, *replies):
            assert call(place, ["recall", QUESTION], b"", "80,0,0,0", 60) is None, replies
    with _false(place, BEGUN):
        code, out, err, _ = imported(environ, "recall", QUESTION)
        assert (code, out.decode(), err.decode()) == called(filled, "recall", QUESTION)
        given = b'{"cwd": "/e-foil"}'
        code, out, err, _ = imported(environ, "hook", "session-start", "--budget", "30", given=given)
        # What was read of its input is not lost.
        assert (code, err, b"Lindner" in out) == (0, b"", True)


def test_a_hook_does_not_wait_longer_than_it_may(filled: Settings) -> None:
    environ = variables(filled)
    with _false(place_of(environ), BEGUN, then=60):
        begun = time.monotonic()
        ended = imported(environ, "hook", "session-start", "--budget", "0.5", given=b"{}")
        assert ended[:3] == (0, b"", b"")
        assert time.monotonic() - begun < 30
    assert "ended after 0.5 seconds" in (filled.home / "logs" / "hooks.log").read_text(encoding="utf-8")


def test_input_that_comes_late_is_read_by_the_command_itself(filled: Settings) -> None:
    process = subprocess.Popen(
        command("hook", "session-start", "--budget", "30"),
        env=variables(filled), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with resident(filled):
        assert process.stdin is not None
        process.stdin.write(b'{"cwd":')
        process.stdin.flush()
        time.sleep(1)
        out, _ = process.communicate(b' "/e-foil"}', timeout=60)
    assert (process.returncode, b"Lindner" in out) == (0, True)


def _asked(place: Place, request: list[bytes]) -> list[list[bytes]]:
    """Every message that a request is answered with."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(60)
        peer.connect(place.socket)
        peer.sendall(packed(request))
        answer = b"".join(iter(lambda: peer.recv(65_536), b""))
    found = []
    while answer:
        end = 4 + int.from_bytes(answer[:4], "big")
        found.append(unpacked(answer[4:end]))
        answer = answer[end:]
    return found


def test_a_caller_of_other_settings_or_another_version_is_turned_away(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    for name, value in (
        ("RICORDO_DATABASE", "another"), ("RICORDO_HOME", "/tmp/elsewhere"), ("PYTHONPATH", "/tmp"),
        ("PGOPTIONS", "-c x=y"), ("RICORDO_EMBEDDING_URL", "http://127.0.0.1:1/v1"), ("TZ", "Asia/Tokyo"),
        *((misspelled, "/tmp/elsewhere") for misspelled in ("ricordo_home", *(f"{each}HOME" for each in _SLIPS))),
    ):  # fmt: skip
        assert place_of(environ | {name: value}).fingerprint != place.fingerprint
    hosted = environ | {"RICORDO_LLM_URL": "http://127.0.0.1:1/v1"}
    for name in ("HTTPS_PROXY", "SSL_CERT_FILE", "OPENAI_API_KEY"):
        assert place_of(environ | {name: "1"}).fingerprint == place.fingerprint
        assert place_of(hosted | {name: "1"}).fingerprint != place_of(hosted).fingerprint
    for name in ("RICORDO_USER", "TERM", "RICORDO_BACKUP_EVERY", "PWD"):
        assert place_of(environ | {name: "1"}).fingerprint == place.fingerprint
    with resident(filled):
        request = [b"run", place.fingerprint, b"", b"/", b"80,0,0,0", b"", b"recall", QUESTION.encode()]
        assert [each[0] for each in _asked(place, request)] == [b"begun", b"done"]
        assert _asked(place, [b"run", place.fingerprint + b"x", *request[2:]]) == [[b"declined"]]
        for broken in ([b"run"], [b"what", place.fingerprint, b""], [b"run", place.fingerprint, b"", b"/", b"x", b""]):
            assert all(each[0] != b"done" for each in _asked(place, broken))
        assert [each[0] for each in _asked(place, request)] == [b"begun", b"done"]  # it is not harmed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another account")
def test_another_account_is_neither_served_nor_believed(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    asking = (
        "import socket, sys\n"
        "peer = socket.socket(socket.AF_UNIX)\n"
        "peer.connect(sys.argv[1])\n"
        "try:\n"
        "    peer.sendall(bytes.fromhex(sys.argv[2]))\n"
        "    print(peer.recv(100))\n"
        "except (BrokenPipeError, ConnectionResetError):\n"  # it was hung up on before or while it asked
        "    print(b'')\n"
    )
    request = packed([b"run", place.fingerprint, b"", b"/", b"80,0,0,0", b"", b"recall", QUESTION.encode()])
    with resident(filled):
        Path(place.folder).chmod(0o711)  # as if somebody had opened it
        Path(place.socket).chmod(0o666)
        python = ["/usr/bin/python3", "-I", "-S", "-c", asking, place.socket, request.hex()]
        try:
            asked = subprocess.run(python, user=65534, group=65534, capture_output=True, timeout=60, env={})
            assert asked.stdout == b"b''\n", asked.stderr
            assert "psycopg" in imported(environ, "recall", QUESTION)[3]  # a folder that others enter is not trusted
        finally:
            Path(place.folder).chmod(0o700)
    os.chown(place.folder, 65534, 65534)
    try:
        assert not is_ours(place.folder)
        assert program(filled, "recall", QUESTION, RICORDO_RESIDENT="on").code == 0
    finally:
        os.chown(place.folder, os.geteuid(), os.getegid())


@pytest.mark.slow
def test_it_ends_with_the_store_and_with_a_model_that_comes(filled: Settings, tmp_path: Path) -> None:
    settings = replace(filled, model_dir=tmp_path / "models")
    with resident(settings) as process:
        (tmp_path / "models" / "new").mkdir(parents=True)
        code, out, _, modules = imported(variables(settings), "recall", QUESTION)
        assert (code, b"Lindner" in out, "psycopg" in modules) == (0, True, True)
        assert process.wait(60) == 0
    with resident(filled) as process:
        assert retire(place_of(variables(filled)).folder) >= 1
        assert process.poll() == 0 or process.wait(60) == 0
    with resident(filled) as process:
        Path(place_of(variables(filled)).socket).unlink()
        assert process.wait(60) == 0


def test_a_server_on_the_same_store_takes_its_place(filled: Settings) -> None:
    environ = variables(filled)
    place = place_of(environ)
    with resident(filled) as process:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        server = subprocess.Popen(command("serve", "--port", str(port)), env=environ, stderr=subprocess.DEVNULL)
        try:
            assert process.wait(60) == 0
            wait_until(lambda: Path(place.socket).exists())
            assert holder(place) == server.pid
            code, out, _, modules = imported(environ, "recall", QUESTION)
            assert (code, b"Lindner" in out, modules & HEAVY) == (0, True, set())
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 0
        finally:
            server.kill()
            server.wait(60)
        assert not Path(place.socket).exists()


def test_the_home_is_that_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for environ in ({}, {"RICORDO_HOME": "~/x"}, {"RICORDO_HOME": " y "}, {"RICORDO_HOME": "/a/b"}):
        assert home(environ) == str(Settings.from_environment(environ).home)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for data in ("/elsewhere", ""):
        monkeypatch.setenv("XDG_DATA_HOME", data)
        assert home(os.environ | {"RICORDO_HOME": ""}) == str(default_home())
    assert Place.here({"RICORDO_HOME": "/" + "x" * 100}) is None  # longer than a socket's path can be


class _Client:
    """An MCP client of `ricordo mcp`."""

    def __init__(self, settings: Settings, folder: str = "/") -> None:
        self.process = subprocess.Popen(
            command("mcp", "--agent", "tester"),
            cwd=folder, env=variables(settings), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._id = 0

    def ask(self, method: str, params: object | None = None) -> dict[str, object]:
        self.send(method, params)
        return self.read()

    def send(self, method: str, params: object | None = None) -> None:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, **({"params": params} if params else {})}
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, text: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def read(self) -> dict[str, object]:
        assert self.process.stdout is not None
        message = json.loads(self.process.stdout.readline())
        assert message["id"] == self._id, message
        assert "result" in message, message
        result: dict[str, object] = message["result"]
        return result

    def begin(self) -> None:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        assert "serverInfo" in self.ask("initialize", about)
        self.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')

    def call(self, tool: str, **arguments: object) -> str:
        return str(self.ask("tools/call", {"name": tool, "arguments": arguments})["content"])

    def end(self) -> int:
        self.process.communicate(timeout=60)
        return self.process.returncode


def test_an_mcp_client_is_served_through_it_and_after_it_died(filled: Settings) -> None:
    with resident(filled) as process:
        client = _Client(filled)
        client.begin()
        assert "Lindner" in client.call("recall", query=QUESTION)
        assert "Stored as note" in client.call("add_memory", content="The pack is charged on Mondays.")
        tools = client.ask("tools/list")
        maps = Path(f"/proc/{client.process.pid}/maps").read_text()
        assert "pydantic_core" not in maps  # the protocol is spoken elsewhere
        stop(process)
        client.send("tools/call", {"name": "recall", "arguments": {"query": QUESTION}})
        process.kill()
        assert "Lindner" in str(client.read()["content"])  # it was asked again
        assert client.ask("tools/list") == tools
        assert "Mondays" in client.call("search_memories", query="charged")
        assert client.end() == 0


def test_an_mcp_client_works_for_the_repository_that_it_starts_in(filled: Settings, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=60)
    with Memory(settings=filled) as memory:
        memory.mine([{"role": "user", "content": "The Ostrava pump weighs 9 kg."}], conversation="o", project="other")
    with resident(filled) as process:
        client = _Client(filled, str(tmp_path))
        client.begin()
        told = [{"role": "user", "content": "The Kolding pump weighs 4 kg."}]
        assert "stored" in client.call("mine_conversation", conversation_id="own", messages=told)
        for _ in range(2):  # through the resident process, and without it
            found = client.call("recall", query="How heavy is the pump?")
            assert "Kolding" in found and "Ostrava" not in found
            process.kill()
            process.wait(60)
        assert client.end() == 0
    with Memory(settings=filled) as memory:
        assert str(tmp_path) in {each.name for each in memory.palace.tree()}


def test_a_write_that_was_under_way_when_it_died_is_not_repeated(filled: Settings) -> None:
    with resident(filled) as process:
        client = _Client(filled)
        client.begin()
        stop(process)
        client.send("tools/call", {"name": "add_memory", "arguments": {"content": "The pack is charged on Mondays."}})
        # The relay has sent it on when it waits for both of its ends again.
        wait_until(lambda: _unread(process.pid))
        process.kill()
        told = client.read()
        assert (told["isError"], "may have taken effect" in str(told["content"])) == (True, True)
        assert "No matching memories" in client.call("search_memories", query="charged")
        assert client.end() == 0


def _unread(process: int) -> bool:
    """Whether a request waits in a socket of a process that is stopped."""
    listed = subprocess.run(["ss", "-xpH"], capture_output=True, text=True, timeout=30).stdout.splitlines()
    return any(f"pid={process}," in line and int(line.split()[2]) > 0 for line in listed)


def test_an_mcp_client_that_ends_or_is_terminated(filled: Settings) -> None:
    with resident(filled):
        for how, code in ((lambda each: None, 0), (lambda each: each.process.terminate(), 143)):
            client = _Client(filled)
            client.begin()
            how(client)
            assert client.end() == code


def test_with_none_an_mcp_client_is_served_at_once_and_one_is_started(filled: Settings) -> None:
    environ = variables(filled)
    client = _Client(filled)
    client.begin()
    assert "Lindner" in client.call("recall", query=QUESTION)
    assert client.end() == 0
    wait_until(lambda: holder(place_of(environ)) is not None)


def test_stopping_the_store_ends_it_first(tmp_path: Path) -> None:
    with temporary_home() as fresh:
        settings = Settings(home=fresh, model_dir=tmp_path)
        environ = variables(settings)
        with Memory(settings=settings, background=False) as memory:
            memory.mine(BATTERY, conversation="b")
        subprocess.run(command("recall", QUESTION), env=environ, capture_output=True, timeout=60, check=True)
        wait_until(lambda: Path(place_of(environ).socket).exists())
        process = holder(place_of(environ))
        assert process is not None
        assert program(settings, "db", "stop").out == "Stopped the embedded server.\n"
        assert not is_alive(process)
