"""Row E8: exports of every format come in whole, and no bad file stops a run."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chat_files import neutral, write_json, write_zip
from exports import WRITERS, Expected
from ricordo.blocking import Memory
from ricordo.formats import EXPORTS, FORMATS
from ricordo.models import ImportReport
from ricordo.settings import Settings
from stores import connect

FORMAT_NAMES = sorted(WRITERS)
#: Years in exports, as dates and as seconds or milliseconds since 1970.
_YEARS = re.compile(r"\b2025(?=[-/]| \d\d:)|(?<=/)2025\b|\b174(?=\d{7})")


@pytest.fixture
def clean(settings: Settings) -> Iterator[Memory]:
    """A memory of another user, for an undisturbed import of the same."""
    with Memory(settings=replace(settings, user="clean")) as memory:
        yield memory


def kept(settings: Settings, user: str = "ada") -> list[tuple[Any, ...]]:
    """What is stored of a user: each turn with its conversation, in order, and the format that it came from."""
    with connect(settings) as owner:
        return owner.execute(
            "SELECT c.source, c.external_id, m.content, m.speaker, m.role, m.said_at FROM memories m "
            "JOIN conversations c USING (user_id, conversation) JOIN users u USING (user_id) "
            "WHERE u.name = %s ORDER BY c.external_id, m.position",
            [user],
        ).fetchall()


def counted(turns: list[tuple[Any, ...]], timed: bool) -> Expected:
    moments = [said_at for *_, said_at in turns] if timed else []
    return Expected(
        len({conversation for _, conversation, *_ in turns}),
        len(turns),
        frozenset(speaker or role for _, _, _, speaker, role, _ in turns),
        min(moments, default=None),
        max(moments, default=None),
    )


def unpacked(path: Path) -> list[Path]:
    """The files of an export, that of a zip laid beside each other in its place."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            archive.extractall(path.with_suffix(""))
        path.unlink()
        path = path.with_suffix("")
    return [path] if path.is_file() else [each for each in sorted(path.rglob("*")) if each.is_file()]


def test_e8_every_format_has_an_export_here() -> None:
    assert {each.name for each in (*FORMATS, *EXPORTS)} == {*WRITERS}


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_e8_an_export_comes_in_whole_and_a_second_time_adds_nothing(
    name: str, memory: Memory, settings: Settings, tmp_path: Path
) -> None:
    path, expected = WRITERS[name](tmp_path)
    imported = memory.import_chats([path])
    assert (imported.conversations, imported.stored, imported.lost) == (expected.conversations, expected.turns, 0)
    found = kept(settings)
    assert counted(found, timed=expected.first is not None) == expected
    assert {source for source, *_ in found} == {name}
    again = memory.import_chats([path])
    assert (again.stored, again.duplicates) == (0, expected.turns)
    assert kept(settings) == found


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_e8_a_file_that_is_cut_in_the_middle_is_told_and_the_whole_one_adds_the_rest(
    name: str, memory: Memory, clean: Memory, settings: Settings, tmp_path: Path
) -> None:
    export = tmp_path / "export"
    export.mkdir()
    path, _ = WRITERS[name](export)
    # Slack's lists of people and channels hold the names by which all else is known.
    files = [each for each in unpacked(path) if each.name not in ("users.json", "channels.json")]
    whole = {each: each.read_bytes() for each in files}
    good = {"role": "user", "content": "is this kept?", "at": "2025-03-04T18:00:00Z"}
    write_json(export / "zz-good.json", {"id": "good", "messages": [good]})
    for each in files:
        each.write_bytes(whole[each][: len(whole[each]) * 3 // 5])
    imported = memory.import_chats([export])
    assert ("json", "good") in {(source, id) for source, id, *_ in kept(settings)}
    # Half a line of a chat is a shorter line.
    assert imported.problems or name in ("whatsapp", "signal", "markdown", "text"), "something was lost without a word"
    for each, content in whole.items():
        each.write_bytes(content)
    memory.import_chats([export])
    clean.import_chats([export])
    wanted, found = (
        [
            turn[1:] if name not in ("text", "windsurf") else turn[1:-1] for turn in kept(settings, user)
        ]  # their times are the imports'
        for user in ("clean", "ada")
    )
    # Of a chat in lines, a line that was cut was said in two ways.
    assert sorted(each for each in found if each in wanted) == sorted(wanted)
    assert len(found) - len(wanted) <= (2 if name in ("whatsapp", "signal", "markdown", "text") else 0)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_e8_turns_with_times_that_cannot_be_are_kept(
    name: str, memory: Memory, settings: Settings, tmp_path: Path
) -> None:
    path, expected = WRITERS[name](tmp_path)
    for each in unpacked(path):
        if each.suffix not in (".sqlite3", ".vscdb"):
            text = _YEARS.sub(lambda year: {"174": "999"}.get(year[0], "9025"), each.read_text(encoding="utf-8"))
            each.write_text(text, encoding="utf-8")
    imported = memory.import_chats([path if path.exists() else path.with_suffix("")])
    assert imported.stored == expected.turns
    assert [each.what for each in imported.problems if each.lost and "unknown format" not in each.what] == []
    assert all(said_at.year < 2100 for *_, said_at in kept(settings))
    assert imported.problems or name in ("text", "mempalace", "cursor", "windsurf")


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_e8_ids_that_come_twice_join_and_store_nothing_twice(
    name: str, memory: Memory, settings: Settings, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    path, expected = WRITERS[name](one)
    shutil.copytree(one, two)
    memory.import_chats([tmp_path])
    found = kept(settings)
    assert len(found) == expected.turns  # also of text, which has no ids: a copy is known by its turns
    assert memory.import_chats([path]).problems == memory.import_chats([path]).problems


def test_e8_no_bad_file_stops_a_run(memory: Memory, settings: Settings, tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    chats.mkdir()
    wanted = 0
    for name in FORMAT_NAMES:
        folder = chats / name
        folder.mkdir()
        wanted += WRITERS[name](folder)[1].turns
    hostile = hostile_files(chats / "hostile")
    imported = memory.import_chats([chats])
    assert len([each for each in kept(settings) if each[1] not in hostile]) == wanted
    assert {each for each in kept(settings) if each[1] in hostile and each[2] != "this is good"} == set()
    told = "\n".join(map(str, imported.problems))
    for each in (
        "bomb.json in it unpacks to",
        "inner.zip in it is itself a zip file",
        "secret.zip",
        "cut.zip",
        "cut.json",
    ):
        assert each in told, told
    assert not list(tmp_path.rglob("escaped*")), "a name in a zip reached the disk"
    assert imported.lost >= 5


def hostile_files(folder: Path) -> set[str]:
    """Files that do harm where a reader is careless; returns the ids of the good conversations among them."""
    folder.mkdir()

    def good(id: str) -> str:
        return json.dumps([neutral("this is good", id=id)])

    write_zip(folder / "bomb.zip", {"bomb.json": b"[" + b" " * 150_000_000 + b"]", "good.json": good("beside-a-bomb")})
    inner = write_zip(folder / "inner.zip", {"a.json": good("inside")})
    write_zip(folder / "nested.zip", {"inner.zip": inner.read_bytes(), "good.json": good("beside-a-zip")})
    inner.unlink()
    climbing = {"../../escaped.json": "above", "/tmp/escaped.json": "root", "a\\..\\escaped.json": "back"}
    write_zip(folder / "traversal.zip", {name: good(id) for name, id in climbing.items()})
    secret = write_zip(folder / "secret.zip", {"a.json": good("secret")})
    secret.write_bytes(
        secret.read_bytes().replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    )
    whole = write_zip(folder / "cut.zip", {"a.json": good("cut")}).read_bytes()
    (folder / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (folder / "cut.json").write_text('[{"id": "x", "messages": [{"role": "user", "content": "half')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "noise.jsonl").write_bytes(bytes(range(256)) * 1000)
    (folder / "noise.zip").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 10)
    (folder / "empty.txt").write_bytes(b"")
    return {"beside-a-bomb", "beside-a-zip", "above", "root", "back"}


def test_e8_a_dry_run_tells_what_would_come(memory: Memory, settings: Settings, tmp_path: Path) -> None:
    _, expected = WRITERS["chatgpt"](tmp_path)
    counted: ImportReport = memory.import_chats([tmp_path], dry_run=True)
    assert (counted.conversations, counted.stored, counted.dry_run) == (expected.conversations, expected.turns, True)
    assert kept(settings) == []


def test_e8_what_tools_tell_is_no_loss(memory: Memory, tmp_path: Path) -> None:
    """A talk in which programs were called comes in whole, and says so in one line."""
    called = [neutral("How many rows?", "Many.", id=f"talk {number}") for number in range(3)]
    for talk in called:
        talk["messages"][1:1] = [{"role": "tool", "content": "12 rows"}, {"role": "tool", "content": "13 rows"}]
    found = memory.import_chats([write_json(tmp_path / "chats.json", called)])
    assert (found.conversations, found.lost) == (3, 0)
    assert [each.what for each in found.problems] == ["skipped what is not a message: output of tools and systems (6)"]
    assert found.stored == memory.import_chats([tmp_path / "chats.json"], dry_run=True).stored
