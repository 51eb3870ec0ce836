"""What coding agents did: a compact record among the turns, bounded, without file contents and secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chat_files import read_all, write_lines
from ricordo.blocking import Memory

SECRET = "sk-ant-api03-" + "Zx9Kq2Lm7Pw4Rt8Vy1Bn5Cd3Fg6Hj0Qa" * 3


def _line(type: str, content: object, number: int, **more: Any) -> dict[str, Any]:
    message = {"role": type, "content": content, **more}
    at = f"2026-03-01T18:{number:02}:00Z"
    return {
        "type": type,
        "sessionId": "s",
        "uuid": f"u{number}",
        "cwd": "/home/ada/shop",
        "timestamp": at,
        "message": message,
    }


def _use(id: str, name: str, **given: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": id, "name": name, "input": given}]


def _result(id: str, text: str, failed: bool = False) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]


FAILED = """\
    def test_total():
>       assert tax.total(order) == 7
E       app.errors.StaleElement: element 12 is gone
tests/test_tax.py:12: StaleElement
FAILED tests/test_tax.py::test_total - app.errors.StaleElement: element 12 is gone
========================= 2 failed, 11 passed in 3.21s =========================
Exit code 1"""

TAX = "/home/ada/shop/billing/tax.py"

SESSION = [
    _line("user", "Round the tax per line, please.", 1),
    _line("assistant", [{"type": "text", "text": "I look first."}, *_use("t1", "Read", file_path=TAX)], 2),
    _line("user", _result("t1", "SECRET SOURCE = 42"), 3),
    _line("assistant", _use("t2", "Edit", file_path=TAX, old_string="a", new_string="SECRET SOURCE"), 4),
    _line("user", _result("t2", "ok"), 5),
    _line("assistant", _use("t3", "Bash", command=f"export KEY={SECRET}; pytest tests/test_tax.py"), 6),
    _line("user", _result("t3", FAILED, failed=True), 7),
    _line("assistant", _use("t4", "Bash", command="cat > notes.txt <<EOF\nSECRET SOURCE\nEOF"), 8),
    _line("user", _result("t4", ""), 9),
    _line("assistant", _use("t5", "Bash", command="pytest tests/test_tax.py"), 10),
    _line("user", _result("t5", "13 passed in 2.00s"), 11),
    _line("assistant", _use("t6", "Bash", command="git commit -am 'Round tax per line'"), 12),
    _line("user", _result("t6", "[main 1a2b3c4] Round tax per line\n 2 files changed"), 13),
    _line("assistant", [{"type": "text", "text": "Done: the element is read again."}], 14, stop_reason="end_turn"),
]  # fmt: skip


def _records(*lines: dict[str, Any], path: Path) -> list[tuple[str, str]]:
    [conversation] = read_all(write_lines(path, *lines)).conversations
    return [(each.name or "", each.content) for each in conversation.messages]


def test_a_record_stands_before_what_the_agent_says_at_the_end(tmp_path: Path) -> None:
    turns = _records(*SESSION, path=tmp_path / "s.jsonl")
    assert [each[0] for each in turns] == ["", "", "tool record", ""]
    record = turns[2][1]
    for told in (
        "Changed billing/tax.py", "Read billing/tax.py", "pytest tests/test_tax.py", "exit code 1, 2 failed, 11 passed",
        "StaleElement: element 12 is gone", "13 passed", "Committed 1a2b3c4 Round tax per line",
    ):  # fmt: skip
        assert told in record
    assert "SECRET SOURCE" not in json.dumps(turns)
    assert SECRET not in record
    assert "[secret]" in record


def test_a_session_that_grows_changes_no_record_that_was_made(tmp_path: Path) -> None:
    after = [_line("user", "And the docs?", 15), _line("assistant", _use("t7", "Bash", command="ls docs"), 16)]
    more = [_line("user", _result("t7", "a.md"), 17), _line("user", "Thanks.", 18)]
    whole = _records(*SESSION, *after, *more, path=tmp_path / "whole.jsonl")
    for count in range(1, len(SESSION) + len(after) + len(more)):
        part = _records(*[*SESSION, *after, *more][:count], path=tmp_path / "part.jsonl")
        assert part == whole[: len(part)]


def test_records_are_bounded(tmp_path: Path) -> None:
    lines = [_line("user", "Go.", 0)]
    for number in range(60):
        lines.append(
            _line("assistant", _use(f"r{number}", "Read", file_path=f"/home/ada/shop/{'x' * 300}{number}.py"), 1)
        )
        lines.append(_line("assistant", _use(f"b{number}", "Bash", command="y" * 5_000), 1))
        lines.append(_line("user", _result(f"b{number}", "Error: " + "z" * 50_000, failed=True), 1))
    record = _records(*lines, _line("user", "And?", 2), path=tmp_path / "s.jsonl")[1][1]
    assert len(record) <= 2_000
    many = [_line("user", "Go.", 0)]
    for number in range(400):
        many.append(_line("assistant", _use(f"b{number}", "Bash", command=f"ls {number}"), 1))
        many.append(_line("user", f"Next {number}.", 1) | {"uuid": f"n{number}"})
    turns = _records(*many, path=tmp_path / "t.jsonl")
    assert sum(name == "tool record" for name, _ in turns) == 300


@pytest.mark.parametrize("given", [None, 5, [], "x", {"command": 5}, {"file_path": None}, {"command": [1, "-c", None]}])
def test_whatever_a_tool_is_given_stops_nothing(tmp_path: Path, given: object) -> None:
    calls = [
        {"type": "tool_use", "id": each, "name": each, "input": given}
        for each in ("Bash", "Read", "Edit", "apply_patch")
    ]
    answers = [{"type": "tool_result", "tool_use_id": "Bash", "content": given}]
    lines = [_line("user", "Go.", 0), _line("assistant", calls, 1), _line("user", answers, 2), _line("user", "And?", 3)]
    assert _records(*lines, path=tmp_path / "s.jsonl")[0] == ("", "Go.")


def test_codex_sessions_have_records_too(tmp_path: Path) -> None:
    def item(number: int, **payload: Any) -> dict[str, Any]:
        return {"timestamp": f"2026-03-01T18:{number:02}:00Z", "type": "response_item", "payload": payload}

    def said(number: int, role: str, text: str) -> dict[str, Any]:
        kind = "input_text" if role == "user" else "output_text"
        return item(number, type="message", role=role, content=[{"type": kind, "text": text}])

    patch = "*** Begin Patch\n*** Update File: billing/tax.py\n@@\n-a\n+SECRET SOURCE\n*** End Patch"
    shell = json.dumps({"command": ["bash", "-lc", "cargo test tax"]})
    lines = [
        {"timestamp": "2026-03-01T18:00:00Z", "type": "session_meta", "payload": {"id": "c", "cwd": "/home/ada/shop"}},
        said(1, "user", "Round the tax."),
        item(2, type="custom_tool_call", call_id="c1", name="apply_patch", input=patch),
        item(3, type="custom_tool_call_output", call_id="c1", output="Success"),
        item(4, type="function_call", call_id="c2", name="shell", arguments=shell),
        item(5, type="function_call_output", call_id="c2",
             output="error[E0502]: cannot borrow `tax`\ntest result: FAILED. 3 passed; 1 failed\nExit code: 101"),
        said(6, "assistant", "It does not build yet."),
    ]  # fmt: skip
    turns = _records(*lines, path=tmp_path / "rollout.jsonl")
    assert [each[0] for each in turns] == ["", "tool record", ""]
    for told in ("Changed billing/tax.py", "cargo test tax", "exit code 101", "error[E0502]: cannot borrow"):
        assert told in turns[1][1]
    assert "SECRET SOURCE" not in turns[1][1]


def test_records_are_found_by_path_symbol_and_error(memory: Memory, tmp_path: Path) -> None:
    others = [_line("user", f"Tell me about fish number {number}.", number) for number in range(20, 50)]
    memory.import_chats([write_lines(tmp_path / "s.jsonl", *SESSION), write_lines(tmp_path / "o.jsonl", *[
        {**each, "sessionId": "o"} for each in others])])  # fmt: skip
    for question in (
        "How did we fix the StaleElement error?",
        "When did we last touch billing/tax.py, and why?",
        "1a2b3c4",
    ):
        found = memory.recall(question, top_k=5)
        assert any(each.speaker == "tool record" for each in found), question
    assert memory.import_chats([tmp_path / "s.jsonl"]).stored == 0
