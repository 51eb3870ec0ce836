"""Exports of real programs, read from the tuning data beside the project where it is there."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import pytest

from chat_files import Found, read_all
from ricordo.formats import detect

IMPORTS = Path(__file__).parents[2].parent / "shared" / "data" / "imports"

pytestmark = pytest.mark.skipif(not IMPORTS.is_dir(), reason="the exports in ../shared/data/imports are not here")

#: For each file that is a chat: its format, and the turns of its conversations, records of what tools did among them.
CHATS = {
    "chatgpt/chatgpt-export.json": ("chatgpt", [1]),
    "chatgpt/native-conversation-v1.json": ("chatgpt", [3]),
    "claude_ai/claude-ai-export.json": ("claude_ai", [1]),
    "claude_ai/conversation-with-errors.json": ("claude_ai", [9]),
    "claude_ai/cooking.json": ("claude_ai", [6]),
    "claude_ai/data.json": ("claude_ai", [2]),
    "claude_ai/webdev.json": ("claude_ai", [2]),
    "claude_code/edge_cases.jsonl": ("claude_code", [6]),
    "claude_code/representative_messages.jsonl": ("claude_code", [9]),
    "claude_code/sample_session.json": ("claude_code", [17]),
    "claude_code/sample_session.jsonl": ("claude_code", [5]),
    "claude_code/session_b.jsonl": ("claude_code", [3]),
    "claude_code/todowrite_examples.jsonl": ("claude_code", [5]),
    "chat_miner_tests/instagram/test_export.json": ("messenger", [2]),
    "chat_miner_tests/signal/test_export.txt": ("signal", [2]),
    "chat_miner_tests/telegram/test_batch_export.json": ("telegram", [2]),
    "chat_miner_tests/telegram/test_single_export.json": ("telegram", [2]),
    "chat_miner_tests/whatsapp/test_[mmddyy]_24hrs.txt": ("whatsapp", [6]),
    "chat_miner_tests/whatsapp/test_ddmmyy_24hrs.txt": ("whatsapp", [6]),
    "chat_miner_tests/whatsapp/test_mmddyy_24hrs.txt": ("whatsapp", [6]),
    "chat_miner_tests/whatsapp/test_mmddyyyy_12hrs.txt": ("whatsapp", [6]),
    "chat_miner_tests/whatsapp/test_yyyymmdd_24hrs.txt": ("whatsapp", [6]),
    "codex/codex-session.jsonl": ("codex", [2]),
    "gemini_cli/gemini-cli-session.json": ("gemini_cli", [2]),
    "slack/testarchive.zip": ("slack", [96, 48]),
}
#: Those whose makers say what is in them.
PARSED = [name for name in CHATS if name.startswith("chat_miner_tests/")]


def read_export(name: str) -> Found:
    return read_all(IMPORTS / name)


@pytest.mark.parametrize("name", CHATS)
def test_a_known_export_gives_its_turns(name: str) -> None:
    form, turns = CHATS[name]
    found = detect(IMPORTS / name)
    assert found is not None
    assert found.name == form
    assert [len(each.messages) for each in read_export(name).conversations] == turns


@pytest.mark.parametrize("name", PARSED)
def test_an_export_holds_what_its_makers_say(name: str) -> None:
    wanted = json.loads((IMPORTS / name).with_name("target.json").read_text(encoding="utf-8"))
    [conversation] = read_export(name).conversations
    found = [(turn.at, turn.name, " ".join(turn.content.split())) for turn in conversation.messages]
    # Instagram's example tells its times in UTC, the others in no zone: both are the clock's own figures.
    assert sorted(found, key=str) == sorted(
        ((datetime.fromisoformat(each["timestamp"] + "+00:00"), each["author"], each["message"]) for each in wanted),
        key=str,
    )


def test_a_slack_export_names_people_and_channels() -> None:
    found = read_export("slack/testarchive.zip")
    assert [(each.id, each.title, each.project) for each in found.conversations] == [
        ("slack:C0JGLMMNX", "#enrique", "enrique"),
        ("slack:C0JL6CGQ2", "#traveling-sailor", "traveling-sailor"),
    ]
    speakers = {turn.name for each in found.conversations for turn in each.messages}
    assert {"Harry Potter", "Hermione Granger"} <= speakers
    first, last = found.conversations[0].messages[0].at, found.conversations[0].messages[-1].at
    assert first is not None
    assert last is not None
    assert (first.date(), last.date()) == (date(2016, 1, 15), date(2016, 3, 29))
    assert not any(problem.lost for problem in found.problems)


def test_every_other_export_is_of_unknown_format() -> None:
    files = sorted(path for path in IMPORTS.rglob("*") if path.is_file())
    others = [path for path in files if path.relative_to(IMPORTS).as_posix() not in CHATS]
    assert len(others) >= 5
    for path in others:
        found = read_all(path)
        assert found.conversations == [], path
        assert [problem.lost for problem in found.problems] == [True], path
        assert found.problems[0].what.startswith("has an unknown format"), path


def test_only_the_branch_that_is_current_and_spoken_comes_from_chatgpt() -> None:
    found = read_export("chatgpt/native-conversation-v1.json")
    assert found.turns == [
        ("user", "Analyze the attached fixture and create an artifact."),
        ("browser.search", "Privacy-safe tool result."),
        ("assistant", "Final answer. [Download artifact](sandbox:/mnt/data/fixture-result.zip)"),
    ]
    assert found.problems == []


def test_what_is_broken_in_a_claude_export_is_told_by_message() -> None:
    found = read_export("claude_ai/conversation-with-errors.json")
    assert [what.partition(":")[0] for _, _, what in found.told] == [
        "message 4",
        "message 6",
        "message 7",
        "message 8",
    ]
    assert all(not lost for _, lost, _ in found.told)


def test_what_is_broken_in_a_claude_code_session_is_told_by_line() -> None:
    found = read_export("claude_code/edge_cases.jsonl")
    assert [(line, lost) for line, lost, _ in found.told] == [(line, True) for line in (11, 13, 14, 15, 16)]
    [conversation] = found.conversations
    assert conversation.messages[-1].content.startswith("Testing special characters: café")
