"""Rules that hold for every file: readers never fail, what they give can be stored, and nothing depends on chance."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chat_files import (
    Found,
    chatgpt,
    claude,
    claude_message,
    gpt_message,
    neutral,
    read_all,
    session_line,
)
from ricordo.formats.draft import TURN_BYTES
from ricordo.formats.elements import elements
from ricordo.formats.problems import Reporter

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
#: Files are written and read in each example, which may take its time on a machine that does other work too.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

#: Values that a field of an export may turn out to hold, surrogates and all.
ODD = JSON | st.text(st.characters(codec=None), max_size=20) | st.sampled_from(["2025-03-04", 1e11, 10**30, "\x00"])


@contextmanager
def file_of(content: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path


def read_bytes(content: bytes, name: str = "chat.txt") -> Found:
    with file_of(content, name) as path:
        return read_all(path)


def assert_storable(found: Found) -> None:
    """What PostgreSQL and everything after it relies on."""
    limit = datetime.now(UTC) + timedelta(days=1, minutes=1)
    for conversation in found.conversations:
        assert conversation.messages
        for text in (conversation.id, conversation.title, conversation.project):
            assert text is None or fits(text, 300)
        for turn in conversation.messages:
            assert fits(turn.content, TURN_BYTES)
            assert turn.content.strip()
            assert turn.name is None or fits(turn.name, 300)
            assert turn.id is None or fits(turn.id, 300)
            assert turn.at is None or (turn.at.utcoffset() == timedelta() and turn.at <= limit)
    for problem in found.problems:
        assert fits(str(problem), 2000)
        assert "\n" not in problem.what


def fits(text: str, most: int) -> bool:
    return bool(text) and "\x00" not in text and len(text.encode()) <= 4 * most


# --- nothing that a file holds stops the run


@patient
@given(st.binary(max_size=400), st.sampled_from(["a.txt", "a.md", "a.json", "a.jsonl", "a.zip"]))
@example(b"\xff\xfeA", "a.txt")
@example(b"\xef\xbb\xbf", "a.json")
@example(b"[" * 400, "a.json")
@example(b"PK\x05\x06" + bytes(18), "a.zip")
def test_any_bytes_are_read_or_told(content: bytes, name: str) -> None:
    assert_storable(read_bytes(content, name))


SPEAKERS = ["Ada: ", "Ben: ", "User: ", "AI:", "**Ada** ", "## User"]
MARKS = ["```", "---", "2025-03-04 ", "18:02 ", "[", "]", "\n", "\n\n"]
TEXT_PIECES = st.sampled_from(SPEAKERS + MARKS)


@patient
@given(st.lists(TEXT_PIECES | st.text(max_size=6), max_size=60).map("".join))
def test_any_text_is_read_or_told(text: str) -> None:
    content = text.encode("utf-8", "replace")
    assert_storable(read_bytes(content, "a.md"))


MUTABLE = {
    "chatgpt": [chatgpt(gpt_message("1", "user", "hello"), gpt_message("2", "assistant", "hi"))],
    "claude_ai": [claude(claude_message("1", "human", "hello"), claude_message("2", "assistant", "hi"))],
    "claude_code": [
        session_line("user", "1", "hello"),
        session_line("assistant", "2", [{"type": "text", "text": "hi"}]),
        session_line("assistant", "3", [{"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/a"}}]),
        session_line("user", "4", [{"type": "tool_result", "tool_use_id": "t", "content": "text", "is_error": True}]),
        {"type": "summary", "summary": "A talk", "leafUuid": "1"},
    ],
    "json": [neutral("hello", "hi", title="t"), {"role": "user", "content": "x", "at": 1}],
    "telegram": [
        {
            "name": "Ada",
            "type": "personal_chat",
            "id": 1,
            "messages": [
                {"id": 1, "type": "message", "date_unixtime": "1544006350", "from": "Ada", "text": "hello"},
                {
                    "id": 2,
                    "type": "message",
                    "date_unixtime": "1544006351",
                    "from": "Ben",
                    "text": ["h", {"text": "i"}],
                },
            ],
        }
    ],
    "messenger": [
        {
            "title": "Ada",
            "thread_path": "inbox/ada",
            "messages": [{"sender_name": "Ada", "timestamp_ms": 1577186580000, "content": "hello"}] * 2,
        }
    ],
    "codex": [
        {"type": "session_meta", "timestamp": "2026-03-01T10:00:00Z", "payload": {"id": "s", "cwd": "/a/b"}},
        {
            "type": "response_item",
            "timestamp": "2026-03-01T10:00:00Z",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        },
    ],
    "gemini_cli": [
        {
            "sessionId": "g",
            "projectHash": "x",
            "summary": "A talk",
            "messages": [
                {"id": "1", "timestamp": "2026-03-01T10:00:00Z", "type": "user", "content": [{"text": "hello"}]},
                {"id": "2", "timestamp": "2026-03-01T10:00:00Z", "type": "gemini", "content": "hi", "toolCalls": [{}]},
            ],
        }
    ],
    "mem0": [
        {"results": [{"id": "1", "memory": "likes figs", "created_at": "2026-03-01T10:00:00Z", "user_id": "ada"}]}
    ],
    "windsurf": [
        {"type": "user_input", "user_input": {"user_response": "hello"}},
        {"type": "planner_response", "planner_response": {"response": "hi"}},
    ],
    "cursor": [{"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>hello</user_query>"}]}}],
    "slack": [
        {"type": "message", "subtype": "", "user": "U1", "text": "<@U1> hello", "ts": "1451606401.000100"},
        {"type": "message", "user": "U1", "text": "hi", "ts": "1451606402.000100", "thread_ts": "1451606401.000100"},
    ],
}
#: Forms whose files are one object a line; those that are read as one object may be the only one of their file.
BY_LINE = {"claude_code", "codex", "cursor", "windsurf"}
LONE = {"telegram", "messenger", "gemini_cli", "mem0"}


def read_slack(day: bytes, users: bytes = b'[{"id": "U1", "name": "ada"}]') -> Found:
    """A Slack export with one channel and one day."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slack.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("users.json", users)
            archive.writestr("channels.json", '[{"id": "C1", "name": "general"}]')
            archive.writestr("general/2016-01-01.json", day)
        return read_all(path)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside `value`."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, each in inside for place in places(each, (*way, key)))]


def changed(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    if not way:
        return new
    copy = value.copy()
    copy[way[0]] = changed(value[way[0]], way[1:], new)
    return copy


@pytest.mark.parametrize("form", MUTABLE)
@patient
@given(data=st.data())
def test_any_value_in_any_field_is_read_or_told(form: str, data: st.DataObject) -> None:
    records = MUTABLE[form]
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(places(records)[1:]))
        records = changed(records, way, data.draw(ODD))
    if form == "slack":
        assert_storable(read_slack(json.dumps(records).encode()))
        return
    lines = form in BY_LINE or data.draw(st.booleans())
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records[0] if form in LONE else records)
    assert_storable(read_bytes(text.encode(), "a.jsonl" if lines else "a.json"))


@pytest.mark.parametrize("form", MUTABLE)
def test_a_file_that_is_cut_anywhere_keeps_what_was_whole(form: str) -> None:
    if form == "slack" or form in LONE - {"telegram"}:
        pytest.skip("a file of this form is read whole, or together with others")
    if form == "telegram":
        content = json.dumps(MUTABLE[form][0]).encode()
    elif form in BY_LINE:
        content = "".join(json.dumps(each) + "\n" for each in MUTABLE[form]).encode()
    else:
        content = json.dumps(MUTABLE[form][:1] * 3).encode()
    whole = read_bytes(content, "a.jsonl" if form in BY_LINE else "a.json")
    before = 0
    for end in range(0, len(content), 7):
        found = read_bytes(content[:end], "a.jsonl" if form in BY_LINE else "a.json")
        assert_storable(found)
        assert found.turns == whole.turns[: len(found.turns)]
        assert len(found.turns) >= before, "a longer file gave less"
        before = len(found.turns)


@pytest.mark.parametrize("form", MUTABLE)
@patient
@given(end=st.integers(0, 900), noise=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 255)), max_size=6))
def test_cuts_and_noise_are_read_or_told(form: str, end: int, noise: list[tuple[int, int]]) -> None:
    records = MUTABLE[form]
    lines = form in BY_LINE
    raw = bytearray(
        "".join(json.dumps(each) + "\n" for each in records).encode()
        if lines
        else json.dumps(records[0] if form in LONE else records).encode()
    )
    for place, value in noise:
        raw[place % len(raw)] = value
    content = bytes(raw[:end]) if end < len(raw) else bytes(raw)
    assert_storable(read_slack(content) if form == "slack" else read_bytes(content, "a.jsonl" if lines else "a.json"))


PHONE_PIECES = ["31/12/21, 22:01 - ", "[12/31/21, 10:01:05 PM] ", "[2019-12-24, 12:23] ", "Ada: ", "Ben 🤓: ", "\u200e"]
PHONE_PIECES += ["<Media omitted>", "IMG-1.jpg (file attached)", "\n", "99/99/99, 99:99 - ", "(- Ada: x -)", "null"]


PHONE_TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=6)
#: Control characters, NUL and those that end a line among them, and where they stand. Eight make a file binary.
CONTROLS = st.lists(st.tuples(st.integers(0, 60), st.characters(categories=["Cc"])), max_size=7)


@patient
@given(st.lists(st.sampled_from(PHONE_PIECES) | PHONE_TEXT, max_size=60), CONTROLS)
@example(["31/12/21, 22:01 - Ben: hello"], [(1, each) for each in "\x00\v\f\x1c\x1e\x85\r"])
def test_any_text_of_a_phone_is_read_or_told(pieces: list[str], controls: list[tuple[int, str]]) -> None:
    written = [*pieces]
    for place, control in controls:
        written.insert(place, control)
    text = "".join(written)
    first = "31/12/21, 22:01 - Ada: hello\n"
    for beginning in (first, "[2019-12-24, 12:23] Ada: hello\n"):
        found = read_bytes((beginning + text).encode("utf-8", "replace"))
        assert_storable(found)
        assert found.turns[0][0] == "Ada"


@patient
@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_damaged_zip_is_read_or_told(damage: list[tuple[int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", json.dumps(MUTABLE["chatgpt"]))
            archive.writestr("chat.txt", "User: hello\nAI: hi\n")
        raw = bytearray(path.read_bytes())
        for place, value in damage:
            raw[place % len(raw)] = value
        path.write_bytes(bytes(raw))
        assert_storable(read_all(path))


# --- the scanner of lists


@patient
@given(st.lists(JSON, max_size=6), st.integers(1, 40), st.sampled_from([None, 1]))
def test_the_scanner_finds_what_json_finds_whatever_the_pieces(
    values: list[Any], size: int, indent: int | None
) -> None:
    raw = json.dumps(values, indent=indent, ensure_ascii=False).encode("utf-8", "surrogatepass")
    chunks = [raw[start : start + size] for start in range(0, len(raw), size)]
    problems: list[str] = []
    found = list(elements(chunks, Reporter("x", lambda problem: problems.append(problem.what))))
    pieces = [each.raw.decode("utf-8", "surrogatepass") for each in found]
    assert [json.dumps(json.loads(piece)) for piece in pieces] == [json.dumps(value) for value in values]
    assert [each.number for each in found] == list(range(1, len(values) + 1))
    assert all(each.complete for each in found)
    assert problems == []


# --- what is written as a chat is read as that chat

WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=40).map(
    lambda text: "so " + " ".join(text.replace("`", "").replace("~", "").replace(":", "").replace("：", "").split())
)
TURNS = st.lists(st.lists(WORDS, min_size=1, max_size=3).map("\n".join), min_size=2, max_size=8)
FORMS = {
    "line": ("{}: {}\n", "User", "Assistant"),
    "names": ("{}: {}\n", "Ada", "Claude"),
    "stamped": ("[2025-03-04 18:02] {}: {}\n", "Ada", "Ben"),
    "bold": ("**{}:** {}\n\n", "User", "ChatGPT"),
    "heading": ("## {}\n\n{}\n\n", "User", "Assistant"),
}


def rendered(form: str, turns: list[str]) -> str:
    shape, first, second = FORMS[form]
    return "".join(shape.format((first, second)[number % 2], turn) for number, turn in enumerate(turns))


@pytest.mark.parametrize("form", FORMS)
@patient
@given(turns=TURNS)
def test_a_chat_that_is_written_is_read_as_it_was(form: str, turns: list[str]) -> None:
    found = read_bytes(rendered(form, turns).encode())
    assert [text for _, text in found.turns] == [turn.rstrip() for turn in turns]
    assert found.problems == []


@pytest.mark.parametrize("form", FORMS)
@patient
@given(turns=TURNS, more=TURNS)
def test_a_chat_that_grew_begins_with_what_it_was(form: str, turns: list[str], more: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.txt"
        path.write_text(rendered(form, turns), encoding="utf-8")
        before = read_all(path)
        path.write_text(rendered(form, turns + more), encoding="utf-8")
        after = read_all(path)
    assert [each.id for each in after.conversations] == [each.id for each in before.conversations]
    assert after.conversations[0].messages[: len(turns)] == before.conversations[0].messages
