"""The provider for the Agent Memory Benchmark, against a stand-in for the benchmark's package."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from homes import temporary_home
from models import model_folder

#: What the provider uses of the benchmark: its base class, its documents, its list of providers and its command.
_PACKAGE = {
    "__init__.py": "",
    "models.py": """
from dataclasses import dataclass
@dataclass
class Document:
    id: str
    content: str
    user_id: str | None = None
    messages: list | None = None
    timestamp: str | None = None
    context: str | None = None
""",
    "memory/__init__.py": "REGISTRY = {}\n",
    "memory/base.py": """
from abc import ABC, abstractmethod
class MemoryProvider(ABC):
    @abstractmethod
    def ingest(self, documents): ...
    @abstractmethod
    def retrieve(self, query, k=10, user_id=None, query_timestamp=None): ...
""",
    "cli.py": """
from .memory import REGISTRY
def app():
    return sorted(REGISTRY)[0]
""",
}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, text in _PACKAGE.items():
        path = tmp_path / "memory_bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("bench.agent_memory_benchmark")
    for name in [each for each in sys.modules if each.split(".")[0] == "memory_bench"]:
        del sys.modules[name]
    del sys.modules["bench.agent_memory_benchmark"]


def _documents(bench: Any) -> list[Any]:
    listed = [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a dog."},
        {"speaker": "Grace", "dia_id": "D1:2", "text": "Here is mine.", "blip_caption": "a spaniel"},
    ]
    shown = (
        "[March-15-2024 | Turn 1] User: The API quota is 1,200 calls.\n\nIt was 900.\n\n"
        "[Turn 2] Assistant: Noted: it is up."
    )
    return [
        bench.Document("c_1", json.dumps(listed), "c", timestamp="2023-05-08T13:56:00+00:00", context="One"),
        bench.Document("q_1", shown, "q", timestamp="2024-03-15T00:00:00+00:00"),
        bench.Document("p_1", "", "p", messages=[{"role": "user", "content": "I play the cello."}]),
    ]


def test_documents_of_every_kind_become_turns(bench: Any) -> None:
    told = [
        [(each.get("name") or each["role"], each["content"]) for each in bench.turns(document)]
        for document in [*_documents(bench), bench.Document("t", "A page\n\nwithout names")]
    ]
    assert told == [
        [("Ada", "I adopted a dog."), ("Grace", "Here is mine. [shares a photo of a spaniel]")],
        [("user", "The API quota is 1,200 calls.\n\nIt was 900."), ("assistant", "Noted: it is up.")],
        [("user", "I play the cello.")],
        [("user", "A page\n\nwithout names")],
    ]


def test_a_run_stores_asks_and_begins_anew(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with temporary_home() as folder:
        monkeypatch.setenv("RICORDO_MODEL_DIR", str(model_folder()))
        monkeypatch.setenv("RICORDO_HOME", str(folder / "elsewhere"))
        provider = bench.RicordoProvider()
        provider.prepare(folder, {"c", "q", "p"})
        try:
            provider.ingest(_documents(bench))
            asked, now = "Who adopted a dog?", "2023-06-01T00:00:00+00:00"
            found, raw = provider.retrieve(asked, user_id="c", query_timestamp=now)
            assert (found[0].id, found[0].content, raw) == ("c_1", "[2023-05-08] Ada: I adopted a dog.", None)
            others, _ = provider.retrieve(asked, user_id="q")
            assert not any("dog" in each.content for each in others), "each conversation is a user of its own"
            provider.cleanup()
            provider.prepare(folder, reset=False)
            assert provider.retrieve("What is the API quota?", user_id="q")[0][0].id == "q_1"
            provider.cleanup()
            provider.prepare(folder)
            assert provider.retrieve("What is the API quota?", user_id="q")[0] == []
        finally:
            provider.cleanup()
        assert not (folder / "elsewhere").exists()


def test_the_benchmark_s_own_command_is_run(bench: Any) -> None:
    with pytest.raises(SystemExit, match="ricordo"):
        bench.main()
