"""Files that grow: when one has settled, and what of it is read meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chat_files import neutral, session_line, write_json, write_lines
from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.formats import Growing, Stamp, folders, growing_files, read, read_in
from ricordo.formats.growing import up_to_last_line
from ricordo.formats.source import Source
from ricordo.models import Problem

A = Path("/a")


def growing(mined: Stamp | None = None, age: float = 0.0, settle: float = 10.0) -> Growing:
    files = Growing(settle)
    files.begin(A, Stamp(1, 1), age, mined, 100.0)
    return files


def test_a_file_is_due_when_it_has_rested() -> None:
    files = growing()
    assert files.due(109.9) == []
    assert files.due(110.0) == [A]
    files.note(A, Stamp(2, 2), 110.0)
    assert files.due(119.9) == []
    files.mined(A, Stamp(2, 2), 120.0)
    assert files.due(999.0) == []


def test_an_old_file_is_due_at_once_unless_it_was_mined_as_it_is() -> None:
    assert growing(age=3600).due(100.0) == [A]
    assert growing(age=3600, mined=Stamp(1, 1)).due(100.0) == []
    assert growing(age=3600, mined=Stamp(1, 0)).due(100.0) == [A]
    assert growing(age=-3600).due(110.0) == [A], "a clock that went back holds nothing up"


def test_a_file_that_never_rests_is_due_all_the_same() -> None:
    files = growing()
    for second in range(101, 160):
        files.note(A, Stamp(second, second), float(second))
        assert files.due(second) == []
    files.note(A, Stamp(160, 160), 160.0)
    assert files.due(160.0) == [A]
    files.mined(A, Stamp(160, 160), 160.0)
    files.note(A, Stamp(161, 161), 161.0)
    assert files.due(162.0) == []


def test_a_large_file_rests_long() -> None:
    files = growing()
    files.note(A, Stamp(100_000_000, 2), 101.0)
    assert files.due(140.9) == []
    assert files.due(141.0) == [A]


def test_a_file_that_is_gone_is_let_go_and_met_anew() -> None:
    files = growing()
    assert files.unknown([A, Path("/b")]) == [Path("/b")]
    assert files.gone([A]) == []
    assert files.gone([]) == [A]
    assert files.unknown([A]) == [A]


def test_only_folders_that_lie_apart_are_followed(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to("inner")
    file = write_json(tmp_path / "a.json", neutral("hello"))
    assert folders([tmp_path / "inner", tmp_path / "link"]) == [tmp_path / "inner"]
    with pytest.raises(UnreadableSource, match=r"a\.json is a file"):
        folders([file])
    with pytest.raises(UnreadableSource, match=r"cannot read .*nowhere"):
        folders([tmp_path / "nowhere"])
    with pytest.raises(InvalidInput, match="inner is inside"):
        folders([tmp_path / "inner", tmp_path])


def test_growing_files_are_those_that_a_folder_is_read_from(tmp_path: Path) -> None:
    (tmp_path / "slack").mkdir()
    for name in ("users.json", "channels.json"):
        write_json(tmp_path / "slack" / name, [])
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    write_json(tmp_path / ".hidden" / "c.json", neutral("hello"))
    file = write_json(tmp_path / "one" / "two" / "a.json", neutral("hello"))
    os.utime(file, ns=(5, 7))
    assert growing_files([tmp_path]) == {file: (tmp_path, Stamp(file.stat().st_size, 7))}


def test_a_file_of_a_folder_is_read_as_the_folder_would_be(tmp_path: Path) -> None:
    for number in range(3):
        write_json(tmp_path / f"{number}.json", [{"messages": [{"role": "user", "content": f"talk {number}"}]}])
    (tmp_path / "notes.txt").write_text("no chat")
    whole = list(read([tmp_path], lambda problem: None))
    assert len(whole) == 3
    problems: list[Problem] = []
    files = sorted(growing_files([tmp_path]))
    assert [each for file in files for each in read_in(tmp_path, file, problems.append)] == whole
    assert problems == []
    assert list(read_in(tmp_path, tmp_path / "gone.jsonl", problems.append)) == []
    assert [(each.what, each.lost) for each in problems] == [("cannot be read: No such file or directory", True)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", ""),
        ('{"a": 1}\n', '{"a": 1}\n'),
        ('{"a": 1}\n{"b', '{"a": 1}\n'),
        ('{"a": 1}\n{"b": 2}', '{"a": 1}\n{"b": 2}'),
        ('{"a', ""),
        ('{"a": 1}\n' + " " * 200_000, '{"a": 1}\n'),
        ('{"a": 1}\n"' + "x" * 200_000, '{"a": 1}\n'),
    ],
)
def test_a_line_that_is_being_written_is_left_for_later(tmp_path: Path, text: str, read: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(text)
    assert b"".join(up_to_last_line(Source(file, "a", "a")).chunks()).decode() == read


def test_a_session_that_is_being_written_is_no_problem(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "s.jsonl", session_line("user", "1", "hello"), '{"type": "user", "mess')
    file.write_bytes(file.read_bytes().rstrip())
    problems: list[Problem] = []
    [session] = read_in(tmp_path, file, problems.append)
    assert [turn.content for turn in session.messages] == ["hello"]
    assert problems == []
