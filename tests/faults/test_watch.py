"""`ricordo watch` as a program: sessions that grow are kept, whatever happens to the files, to it, and to the store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest

from chat_files import session_line
from commands import command, environment, program
from forking import Program
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect


def line(number: int, session: str = "s") -> str:
    text = f"we talk of matter {number}"
    at = f"2026-03-01T10:{number // 60:02}:{number % 60:02}Z"
    role = ("user", "assistant")[number % 2]
    return json.dumps(session_line(role, f"{session}-{number}", text, sessionId=session, timestamp=at)) + "\n"


def codex(number: int) -> str:
    kind = ("input_text", "output_text")[number % 2]
    item = {"type": "message", "role": ("user", "assistant")[number % 2]}
    said = {**item, "content": [{"type": kind, "text": f"we talk of matter {number}"}]}
    return json.dumps({"timestamp": f"2026-03-01T10:00:{number:02}Z", "type": "response_item", "payload": said}) + "\n"


def append(file: Path, text: str) -> None:
    with file.open("a", encoding="utf-8") as open_file:
        open_file.write(text)


class Watch:
    """A running watch, and what it says."""

    def __init__(self, settings: Settings, *arguments: str | Path, **variables: str) -> None:
        self.process = Program(
            command("watch", *arguments, "--settle", "0.2"),
            env=environment(settings) | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.out: list[str] = []
        self.err: list[str] = []
        streams = ((self.process.stdout, self.out), (self.process.stderr, self.err))
        self._listeners = [threading.Thread(target=self._listen, args=each, daemon=True) for each in streams]
        for listener in self._listeners:
            listener.start()

    def _listen(self, stream: IO[str], lines: list[str]) -> None:
        lines.extend(each.rstrip("\n") for each in stream)

    def end(self, number: int) -> int:
        """Its exit code, after a signal."""
        self.process.send_signal(number)
        self.process.wait(60)
        for listener in self._listeners:
            listener.join()
        with self.process:
            return self.process.returncode


@contextmanager
def watching(settings: Settings, *arguments: str | Path, **variables: str) -> Iterator[Watch]:
    watch = Watch(settings, *arguments, **variables)
    try:
        yield watch
    finally:
        if watch.process.poll() is None:
            watch.end(signal.SIGKILL)


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


def stored(settings: Settings) -> list[tuple[str, str]]:
    with connect(settings) as owner:
        rows: list[Any] = owner.execute(
            "SELECT external_id, content FROM memories JOIN conversations USING (user_id, conversation) "
            "ORDER BY external_id, position"
        ).fetchall()
    return rows


def talk(numbers: range, session: str = "s") -> list[tuple[str, str]]:
    return [(session, f"we talk of matter {number}") for number in numbers]


@pytest.fixture
def folder(tmp_path: Path, memory: Memory) -> Path:
    """A folder of sessions; `memory` has made the schema of the store."""
    (tmp_path / "sessions").mkdir()
    return tmp_path / "sessions"


@pytest.fixture
def ada(settings: Settings) -> Settings:
    return replace(settings, user="ada")


def test_what_grows_is_kept_once_and_nothing_of_it_twice(ada: Settings, folder: Path) -> None:
    file = folder / "s.jsonl"
    append(file, line(0) + line(1)[:40])
    with watching(ada, folder) as watch:
        until(lambda: stored(ada) == talk(range(1)))
        append(file, line(1)[40:])
        until(lambda: stored(ada) == talk(range(2)))
        (folder / "2026" / "03").mkdir(parents=True)
        meta = {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": {"id": "c", "cwd": "/home/x"}}
        append(folder / "2026" / "03" / "rollout-1.jsonl", json.dumps(meta) + "\n" + codex(0))
        until(lambda: ("c", "we talk of matter 0") in stored(ada))
        append(folder / "2026" / "03" / "rollout-1.jsonl", codex(1))
        until(lambda: stored(ada) == talk(range(2), "c") + talk(range(2)))
        until(lambda: len(watch.out) == 4)
        assert watch.end(signal.SIGTERM) == 0
    assert (watch.out[0], watch.out[-1]) == (f"{file}: 1 turn stored", "4 turns stored")
    assert watch.err == [f"Watching {folder}. Press Ctrl-C to stop."]


def test_truncated_and_rotated_files_are_followed(ada: Settings, folder: Path) -> None:
    file = folder / "s.jsonl"
    append(file, "".join(map(line, range(5))))
    with watching(ada, folder) as watch:
        until(lambda: stored(ada) == talk(range(5)))
        file.write_text(line(3) + line(4) + line(5))  # shorter, and it goes on
        until(lambda: stored(ada) == talk(range(6)))
        file.rename(folder / "s.1.jsonl")
        append(file, line(6))
        until(lambda: stored(ada) == talk(range(7)))
        (folder / "s.1.jsonl").unlink()
        append(file, line(0, "other"))
        until(lambda: len(stored(ada)) == 8)
        until(lambda: len(watch.out) == 4)
        assert watch.end(signal.SIGINT) == 0
    assert watch.out[-1] == "8 turns stored"
    assert stored(ada) == talk(range(1), "other") + talk(range(7))


def test_killed_at_any_moment_it_goes_on(ada: Settings, folder: Path) -> None:
    file = folder / "s.jsonl"
    number = 0
    for round_ in range(2):
        with watching(ada, folder) as watch:
            until(lambda: bool(watch.err))
            deadline = time.monotonic() + 0.7 + 0.3 * round_
            while time.monotonic() < deadline:
                append(file, line(number))
                number += 1
                time.sleep(0.02)
            watch.end(signal.SIGKILL)
    with watching(ada, folder):
        until(lambda: stored(ada) == talk(range(number)))


def test_what_is_known_is_not_read_again(ada: Settings, folder: Path) -> None:
    append(folder / "s.jsonl", line(0))
    with watching(ada, folder) as watch:
        until(lambda: stored(ada) == talk(range(1)))
        until(lambda: known(ada) == 1)
        watch.end(signal.SIGTERM)
    file = folder / "s.jsonl"
    before = file.stat().st_atime_ns
    os.utime(file, ns=(1, file.stat().st_mtime_ns))
    with watching(ada, folder) as watch:
        append(folder / "t.jsonl", line(0, "t"))
        until(lambda: len(stored(ada)) == 2)
        assert file.stat().st_atime_ns == 1 != before
        file.unlink()
        until(lambda: known(ada) == 1)


def known(settings: Settings) -> int:
    with connect(settings) as owner:
        row = owner.execute("SELECT count(*) FROM watched_files").fetchone()
    return int(row[0]) if row else 0


def test_problems_are_told_once(ada: Settings, folder: Path) -> None:
    file = folder / "s.jsonl"
    append(file, line(0) + '{"type": \n')
    with watching(ada, folder) as watch:
        until(lambda: stored(ada) == talk(range(1)))
        append(file, line(1))
        until(lambda: stored(ada) == talk(range(2)))
        watch.end(signal.SIGTERM)
    told = [each for each in watch.err if each.startswith("skipped")]
    assert len(told) == 1 and f"{file}:2" in told[0]


def test_nothing_is_kept_while_automatic_mining_is_off(ada: Settings, memory: Memory, folder: Path) -> None:
    memory.settings.update(auto_mine=False)
    append(folder / "s.jsonl", line(0))
    with watching(ada, folder) as watch:
        until(lambda: bool(watch.err))
        time.sleep(1.5)
        assert stored(ada) == []
        memory.settings.update(auto_mine=True)
        until(lambda: stored(ada) == talk(range(1)))


def test_without_a_folder_it_follows_the_agents_of_this_account(ada: Settings, folder: Path, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": ""}
    ran = program(ada, "watch", **home)
    assert ran.code == 7 and "Pass a FOLDER to watch" in ran.err
    projects = tmp_path / ".claude" / "projects" / "-home-x"
    projects.mkdir(parents=True)
    append(projects / "s.jsonl", line(0))
    with watching(ada, "--json", **home) as watch:
        until(lambda: stored(ada) == talk(range(1)))
        until(lambda: bool(watch.out))
        assert watch.end(signal.SIGTERM) == 0
    [told] = map(json.loads, watch.out)
    assert (told["file"], told["stored"]) == (str(projects / "s.jsonl"), 1)
    assert program(ada, "watch", projects / "s.jsonl").code == 7
    assert program(ada, "watch", projects, "--settle", "-1").code == 2
