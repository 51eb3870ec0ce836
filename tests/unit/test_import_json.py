"""JSON as a stream, the neutral JSON of chats, and everything that can be wrong with a JSON file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chat_files import neutral, read_all, write_json, write_lines
from ricordo.formats import detect, draft
from ricordo.formats.elements import ELEMENT_BYTES, elements
from ricordo.formats.problems import Reporter
from ricordo.models import Message


def cut(raw: bytes, size: int = 1 << 20) -> tuple[list[tuple[int, bytes, bool]], list[str]]:
    """The elements of a list whose bytes come in pieces of `size`, and the problems."""
    told: list[str] = []
    chunks = [raw[start : start + size] for start in range(0, len(raw), size)]
    report = Reporter("x", lambda problem: told.append(problem.what))
    return [(each.number, each.raw.strip(), each.complete) for each in elements(chunks, report)], told


# --- the neutral JSON


@pytest.mark.parametrize("indent", [None, 2])
def test_one_conversation_keeps_every_field(tmp_path: Path, indent: int | None) -> None:
    message = {"role": "user", "name": "Ada", "content": " hello\n", "at": "2025-03-04T18:02:05+01:00", "id": "m1"}
    talk = {"id": "talk", "title": "A talk", "project": "garden", "messages": [message]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(talk, indent=indent))
    found = read_all(path)
    [conversation] = found.conversations
    assert (conversation.id, conversation.title, conversation.project) == ("talk", "A talk", "garden")
    assert conversation.source == "json"
    at = datetime(2025, 3, 4, 17, 2, 5, tzinfo=UTC)
    assert conversation.messages == (Message(role="user", name="Ada", content=" hello\n", at=at, id="m1"),)
    assert found.problems == []


def test_a_list_and_lines_of_conversations_give_the_same(tmp_path: Path) -> None:
    talks = [neutral("one", "two", id="a"), neutral("three", id="b")]
    as_list = read_all(write_json(tmp_path / "a.json", talks))
    as_lines = read_all(write_lines(tmp_path / "a.jsonl", *talks))
    assert as_list.conversations == as_lines.conversations
    assert [each.id for each in as_list.conversations] == ["a", "b"]
    assert as_list.turns == [("user", "one"), ("assistant", "two"), ("user", "three")]


def test_conversations_without_ids_are_named_after_the_file(tmp_path: Path) -> None:
    talks = [neutral("one", id=""), neutral("two", id=None), neutral("three", id=7)]  # type: ignore[arg-type]
    folder = tmp_path.name
    found = read_all(write_json(tmp_path / "a.json", talks))
    assert [each.id for each in found.conversations] == [f"{folder}/a.json#1", f"{folder}/a.json#2", "7"]
    for indent in (None, 1):
        (tmp_path / "b.json").write_text(json.dumps(talks[0], indent=indent))
        assert [each.id for each in read_all(tmp_path / "b.json").conversations] == [f"{folder}/b.json"]
    first = read_all(write_lines(tmp_path / "c.jsonl", talks[0]))
    more = read_all(write_lines(tmp_path / "c.jsonl", talks[0], talks[1]))
    assert first.conversations == more.conversations[:1]


@pytest.mark.parametrize("write", [write_json, lambda path, values: write_lines(path, *values)])
def test_bare_messages_are_one_conversation_named_after_the_file(tmp_path: Path, write: Any) -> None:
    messages = [{"role": "human", "content": "hello"}, {"role": "ai", "content": "hi"}]
    found = read_all(write(tmp_path / "talk.json", messages))
    assert [each.id for each in found.conversations] == [f"{tmp_path.name}/talk.json"]
    assert found.turns == [("user", "hello"), ("assistant", "hi")]


@pytest.mark.parametrize(
    ("word", "role"),
    [
        *((word, "user") for word in ("user", "User", "human", "HUMAN")),
        *((word, "assistant") for word in ("assistant", "ai", "model", "bot", "claude", "ChatGPT", "gemini")),
        *((word, "system") for word in ("system", "developer")),
        *((word, "tool") for word in ("tool", "function")),
    ],
)
def test_known_words_are_roles(tmp_path: Path, word: str, role: str) -> None:
    messages = [{"role": "user", "content": "hello"}, {"role": word, "content": "x"}]
    found = read_all(write_json(tmp_path / "a.json", messages))
    assert found.conversations[0].messages[1] == Message(role=role, content="x")  # type: ignore[arg-type]
    assert found.problems == []


def test_unknown_roles_are_told_once_and_kept_as_names(tmp_path: Path) -> None:
    messages = [
        {"role": "narrator", "content": "1"},
        {"role": "narrator", "content": "2"},
        {"role": "narrator", "name": "Ada", "content": "3"},
        {"role": 7, "content": "4"},
        {"content": "5"},
        {"name": "Ben", "content": "6"},
    ]
    found = read_all(write_json(tmp_path / "a.json", {"id": "x", "messages": messages}))
    assert [(turn.role, turn.name) for turn in found.conversations[0].messages] == [
        ("user", "narrator"),
        ("user", "narrator"),
        ("user", "Ada"),
        ("user", None),
        ("user", None),
        ("user", "Ben"),
    ]
    assert found.told == [
        (None, False, "message 1: unknown role 'narrator'; stored as user"),
        (None, False, "message 4: unknown role 7; stored as user"),
        (None, False, "message 5: a turn has no role; stored as user"),
    ]


def test_missing_and_odd_fields_are_told_and_blank_turns_are_not(tmp_path: Path) -> None:
    messages: list[Any] = [
        {"role": "user", "content": "hello", "name": 7, "id": [1], "at": {}},
        {"role": "user"},
        {"role": "user", "content": 7},
        {"role": "user", "content": {"text": "x"}},
        {"role": "user", "content": None},
        {"role": "user", "content": " \n\t"},
        {"role": "user", "content": [{"type": "text", "text": "block"}, {"type": "image_url"}]},
        None,
        "text",
    ]
    found = read_all(write_json(tmp_path / "a.json", [{"id": "x", "messages": messages}, {"messages": 7}]))
    assert found.turns == [("user", "hello"), ("user", "block")]
    assert found.told == [
        (1, False, "message 1: the time {} is invalid; the turn was stored without a time"),
        (1, True, "message 2: a message without content"),
        (1, True, "message 3: a turn's text is a number"),
        (1, True, "message 4: a turn's text is an object"),
        (1, True, "message 8: null where a message should be"),
        (1, True, "message 9: text where a message should be"),
        (2, True, "the messages of a conversation are a number, not a list"),
    ]


NOW = datetime.now(UTC)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2025-03-04T18:02:05Z", datetime(2025, 3, 4, 18, 2, 5, tzinfo=UTC)),
        ("2025-03-04T18:02:05", datetime(2025, 3, 4, 18, 2, 5, tzinfo=UTC)),
        ("2025-03-04 18:02:05.250+02:00", datetime(2025, 3, 4, 16, 2, 5, 250000, tzinfo=UTC)),
        ("2025-03-04 18:02:05 UTC", datetime(2025, 3, 4, 18, 2, 5, tzinfo=UTC)),
        ("2025-03-04 18:02:05 +0100", datetime(2025, 3, 4, 17, 2, 5, tzinfo=UTC)),
        ("2025-03-04", datetime(2025, 3, 4, tzinfo=UTC)),
        (1741111325, datetime(2025, 3, 4, 18, 2, 5, tzinfo=UTC)),
        (1741111325.5, datetime(2025, 3, 4, 18, 2, 5, 500000, tzinfo=UTC)),
        (1741111325500, datetime(2025, 3, 4, 18, 2, 5, 500000, tzinfo=UTC)),
        (1741111325500000, datetime(2025, 3, 4, 18, 2, 5, 500000, tzinfo=UTC)),
        ("1741111325", datetime(2025, 3, 4, 18, 2, 5, tzinfo=UTC)),
        ("1741111325.5", datetime(2025, 3, 4, 18, 2, 5, 500000, tzinfo=UTC)),
        (None, None),
        ("", None),
        (0, None),
    ],
)
def test_times_of_every_form_become_utc(tmp_path: Path, written: Any, meant: datetime | None) -> None:
    fields: tuple[dict[str, Any], ...] = (
        {"at": written}, {"at": None, "timestamp": written}, {"created_at": written}, {"at": written, "timestamp": 1},
    )  # fmt: skip
    messages = [
        {"role": "user", "content": str(count), **each} for count, each in enumerate(fields[: 4 if meant else 3])
    ]
    found = read_all(write_json(tmp_path / "a.json", messages))
    assert {message.at for message in found.conversations[0].messages} == {meant}
    assert found.problems == []


@pytest.mark.parametrize(
    "written",
    [
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00",
        "0001-01-01",
        "1970-01-01T00:00:00Z",
        "1601-01-01T00:00:00Z",
        "1753-01-01T00:00:00",
        "1754-08-30T22:43:41.128654848Z",
        "1899-12-30T00:00:00",
        "1900-01-01T00:00:00.000Z",
        "1904-01-01",
        253402300799,
        -62135596800,
        "-11644473600000",
        -6795364578871345152,
    ],
)
def test_what_programs_write_for_no_time_is_none(tmp_path: Path, written: object) -> None:
    turns = [
        {"role": "user", "content": "x", "at": "2026-03-01T10:00:00Z"},
        {"role": "assistant", "content": "y", "at": written},
    ]
    found = read_all(write_json(tmp_path / "a.json", turns))
    assert found.conversations[0].messages[1].at is None
    assert found.problems == []


@pytest.mark.parametrize(
    "written",
    [
        "2025-02-30T10:00:00Z",
        "2025-03-04T25:00:00Z",
        "0000-00-00",
        "yesterday",
        True,
        [],
        -5,
        1e300,
        float("nan"),
        float("inf"),
        10**40,
        "9" * 20,
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "\ud83d",
    ],
    ids=repr,
)
def test_impossible_times_are_told_and_the_turn_is_kept(tmp_path: Path, written: Any) -> None:
    found = read_all(write_json(tmp_path / "a.json", [{"role": "user", "content": "x", "at": written}]))
    [turn] = found.conversations[0].messages
    assert (turn.content, turn.at) == ("x", None)
    [(line, lost, what)] = found.told
    assert (line, lost) == (1, False)
    assert what.endswith("is invalid; the turn was stored without a time")


def test_a_time_in_the_future_is_told_and_dropped_beyond_a_day(tmp_path: Path) -> None:
    soon, later = NOW + timedelta(hours=20), NOW + timedelta(days=2)
    turns = [{"role": "user", "content": at.isoformat(), "at": at.isoformat()} for at in (soon, later)]
    found = read_all(write_json(tmp_path / "a.json", turns))
    assert [turn.at for turn in found.conversations[0].messages] == [soon, None]
    [(line, lost, what)] = found.told
    assert (line, lost) == (2, False)
    assert "is in the future" in what


def test_surrogates_and_nuls_are_mended_wherever_they_stand(tmp_path: Path) -> None:
    talk = {
        "id": "t\x00\ud83d",
        "title": "\ud83d title",
        "project": "p\x00",
        "messages": [
            {"role": "user", "name": "A\x00da", "content": "half \ud83d and \x00 nul", "id": "\udc00"},
            {"role": "user", "content": "whole \U0001f600"},
        ],
    }
    found = read_all(write_json(tmp_path / "a.json", talk))
    [conversation] = found.conversations
    assert (conversation.id, conversation.title, conversation.project) == ("t\ufffd\ufffd", "\ufffd title", "p\ufffd")
    assert [(turn.name, turn.content, turn.id) for turn in conversation.messages] == [
        ("A\ufffdda", "half \ufffd and \ufffd nul", "\ufffd"),
        (None, "whole \U0001f600", None),
    ]
    assert found.told == [
        (None, False, "message 1: a turn contains NUL characters or half surrogates; replaced each with U+FFFD")
    ]


def test_long_ids_and_titles_are_shortened_and_stay_apart(tmp_path: Path) -> None:
    talks = [neutral("one", id="x" * 5000 + end, title="t" * 5000) for end in "ab"]
    found = read_all(write_json(tmp_path / "a.json", talks))
    first, second = found.conversations
    assert first.id != second.id
    assert len(first.id) == len(second.id) == len("sha256:") + 64
    assert first.title == "t" * 199 + "…"
    assert found.problems == []


def test_a_turn_above_a_megabyte_is_told_and_left_out(tmp_path: Path) -> None:
    talk = neutral("x" * 1_000_000, "x" * 1_000_001, "é" * 500_000, "é" * 500_001, "after")
    found = read_all(write_json(tmp_path / "a.json", talk))
    assert [len(text) for _, text in found.turns] == [1_000_000, 500_000, 5]
    assert found.told == [
        (None, True, "message 2: a turn of 1,000,001 characters exceeds the limit of 1 MB"),
        (None, True, "message 4: a turn of 500,001 characters exceeds the limit of 1 MB"),
    ]


def test_a_conversation_that_is_too_large_goes_on_in_parts_that_stay_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "PART_TURNS", 500)
    turns = [{"role": "user", "content": f"turn {number}"} for number in range(502)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, turns[:-1])) + "\n")
    before = read_all(path)
    path.write_text("\n".join(map(json.dumps, turns)) + "\n")
    after = read_all(path)
    folder = tmp_path.name
    assert [(each.id, len(each.messages)) for each in after.conversations] == [
        (f"{folder}/a.jsonl", 500),
        (f"{folder}/a.jsonl~2", 2),
    ]
    assert before.conversations[0] == after.conversations[0]
    assert before.conversations[1].messages == after.conversations[1].messages[:1]
    whole = read_all(write_json(tmp_path / "b.json", {"id": "talk", "messages": turns}))
    assert [(each.id, len(each.messages)) for each in whole.conversations] == [("talk", 500), ("talk~2", 2)]


# --- broken files


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ('{"id": "x",\n "messages": [\n  {"role": }\n]}', 3, "not valid JSON (Expecting value, column 12)"),
        ('{"id": "x", "messages": [{"role": "user", "con', 1, "not valid JSON"),
        ('{\n"messages": [}', 2, "not valid JSON"),
        ('[{"role": "user", "content": "cut o', 1, "the file ends inside this element"),
        ('[{"role": "user" "content": "x"}]', 1, "not valid JSON (Expecting ',' delimiter, column 17)"),
        ('{"messages": ' + "[" * 100_000 + "]" * 100_000 + "}", None, "not readable JSON (nested too deeply)"),
        ('{"messages": ' + "9" * 5000 + "}", None, "not readable JSON (a number is too long)"),
        ('{"messages": [' + "[]," * 600_010 + "[]]}", None, "too many values in one piece of JSON"),
    ],
    ids=["line", "cut", "bracket", "cut list", "comma", "deep", "number", "many"],
)
def test_a_file_that_is_broken_as_a_whole_is_told_with_its_line(
    tmp_path: Path, content: str, line: int | None, why: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    assert detect(path) is None
    found = read_all(path)
    assert found.conversations == []
    [(told_line, lost, what)] = found.told
    assert (told_line, lost) == (line, True)
    assert what.startswith(why)


def test_a_list_that_is_cut_off_keeps_its_whole_elements(tmp_path: Path) -> None:
    whole = json.dumps([neutral("one", id="a"), neutral("two", id="b"), neutral("three", id="c")])
    path = tmp_path / "a.json"
    path.write_text(whole[:-40])
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["a", "b"]
    assert found.told == [(3, True, "the file ends inside this element")]
    path.write_text(whole[:-1])
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["a", "b"]
    assert found.told == [(3, True, "the file ends inside this element")]
    path.write_text(whole[: whole.index('{"id": "c"')])
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["a", "b"]
    assert found.told == [(None, True, "the file ends before its JSON list does")]


def test_broken_elements_of_a_list_are_told_and_the_others_read(tmp_path: Path) -> None:
    parts = [
        json.dumps(neutral("one", id="a")),
        '{"id": "b", "messages": [tru]}',
        '{"id": "c" "x"}',
        "",
        "[" * 100_000 + "]" * 100_000,
        "9" * 5000,
        json.dumps(neutral("two", id="d")),
    ]
    path = tmp_path / "a.json"
    path.write_text("[" + ", ".join(parts) + "] and more")
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["a", "d"]
    assert [(line, lost) for line, lost, _ in found.told] == [
        *((line, True) for line in (2, 3, 4, 5, 6)),
        (None, True),
    ]
    assert found.told[-1][2] == "skipped text after the end of the JSON list"


def test_broken_lines_are_told_and_the_others_read(tmp_path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    path = write_lines(
        tmp_path / "a.jsonl", neutral("one", id="a"), "{broken", "", deep, "7", "null", neutral("two", id="b")
    )
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["a", "b"]
    assert [(line, lost) for line, lost, _ in found.told] == [(line, True) for line in (2, 4, 5, 6)]


def test_a_first_line_that_is_broken_hides_no_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", '{"id": "a", "messages": [', neutral("two", id="b"))
    found = read_all(path)
    assert [each.id for each in found.conversations] == ["b"]
    assert [(line, lost) for line, lost, _ in found.told] == [(1, True)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32"])
def test_unicode_with_a_mark_is_read_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding.endswith(("le", "be")) else ""
    path = tmp_path / "a.json"
    talk = neutral("grüße 😀", "再见")
    path.write_bytes((mark + json.dumps([talk], ensure_ascii=False, indent=1)).encode(encoding))
    found = read_all(path)
    assert found.turns == [("user", "grüße 😀"), ("assistant", "再见")]
    assert found.problems == []


def test_other_encodings_are_guessed_and_told(tmp_path: Path) -> None:
    latin, damaged = tmp_path / "latin.json", tmp_path / "damaged.json"
    latin.write_bytes(json.dumps([neutral("grüße – “so”")], ensure_ascii=False).encode("cp1252"))
    damaged.write_bytes(json.dumps([neutral("grüße XX 😀")], ensure_ascii=False).encode().replace(b"XX", b"\xff\xfe"))
    found = read_all(latin)
    assert found.turns == [("user", "grüße – “so”")]
    assert found.told == [(1, False, "is not UTF-8; read as Windows-1252")]
    found = read_all(damaged)
    assert found.turns == [("user", "grüße \ufffd\ufffd 😀")]
    assert found.told == [(1, False, "is not entirely UTF-8; replaced invalid bytes with U+FFFD")]


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{}",
        "[1, 2, 3]",
        '{"name": "package", "version": "1.0.0", "content": "x"}',
        '[{"name": "a.txt", "content": "the text of a file"}]',
        '[{"role": "button", "content": "OK"}]',
        '{"messages": ["one", "two"]}',
        '{"messages": [{"sender_name": "Ada", "content": "x"}]}',
        '{"sessionId": "x", "messages": [{"type": "user", "content": "x"}]}',
        '{"type": "message", "user": "U1", "text": "x", "ts": "1.0"}',
        '[{"author": "Ada", "message": "x", "timestamp": "2025-03-04"}]',
    ],
)
def test_other_json_is_no_chat(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    assert detect(path) is None
    [(_, lost, what)] = read_all(path).told
    assert lost
    assert what.startswith("has an unknown format")


# --- size


def test_a_line_and_an_element_above_the_limit_are_passed_over(tmp_path: Path) -> None:
    huge = json.dumps({"role": "user", "content": "x" * ELEMENT_BYTES})
    before, after = (json.dumps({"role": "user", "content": word}) for word in ("before", "after"))
    lines, listed = tmp_path / "a.jsonl", tmp_path / "a.json"
    lines.write_text(f"{before}\n{huge}\n{after}\n")
    listed.write_text(f"[{before},{huge},{after}]")
    for path, what in ((lines, "line"), (listed, "element")):
        found = read_all(path)
        assert found.turns == [("user", "before"), ("user", "after")]
        assert found.told == [(2, True, f"a JSON {what} over the limit of 32 MB")]
    lone = tmp_path / "b.json"
    lone.write_text('{"id": "x", "messages": [' + huge + "]}")
    [(_, lost, what)] = read_all(lone).told
    assert lost
    assert what.startswith("one JSON object over the limit of 32 MB")


MEMORY = """
import resource, sys
from pathlib import Path
from ricordo.formats import read
turns = sum(len(each.messages) for each in read([Path(sys.argv[1])], lambda problem: None))
status = Path("/proc/self/status")
if status.exists():  # on Linux getrusage tells the peak of the process that this one was forked from
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(turns, peak // 1024)
"""


def turns_and_megabytes(path: Path) -> tuple[int, int]:
    """How many turns a file holds, and the megabytes that a process of its own needed to read them."""
    done = subprocess.run([sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True)
    turns, peak = map(int, done.stdout.split())
    return turns, peak


def written(path: Path, pieces: Iterable[str]) -> Path:
    with path.open("w") as file:
        file.writelines(pieces)
    return path


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    talk = json.dumps(neutral(*["some words that are said " * 400] * 5))
    line = '{"role": "user", "content": "short"}\n'
    files = [
        (written(tmp_path / "a.json", ["[", *[talk + ","] * 1500, talk, "]"]), 1501 * 5, 100),
        # 32 MB of a line are held until it is known to be too long.
        (written(tmp_path / "a.jsonl", [line, '{"x": "', *["x" * 1000] * 80_000, '"}\n', line]), 2, 160),
        (written(tmp_path / "a.txt", ["User: hello\nAI: ", *["x" * 1000] * 80_000, "\nUser: bye\n"]), 2, 100),
    ]
    for path, turns, most in files:
        assert path.stat().st_size > 75_000_000
        read, peak = turns_and_megabytes(path)
        assert read == turns
        assert peak < most, path


# --- the scanner


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_elements_are_found_whatever_the_pieces(size: int) -> None:
    raw = rb' [ {"a": "\"]},[{\\"} , [1,[2]] , "x,\\" ,7,{"b":{"c":"}"}} ] '
    found, told = cut(raw, size)
    assert [piece for _, piece, _ in found] == [
        rb'{"a": "\"]},[{\\"}',
        b"[1,[2]]",
        rb'"x,\\"',
        b"7",
        b'{"b":{"c":"}"}}',
    ]
    assert told == []


@pytest.mark.parametrize(
    ("raw", "pieces", "told"),
    [
        (b"[]", [], []),
        (b"[ \n ]", [], []),
        (b"[1,]", [b"1"], []),
        (b"[1", [b"1"], []),
        (b'["a', [b'"a'], []),
        (b'["a\\', [b'"a'], []),
        (b"[1,", [b"1"], ["the file ends before its JSON list does"]),
        (b"[", [], ["the file ends before its JSON list does"]),
        (b"[1] x", [b"1"], ["skipped text after the end of the JSON list"]),
        (b"[1}", [b"1"], []),
        (b"[,1]", [b"", b"1"], []),
    ],
)
def test_odd_lists_are_cut_as_far_as_they_go(raw: bytes, pieces: list[bytes], told: list[str]) -> None:
    found, problems = cut(raw)
    assert [piece for _, piece, _ in found] == pieces
    assert problems == told
