"""The local embedding model tells nobody that it runs: no event, no device id, and no file outside RICORDO_HOME."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ricordo
from models import model_folder
from ricordo.errors import InvalidInput
from ricordo.settings import Settings

_SOURCES = Path(ricordo.__file__).parent
#: Runs in a peer's own environment, which `ricordo.bench.peers.run` gives the variable.
_PEER = _SOURCES / "bench" / "peers" / "drivers" / "minilm.py"
_ENCODE = """
import os, sys
from pathlib import Path
from ricordo.embedding import load
from ricordo.settings import Settings
load(Settings(home=Path(sys.argv[1]), model_dir=Path(sys.argv[2]))).encode(["the kiln is hot"])
print(os.environ["ORT_DISABLE_TELEMETRY"])
"""


def _imported(source: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_onnxruntime_is_imported_in_one_place_behind_the_variable() -> None:
    importers = [each for each in _SOURCES.rglob("*.py") if each != _PEER and "onnxruntime" in _imported(each)]
    assert len(importers) == 1, importers
    code = importers[0].read_text("utf-8")
    assert -1 < code.find('os.environ["ORT_DISABLE_TELEMETRY"] = "1"') < code.find("import onnxruntime")


@pytest.mark.parametrize("before", [None, "0"])
def test_the_embedding_model_leaves_nothing_in_the_home_of_its_user(tmp_path: Path, before: str | None) -> None:
    home = tmp_path / "home"
    home.mkdir()
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    variables |= {"HOME": str(home), **({"ORT_DISABLE_TELEMETRY": before} if before else {})}
    ended = subprocess.run(
        [sys.executable, "-c", _ENCODE, str(tmp_path), str(model_folder())],
        env=variables, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ended.stdout == "1\n", ended.stderr
    assert list(home.rglob("*")) == []


def test_an_account_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "RICORDO_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("geteuid", "getuid"):
        monkeypatch.setattr(os, name, lambda: 424_242)
    with pytest.raises(InvalidInput, match="RICORDO_HOME"):
        Settings.from_environment()
    with pytest.raises(InvalidInput, match=r"RICORDO_MODEL_DIR.*absolute path"):
        Settings.from_environment({"RICORDO_HOME": "/srv/ricordo", "RICORDO_MODEL_DIR": "~/models"})
