"""Paths to conversations: folders, zips, links, what is no chat, and what each call raises or reports."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import pytest

from chat_files import Found, chatgpt, claude, claude_message, gpt_message, neutral, read_all, write_json, write_zip
from ricordo.errors import InvalidInput, UnreadableSource
from ricordo.formats import EXPORTS, FORMATS, Count, detect, read, survey
from ricordo.models import Problem

CHAT = "Ada: hello\nBen: hi\nAda: how are you?\nBen: fine\n"


def chat(path: Path, text: str = CHAT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def ids(found: Found) -> list[str]:
    return [conversation.id for conversation in found.conversations]


def test_a_missing_path_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"cannot read .*nowhere\.md: No such file or directory$"):
        read([chat(tmp_path / "a.txt"), tmp_path / "nowhere.md"], lambda problem: None)


def test_no_path_at_all_is_an_invalid_input() -> None:
    with pytest.raises(InvalidInput, match=r"^paths: expected at least one file or folder"):
        read([], lambda problem: None)


def test_a_socket_is_refused_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may have 107 bytes only
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("door")
        with pytest.raises(UnreadableSource, match="door is not a file or folder"):
            read([Path("door")], lambda problem: None)


def test_folders_are_read_deep_in_the_order_of_names_without_hidden_files(tmp_path: Path) -> None:
    root = tmp_path / "chats"
    for name in ("b.txt", "a/z.txt", "a/b/c.md", ".hidden.txt", ".git/d.txt", "c.txt"):
        chat(root / name)
    found = read_all(root)
    assert ids(found) == ["chats/a/b/c.md", "chats/a/z.txt", "chats/b.txt", "chats/c.txt"]
    assert found.problems == []


def test_a_hidden_folder_that_is_named_is_read(tmp_path: Path) -> None:
    chat(tmp_path / ".claude" / "a.txt")
    assert ids(read_all(tmp_path / ".claude")) == [".claude/a.txt"]


def test_the_id_of_a_file_is_its_place_and_not_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = chat(tmp_path / "chats" / "ada.txt")
    before = read_all(path)
    chat(path, CHAT + "Ada: one more\n")
    monkeypatch.chdir(tmp_path / "chats")
    for again in (read_all(path), read_all(path.parent), read_all(Path("ada.txt")), read_all(Path())):
        assert ids(again) == ids(before) == ["chats/ada.txt"]
        assert again.turns == [*before.turns, ("Ada", "one more")]


def test_files_of_one_name_in_two_folders_are_two_conversations(tmp_path: Path) -> None:
    found = read_all(chat(tmp_path / "one" / "notes.md"), chat(tmp_path / "two" / "notes.md"))
    assert ids(found) == ["one/notes.md", "two/notes.md"]


def test_a_file_that_is_reached_twice_is_read_once(tmp_path: Path) -> None:
    path = chat(tmp_path / "chats" / "ada.txt")
    (tmp_path / "chats" / "same.txt").symlink_to(path)
    for paths in ((path, path), (path.parent, path), (path, path.parent)):
        found = read_all(*paths)
        assert ids(found) == ["chats/ada.txt"], paths
        assert found.problems == [], paths


def test_circles_of_links_end(tmp_path: Path) -> None:
    root = tmp_path / "chats"
    chat(root / "ada.txt")
    (root / "again").symlink_to(root)
    (root / "up").symlink_to(tmp_path)
    (root / "self").symlink_to(root / "self")
    (root / "dead").symlink_to(root / "gone")
    found = read_all(root)
    assert ids(found) == ["chats/ada.txt"]
    assert [(problem.path, problem.lost) for problem in found.problems] == [
        (str(root / "dead"), True),
        (str(root / "self"), True),
    ]


def test_folders_may_lie_deeper_than_python_may_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    depth = sys.getrecursionlimit() + 50
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.txt").write_text(CHAT)
    os.chdir(tmp_path)
    try:
        found = read_all(Path("d"))
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)
    assert found.turns[0] == ("Ada", "hello")
    assert found.conversations[0].id.startswith("sha256:")


def test_thousands_of_files_come_one_by_one(tmp_path: Path) -> None:
    root = tmp_path / "many"
    root.mkdir()
    for number in range(2000):
        (root / f"{number:04}.txt").write_text(CHAT)
    conversations = read([root], lambda problem: pytest.fail(str(problem)))
    assert next(conversations).id == "many/0000.txt"
    (root / "1999.txt").unlink()  # gone since the folder was listed
    with pytest.raises(pytest.fail.Exception, match=r"1999\.txt: cannot be read: No such file"):
        list(conversations)


def test_unknown_files_are_told_in_one_problem_for_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "chats"
    chat(root / "ada.txt")
    chat(root / "code.py", "import os\n\n\ndef f(x: int) -> int:\n    return x\n")
    chat(root / "empty.md", "")
    (root / "photo.jpg").write_bytes(bytes(range(256)) * 10)
    found = read_all(root)
    assert ids(found) == ["chats/ada.txt"]
    assert found.problems == [
        Problem(path=str(root), what="3 files in an unknown format: code.py, empty.md, photo.jpg")
    ]


def test_many_unknown_files_are_not_all_named(tmp_path: Path) -> None:
    chat(tmp_path / "chats" / "ada.txt")
    for number in range(12):
        chat(tmp_path / "chats" / f"{number:02}.py", "x = 1\n")
    [problem] = read_all(tmp_path / "chats").problems
    assert problem.what.startswith("12 files in an unknown format: 00.py, 01.py,")
    assert problem.what.endswith("09.py, …")


def test_a_named_file_of_unknown_format_is_a_loss_that_names_the_formats(tmp_path: Path) -> None:
    path = chat(tmp_path / "code.py", "print('hello')\n")
    found = read_all(path)
    [problem] = found.problems
    assert problem.lost
    assert problem.path == str(path)
    for known in FORMATS:
        assert known.title in problem.what


def test_a_named_empty_file_loses_nothing(tmp_path: Path) -> None:
    assert read_all(chat(tmp_path / "a.txt", "")).told == [(None, False, "is empty")]
    assert read_all(chat(tmp_path / "b.txt", " \n\n")).told == [(None, False, "is empty")]


def test_folders_without_any_chat_are_refused_by_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    chat(two / "code.py", "x = 1\n")
    problems: list[Problem] = []
    with pytest.raises(UnreadableSource) as raised:
        list(read([one, two], problems.append))
    left = f"{two}: 1 file in an unknown format: code.py"
    assert str(raised.value).startswith(f"no chats found in {one}, {two} ({left}). Supported formats: ")
    assert "ChatGPT export" in str(raised.value)
    assert [problem.path for problem in problems] == [str(two)]


def test_a_folder_without_a_chat_does_not_stop_the_others(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    found = read_all(empty, chat(tmp_path / "ada.txt"))
    assert len(found.conversations) == 1
    assert found.problems == [Problem(path=str(empty), what="no chats found in this folder")]


def test_a_bad_file_does_not_stop_the_run(tmp_path: Path) -> None:
    root = tmp_path / "chats"
    chat(root / "a.json", '{"id": "x", "messages": [')
    chat(root / "b.txt")
    (root / "c.zip").write_bytes(b"PK\x03\x04 and no zip at all")
    chat(root / "d.txt")
    found = read_all(root)
    assert ids(found) == ["chats/b.txt", "chats/d.txt"]
    assert [(Path(problem.path).name, problem.line, problem.lost) for problem in found.problems] == [
        ("a.json", 1, True),
        ("c.zip", None, True),
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX accounts")
def test_what_may_not_be_read_is_told_by_name(tmp_path: Path) -> None:
    """In a child that is an ordinary user, since root may read everything."""
    root = tmp_path / "chats"
    chat(root / "a.txt")
    chat(root / "locked" / "b.txt")
    chat(root / "shut.txt")
    (root / "locked").chmod(0)
    (root / "shut.txt").chmod(0)
    reader, writer = os.pipe()
    with warnings.catch_warnings():  # the test runner has threads; the child needs none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:  # the folder is entered first: the way to it may be closed to others
        os.close(reader)
        os.chdir(root)
        if os.geteuid() == 0:
            os.chown(root, 65534, 65534)
            os.setuid(65534)
        found = read_all(Path())
        lines = [text for _, text in found.turns] + [str(problem) for problem in found.problems]
        os.write(writer, "\n".join(lines).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = pipe.read().splitlines()
    assert os.waitpid(child, 0)[1] == 0
    (root / "locked").chmod(0o700)
    assert told == [
        "hello",
        "hi",
        "how are you?",
        "fine",
        "locked: cannot be read: Permission denied",
        "shut.txt: cannot be read: Permission denied",
    ]


def test_a_zip_is_read_like_a_folder_and_its_other_files_are_passed_over(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "export.zip",
        {
            "user.json": '{"id": "user-1", "email": "ada@example.org"}',
            "chat.html": "<html><body>User: hello</body></html>",
            "conversations.json": json.dumps([chatgpt(gpt_message("1", "user", "hello"))]),
            "__MACOSX/._conversations.json": "\x00\x05\x16\x07",
            "dalle/picture.webp": bytes(range(256)) * 4,
        },
    )
    found = read_all(path)
    assert [(each.source, each.id) for each in found.conversations] == [("chatgpt", "gpt-1")]
    assert found.problems == []
    assert detect(path) is not None


def test_a_zip_without_a_chat_is_unknown(tmp_path: Path) -> None:
    found = read_all(write_zip(tmp_path / "export.zip", {"users.json": "[]", "a.txt": "nothing"}))
    [(_, lost, what)] = found.told
    assert lost
    assert what.startswith("has an unknown format")


def test_names_in_a_zip_reach_neither_the_disk_nor_an_id(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "export.zip", {"../../evil.txt": CHAT, "/abs.txt": CHAT})
    before = sorted(tmp_path.rglob("*"))
    found = read_all(path)
    folder = tmp_path.name
    assert ids(found) == [f"{folder}/export.zip/evil.txt", f"{folder}/export.zip/abs.txt"]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_zip_bomb_is_left_out_and_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("conversations.json", "w") as member:
            member.write(b'[{"role": "user", "content": "')
            for _ in range(150):
                member.write(b"\0" * 1_000_000)
        archive.writestr("small.txt", CHAT)
    found = read_all(path)
    assert len(found.turns) == 4
    [(_, lost, what)] = found.told
    assert lost
    assert what.startswith("conversations.json in it unpacks to ")


def test_a_damaged_or_encrypted_member_does_not_stop_the_others(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "export.zip", {"a.txt": CHAT * 50, "b.txt": CHAT, "c.txt": CHAT})
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        first, second = archive.getinfo("a.txt"), archive.getinfo("b.txt")
    for number in range(20):  # within the packed bytes of a.txt
        raw[first.header_offset + 40 + number] ^= 0xFF
    directory = raw.index(b"PK\x01\x02", raw.index(b"PK\x01\x02") + 4)
    raw[directory + 8] |= 1  # b.txt says that it is encrypted
    assert raw[second.header_offset : second.header_offset + 2] == b"PK"
    path.write_bytes(bytes(raw))
    found = read_all(path)
    assert [each.id.rpartition("/")[2] for each in found.conversations] == ["c.txt"]
    assert sorted(problem.what.partition(":")[0] for problem in found.problems) == [
        "b.txt in it is encrypted",
        "cannot be read",
    ]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("é.txt", b"\xff\xff.txt"), ("é.txt", b"\x00.txtt"), ("a.txt", b"b.txt")],
    ids=["bytes", "empty", "other"],
)
def test_a_zip_with_damaged_names_is_told(tmp_path: Path, name: str, wrong: bytes) -> None:
    path = write_zip(tmp_path / "export.zip", {name: CHAT})
    raw = path.read_bytes()
    assert raw.count(name.encode()) == 2
    path.write_bytes(raw[: raw.rindex(name.encode())] + wrong + raw[raw.rindex(name.encode()) + len(wrong) :])
    found = read_all(path)
    assert found.turns == []
    [(_, lost, what)] = found.told
    assert lost
    assert what.startswith(("cannot be read: ", "has an unknown format"))


def test_a_conversation_id_that_comes_again_in_a_file_is_told(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [neutral("one", id="x"), neutral("two", id="x"), neutral("three", id="y")])
    found = read_all(path)
    assert ids(found) == ["x", "x", "y"]
    assert found.told == [(None, False, "the conversation 'x' occurs twice in this file; joined its turns")]


def test_survey_counts_what_read_would_bring(tmp_path: Path) -> None:
    root = tmp_path / "all"
    chat(root / "a.txt")
    chat(root / "b.txt", CHAT + "Ada: bye\n")
    write_json(root / "c.json", [claude(claude_message("1", "human", "hé"), id="a"), claude(id="b")])
    problems: list[Problem] = []
    result = survey([root], problems.append)
    assert result.formats == {
        "text": Count(files=2, conversations=2, turns=9, characters=2 * len("hellohihow are you?fine") + 3),
        "claude_ai": Count(files=1, conversations=1, turns=1, characters=2),
    }
    assert result.total == Count(files=3, conversations=3, turns=10, characters=51)
    assert problems == []


def test_detect_names_the_format_by_content_and_not_by_name(tmp_path: Path) -> None:
    disguised = write_json(tmp_path / "notes.txt", [chatgpt(gpt_message("1", "user", "hello"))])
    found = detect(disguised)
    assert found is not None
    assert found.name == "chatgpt"
    assert detect(chat(tmp_path / "code.py", "x = 1\n")) is None
    with pytest.raises(UnreadableSource, match="is a folder: pass a file in it"):
        detect(tmp_path)
    with pytest.raises(UnreadableSource, match="cannot read"):
        detect(tmp_path / "gone")


def test_formats_have_names_of_their_own() -> None:
    names = [each.name for each in FORMATS]
    assert len(names) == len(set(names))
    assert {"chatgpt", "claude_ai", "claude_code", "json", "markdown", "text", "whatsapp", "mempalace"} < set(names)
    assert [each.name for each in EXPORTS] == ["slack", "mempalace", "opencode"]


def test_a_name_that_is_no_utf8_can_be_told_and_stored(tmp_path: Path) -> None:
    root = tmp_path / "chats"
    root.mkdir()
    try:
        (root / os.fsdecode(b"caf\xe9.txt")).write_text(CHAT)
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    assert ids(read_all(root)) == ["chats/caf\ufffd.txt"]


def test_a_badly_broken_file_tells_a_thousand_problems_and_counts_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"role": "user", "content": "hello"}\n' + "{broken\n" * 1500)
    found = read_all(path)
    assert found.turns == [("user", "hello")]
    assert len(found.problems) == 1001
    assert found.problems[-1].what == "500 more problems of these kinds, 500 of them losses"


def test_a_consumer_may_stop_early(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        chat(tmp_path / name)
    conversations = read([tmp_path], lambda problem: None)
    next(conversations)
    del conversations  # pytest turns a file left open into a failure


# --- what a zip can do harm with


def test_a_zip_whose_files_are_a_bomb_together_is_left_out_from_there(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "bomb.zip", {f"{number}.json": b"[" + b" " * 40_000_000 for number in range(4)})
    found = read_all(path)
    assert found.conversations == []
    assert found.problems[-1].lost or found.problems[0].lost
    assert any(
        "unpack to more than 200 times their size; skipped 2.json and the rest" in each for _, _, each in found.told
    )


def test_a_zip_in_a_zip_is_told_and_the_rest_read(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"a.txt": CHAT})
    path = write_zip(tmp_path / "outer.zip", {"inner.zip": inner.read_bytes(), "b.txt": CHAT})
    found = read_all(path)
    assert len(found.conversations) == 1
    assert found.told == [(None, True, "inner.zip in it is itself a zip file: unpack it and pass it too")]


def test_a_zip_with_a_directory_too_large_to_hold_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wide.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(250):
            archive.writestr(f"{number}-" + "x" * 60_000, "")
    found = read_all(path)
    assert found.conversations == []
    assert [lost for _, lost, _ in found.told] == [True]
    assert "its directory has " in found.told[0][2]


def test_a_name_that_stands_twice_in_a_zip_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "User: old\nAI: hi\n")
        archive.writestr("a.txt", CHAT)
    found = read_all(path)
    assert len(found.conversations) == 1
    assert found.problems == []


def test_where_no_chat_was_found_the_error_tells_what_was_wrong_with_the_files(tmp_path: Path) -> None:
    root = tmp_path / "export"
    root.mkdir()
    inner = write_zip(tmp_path / "inner.zip", {"a.txt": CHAT})
    write_zip(root / "outer.zip", {"inner.zip": inner.read_bytes()})
    chat(root / "conversations.json", "")
    with pytest.raises(UnreadableSource) as raised:
        read_all(root)
    assert "inner.zip in it is itself a zip file: unpack it and pass it too" in str(raised.value)
    assert "1 file in an unknown format: conversations.json" in str(raised.value)
    with pytest.raises(UnreadableSource) as raised:  # bounded, however many there are
        for number in range(50):
            write_zip(root / f"outer{number}.zip", {"inner.zip": inner.read_bytes()})
        read_all(root)
    assert str(raised.value).count("is itself a zip file") == 3


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_as_what_it_is(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(json.dumps([chatgpt(gpt_message("1", "user", "Grüße"))], ensure_ascii=False).encode(encoding))
    [talk] = read_all(path).conversations
    assert talk.messages[0].content == "Grüße"
