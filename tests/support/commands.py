"""Running the command line in tests: in this process, and as a program of its own."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import struct
import sys
import termios
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forking import Program, run
from ricordo.cli import main
from ricordo.settings import PREFIX, Settings


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON value that it must be."""
        return json.loads(self.out)


Command = Callable[..., Ran]


def environment(settings: Settings) -> dict[str, str]:
    """The variables that make another process use these settings, and nothing else of Ricordo's."""
    given = {each.name: getattr(settings, each.name) for each in fields(settings)} | {"resident": "off"}
    rest = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX) and name != "COLUMNS"}
    return rest | {PREFIX + name.upper(): str(value) for name, value in given.items() if value is not None}


def in_process(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """A function that runs a command line with these settings in this process."""
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str | Path) -> Ran:
        code = main([str(each) for each in arguments])
        return Ran(code, *capsys.readouterr())

    return run


def instrument(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """A function that runs a command of `python -m bench` with these settings in this process."""
    from bench.__main__ import command as bench

    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str | Path) -> Ran:
        code = bench.main([str(each) for each in arguments], standalone_mode=False)
        return Ran(code or 0, *capsys.readouterr())

    return run


def called(settings: Settings, *arguments: str | Path, given: bytes = b"") -> Ran:
    """Runs a command line in this process, at a fraction of the cost of `program`."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = {"stdin": io.BytesIO(given), "stdout": out, "stderr": err}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(settings).items():
            patch.setenv(name, value)
        for name, stream in streams.items():
            patch.setattr(sys, name, io.TextIOWrapper(stream, "utf-8", write_through=True))
        code = main([str(each) for each in arguments])
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())


def program(settings: Settings, *arguments: str | bytes | Path, **variables: str) -> Ran:
    """Runs `ricordo` as a program, its output going into pipes."""
    ended = run(command(*arguments), env=environment(settings) | variables)
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def command(*arguments: str | bytes | Path) -> list[str | bytes | Path]:
    """The argument vector of `ricordo`."""
    return [sys.executable, "-W", "error", "-m", "ricordo", *arguments]


def on_terminal(settings: Settings, columns: int, *arguments: str, **variables: str) -> str:
    """What a person sees on a terminal of so many columns, escape sequences included."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    variables = environment(settings) | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | variables
    process = Program(command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=variables)
    os.close(theirs)
    seen = bytearray()
    try:
        while part := _read(ours):
            seen += part
    finally:
        os.close(ours)
        process.wait(60)
    return seen.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # EIO: the other side was closed
        return b""


def write_chats(path: Path, conversations: Mapping[str, list[dict[str, Any]]]) -> Path:
    """A JSON Lines file of conversations, by their ids."""
    lines = [json.dumps({"id": id, "title": id, "messages": turns}) for id, turns in conversations.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
