"""Sessions of Codex and Gemini CLI: what was typed and answered, and what the programs put in themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chat_files import read_all, write_json, write_lines

AT = "2026-03-01T10:00:0{}.000Z"


def line(second: int, kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": AT.format(second), "type": kind, "payload": payload}


def item(second: int, role: str, *texts: str, **fields: Any) -> dict[str, Any]:
    put = "output_text" if role == "assistant" else "input_text"
    content = [{"type": put, "text": text} for text in texts]
    return line(second, "response_item", type="message", role=role, content=content, **fields)


META = line(0, "session_meta", id="session-1", cwd="/home/ada/garden", originator="codex_cli_rs")
CODEX = [
    META,
    item(1, "developer", "<permissions instructions>"),
    item(1, "user", "<environment_context>\n<cwd>/</cwd>"),
    item(1, "user", "# AGENTS.md instructions for /home/ada"),
    item(2, "user", "water the beds"),
    line(2, "event_msg", type="user_message", message="water the beds"),
    line(3, "response_item", type="reasoning", summary=[]),
    line(3, "response_item", type="function_call", name="shell", arguments="{}"),
    line(3, "response_item", type="function_call_output", output="ok"),
    item(4, "assistant", "Done.", "All beds."),
    line(5, "session_meta", id="older-session", cwd="/elsewhere"),
]


def test_a_codex_session_gives_what_was_typed_and_answered(tmp_path: Path) -> None:
    found = read_all(write_lines(tmp_path / "rollout-1.jsonl", *CODEX))
    [talk] = found.conversations
    assert (talk.id, talk.project, talk.source) == ("session-1", "garden", "codex")
    assert found.turns == [("user", "water the beds"), ("assistant", "Done.\n\nAll beds.")]
    assert [turn.at for turn in talk.messages] == [datetime(2026, 3, 1, 10, 0, second, tzinfo=UTC) for second in (2, 4)]
    assert found.told == [(None, False, "skipped what is not a message: thoughts (1)")]


def test_a_codex_session_from_elsewhere_belongs_to_its_remote(tmp_path: Path) -> None:
    git = {"repository_url": "git@example.org:ada/garden.git", "branch": "main"}
    meta = line(0, "session_meta", id="session-2", cwd="/gone/worktree-7", git=git)
    [talk] = read_all(write_lines(tmp_path / "rollout-2.jsonl", meta, item(1, "user", "water"))).conversations
    assert talk.project == "example.org/ada/garden"


def test_an_older_codex_session_has_its_messages_bare(tmp_path: Path) -> None:
    first = {"id": "session-0", "timestamp": AT.format(0), "instructions": None}
    bare = [each["payload"] for each in CODEX if each["type"] == "response_item"]
    found = read_all(write_lines(tmp_path / "rollout-0.jsonl", first, {"record_type": "state"}, *bare))
    assert [each.id for each in found.conversations] == ["session-0"]
    assert found.turns == [("user", "water the beds"), ("assistant", "Done.\n\nAll beds.")]


def test_a_codex_session_that_is_being_written_is_read_to_its_last_whole_line(tmp_path: Path) -> None:
    found = read_all(write_lines(tmp_path / "rollout.jsonl", META, item(1, "user", "hello"), '{"timestamp": "2026', 7))
    assert found.turns == [("user", "hello")]
    assert [(each[0], each[1]) for each in found.told] == [(3, True), (4, True)]


def test_a_codex_session_has_the_last_name_that_it_was_given(tmp_path: Path) -> None:
    named = [line(1, "event_msg", type="thread_name_updated", thread_name=name) for name in ("First", "Watering", None)]
    found = read_all(write_lines(tmp_path / "rollout.jsonl", META, *named, item(2, "user", "hello")))
    assert [(each.id, each.title) for each in found.conversations] == [("session-1", "Watering")]


def test_what_a_codex_subagent_did_is_no_talk_with_a_user(tmp_path: Path) -> None:
    meta = line(0, "session_meta", id="s", source={"subagent": {"thread_spawn": {}}})
    found = read_all(write_lines(tmp_path / "rollout.jsonl", meta, item(1, "user", "do it")))
    assert (found.conversations, found.problems) == ([], [])


# --- Gemini CLI


def gemini(id: str, kind: str, content: Any, second: int = 1, **fields: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": AT.format(second), "type": kind, "content": content, **fields}


SESSION = {"sessionId": "g-1", "projectHash": "abc", "startTime": AT.format(0), "summary": "Watering"}
GEMINI = [
    gemini("1", "user", [{"text": "water the beds"}, {"inlineData": {}}]),
    gemini("2", "info", "Request cancelled."),
    gemini("3", "gemini", "Done.", 3, toolCalls=[{"name": "run_shell_command"}], thoughts=[{}]),
]
SPOKEN = [("user", "water the beds"), ("assistant", "Done.")]
NOTED = (None, False, "skipped what is not a message: calls of tools and their outputs (1), files and other parts (1)")


def test_a_gemini_session_keeps_its_title_ids_and_times(tmp_path: Path) -> None:
    found = read_all(write_json(tmp_path / "session-1.json", SESSION | {"messages": GEMINI}))
    [talk] = found.conversations
    assert (talk.id, talk.title, talk.source) == ("g-1", "Watering", "gemini_cli")
    assert found.turns == SPOKEN
    assert [turn.id for turn in talk.messages] == ["1", "3"]
    assert talk.messages[1].at == datetime(2026, 3, 1, 10, 0, 3, tzinfo=UTC)
    assert found.told == [NOTED]


def test_a_gemini_session_in_lines_takes_the_last_state_of_a_message(tmp_path: Path) -> None:
    lines = [SESSION, GEMINI[0], GEMINI[1], gemini("3", "gemini", "Do", 3), GEMINI[2]]
    found = read_all(write_lines(tmp_path / "session-1.jsonl", *lines))
    assert [(each.id, each.title) for each in found.conversations] == [("g-1", "Watering")]
    assert found.turns == SPOKEN
    assert found.told == [NOTED]


def test_a_gemini_checkpoint_is_a_talk_without_times(tmp_path: Path) -> None:
    history = [
        {"role": "user", "parts": [{"text": "This is the Gemini CLI. We are setting up the context for our chat."}]},
        {"role": "user", "parts": [{"text": "water the beds"}]},
        {"role": "model", "parts": [{"functionCall": {}}, {"text": "hm", "thought": True}, {"text": "Done."}]},
    ]
    found = read_all(write_json(tmp_path / "checkpoint-garden.json", history))
    assert found.turns == SPOKEN
    assert found.conversations[0].id.endswith("/checkpoint-garden.json")


def test_a_gemini_session_in_lines_takes_later_fields_and_what_was_typed(tmp_path: Path) -> None:
    typed = gemini("4", "user", [{"text": "look at @a.txt\n--- a.txt ---\nlong"}], 4, displayContent="look at @a.txt")
    fields = {key: value for key, value in SESSION.items() if key != "summary"} | {"kind": "main"}
    lines = [fields, GEMINI[0], {"$set": {"summary": "Beds"}}, GEMINI[2], {"$rewindTo": "3"}, typed, {"$set": {"x": 1}}]
    found = read_all(write_lines(tmp_path / "session-1.jsonl", *lines))
    assert [(each.id, each.title) for each in found.conversations] == [("g-1", "Beds")]
    assert found.turns == [*SPOKEN, ("user", "look at @a.txt")]


def test_what_a_gemini_subagent_did_is_no_talk_with_a_user(tmp_path: Path) -> None:
    assert read_all(write_lines(tmp_path / "a.jsonl", SESSION | {"kind": "subagent"}, GEMINI[0])).turns == []
    assert read_all(write_json(tmp_path / "a.json", SESSION | {"kind": "subagent", "messages": GEMINI})).turns == []
