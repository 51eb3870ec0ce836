"""The command line as a program: pipes, terminals, encodings and signals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from commands import called, command, environment, on_terminal, program, write_chats
from forking import Program, run
from models import OTHER, model_folder
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect, settings_for
from talks import BATTERY, LISBON

POINTER = re.compile(r"§ W-\d{3}/R-\d\d/D-\d{3}")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@pytest.fixture(scope="module")
def filled(server_home: Path) -> Settings:
    """A store that holds two conversations, with vectors."""
    settings = replace(settings_for(server_home), model_dir=model_folder())
    with Memory(settings=settings, background=False) as memory:
        memory.mine(BATTERY, conversation="b", title="Battery talk, with a title that is long enough to be cut off")
        memory.mine(LISBON, conversation="l", title="里斯本")
        memory.mine([{"role": "user", "content": "我们五月飞往里斯本 " * 20}], conversation="z")
        memory.embed_pending()
    return settings


@pytest.mark.parametrize("columns", [40, 80, 140])
def test_the_reasons_fit_any_terminal_and_no_pointer_is_broken(filled: Settings, columns: int) -> None:
    seen = on_terminal(filled, columns, "recall", "Lindner battery in Lisbon 里斯本", "--explain")
    assert "\x1b[36m§ W-" in seen
    lines = ESCAPES.sub("", seen).splitlines()
    assert max(sum(2 if each >= "\u2e80" else 1 for each in line.rstrip()) for line in lines) <= columns
    heads = [line for line in lines if "§" in line]
    assert len(heads) == 4
    assert all(POINTER.search(line) for line in heads)
    bars = [line.count("█ ") + line.endswith("█") for line in lines if "█" in line]
    assert max(bars) == {40: 1, 80: 2, 140: 3}[columns]


def test_a_list_is_wrapped_for_a_terminal(filled: Settings) -> None:
    lines = ESCAPES.sub("", on_terminal(filled, 50, "recall", "Lindner pack", "--top-k", "1")).splitlines()
    assert [line.strip() for line in lines[-1:]] == ["Then we take the 12V20Ah pack from Lindner."]
    assert all(len(line) <= 50 for line in lines[1:])


def test_no_color_is_heeded(filled: Settings) -> None:
    for options in ([], ["--explain"]):
        seen = on_terminal(filled, 80, "recall", "Lindner", *options, NO_COLOR="1")
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", seen)
        assert "Lindner" in seen


def test_a_pipe_gets_no_escape_sequence_and_nothing_is_cut(filled: Settings) -> None:
    ran = program(filled, "recall", "Which battery pack?", "--explain")
    assert ran.err == ""
    for each in (
        ran,
        *(called(filled, "recall", "Which battery pack?", *more) for more in ([], ["--json"], ["--context"])),
    ):
        assert (each.code, "\x1b" in each.out) == (0, False)
    for each in (ran, called(filled, "recall", "Which battery pack?")):
        assert "(Battery talk, with a title that is long enough to be cut off)" in each.out


#: Encodings that lack characters, and a command that prints one, by way of each kind of output.
_LACKING = [
    ({"LANG": "C", "LC_ALL": "C"}, ["recall", "里斯本", "--explain"]),
    ({"PYTHONIOENCODING": "ascii"}, ["palace", "tree"]),
    ({"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ["recall", "里斯本"]),
    ({"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ["doctor"]),
]


@pytest.mark.parametrize(("variables", "arguments"), _LACKING, ids=str)
def test_an_encoding_that_lacks_a_character_ends_nothing(
    filled: Settings, variables: dict[str, str], arguments: list[str]
) -> None:
    ran = program(filled, *arguments, **variables)
    assert ran.code == 0, ran.err


def test_json_is_the_same_in_an_encoding_that_lacks_characters(filled: Settings) -> None:
    told = program(filled, "palace", "tree", "--json", PYTHONIOENCODING="ascii").json
    assert any(room["name"].endswith("里斯本") for wing in told for room in wing["rooms"])


def test_bytes_that_are_no_text_are_a_question_like_another(filled: Settings) -> None:
    assert program(filled, "recall", b"\xff Lindner", "--json").json["results"]
    ran = program(filled, "recall", "x", "--wing", b"\xff")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["palace", "tree"], ["recall", "pack", "--json"], ["recall", "pack", "--explain"]]
)
def test_a_reader_that_has_seen_enough_is_no_error(filled: Settings, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = run(command(*arguments), env=environment(filled), stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_an_output_that_cannot_be_written_is_told(filled: Settings) -> None:
    variables = environment(filled)
    variables.pop("PYTHONUNBUFFERED", None)  # without it, output is left when the command ends
    for arguments in (["palace", "tree"], ["recall", "pack", "--json"], ["recall", "pack", "--explain"]):
        with Path("/dev/full").open("wb") as full:
            ended = run(command(*arguments), env=variables, stdout=full)
        assert (ended.returncode, ended.stderr) == (74, b"ricordo: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["recall", ""]], ids=str)
def test_nothing_that_can_be_written_is_a_failure_too(arguments: list[str]) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for given in (variables, variables | {"PYTHONUNBUFFERED": "1"}):
        with Path("/dev/full").open("wb") as full:
            assert run(command(*arguments), env=given, stdout=full, stderr=full).returncode == 74


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize(
    ("does", "told"),
    [("print('more')", b"No space left on device"), ("sys.stdout.close()", b"I/O operation on closed file.")],
)
def test_output_that_is_lost_at_the_end_is_told(does: str, told: bytes) -> None:
    script = f"import sys, ricordo.cli\nricordo.cli.main = lambda: {does} or 0\n"
    script += "from ricordo.__main__ import main\nsys.exit(main())"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        ended = run([sys.executable, "-W", "error", "-c", script], env=variables, stdout=full)
        untold = run([sys.executable, "-W", "error", "-c", script], env=variables, stdout=full, stderr=full)
    assert (ended.returncode, ended.stderr) == (74, b"ricordo: " + told + b"\n")
    assert untold.returncode == 74


def test_closed_streams_are_no_error(filled: Settings) -> None:
    for arguments, code in ((["recall", "pack", "--explain"], 0), (["recall", ""], 2), (["palace", "tree"], 0)):
        script = f'exec "$@" {"2" if code else ""}>&-'
        ended = subprocess.run(
            ["/bin/sh", "-c", script, "sh", *command(*arguments)],
            env=environment(filled),
            capture_output=True,
            timeout=300,
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (code, b"", b"")


def test_progress_is_shown_on_a_terminal_only(with_vectors: Settings, tmp_path: Path) -> None:
    chats = write_chats(tmp_path / "chats.jsonl", {"b": BATTERY, "l": LISBON})
    piped = program(with_vectors, "mine", chats)
    assert (piped.code, piped.err) == (0, "")
    assert piped.out.startswith("2 conversations: 7 turns stored, 7 vectors computed\n")
    seen = on_terminal(with_vectors, 100, "mine", str(chats), "--user", "grace")
    assert "Importing" in seen and "Computing vectors" in seen and "turns/s" in seen
    assert "2 conversations: 7 turns stored, 7 vectors computed\n" in seen
    assert seen.count("\x1b[?25h") == seen.count("\x1b[?25l") > 0  # the cursor is back
    made = str(tmp_path / "backup.zip")
    assert "Backing up" in on_terminal(with_vectors, 100, "backup", made)
    assert "Checking the file" in on_terminal(with_vectors, 100, "verify", made)


def _stored(settings: Settings) -> tuple[int, int]:
    with connect(settings) as connection:  # a room has a vector too, as drawer 0
        row = connection.execute(
            "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM embeddings WHERE drawer > 0)"
        ).fetchone()
    assert row is not None
    return row[0], row[1]


def _wait(reached: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.01)


@contextmanager
def _midway(settings: Settings, table: str) -> Iterator[None]:
    """While this lasts, only the first transaction that writes to a table is committed; the next ones wait."""
    of_others = f"SELECT FROM {table} WHERE xmin::text <> pg_current_xact_id()::xid::text"
    with connect(settings) as owner:
        owner.execute(
            "CREATE FUNCTION wait_midway() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF EXISTS ({of_others}) THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NULL; END $$"
        )
        owner.execute(
            f"CREATE TRIGGER wait_midway BEFORE INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION wait_midway()"
        )
        owner.execute("SELECT pg_advisory_lock(1)")
        yield


@pytest.mark.parametrize(
    ("table", "sent"), [("memories", signal.SIGTERM), ("embeddings", signal.SIGINT)], ids=["storing", "embedding"]
)
def test_a_signal_ends_mining_and_the_same_command_finishes_it(
    with_vectors: Settings, tmp_path: Path, table: str, sent: signal.Signals
) -> None:
    with_vectors = replace(with_vectors, embedding_model=OTHER)  # which is faster
    talks = range(21)  # two transactions to store, and some more to embed
    turns = [[{"role": "user", "content": f"Line {n} of talk {talk}."} for n in range(20)] for talk in talks]
    every = sum(map(len, turns))
    chats = write_chats(tmp_path / "chats.jsonl", {f"talk {talk}": each for talk, each in enumerate(turns)})
    with Memory(settings=with_vectors, background=False):
        pass  # the tables are there, so that they can be looked at
    with _midway(with_vectors, table):
        process = Program(
            command("mine", chats),
            env=environment(with_vectors), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        _wait(lambda: _stored(with_vectors)[table == "embeddings"] > 0)
        process.send_signal(sent)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (128 + sent, "")
    assert err.strip() == "ricordo: interrupted; stored data is safe; run the same command again to continue"
    stored, embedded = _stored(with_vectors)
    assert 0 < (stored if table == "memories" else embedded) < every

    again = program(with_vectors, "mine", chats, "--json")
    assert again.code == 0, again.err
    assert (again.json["stored"], again.json["duplicates"]) == (every - stored, stored)
    assert (again.json["embedded"], again.json["pending"]) == (every - embedded, 0)
    assert _stored(with_vectors) == (every, every)
    with Memory(settings=with_vectors, background=False) as memory:
        kept = [
            each for wing in memory.palace.tree() for room in wing.rooms for each in memory.palace.show(room.pointer)
        ]
    assert sorted(each.text for each in kept) == sorted(each["content"] for talk in turns for each in talk)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_many_signals_end_mining_without_a_traceback(settings: Settings, tmp_path: Path, sent: signal.Signals) -> None:
    turns = [{"role": "user", "content": f"Line {number}."} for number in range(500)]
    chats = write_chats(tmp_path / "chats.jsonl", {"talk": turns})
    with Memory(settings=settings, background=False):
        pass  # the tables are there, so that they can be looked at
    with _midway(settings, "memories"):
        process = Program(
            command("mine", chats, "--wait"),
            env=environment(settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        _wait(lambda: _stored(settings)[0] > 0)
        while process.poll() is None:
            process.send_signal(sent)
            time.sleep(0.003)
        out, err = process.communicate(timeout=300)
    assert process.returncode in (128 + sent, -sent)
    assert (out, "Traceback" in err) == ("", False), err


def test_the_module_runs_the_same_command() -> None:
    script = Path(sys.executable).with_name("ricordo")
    for arguments in ([str(script)], [sys.executable, "-m", "ricordo"]):
        ended = subprocess.run([*arguments, "--version"], capture_output=True, text=True)
        assert ended.returncode == 0 and ended.stdout.startswith("ricordo ")


def test_json_of_a_terminal_is_json_too(filled: Settings) -> None:
    assert json.loads(on_terminal(filled, 80, "palace", "tree", "--json"))
