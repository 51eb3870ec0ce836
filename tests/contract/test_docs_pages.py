"""The examples of the manual print what stands below them, and the manual builds without a dead link."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ricordo.settings import Settings

ROOT = Path(__file__).parents[2]
#: Pages whose examples, one after the other, are one program. docs/adapters.md has a test of its own.
PAGES = [
    "README.md",
    "docs/reference.md",
    "docs/runs.md",
    *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs" / "guides").glob("*.md"))),
]
_EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.S)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_print_what_stands_below_them(
    page: str,
    with_vectors: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in ("home", "schema", "model_dir"):
        monkeypatch.setenv(f"RICORDO_{name.upper()}", str(getattr(with_vectors, name)))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code, printed in _EXAMPLE.findall((ROOT / page).read_text(encoding="utf-8")):
        exec(compile(code, page, "exec"), names)
        out = capsys.readouterr().out
        assert not printed or out == printed


def test_the_manual_builds_without_a_dead_link(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (built.returncode, built.stderr) == (0, "")
    assert (tmp_path / "guides" / "agent" / "index.html").is_file()
