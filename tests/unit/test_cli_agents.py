"""The commands of agents, journal, core, notes, runs and verify, on a real store."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest

from ricordo.blocking import Memory
from ricordo.cli import main
from ricordo.settings import Settings


@pytest.fixture
def ricordo(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command line on this test's store and gives back what it printed; the exit code must be 0 or `code`."""
    monkeypatch.setenv("RICORDO_HOME", str(settings.home))
    monkeypatch.setenv("RICORDO_DATABASE", settings.database)
    monkeypatch.setenv("RICORDO_SCHEMA", settings.schema)
    monkeypatch.setenv("RICORDO_MODEL_DIR", str(settings.models))

    def run(*arguments: str, code: int = 0) -> str:
        assert main([*arguments]) == code, capsys.readouterr()
        return capsys.readouterr().out

    return run


def test_agents_are_made_changed_listed_and_removed(ricordo: Any) -> None:
    made = json.loads(ricordo("agent", "create", "coder", "--system-prompt", "You code.", "--json"))
    changed = json.loads(ricordo("agent", "change", "coder", "--name", "builder", "--no-memory", "--json"))
    assert (changed["id"], changed["name"], changed["memory_disabled"]) == (made["id"], "builder", True)
    ricordo("agent", "create", "reviewer")
    assert "access granted" in ricordo("agent", "grant", "builder", "reviewer")
    assert "already granted" in ricordo("agent", "grant", "builder", "reviewer")
    assert "access revoked" in ricordo("agent", "grant", "builder", "reviewer", "--revoke")
    ricordo("agent", "delete", "builder", "--yes")
    assert [each["name"] for each in json.loads(ricordo("agent", "list", "--json"))] == ["reviewer"]
    ricordo("agent", "create", "reviewer", code=2)


def test_journal_and_core_are_written_and_shown_as_the_prompt_has_them(ricordo: Any) -> None:
    ricordo("agent", "create", "coder")
    entry = json.loads(ricordo("journal", "add", "coder", "  The build is flaky ", "--json"))
    assert (entry["status"], entry["kind"], entry["memory"]["content"]) == ("stored", "journal", "The build is flaky")
    ricordo("core", "add", "coder", "I like small commits")
    assert [each["content"] for each in json.loads(ricordo("core", "list", "coder", "--json"))] == [
        "I like small commits"
    ]
    assert "The build is flaky" in ricordo("journal", "list", "coder", "--active", "--text", "FLAKY")
    context = ricordo("journal", "context", "coder")
    assert context.startswith("# Your Private Memory\n\n## Core Memories (permanent)\n- I like small commits\n\n")
    ricordo("journal", "add", "coder", "x" * 10_001, code=2)


def test_notes_are_kept_listed_and_searched(ricordo: Any) -> None:
    note = json.loads(ricordo("memory", "add", "Dark mode, please", "--tag", "ui", "--importance", "8", "--json"))
    assert note["status"] == "stored"
    note = note["memory"]
    assert (note["retention"], note["importance"], note["tags"]) == ("long_term", 8, ["ui"])
    ricordo("memory", "add", "Ship on Friday", "--expires-at", "2100-01-01", "--project", "x")
    assert [each["content"] for each in json.loads(ricordo("memory", "list", "--json"))] == [
        "Dark mode, please",
        "Ship on Friday",
    ]
    assert "Ship" in ricordo("memory", "list", "--project", "x") and "Dark" not in ricordo(
        "memory", "list", "--project", "x"
    )
    assert "Dark mode" in ricordo("memory", "search", "dark")
    ricordo("memory", "add", "gone", "--expires-at", "2001-01-01", code=2)


def test_runs_are_shown_with_what_they_saw(ricordo: Any, settings: Settings) -> None:
    ricordo("agent", "create", "coder")
    with Memory(settings=replace(settings, user="local"), background=False) as memory:
        [profile] = memory.profiles.list("coder")
        memory.entries.write(profile.id, "Back off exponentially", confidence=0.9)
        with memory.run("coder", "Do the work.") as run:
            run.output("node", {"__lf_memory_writes": [{"content": "Done at last", "confidence": 0.7}]})
    shown = ricordo("run", "show", str(run.id))
    assert "## Context Memory\n- [0.9] Back off exponentially" in shown
    assert "Run started: coder, 1 entry in its prompt" in shown and "Run's writes stored: coder, 1 write" in shown
    assert json.loads(ricordo("run", "show", str(run.id), "--json"))["status"] == "completed"
    assert [each["id"] for each in json.loads(ricordo("run", "list", "--agent", "coder", "--json"))] == [str(run.id)]


def test_verify_finds_a_text_until_it_is_forgotten(ricordo: Any) -> None:
    note = json.loads(ricordo("memory", "add", "The code is 4711-quince", "--json"))
    assert "memories.content" in ricordo("verify", "--absent", "4711-quince", code=1)
    ricordo("memory", "forget", note["id"])
    assert "does not occur" in ricordo("verify", "--absent", "4711-quince")
    assert "intact" in ricordo("verify", "--seal")
    assert json.loads(ricordo("verify", "--json"))["broken"] is None


def test_what_is_not_confirmed_is_not_done_and_says_so(
    ricordo: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ricordo("agent", "create", "coder")
    for answer in ("", "n\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        assert main(["agent", "delete", "coder"]) == 1
        assert capsys.readouterr().err.splitlines()[-1] == (
            "ricordo: canceled; nothing was changed. To confirm without a prompt, pass --yes"
        )
    assert "coder" in ricordo("agent", "list")
