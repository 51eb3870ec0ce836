"""Claude Code's hooks: sessions are kept, begin with what is remembered, and are never held up."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commands import Ran, command, environment
from ricordo.blocking import Memory
from ricordo.settings import Settings
from talks import BATTERY


def _hook(settings: Settings, event: str, given: Mapping[str, Any] | bytes, *options: str) -> Ran:
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    ended = subprocess.run(
        command("hook", event, *options), input=text, env=environment(settings), capture_output=True, timeout=300
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def _transcript(folder: Path) -> Path:
    line = {"type": "user", "sessionId": "s1", "uuid": "u1", "cwd": "/home/ada/e-foil"}
    message = {"role": "user", "content": "We take the Lindner pack."}
    path = folder / "s1.jsonl"
    path.write_text(json.dumps({**line, "timestamp": "2026-03-01T18:00:00Z", "message": message}), encoding="utf-8")
    return path


@pytest.mark.parametrize("event", ["session-end", "pre-compact"])
def test_a_session_is_mined_by_a_process_of_its_own(settings: Settings, tmp_path: Path, event: str) -> None:
    given = {"transcript_path": str(_transcript(tmp_path)), "cwd": "/home/ada/e-foil"}
    assert _hook(settings, event, given, "--budget", "30") == Ran(0, "", "")
    with Memory(settings=settings) as memory:
        deadline = time.monotonic() + 60
        while not (wings := memory.palace.tree()) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert [(each.name, each.drawers) for each in wings] == [("e-foil", 1)]


def test_a_user_who_turned_automatic_mining_off_is_not_mined(settings: Settings, tmp_path: Path) -> None:
    with Memory(settings=settings) as memory:
        memory.settings.update(auto_mine=False)
        assert memory.import_chats([_transcript(tmp_path)], automatic=True).conversations == 0
        assert memory.palace.tree() == []
        assert memory.import_chats([_transcript(tmp_path)]).stored == 1


def test_a_session_begins_with_core_and_with_what_was_said_last_in_its_project(settings: Settings) -> None:
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="b", project="e-foil")
        memory.mine([{"role": "user", "content": "The roof leaks."}], conversation="c", project="house")
        memory.agents.create("claude-code")
        memory.core.save("claude-code", "Answer in metric units.")
    began = _hook(settings, "session-start", {"cwd": "/home/ada/e-foil", "source": "startup"}, "--budget", "30")
    told = began.json["hookSpecificOutput"]
    assert (began.code, began.err, told["hookEventName"]) == (0, "", "SessionStart")
    assert "Answer in metric units." in told["additionalContext"]
    assert "the Lindner pack" in told["additionalContext"]
    assert "roof" not in told["additionalContext"]
    assert len(told["additionalContext"]) < 10_000
    elsewhere = _hook(settings, "session-start", {"cwd": "/home/ada/new"}, "--budget", "30")
    assert "Lindner" not in elsewhere.out
    with Memory(settings=settings) as memory:
        memory.settings.update(enabled=False)
    assert _hook(settings, "session-start", {"cwd": "/home/ada/e-foil"}, "--budget", "30") == Ran(0, "", "")


@pytest.mark.parametrize("event", ["session-start", "session-end"])
@pytest.mark.parametrize("given", [b"", b"no json", b"[]", b"{}", b'{"transcript_path": 5}', b"\xff" * 10])
def test_nothing_that_goes_wrong_reaches_the_session(settings: Settings, event: str, given: bytes) -> None:
    assert _hook(settings, event, given, "--budget", "30") == Ran(0, "", "")
    if not (event == "session-start" and given in (b"{}", b'{"transcript_path": 5}')):
        assert event in (settings.home / "logs" / "hooks.log").read_text(encoding="utf-8")


def test_a_store_that_does_not_answer_holds_nothing_up(settings: Settings, tmp_path: Path) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        url = f"postgresql://ada@127.0.0.1:{deaf.getsockname()[1]}/x"
        lost = replace(settings, home=tmp_path, database_url=url, connect_timeout=60.0)
        begun = time.monotonic()
        assert _hook(lost, "session-start", {"cwd": "/p"}, "--budget", "1") == Ran(0, "", "")
        assert time.monotonic() - begun < 10
    assert "timed out after 1.0 seconds" in (tmp_path / "logs" / "hooks.log").read_text(encoding="utf-8")


def test_a_home_that_cannot_be_written_and_settings_that_are_wrong_end_with_0_too(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for wrong in ({"RICORDO_HOME": str(tmp_path / "file")}, {"RICORDO_POOL_SIZE": "many"}):
        variables = environment(settings) | wrong
        ended = subprocess.run(
            command("hook", "session-start"), input=b"{}", env=variables, capture_output=True, timeout=300
        )
        assert (ended.returncode, ended.stdout) == (0, b"")
        assert ended.stderr.startswith(b"ricordo hook session-start: ")


def test_input_that_never_ends_is_not_waited_for(settings: Settings) -> None:
    process = subprocess.Popen(
        command("hook", "session-end", "--budget", "0.5"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(settings),
    )
    try:
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()
