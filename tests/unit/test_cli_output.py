"""What all commands have in common in what they print: times with their zone, and no styles in a pipe."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import click
import pytest

from commands import Command, in_process
from ricordo import cli as package
from ricordo.blocking import Memory
from ricordo.cli.main import root
from ricordo.cli.options import Moment, stamp
from ricordo.settings import Settings
from talks import BATTERY

#: Styled text is made in these modules too, for benchmarks (tables, for which a pipe is none of their terminals) and
#: for progress, which only a terminal gets.
_OF_RICH = {"bench", "longmemeval", "progress"}


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line on a store that holds something of everything, on a machine that is far from Greenwich."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="b", title="Battery talk")
        memory.agents.create("coder")
        memory.journal.save("coder", "remembered for a week")
        memory.notes.create("a note")
        memory.settings.update(review="tools")
        memory.notes.create("a tool's note", source="tool")
        with memory.run("coder", "Do it."):
            pass
    return in_process(settings, monkeypatch, capsys)


@pytest.fixture(autouse=True)
def _zone_again() -> object:
    yield
    time.tzset()


def commands_of(run: Command) -> dict[str, list[str]]:
    """A command line of each module that prints styles or times."""
    [ran] = run("run", "list", "--json").json
    return {
        "activity": ["activity"],
        "agent": ["agent", "list"],
        "ask": ["ask", "Which pack?"],
        "db": ["db", "start"],
        "doctor": ["doctor"],
        "entity": ["entity", "show", "Lindner"],
        "fact": ["fact", "list"],
        "jobs": ["jobs", "list"],
        "key": ["key", "list"],
        "journal": ["journal", "list", "coder"],
        "memory": ["memory", "list"],
        "palace": ["palace", "show", "W-001/R-01"],
        "recall": ["recall", "Lindner", "--explain"],
        "connect": ["connect", "--check"],
        "proposal": ["proposal", "list", "coder"],
        "whiteboard": ["whiteboard", "list"],
        "review": ["review", "list"],
        "run": ["run", "show", str(ran["id"])],
        "status": ["status"],
        "sync": ["sync", "status"],
        "usage": ["usage", "calls"],
        "verify": ["verify", "--log"],
    }


def test_no_command_prints_styles_into_a_pipe(run: Command) -> None:
    lines = commands_of(run)
    styled = {
        path.stem
        for path in Path(package.__file__).parent.glob("*.py")
        if re.search(r"click\.style|from rich|stamp\(", path.read_text())
    }
    assert styled - _OF_RICH - {"options"} <= set(lines), "a module that prints styles or times is not tried here"
    for arguments in [*lines.values(), ["palace", "tree"], ["recall", "Lindner"], ["entity", "list"], ["run", "list"]]:
        ran = run(*arguments)
        assert "\x1b" not in ran.out + ran.err, arguments


def test_no_list_is_silent_because_it_is_empty(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ricordo = in_process(settings, monkeypatch, capsys)
    ricordo("agent", "create", "coder")
    [profile] = (each["id"] for each in ricordo("memory", "list-profiles", "--agent", "coder", "--json").json)
    listed = {"list": [], "list-profiles": ["--agent", "coder"], "list-entries": ["--profile", profile]}
    of_an_agent = {"journal", "core", "proposal"}
    tried = 0
    for group in root.list_commands(click.Context(root)):
        command = root.get_command(click.Context(root), group)
        for name in command.commands if isinstance(command, click.Group) else ():
            if name in listed:
                ran = ricordo(group, name, *listed[name], *(["coder"] if group in of_an_agent else []))
                assert ran.code == 0 and ran.out + ran.err, (group, name)
                tried += 1
    assert tried >= 14
    with Memory(settings=settings) as memory:
        memory.mine(BATTERY, conversation="b")
    for also in (
        ["entity", "timeline", "Lindner"],
        ["usage", "calls"],
        ["usage", "price"],
        ["memory", "search", "x"],
        ["db", "role", "list"],
    ):
        assert ricordo(*also).err, also


def test_every_time_says_that_it_is_utc(run: Command) -> None:
    told = 0
    [job, *_] = run("jobs", "list", "--json").json
    for arguments in [*commands_of(run).values(), ["db", "status"], ["jobs", "show", str(job["id"])]]:
        for between, zone in re.findall(r"\b\d{4}-\d\d-\d\d([ T])\d\d:\d\d(?::\d\d)?(Z?)", run(*arguments).out):
            assert (between, zone) == (" ", "Z"), arguments
            told += 1
    assert told >= 12
    assert "2026-03-01 18:02Z" in run("recall", "Lindner pack", "--top-k", "1").out


def test_a_time_that_was_printed_can_be_given_back() -> None:
    moment = datetime(2026, 3, 1, 2, 30, 15, tzinfo=timezone(timedelta(hours=9)))
    assert [stamp(moment, to) for to in ("day", "minutes", "seconds")] == [
        "2026-02-28", "2026-02-28 17:30Z", "2026-02-28 17:30:15Z",
    ]  # fmt: skip
    assert Moment().convert(stamp(moment, "seconds"), None, None) == moment
    assert stamp(datetime(45, 1, 2, tzinfo=UTC)) == "0045-01-02 00:00Z"


def test_fields_of_a_memory_are_printed_as_a_person_reads_them(run: Command) -> None:
    [note] = run("memory", "list", "--json").json
    shown = run("memory", "get", note["id"]).out
    assert "is_redacted: no\n" in shown and "metadata" not in shown
    history = run("memory", "history", note["id"]).out + run("memory", "history", note["id"], "--accesses").out
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", shown + history)
    assert not re.search(r"[{}]|\d\dT\d\d|False|None", shown + history)
