"""`ricordo serve` and `ricordo key` as programs."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from dataclasses import replace

import requests

from commands import called, command, environment, program
from forking import Program
from ricordo.blocking import Memory
from ricordo.settings import Settings


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_serve_answers_and_ends_in_peace_when_it_is_told_to(settings: Settings) -> None:
    made = called(settings, "key", "create", "notebook", "--json", "--user", "ada")
    token = json.loads(made.out)["token"]
    port = _free_port()
    server = Program(
        command("serve", "--port", str(port)), env=environment(settings), stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        assert f"listening at http://127.0.0.1:{port}" in server.stderr.readline()
        link = re.search(r"http://\S+", server.stderr.readline())
        assert link is not None
        talk = {"conversation": "secret-talk", "messages": [{"content": "my password is swordfish"}]}
        headers = {"Authorization": f"Bearer {token}", "X-Request-Id": "mine-1"}
        answer = requests.post(f"http://127.0.0.1:{port}/v1/conversations", json=talk, headers=headers, timeout=300)
        assert (answer.status_code, answer.headers["X-Request-Id"]) == (201, "mine-1")
    finally:
        server.send_signal(signal.SIGTERM)
        _, logged = server.communicate(timeout=300)
    assert server.returncode == 0, logged
    line = json.loads(next(each for each in logged.splitlines() if each.startswith("{")))
    assert (line["operation"], line["status"], line["request_id"]) == ("mine", 201, "mine-1")
    for secret in ("swordfish", "secret-talk", token[-43:]):
        assert secret not in logged
    with Memory(settings=replace(settings, user="ada"), background=False) as memory:
        assert memory.recall("password").results


def test_serve_refuses_other_machines_while_there_is_no_key(settings: Settings) -> None:
    ran = program(settings, "serve", "--host", "0.0.0.0", "--port", str(_free_port()))
    assert ran.code == 2
    assert "ricordo key create" in ran.err


def test_serve_says_that_its_port_is_taken(settings: Settings) -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        port = one.getsockname()[1]
        ran = program(settings, "serve", "--port", str(port))
    assert ran.code == 2
    assert str(port) in ran.err


def test_keys_are_listed_without_their_secret_and_revoked(settings: Settings) -> None:
    token = called(settings, "key", "create", "notebook", "--read-only").out.strip()
    assert re.fullmatch(r"rk_[A-Za-z0-9_-]{86}", token)
    listed = called(settings, "key", "list")
    assert "notebook" in listed.out and "reads" in listed.out and token[-43:] not in listed.out
    [key] = called(settings, "key", "list", "--json").json
    assert called(settings, "key", "revoke", key["id"]).code == 0
    assert "revoked" in called(settings, "key", "list").out
    assert called(settings, "key", "create", "x", "--palace").code == 2
