"""Row A12 of the contract: the memory commands, with the seed's options, and --json on each."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from ricordo.cli import main
from ricordo.settings import Settings


@pytest.fixture
def ricordo(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command line on this test's store: `ricordo("memory", …)` → (exit code, output, errors)."""
    monkeypatch.setenv("RICORDO_HOME", str(settings.home))
    monkeypatch.setenv("RICORDO_DATABASE", settings.database)
    monkeypatch.setenv("RICORDO_SCHEMA", settings.schema)
    monkeypatch.setenv("RICORDO_MODEL_DIR", str(settings.models))

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def profile(ricordo: Any) -> str:
    """The id of the default profile of a new agent `coder`."""
    ricordo("agent", "create", "coder")
    [found] = json.loads(ricordo("memory", "list-profiles", "--agent", "coder", "--json")[1])
    assert found["is_default"] and found["injection_limit"] == 5
    return str(found["id"])


def test_a12_write_list_redact_and_summarize(ricordo: Any, profile: str) -> None:
    written = ricordo(
        "memory", "write-entry", "--profile", profile, "--scope", "project", "--source", "manual",
        "--content", "JSON only, never YAML", "--confidence", "0.8", "--json",
    )  # fmt: skip
    id = json.loads(written[1])["id"]
    ricordo("memory", "write-entry", "--profile", profile, "--content", "Back off exponentially", "--confidence", "0.9")

    listed = json.loads(ricordo("memory", "list-entries", "--profile", profile, "--json")[1])
    assert [each["content"] for each in listed] == ["Back off exponentially", "JSON only, never YAML"]
    assert ricordo("memory", "list-entries", "--profile", profile, "--scope", "global", "--limit", "5")[1] == ""

    summary = json.loads(ricordo("memory", "summarize", "--profile", profile, "--json")[1])
    assert list(summary) == ["count", "scopes", "last_written_at"]
    assert (summary["count"], summary["scopes"]) == (2, ["project"])

    receipt = json.loads(ricordo("memory", "redact", id, "--reason", "contains PII", "--json")[1])
    assert receipt["done"] and receipt["removed"]["content"] == 1
    assert json.loads(ricordo("memory", "get", id, "--json")[1])["content"] == "[redacted]"
    accesses = json.loads(ricordo("memory", "history", id, "--accesses", "--json")[1])
    assert [each["action"] for each in accesses] == ["write", "read", "redact", "read"]
    assert accesses[-2]["context"] == {"reason": "contains PII"}
    assert json.loads(ricordo("memory", "summarize", "--profile", profile, "--json")[1])["count"] == 1


def test_a12_update_keeps_history_and_forget_removes(ricordo: Any, profile: str) -> None:
    written = ricordo("memory", "write-entry", "--profile", profile, "--content", "lives in Gothenburg")[1].split()
    assert written[0] == "stored"
    id = written[1]
    assert "lives in Malmö" in ricordo("memory", "update", id, "--content", "lives in Malmö")[1]
    versions = json.loads(ricordo("memory", "history", id, "--json")[1])
    assert [each["content"] for each in versions] == ["lives in Gothenburg", "lives in Malmö"]
    accesses = json.loads(ricordo("memory", "history", id, "--accesses", "--json")[1])
    assert [(each["action"], each["actor"]) for each in accesses] == [
        ("write", "user"), ("edit", "user"), ("read", "user"),
    ]  # fmt: skip
    assert json.loads(ricordo("memory", "forget", id, "--json")[1])["removed"]["memories"] == 1
    assert ricordo("memory", "get", id)[0] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("list-profiles", "--agent", "nobody"), 3, "nobody"),
        (("list-entries", "--profile", str(uuid4())), 3, "profile"),
        (("list-entries", "--profile", "no-uuid"), 2, "invalid id 'no-uuid'"),
        (("summarize", "--profile", str(uuid4())), 3, "profile"),
        (("redact", str(uuid4())), 3, "memory"),
    ],
)
def test_a12_what_is_not_there_is_said_in_one_line(
    ricordo: Any, arguments: tuple[str, ...], code: int, says: str
) -> None:
    found, out, err = ricordo("memory", *arguments)
    assert (found, out) == (code, "")
    assert says in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--confidence", "1.01"), ("--confidence", "nan"), ("--scope", "everywhere"), ("--content", "  "),
     ("--content", "x" * 10_001), ("--source", "system")],
)  # fmt: skip
def test_a12_bad_input_names_the_field_and_writes_nothing(ricordo: Any, profile: str, option: str, value: str) -> None:
    arguments = {"--profile": profile, "--content": "fine", option: value}
    code, out, err = ricordo("memory", "write-entry", *(part for pair in arguments.items() for part in pair))
    assert (code, out) == (2, "")
    assert option.removeprefix("--") in err
    assert json.loads(ricordo("memory", "summarize", "--profile", profile, "--json")[1])["count"] == 0
